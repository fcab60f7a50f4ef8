//! States of the account.

use std::time::Instant;

use super::game_state::Play;
use crate::text::GameStart;

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
        /// Time of the next seek.
        next_seek: Instant,
    },
    /// The server has announced a game; its first board, and for a resumed game the moves, are expected.
    Starting {
        /// Announcement.
        start: GameStart,
        /// Time of the announcement.
        since: Instant,
    },
    /// Playing.
    Playing(Box<Play>),
    /// Logging out.
    Leaving {
        /// Time at which the connection is closed, at the latest.
        until: Instant,
    },
}
