//! The state of the search thread and its transitions; the header of `controller.rs` has the table.
//!
//! The transitions have no side effects: the controller stops runs, applies settings, starts workers and sends events.

use std::time::Instant;

use crate::messages::{Purpose, SearchId};
use crate::search::job::{RunResult, Shared};
use crate::search::running_search::{RunningSearch, SearchTask};

/// The current activity of the search thread.
#[derive(Default)]
pub(super) enum State {
    /// No search.
    #[default]
    Idle,
    /// A search is to start. If a run has not ended, its result is not wanted.
    Next(SearchTask),
    /// The thread searches.
    Searching(Box<RunningSearch>),
    /// Worker 0 has finished. An answer is sent as soon as a move is due: not for an analysis, a ponder search before
    /// the hit, or a paused search. A limited strength sends it after the time that a person would take.
    Finished(Box<RunningSearch>),
    /// The thread ends.
    Ended,
}

impl State {
    /// Returns the current search.
    pub fn search(&self) -> Option<&RunningSearch> {
        match self {
            State::Searching(search) | State::Finished(search) => Some(search),
            State::Idle | State::Next(_) | State::Ended => None,
        }
    }

    /// Returns the current search if it has this identifier.
    pub fn search_with(&mut self, id: SearchId) -> Option<&mut RunningSearch> {
        match self {
            State::Searching(search) | State::Finished(search) => Some(search),
            State::Idle | State::Next(_) | State::Ended => None,
        }
        .filter(|search| search.task.request.id == id)
        .map(Box::as_mut)
    }

    /// Returns `true` while the thread searches.
    pub fn is_searching(&self) -> bool {
        matches!(self, State::Searching(_))
    }

    /// Returns `true` while the thread searches for a move of the engine.
    pub fn is_searching_for_move(&self) -> bool {
        matches!(self, State::Searching(search) if search.task.request.purpose == Purpose::Play)
    }

    /// Restarts the search from its first iteration. An analysis restarts even after its end.
    pub fn restart(&mut self, shared: &Shared) {
        *self = match std::mem::take(self) {
            State::Searching(search) => State::Next(search.into_restarted_task(shared)),
            State::Finished(search) if search.task.request.purpose == Purpose::Analyse => {
                State::Next(search.into_restarted_task(shared))
            }
            other => other,
        };
    }

    /// Takes the search that is to start.
    pub fn take_next(&mut self) -> Option<SearchTask> {
        match std::mem::take(self) {
            State::Next(task) => Some(task),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Records the result of worker 0, unless it is not wanted.
    pub fn finish(&mut self, result: RunResult) {
        *self = match std::mem::take(self) {
            State::Searching(mut search) => {
                search.results.push(result);
                State::Finished(search)
            }
            other => other,
        };
    }

    /// Takes a finished search whose move is due now.
    pub fn take_answer(&mut self) -> Option<Box<RunningSearch>> {
        match std::mem::take(self) {
            State::Finished(search)
                if search.task.is_answer_due()
                    && search.answer_due().is_none_or(|due| due <= Instant::now()) =>
            {
                Some(search)
            }
            other => {
                *self = other;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
