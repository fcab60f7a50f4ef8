//! Reports of the workers, and the events that the controller sends.

use std::time::Instant;

use super::Controller;
use super::state::State;
use crate::messages::{SearchEvent, SearchId};
use crate::search::job::Progress;
use crate::search::pool::Report;
use crate::search::stop::RunId;

impl Controller {
    pub(super) fn handle_report(&mut self, report: Report) {
        match report {
            Report::Progress(run, progress) => self.handle_progress(run, progress),
            Report::Finished(run, result) => {
                if self.state.worker_finished(run, *result, Instant::now()) {
                    self.finish_search();
                    self.start_next_search();
                }
            }
        }
    }

    fn handle_progress(&mut self, run: RunId, progress: Progress) {
        if self.state.run().is_none_or(|current| current.id != run) {
            return;
        }
        let shared = &self.pool.shared;
        let Some(search) = self.state.search_mut() else {
            return;
        };
        let is_end_of_iteration = matches!(progress, Progress::Iteration(_));
        let line = search.record(progress, self.settings.multi_pv, shared);
        if is_end_of_iteration
            && (search.soft_limit_reached() || search.has_reached_new_limits(shared))
        {
            self.stop_run();
        }
        if let Some(line) = line {
            self.emit(line);
        }
    }

    /// Sends the deferred line and, if a move is due, the answer, once all workers have finished.
    pub(super) fn finish_search(&mut self) {
        if let State::Finished(search) = &mut self.state {
            let events = search.final_events(&self.pool.shared);
            self.state.end_finished();
            self.emit_all(events);
        }
    }

    /// Answers without the results of the remaining workers if a move is due.
    pub(super) fn end_vote(&mut self) {
        if let State::Voting { search, .. } = &mut self.state {
            let events = search.final_events(&self.pool.shared);
            self.state.end_vote();
            self.emit_all(events);
        }
    }

    fn emit_all(&mut self, events: Vec<SearchEvent>) {
        for event in events {
            self.emit(event);
        }
    }

    /// Sends the status of a search, also if it waits for its turn.
    pub(super) fn report_status(&mut self, id: SearchId) {
        let status = match self.state.search_with(id) {
            Some(search) => Some(search.status(&self.pool.shared)),
            None => self.state.task_with(id).map(|task| task.initial_status()),
        };
        if let Some(status) = status {
            self.emit(SearchEvent::Status(id, status));
        }
    }
}
