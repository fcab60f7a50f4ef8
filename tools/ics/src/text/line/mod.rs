//! The values that lines of the server are parsed to.

mod board;
mod challenge;
mod chat;
mod finger;
mod game;
mod login;
mod moves;
mod refusal;
mod request;

pub use board::{Board, Relation};
pub use challenge::{Challenge, ChallengeNotice, GameTerms, Player, Rating, Seek};
pub use chat::{Chat, ChatKind};
pub use finger::Finger;
pub use game::{GameEnd, GameNotice, GameResult, GameStart};
pub use login::{LoginLine, LoginPrompt};
pub use moves::{ListedMove, MoveList};
pub use refusal::Refusal;
pub use request::{Request, RequestNotice};

/// A line of the server.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerLine {
    /// A position in Style 12.
    Board(Box<Board>),
    /// The announcement that a game begins or continues.
    GameStart(GameStart),
    /// The result of a game.
    GameEnd(GameEnd),
    /// Another message on a game of this account: takeback, clock, adjournment and so on.
    GameNotice(GameNotice),
    /// The terms of a game, shown to its two players before the first board.
    Creating(Creating),
    /// An offer of a game.
    Challenge(Challenge),
    /// The end or a change of an offer of a game.
    ChallengeNotice(ChallengeNotice),
    /// An offer or question of the opponent during the game.
    Request {
        /// Name of the opponent.
        from: String,
        /// The offer.
        request: Request,
    },
    /// An answer to an offer during the game, or its withdrawal.
    RequestNotice(RequestNotice),
    /// A message of another user.
    Chat(Chat),
    /// A seek of another user, or a message on a seek of this account.
    Seek(Seek),
    /// A user in the list of `set notify` has logged in.
    Arrived(String),
    /// A user in the list of `set notify` has logged out.
    Departed(String),
    /// The server refuses a command or a move.
    Refused(Refusal),
    /// A message during the login, or on the session.
    Login(LoginLine),
    /// A line of the answer to `finger`.
    Finger(Finger),
    /// A line of the answer to `moves`.
    MoveList(MoveList),
    /// A line without text.
    Blank,
    /// Any other text.
    Unknown(String),
}

/// Players and terms of a game that is about to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creating {
    /// The player with the white pieces.
    pub white: Player,
    /// The player with the black pieces.
    pub black: Player,
    /// Time control, variant and kind.
    pub terms: GameTerms,
    /// Set if an adjourned game is resumed.
    pub adjourned: bool,
}
