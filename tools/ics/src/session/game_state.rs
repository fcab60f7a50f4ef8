//! The state of a game in progress.

use std::time::{Duration, Instant};

use shakmaty::{Color, Position};

use super::actions::Clocks;
use crate::engine::Thinking;
use crate::game::{EngineMove, Game};
use crate::text::{Creating, GameStart};

/// Time for the server to take half-moves back after the account has agreed.
const TAKEBACK: Duration = Duration::from_secs(10);

/// State of a game.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) start: GameStart,
    pub(super) game: Game,
    /// Beginning of the game here.
    pub(super) started: Instant,
    /// Arrival of the last board.
    pub(super) board_at: Instant,
    /// Coordinates of the move that the server has not shown yet, and the time that passed since the board before it.
    pub(super) sent: Option<(String, Duration)>,
    /// Takeback that the account has agreed to: until this time, moves of the engine are held back.
    pub(super) takeback_until: Option<Instant>,
    /// Move that is held back.
    pub(super) held: Option<EngineMove>,
    /// Number of takebacks that the account has agreed to.
    pub(super) takebacks: u32,
    pub(super) illegal_moves: u32,
    /// Last thinking line of the engine in this position.
    pub(super) thinking: Option<Thinking>,
    /// Score and depth of the half-moves of the engine, by their number.
    pub(super) scores: Vec<Option<Thinking>>,
    /// Last call of the opponent's flag.
    pub(super) flag_called: Option<Instant>,
    /// The server has refused to call the flag, because the game has no clocks.
    pub(super) flag_refused: bool,
    /// Last request for an adjournment.
    pub(super) adjournment_requested: Option<Instant>,
    /// Own moves since the last message with a score.
    pub(super) moves_since_score: u32,
    /// Terms in words, for the archive.
    pub(super) event: String,
}

impl Play {
    pub(super) fn new(start: GameStart, game: Game, now: Instant) -> Play {
        Play {
            event: event(&start),
            start,
            game,
            started: now,
            board_at: now,
            sent: None,
            takeback_until: None,
            held: None,
            takebacks: 0,
            illegal_moves: 0,
            thinking: None,
            scores: Vec::new(),
            flag_called: None,
            flag_refused: false,
            adjournment_requested: None,
            moves_since_score: 0,
        }
    }

    /// Returns the clock of a side now, which is below zero if its time is over.
    pub(super) fn clock(&self, color: Color, now: Instant) -> i64 {
        let board = self.game.board();
        let shown = color.fold_wb(board.white_time, board.black_time);
        if board.clock_running && self.game.position().turn() == color {
            let passed = now.saturating_duration_since(self.board_at).as_millis();
            shown.saturating_sub(i64::try_from(passed).unwrap_or(i64::MAX))
        } else {
            shown
        }
    }

    /// Returns the clocks for the engine.
    pub(super) fn clocks(&self, lag: Duration, now: Instant) -> Clocks {
        let positive =
            |color| Duration::from_millis(u64::try_from(self.clock(color, now)).unwrap_or(0));
        let own = self.game.own();
        Clocks {
            own: positive(own).saturating_sub(lag),
            opponent: positive(!own),
        }
    }
}

impl Play {
    /// Returns `true` if the opponent's time is over and the flag has not been called for five seconds.
    pub(super) fn is_opponents_time_over(&self, lag: Duration, now: Instant) -> bool {
        const PAUSE: Duration = Duration::from_secs(5);
        let opponent = !self.game.own();
        let margin = i64::try_from(lag.as_millis())
            .unwrap_or(0)
            .saturating_add(500);
        let may_call =
            !self.flag_refused && self.flag_called.is_none_or(|last| now >= last + PAUSE);
        let board = self.game.board();
        let is_timed = board.base > 0 || board.increment > 0;
        is_timed && may_call && !self.game.is_own_turn() && self.clock(opponent, now) < -margin
    }

    /// Holds moves of the engine back until the server has taken half-moves back.
    pub(super) fn expect_takeback(&mut self, now: Instant) {
        self.takeback_until = Some(now + TAKEBACK);
        self.takebacks += 1;
    }
}

/// Returns the rating of a player from the terms of a game.
pub(super) fn rating_of(terms: &Creating, name: &str) -> Option<u32> {
    [&terms.white, &terms.black]
        .into_iter()
        .find(|player| player.name == name)
        .and_then(|player| player.rating.number())
}

/// Returns the name of a game for the archive, such as `rated blitz match`.
pub(super) fn event(start: &GameStart) -> String {
    let rated = match start.rated {
        Some(true) => "rated ",
        Some(false) => "unrated ",
        None => "",
    };
    format!("{rated}{} match", start.kind)
}
