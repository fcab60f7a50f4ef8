//! The end of a search by its limits, and the orders that change a search: ponder hit, limits, move now, pause.

use std::time::{Duration, Instant};

use super::Controller;
use super::state::State;
use crate::messages::{Limits, Purpose, SearchId, TimeSource};
use crate::search::running_search::RunningSearch;

/// Shortest time between two checks of processor time, or of nodes that the workers do not count.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);

impl Controller {
    /// Returns the time of the next [`Controller::check_deadline`].
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.line_due().into_iter().chain(self.time_limit()).min()
    }

    /// Returns the time at which a deferred line is to be sent. The end of the search sends it if that is about to come.
    fn line_due(&self) -> Option<Instant> {
        match &self.state {
            State::Finished(search) => search.line_due(),
            State::Searching { search, run } if !self.pool.shared.gate.is_stopped(run.id) => {
                search.line_due()
            }
            _ => None,
        }
    }

    /// Returns the time at which a vote or a search for a move ends, or is checked again.
    fn time_limit(&self) -> Option<Instant> {
        let (search, run) = match &self.state {
            State::Voting { until, .. } => return Some(*until),
            State::Searching { search, run } => (search, run),
            _ => return None,
        };
        if !search.task.is_answer_due() || self.pool.shared.gate.is_stopped(run.id) {
            return None;
        }
        let request = &search.task.request;
        // Limits contain nodes or a budget, never both, so the hard limit needs no check here.
        if search.has_new_limits && request.limits.nodes.is_some() {
            return Instant::now().checked_add(CHECK_INTERVAL);
        }
        let budget = request.limits.budget?;
        match request.time_source {
            TimeSource::Wall => request.started.checked_add(budget.hard),
            TimeSource::Processor => {
                // All workers together cannot reach the limit sooner.
                let used = search.budget_time_used(&self.pool.shared);
                let left = budget.hard.saturating_sub(used) / run.workers as u32;
                Instant::now().checked_add(left.max(CHECK_INTERVAL))
            }
        }
    }

    /// Sends a line that is due, ends a vote whose time is over, and stops a search that has reached its hard limit.
    ///
    /// A search that counts by processor time may not have reached it yet: threads that wait for a processor use none.
    pub(super) fn check_deadline(&mut self) {
        if self.line_due().is_some() {
            let search = self.state.search_mut();
            let line = search.and_then(RunningSearch::take_due_line);
            line.into_iter().for_each(|line| self.emit(line));
        }
        let search = match &self.state {
            State::Voting { .. } => return self.end_vote(),
            State::Searching { search, .. } => search,
            _ => return,
        };
        let request = &search.task.request;
        if !search.task.is_answer_due() {
            return;
        }
        let is_over = match request.limits.budget {
            Some(budget) => search.budget_time_used(&self.pool.shared) >= budget.hard,
            None => search.has_reached_new_limits(&self.pool.shared),
        };
        if is_over {
            self.stop_run();
        }
    }

    /// Turns a ponder search into one for a move, with these limits from `started` on.
    pub(super) fn ponder_hit(&mut self, id: SearchId, limits: Limits, started: Instant) {
        let Some(task) = self.state.task_with(id) else {
            return;
        };
        let depth_changes = task.request.limits.depth != limits.depth;
        task.request.purpose = Purpose::Play;
        task.request.limits = limits;
        task.request.started = started;
        let Some(search) = self.state.search_with(id) else {
            return;
        };
        search.apply_line_rate();
        search.task.ponder_cost = search.cost(&self.pool.shared);
        if limits.nodes.is_some() || depth_changes {
            // The workers do not know these limits.
            self.restart();
        } else if search.soft_limit_reached() {
            self.stop_run();
        }
        self.start_next_search();
        self.finish_search();
    }

    /// Replaces the limits of a search.
    pub(super) fn set_limits(&mut self, id: SearchId, limits: Limits) {
        if let Some(task) = self.state.task_with(id) {
            task.request.limits = limits;
        }
        if matches!(self.state, State::Restarting { .. }) {
            // The workers of the next run will know them.
            return;
        }
        if let Some(search) = self.state.search_with(id) {
            search.apply_line_rate();
            search.has_new_limits = true;
            if search.soft_limit_reached() || search.has_reached_new_limits(&self.pool.shared) {
                self.stop_run();
            }
        }
    }

    /// Stops a search for a move, which is then answered at once.
    pub(super) fn move_now(&mut self, id: SearchId) {
        if let Some(task) = self.state.task_with(id)
            && task.request.purpose == Purpose::Play
        {
            task.move_now = true;
            if self.state.search_with(id).is_some() {
                self.stop_run();
            }
        }
    }

    /// Pauses a search and its clock.
    pub(super) fn pause(&mut self, id: SearchId) {
        if let Some(task) = self.state.task_with(id)
            && task.paused.is_none()
        {
            task.paused = Some(Instant::now());
            if self.state.search_with(id).is_some() {
                self.pool.shared.gate.set_paused(true);
            }
        }
    }

    /// Ends the pause of a search.
    pub(super) fn resume(&mut self, id: SearchId) {
        if self.state.task_with(id).is_some_and(|task| task.resume()) {
            if self.state.search_with(id).is_some() {
                self.pool.shared.gate.set_paused(false);
            }
            self.finish_search();
        }
    }
}
