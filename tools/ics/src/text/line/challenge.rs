//! Offers of games, their terms, and seeks.

/// Rating of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    /// Rating of an account with rated games.
    Known(u32),
    /// An account without rated games (`----`).
    Unrated,
    /// A guest (`++++`).
    Guest,
}

impl Rating {
    /// Returns the number, if there is one.
    pub fn number(self) -> Option<u32> {
        match self {
            Rating::Known(rating) => Some(rating),
            Rating::Unrated | Rating::Guest => None,
        }
    }
}

/// A player with the rating for the kind of game that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Name of the account.
    pub name: String,
    /// Rating for the kind of game.
    pub rating: Rating,
}

/// Kind and time control of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTerms {
    /// Set for a rated game.
    pub rated: bool,
    /// Kind of game in lower case as the server names it, such as `blitz`, `standard`, `untimed`, `wild/fr`,
    /// `crazyhouse` or `wild/2`. ` (odds)` is appended if the sides have different times; those are of the first side.
    pub kind: String,
    /// Initial time, in minutes; `None` for an untimed game.
    pub base: Option<u32>,
    /// Increment, in seconds; 0 for an untimed game.
    pub increment: u32,
    /// Set for a private game.
    pub private: bool,
}

/// An offer of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The user that offers the game.
    pub from: Player,
    /// The user that is to answer.
    pub to: Player,
    /// Colour that the challenger takes: `Some(true)` for White, `None` for a colour chosen by the server.
    pub from_is_white: Option<bool>,
    /// Time control, variant and kind.
    pub terms: GameTerms,
    /// Set if the offer is to resume an adjourned game. Some servers do not show its terms then; `terms` has an empty
    /// kind in that case.
    pub adjourned: bool,
}

/// The end or a change of an offer of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChallengeNotice {
    /// The named user has withdrawn the offer.
    Withdrawn(String),
    /// The named user has declined the offer of this account.
    Declined(String),
    /// The named user has accepted the offer of this account, or has a seek or an offer that meets it.
    Accepted(String),
    /// The named user has changed the terms of the offer; a line with the new terms follows.
    Updated(String),
    /// The named user has logged out or begun another game: all offers from or to this user are void.
    Gone(String),
    /// The adjourned opponents named here are logged in: a game can be resumed with `match NAME`.
    PresentPartners(Vec<String>),
    /// This number of adjourned opponents are logged in. Their names are on the next lines: see
    /// [`names`](crate::text::names).
    AdjournedPartners(u32),
    /// The server has sent an offer of this account.
    Issued {
        /// The user that is to answer.
        to: String,
        /// Set if the offer is to resume an adjourned game.
        adjourned: bool,
    },
}

/// A seek of another user, or a message on a seek of this account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seek {
    /// A seek of another user: number, user and terms. `play NUMBER` accepts it.
    Offered {
        /// Number of the seek.
        number: u32,
        /// The user that seeks a game.
        from: Player,
        /// Colour that this user takes; `None` for a colour chosen by the server.
        from_is_white: Option<bool>,
        /// Time control, variant and kind.
        terms: GameTerms,
    },
    /// A seek of this account has been posted or changed, and has this number; 0 if the server does not state it.
    Posted(u32),
    /// A seek of this account has been removed.
    Removed,
}
