//! A game that begins: its announcement, its first board, and for a resumed game its moves.

use std::time::{Duration, Instant};

use crate::game;
use crate::text::{Board, Creating, GameStart, ListedMove};

/// Time after the acceptance of a challenge in which its game begins.
const ACCEPTED: Duration = Duration::from_secs(60);

/// Time for the effect of an attempt to end a game.
const ATTEMPT: Duration = Duration::from_secs(20);

/// A game that begins.
#[derive(Debug)]
pub(super) struct Starting {
    pub(super) start: GameStart,
    pub(super) terms: Option<Creating>,
    /// Time of the announcement, or of the last request for the board.
    pub(super) since: Instant,
    /// Number of requests for the board.
    pub(super) requests: u32,
    /// Time of the request for the end of the game, which the rules do not allow.
    pub(super) protest: Option<Instant>,
    /// Attempts to end the game, which the account cannot play.
    pub(super) attempts: Option<Attempts>,
    /// Board of a resumed game that waits for its moves, and the time of its arrival.
    pub(super) board: Option<(Board, Instant)>,
    pub(super) moves: Vec<ListedMove>,
    /// The move list has begun. Text of other users could imitate its lines elsewhere.
    pub(super) has_list: bool,
}

/// Attempts to end a game that the account cannot play: each after the one before has had no effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempts {
    made: usize,
    last: Instant,
}

impl Attempts {
    /// Commands of the attempts.
    const COMMANDS: [&str; 3] = ["abort", "adjourn", "resign"];

    /// Creates the attempts and returns the first command.
    pub(super) fn begin(now: Instant) -> (Attempts, &'static str) {
        let attempts = Attempts { made: 1, last: now };
        (attempts, Attempts::COMMANDS[0])
    }

    /// Returns `true` if the last attempt has had no effect.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        now >= self.last + ATTEMPT
    }

    /// Returns the next command, or `None` if there is none.
    pub(super) fn next(&mut self, now: Instant) -> Option<&'static str> {
        let command = Attempts::COMMANDS.get(self.made).copied();
        self.made += 1;
        self.last = now;
        command
    }
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
    /// Begins with the announcement of a game.
    pub(super) fn new(start: GameStart, terms: Option<Creating>, now: Instant) -> Starting {
        let mut starting = Starting {
            start,
            terms: None,
            since: now,
            requests: 0,
            protest: None,
            attempts: None,
            board: None,
            moves: Vec::new(),
            has_list: false,
        };
        if let Some(terms) = terms {
            starting.set_terms(terms);
        }
        starting
    }

    /// Adds the players and terms. They name the variant more exactly than the announcement.
    pub(super) fn set_terms(&mut self, terms: Creating) {
        self.set_kind(&terms.terms.kind);
        self.terms = Some(terms);
    }

    /// Changes the kind of the game, if one is named.
    pub(super) fn set_kind(&mut self, kind: &str) {
        if !kind.is_empty() {
            self.start.kind = kind.to_string();
        }
    }

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
