//! `pause` and `resume`: search and clocks stand still, then continue.

use std::time::Instant;

use crate::messages::SearchOrder;

use super::mode::Mode;
use super::state::Machine;

impl Machine {
    /// `pause`: stops clocks and search without ending them.
    pub(super) fn pause(&mut self, now: Instant) {
        if self.mode.is_paused() {
            return;
        }
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Pause(id));
        }
        self.time.stop(now);
        self.time.discard_reports();
        let inner = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Paused {
            inner,
            since: now,
            held_events: Vec::new(),
        };
    }

    /// `resume`, or another command that ends a pause.
    pub(super) fn resume(&mut self, now: Instant) {
        let Mode::Paused {
            inner,
            since: paused,
            held_events,
        } = &mut self.mode
        else {
            return;
        };
        let held_events = std::mem::take(held_events);
        let duration = now.saturating_duration_since(*paused);
        self.mode = std::mem::replace(inner, Mode::Force);
        if let Mode::Thinking { since, .. } = &mut self.mode {
            // The pause does not count as thinking time.
            *since += duration;
        }
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Resume(id));
        }
        self.restart_clock(now);
        for event in held_events {
            self.handle_event(event, now);
        }
        // The command that ends the pause may have a reply of its own, which follows these pongs.
        self.send_due_pongs();
        if !self.game.is_empty() {
            // `hard` may have arrived during the pause.
            self.start_pondering(now);
        }
    }

    /// Starts the clock of the side to move during a game. The clock of an opponent who has not begun stays stopped.
    fn restart_clock(&mut self, now: Instant) {
        let is_running = match self.mode {
            Mode::Thinking { .. } => true,
            Mode::Waiting { .. } | Mode::Pondering { .. } => !self.game.is_empty(),
            _ => false,
        };
        if let Some(position) = self.game.position()
            && is_running
        {
            let turn = position.side_to_move();
            self.time.run(turn, now);
        }
    }
}
