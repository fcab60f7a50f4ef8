//! Moves from the GUI: those of the opponent, and in force mode and analysis those of anybody.

use std::time::Instant;

use super::{Machine, Mode};
use crate::messages::{SearchId, SearchOrder};
use crate::notation::{MoveError, parse_move};
use crate::protocol::reply::{ErrorKind, Reply};
use crate::types::{Color, Move};

impl Machine {
    /// A move of the opponent, or of anybody in force mode and analysis.
    pub(super) fn user_move(&mut self, text: &str, now: Instant) {
        if let Mode::Waiting { engine } = self.mode
            && self
                .game
                .position()
                .is_some_and(|position| position.side_to_move() == engine)
        {
            // The host took moves back, or set a position up: the move is the engine's, which waits for `go`. Nothing
            // else is to be taken back.
            return self.refuse_move(text, "it is not your turn");
        }
        if self.notice_takeback(text, now) {
            return;
        }
        if matches!(self.mode, Mode::Thinking { .. }) {
            return self.refuse_move(text, "it is not your turn");
        }
        if matches!(self.mode, Mode::Over { .. }) {
            return self.refuse_move(text, "the game is over");
        }
        let mv = match self.read_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(..)) => return self.refuse(ErrorKind::AmbiguousMove, text),
            Err(error) => return self.refuse_move(text, &error.to_string()),
        };
        let Some(mover) = self.game.position().map(|position| position.side_to_move()) else {
            return;
        };
        if !self.game.play(mv, self.clocks) {
            return self.refuse_move(text, "not legal");
        }
        self.forget_position();
        match self.mode {
            Mode::Force => self.clocks.count_move(mover),
            Mode::Analysing { .. } => {
                self.clocks.count_move(mover);
                self.restart_analysis(now);
            }
            Mode::Waiting { .. } => self.answer(mover, now),
            // While a takeback is assumed, not every root move counts.
            Mode::Pondering { search, guess, .. }
                if guess == Some(mv) && !self.game.assumes_takeback() =>
            {
                self.ponder_hit(search, mover, now);
            }
            Mode::Pondering { search, engine, .. } => {
                self.order(SearchOrder::Abandon(search));
                self.mode = Mode::Waiting { engine };
                self.answer(mover, now);
            }
            // Dealt with above, or without moves in them.
            Mode::Thinking { .. }
            | Mode::Over { .. }
            | Mode::Editing { .. }
            | Mode::Paused { .. } => {}
        }
    }

    /// The move that a text means in the present position; with an impossible one, no move at all.
    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        parse_move(self.game.position().ok_or(MoveError::NotLegal)?, text)
    }

    fn refuse_move(&mut self, text: &str, reason: &str) {
        self.say(Reply::IllegalMove(text.to_owned()));
        self.explain(reason);
    }

    /// The opponent has just moved: end the game or think.
    fn answer(&mut self, opponent: Color, now: Instant) {
        self.clocks.finish_move(opponent, now);
        if !self.claim_outcome(!opponent) {
            self.think(!opponent, now);
        } else {
            self.clocks.stop(now);
        }
    }

    /// As [`Machine::answer`], when the search has thought about this very move.
    fn ponder_hit(&mut self, search: SearchId, opponent: Color, now: Instant) {
        let engine = !opponent;
        self.clocks.finish_move(opponent, now);
        self.learn_lag(now);
        self.clocks.set_engine_color(engine);
        self.clocks.run(engine, now);
        let limits = self.limits(now, now);
        // `sd` may have come since they were searched.
        self.unshown
            .retain(|info| limits.depth.is_none_or(|most| info.depth <= most));
        self.order(SearchOrder::PonderHit {
            id: search,
            limits,
            started: now,
        });
        self.mode = Mode::Thinking {
            engine,
            search,
            since: now,
            best_so_far: None,
            hurried: false,
        };
    }
}
