//! A game that begins: its announcement, its first board, and for a resumed game its moves.

use std::time::{Duration, Instant};

use crate::game;
use crate::text::{Board, Creating, GameStart, ListedMove};

/// Time after the acceptance of a challenge in which its game begins.
const ACCEPTED: Duration = Duration::from_secs(60);

/// A game that begins.
#[derive(Debug)]
pub(super) struct Starting {
    pub(super) start: GameStart,
    pub(super) terms: Option<Creating>,
    /// Time of the announcement, or of the last request for the board.
    pub(super) since: Instant,
    /// Number of requests for the board.
    pub(super) requests: u32,
    /// Time since which the account tries to end the game, which it cannot play.
    pub(super) unplayable: Option<Instant>,
    pub(super) has_resigned: bool,
    /// Board of a resumed game that waits for its moves, and the time of its arrival.
    pub(super) board: Option<(Board, Instant)>,
    pub(super) moves: Vec<ListedMove>,
    /// The move list has begun. Text of other users could imitate its lines elsewhere.
    pub(super) has_list: bool,
}

/// A challenge that the account has accepted.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    opponent: String,
    at: Instant,
}

impl Accepted {
    /// Notes the acceptance of a challenge of `opponent`.
    pub(super) fn new(opponent: &str, now: Instant) -> Accepted {
        Accepted {
            opponent: opponent.to_string(),
            at: now,
        }
    }

    /// Returns `true` if it is a challenge of this user.
    pub(super) fn is_of(&self, name: &str) -> bool {
        self.opponent.eq_ignore_ascii_case(name)
    }

    /// Returns `true` if the game of the challenge may still begin.
    pub(super) fn is_recent(&self, now: Instant) -> bool {
        now < self.at + ACCEPTED
    }
}

impl Starting {
    /// Returns `true` if these are the players of the game.
    pub(super) fn is_between(&self, white: &str, black: &str) -> bool {
        self.start.white.eq_ignore_ascii_case(white) && self.start.black.eq_ignore_ascii_case(black)
    }

    /// Begins to read the move list, if it was requested.
    pub(super) fn begin_list(&mut self) {
        self.has_list = self.board.is_some();
        self.moves.clear();
    }

    /// Returns the number of half-moves on the board of a resumed game; zero before it.
    pub(super) fn half_moves(&self) -> usize {
        self.board
            .as_ref()
            .map_or(0, |(board, _)| game::half_moves(board))
    }
}
