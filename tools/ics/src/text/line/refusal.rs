//! Refusals: commands and moves that the server does not accept.

/// A command or move that the server refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The move is illegal; text of the move as the server repeats it.
    IllegalMove(String),
    /// A move was sent while the opponent is to move.
    NotYourMove,
    /// The command needs a game, and this account plays none.
    NotPlaying,
    /// A move was sent while the game is paused.
    Paused,
    /// The server does not know the command; name of the command.
    UnknownCommand(String),
    /// The command does not have the right form or is not allowed; text of the server.
    BadCommand(String),
    /// The user is not logged in.
    NotLoggedIn(String),
    /// The user plays already.
    AlreadyPlaying(String),
    /// The user does not accept offers of games.
    NotOpen(String),
    /// The user refuses offers of this account (`noplay`, formula); text of the server.
    NotWanted(String),
    /// There is nothing to answer: no offer is pending.
    NothingPending,
    /// The flag of the opponent has not fallen, or neither side can be called.
    NotOutOfTime,
    /// A draw or another claim is not justified; text of the server.
    NotAllowed(String),
}
