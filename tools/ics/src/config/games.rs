//! The sections on games: challenges, seeks, rematches, requests. With their defaults.

use serde::{Deserialize, Serialize};

/// Colour that a challenge may ask for, as seen by this account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourChoice {
    /// Either colour, and the server's choice.
    #[default]
    Any,
    /// White, or the server's choice.
    White,
    /// Black, or the server's choice.
    Black,
}

/// Rules for challenges.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Challenges {
    /// Clear to decline all challenges.
    pub accept: bool,
    /// Shortest base time in minutes.
    pub base_min: u32,
    /// Longest base time in minutes.
    pub base_max: u32,
    /// Smallest increment in seconds.
    pub increment_min: u32,
    /// Greatest increment in seconds.
    pub increment_max: u32,
    /// Shortest estimated duration of a game in minutes: base time and 40 increments.
    pub duration_min: u32,
    /// Longest estimated duration of a game in minutes: base time and 40 increments.
    pub duration_max: u32,
    /// Set to accept games without clocks.
    pub untimed: bool,
    /// Set to accept rated games.
    pub rated: bool,
    /// Set to accept unrated games.
    pub unrated: bool,
    /// Lowest rating of the opponent.
    pub rating_min: u32,
    /// Highest rating of the opponent.
    pub rating_max: u32,
    /// Set to accept registered players without a rating.
    pub unrated_players: bool,
    /// Set to accept guests.
    pub guests: bool,
    /// Set to accept computers.
    pub computers: bool,
    /// Accepted variants: `normal` and `fischerandom`.
    pub variants: Vec<String>,
    /// Accepted colour.
    pub colour: ColourChoice,
    /// Players whose challenges are declined.
    pub noplay: Vec<String>,
    /// Players for whom the limits on ratings, computers, games in a row and the pause do not apply.
    pub prefer: Vec<String>,
    /// Set to accept only players in `prefer`.
    pub prefer_only: bool,
    /// Set to resume adjourned games.
    pub adjourned: bool,
    /// Games in a row with the same opponent; 0: no limit.
    pub games_in_row: u32,
    /// Games after which the account pauses; 0: never.
    pub pause_after: u32,
    /// Length of the pause in minutes.
    pub pause: u32,
}

impl Default for Challenges {
    fn default() -> Self {
        Self {
            accept: true,
            base_min: 0,
            base_max: 60,
            increment_min: 0,
            increment_max: 60,
            duration_min: 1,
            duration_max: 90,
            untimed: false,
            rated: true,
            unrated: true,
            rating_min: 0,
            rating_max: 9999,
            unrated_players: true,
            guests: true,
            computers: true,
            variants: vec!["normal".to_owned(), "fischerandom".to_owned()],
            colour: ColourChoice::Any,
            noplay: Vec::new(),
            prefer: Vec::new(),
            prefer_only: false,
            adjourned: true,
            games_in_row: 0,
            pause_after: 0,
            pause: 5,
        }
    }
}

/// Seeks while no game is running.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Seek {
    /// Games to seek, one after the other; none: no seeks.
    pub games: Vec<SeekGame>,
    /// Seconds after the end of a game or the login before the first seek.
    pub after: u64,
    /// Seconds after which the next game of the list is sought.
    pub every: u64,
}

impl Default for Seek {
    fn default() -> Self {
        Self {
            games: Vec::new(),
            after: 10,
            every: 300,
        }
    }
}

/// One game to seek.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct SeekGame {
    /// Base time in minutes.
    pub base: u32,
    /// Increment in seconds.
    pub increment: u32,
    /// Set for a rated game.
    pub rated: bool,
    /// Variant: `normal` or `fischerandom`.
    pub variant: String,
    /// Colour of this account.
    pub colour: ColourChoice,
    /// Lowest rating of the opponent.
    pub rating_min: u32,
    /// Highest rating of the opponent.
    pub rating_max: u32,
    /// Set to start the game without asking the rules in `[challenges]`.
    pub automatic: bool,
}

impl Default for SeekGame {
    fn default() -> Self {
        Self {
            base: 5,
            increment: 0,
            rated: true,
            variant: "normal".to_owned(),
            colour: ColourChoice::Any,
            rating_min: 0,
            rating_max: 9999,
            automatic: false,
        }
    }
}

/// Games after which this account offers a rematch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RematchOffer {
    /// No game.
    #[default]
    Never,
    /// Games that this account won, so that the opponent can take revenge.
    Won,
    /// Games that this account did not win.
    NotWon,
    /// All finished games.
    Always,
}

/// Rematches that the account offers. Rematches that the opponent asks for are challenges.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rematch {
    /// Games after which a rematch is offered.
    pub offer: RematchOffer,
    /// Greatest number of games in a row that a rematch may lead to.
    pub games: u32,
}

impl Default for Rematch {
    fn default() -> Self {
        Self {
            offer: RematchOffer::Never,
            games: 3,
        }
    }
}

/// Draw offers.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draw {
    /// Set to let the engine answer draw offers; otherwise they are declined.
    pub engine: bool,
    /// Set to pass on the engine's draw offers.
    pub offer: bool,
}

impl Default for Draw {
    fn default() -> Self {
        Self {
            engine: true,
            offer: true,
        }
    }
}

/// Requests for takebacks.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Takeback {
    /// Set to accept takebacks.
    pub accept: bool,
    /// Greatest number of half-moves of one takeback.
    pub half_moves: u32,
    /// Greatest number of takebacks in a game.
    pub per_game: u32,
    /// Set to accept takebacks in rated games.
    pub rated: bool,
}

impl Default for Takeback {
    fn default() -> Self {
        Self {
            accept: false,
            half_moves: 2,
            per_game: 3,
            rated: false,
        }
    }
}

/// Times at which a request is accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AbortAnswer {
    /// Never.
    Never,
    /// Before the move number [`Abort::before_move`].
    #[default]
    Early,
    /// Always.
    Always,
}

/// Requests to abort the game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Abort {
    /// Times at which a request is accepted.
    pub accept: AbortAnswer,
    /// Move number before which `early` accepts a request.
    pub before_move: u32,
}

impl Default for Abort {
    fn default() -> Self {
        Self {
            accept: AbortAnswer::Early,
            before_move: 2,
        }
    }
}

/// Requests to adjourn the game.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adjourn {
    /// Set to accept requests.
    pub accept: bool,
}
