//! The orders that change a search: ponder hit, limits, move now, pause.

use std::time::{Duration, Instant};

use super::Controller;
use crate::clock::longest_human_time;
use crate::messages::{Limits, Purpose, SearchId};

impl Controller {
    /// Turns a ponder search into one for a move, with these limits from `started` on.
    pub(super) fn ponder_hit(&mut self, id: SearchId, limits: Limits, started: Instant) {
        let Some(search) = self.state.search_with(id) else {
            return;
        };
        search.task.ponder_cost = search.cost(&self.pool.shared);
        let request = &mut search.task.request;
        let depth_changes = request.limits.depth != limits.depth;
        request.purpose = Purpose::Play;
        request.limits = limits;
        request.started = started;
        search.apply_line_rate();
        let is_over = search.soft_limit_reached(&self.setup.parameters);
        if limits.nodes.is_some() || depth_changes {
            // The workers do not know these limits.
            self.restart();
        } else if is_over {
            self.stop_run();
        }
    }

    /// Replaces the limits of a search.
    pub(super) fn set_limits(&mut self, id: SearchId, limits: Limits) {
        if let Some(search) = self.state.search_with(id) {
            search.task.request.limits = limits;
            search.apply_line_rate();
            search.has_new_limits = true;
            if let Some(budget) = limits.budget {
                search.answer_delay = search.answer_delay.min(longest_human_time(&budget));
            }
            if search.soft_limit_reached(&self.setup.parameters)
                || search.has_reached_new_limits(&self.pool.shared)
            {
                self.stop_run();
            } else {
                self.start_helpers();
            }
        }
    }

    /// Stops a search for a move, which is then answered at once.
    pub(super) fn move_now(&mut self, id: SearchId) {
        let search = self.state.search_with(id);
        if let Some(search) = search
            && search.task.request.purpose == Purpose::Play
        {
            search.answer_delay = Duration::ZERO;
            search.is_move_now = true;
            self.stop_run();
        }
    }

    /// Pauses a search and its clock.
    pub(super) fn pause(&mut self, id: SearchId) {
        if let Some(search) = self.state.search_with(id)
            && search.task.paused.is_none()
        {
            search.task.paused = Some(Instant::now());
            self.pool.shared.gate.set_paused(true);
        }
    }

    /// Ends the pause of a search.
    pub(super) fn resume(&mut self, id: SearchId) {
        let search = self.state.search_with(id);
        if search.is_some_and(|search| search.task.resume()) {
            self.pool.shared.gate.set_paused(false);
        }
    }
}
