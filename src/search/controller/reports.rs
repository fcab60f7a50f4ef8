//! The progress of the search, and the events that the search thread sends.

use std::time::Instant;

use super::Controller;
use super::state::State;
use crate::messages::{SearchEvent, SearchId};
use crate::search::job::Progress;
use crate::search::running_search::RunningSearch;
use crate::tablebase::Tablebases;

impl Controller {
    /// Records progress of worker 0: sends the line, or stops the run if an iteration has reached a limit.
    pub(super) fn handle_progress(&mut self, progress: Progress) {
        let shared = &self.pool.shared;
        let State::Searching(search) = &mut self.state else {
            return;
        };
        let is_end_of_iteration = matches!(progress, Progress::Iteration(_));
        let line = search.record(progress, self.settings.multi_pv, shared);
        if is_end_of_iteration
            && (search.soft_limit_reached(&self.setup.parameters)
                || search.has_reached_new_limits(shared))
        {
            self.stop_run();
        }
        if let Some(line) = line {
            self.emit(line);
        }
    }

    /// Sends a deferred line if the rate of lines allows it now. The end of the run sends it if that is about to come.
    pub(super) fn send_due_line(&mut self) {
        let gate = &self.pool.shared.gate;
        let line = match &mut self.state {
            State::Searching(search) if !gate.is_stopped(search.run) => search.take_due_line(),
            State::Finished(search) => search.take_due_line(),
            _ => None,
        };
        if let Some(line) = line {
            self.emit(line);
        }
    }

    /// Sends the last line and the answer of a search that has finished if a move is due.
    pub(super) fn finish_search(&mut self) {
        self.report_tablebase_problem();
        if let Some(mut search) = self.state.take_answer() {
            self.collect_results(&mut search);
            for event in search.final_events(&self.pool.shared) {
                self.emit(event);
            }
        }
    }

    /// Adds the results of the helpers, who have been stopped. Results that arrive too late are ignored.
    fn collect_results(&self, search: &mut RunningSearch) {
        let until = Instant::now() + search.voting_time();
        let mut missing = search.helpers;
        while missing > 0
            && let Ok((run, result)) = self.pool.results.recv_deadline(until)
        {
            if run == search.run {
                search.results.push(*result);
                missing -= 1;
            }
        }
    }

    /// Reports a tablebase file that could not be used, of the current tables or of those with which the search has
    /// begun. The tables are then not used any more.
    pub(super) fn report_tablebase_problem(&mut self) {
        let problem = self.tablebases.as_ref().and_then(|all| all.take_problem());
        if let Some(reason) = problem {
            self.tablebases = None;
            self.emit(SearchEvent::TablebasesFailed {
                reason,
                is_replaced: false,
            });
        }
        let of_search = self.state.search().and_then(RunningSearch::tablebases);
        if let Some(reason) = of_search.and_then(Tablebases::take_problem) {
            self.emit(SearchEvent::TablebasesFailed {
                reason,
                is_replaced: self.tablebases.is_some(),
            });
        }
    }

    /// Sends the status of a search.
    pub(super) fn report_status(&mut self, id: SearchId) {
        if let Some(search) = self.state.search_with(id) {
            let status = search.status(&self.pool.shared);
            self.emit(SearchEvent::Status(id, status));
        }
    }
}
