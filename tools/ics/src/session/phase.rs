//! States of the account, and the wish to end it.

use std::time::Instant;

use super::game_state::Play;
use super::starting::Starting;

/// State of the account on the server.
#[derive(Debug)]
pub(super) enum Phase {
    /// Not connected; the next attempt is at this time.
    Offline {
        /// Time of the next attempt.
        until: Instant,
    },
    /// Connected or connecting, not logged in.
    LoggingIn {
        /// Beginning of the attempt.
        since: Instant,
        /// The account name has been sent.
        has_sent_name: bool,
        /// The password, or the empty line of a guest, has been sent.
        has_answered: bool,
        /// Name that the server has given to the guest.
        guest_name: Option<String>,
    },
    /// Logged in, without a game.
    Idle {
        /// Time of the next seek, if there is one.
        next_seek: Option<Instant>,
    },
    /// The server has announced a game; its first board, and for a resumed game the moves, are expected.
    Starting(Box<Starting>),
    /// Playing.
    Playing(Box<Play>),
    /// Logging out.
    Leaving {
        /// Time at which the connection is closed, at the latest.
        until: Instant,
    },
}

impl Phase {
    /// Returns `true` from the announcement of a game to its end.
    pub(super) fn is_game(&self) -> bool {
        matches!(self, Phase::Starting(_) | Phase::Playing(_))
    }

    /// Ends a game, and returns it if it has a position.
    pub(super) fn take_play(&mut self) -> Option<Box<Play>> {
        match std::mem::replace(self, Phase::Idle { next_seek: None }) {
            Phase::Playing(play) => Some(play),
            Phase::Starting(_) => None,
            other => {
                *self = other;
                None
            }
        }
    }
}

/// Wish to end the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// After the running game.
    AfterGame {
        /// Time at which an adjournment is requested.
        limit: Instant,
    },
    /// At once.
    Now,
}
