//! `pause` and `resume`: everything stands still, and then goes on as if nothing had been.

use std::time::Instant;

use super::{Machine, Mode};
use crate::messages::SearchOrder;

impl Machine {
    /// `pause`: no thinking, no move, no clock runs.
    pub(super) fn pause(&mut self, now: Instant) {
        if matches!(self.mode, Mode::Paused { .. }) {
            return;
        }
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Pause(id));
        }
        self.clocks.stop(now);
        self.clock_reports.discard();
        let inner = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Paused {
            inner,
            since: now,
            held: Vec::new(),
        };
    }

    /// `resume`, or a command that can only mean it.
    pub(super) fn resume(&mut self, now: Instant) {
        let Mode::Paused {
            inner,
            since: paused,
            held,
        } = &mut self.mode
        else {
            return;
        };
        let held = std::mem::take(held);
        let pause = now.saturating_duration_since(*paused);
        self.mode = std::mem::replace(inner, Mode::Force);
        if let Mode::Thinking { since, .. } = &mut self.mode {
            // The pause is nobody's thinking time.
            *since += pause;
        }
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Resume(id));
        }
        self.start_clock_again(now);
        for event in held {
            self.take_event(event, now);
        }
        // The line that ends the pause may have an answer of its own, which comes after what was held.
        self.say_due_pongs();
        if !self.game.is_empty() {
            // "hard" may have come in the meantime.
            self.start_pondering(now);
        }
    }

    /// In a game the clock of the side to move runs; of an opponent who has not begun it does not.
    fn start_clock_again(&mut self, now: Instant) {
        let running = match self.mode {
            Mode::Thinking { .. } => true,
            Mode::Waiting { .. } | Mode::Pondering { .. } => !self.game.is_empty(),
            _ => false,
        };
        if let Some(position) = self.game.position()
            && running
        {
            let turn = position.side_to_move();
            self.clocks.run(turn, now);
        }
    }
}
