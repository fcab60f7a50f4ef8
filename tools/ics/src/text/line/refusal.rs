//! Refusals: commands and moves that the server does not accept.

use std::fmt;

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

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalMove(mv) if mv.is_empty() => formatter.write_str("illegal move"),
            Self::IllegalMove(mv) => write!(formatter, "illegal move {mv}"),
            Self::NotYourMove => formatter.write_str("the opponent is to move"),
            Self::NotPlaying => formatter.write_str("no game is in progress"),
            Self::Paused => formatter.write_str("the game is paused"),
            Self::UnknownCommand(name) => write!(formatter, "{name}: Command not found."),
            Self::NotLoggedIn(name) => write!(formatter, "{name} is not logged in"),
            Self::AlreadyPlaying(name) => write!(formatter, "{name} is playing a game"),
            Self::NotOpen(name) => write!(formatter, "{name} is not open for games"),
            Self::NothingPending => formatter.write_str("no offer is pending"),
            Self::NotOutOfTime => formatter.write_str("the opponent is not out of time"),
            Self::BadCommand(text) | Self::NotWanted(text) | Self::NotAllowed(text) => {
                formatter.write_str(text)
            }
        }
    }
}
