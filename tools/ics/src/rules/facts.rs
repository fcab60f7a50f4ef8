//! Facts that decisions depend on.

use std::time::Duration;

use crate::text::Rating;

/// A colour of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

/// A challenge of another player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeFacts {
    /// Name of the other player.
    pub opponent: String,
    /// Rating of the other player.
    pub rating: Rating,
    /// Set if the other player is registered as a computer.
    pub computer: bool,
    /// Set for a rated game.
    pub rated: bool,
    /// Variant as the server names it, such as `blitz`, `wild/fr` or `crazyhouse`; see [`super::variant`].
    pub variant: String,
    /// Base time in minutes and increment in seconds; `None` without clocks.
    pub time: Option<(u32, u32)>,
    /// Colour that this account gets; `None`: the server chooses.
    pub colour: Option<Colour>,
    /// Set if the game is an adjourned one. Only `noplay` and `adjourned` apply to it.
    pub adjourned: bool,
}

/// State of the account, for decisions on challenges and seeks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Set while a game is running.
    pub playing: bool,
    /// Set after a stop was requested: no new game begins.
    pub stopping: bool,
    /// Opponent of the last game; empty before the first.
    pub last_opponent: String,
    /// Number of games in a row against `last_opponent`.
    pub games_in_row: u32,
    /// Number of games since the start of the program or the last pause.
    pub games_since_pause: u32,
    /// Time since the end of the last game; `None` before the first.
    pub since_last_game: Option<Duration>,
    /// Number of seeks sent since the start of the program.
    pub seeks: usize,
}

impl History {
    /// Notes the end of a game against `opponent`. `pause_after` is the number of games after which a pause begins.
    ///
    /// A game that begins during a pause, against a preferred player, ends the pause.
    pub fn game_ended(&mut self, opponent: &str, pause_after: u32) {
        if self.last_opponent.eq_ignore_ascii_case(opponent) {
            self.games_in_row = self.games_in_row.saturating_add(1);
        } else {
            opponent.clone_into(&mut self.last_opponent);
            self.games_in_row = 1;
        }
        // The pause is over by the time that another game ends.
        if pause_after > 0 && self.games_since_pause >= pause_after {
            self.games_since_pause = 0;
        }
        self.games_since_pause = self.games_since_pause.saturating_add(1);
        self.since_last_game = Some(Duration::ZERO);
        self.playing = false;
    }
}

/// Answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Accept it.
    Accept,
    /// Decline it, and send this sentence to the player if `chat.explain` is set.
    Decline(String),
    /// Do nothing.
    Ignore,
}

/// State of the running game, for decisions on requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// Set for a rated game.
    pub rated: bool,
    /// Number of half-moves played.
    pub half_moves: u32,
    /// Number of takebacks accepted in this game.
    pub takebacks: u32,
    /// Set after a stop was requested that asks for an adjournment.
    pub stopping: bool,
}

/// Answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestDecision {
    /// Pass the request to the engine, which answers it.
    AskEngine,
    /// Accept it.
    Accept,
    /// Decline it, and send this sentence to the opponent if `chat.explain` is set.
    Decline(String),
}

/// Result of a game for this account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This account won.
    Won,
    /// The opponent won.
    Lost,
    /// A draw.
    Drawn,
    /// The game was aborted or adjourned.
    Unfinished,
}

impl Outcome {
    /// Returns the word for it: `won`, `lost`, `drawn` or `unfinished`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::Unfinished => "unfinished",
        }
    }
}

/// Returns `true` if `list` contains the player. Servers ignore the case of names.
pub fn is_listed(list: &[String], player: &str) -> bool {
    list.iter().any(|name| name.eq_ignore_ascii_case(player))
}
