//! The controller's state and its transitions; the header of `controller.rs` has the table.
//!
//! The transitions have no side effects: the controller stops runs, applies settings, starts workers and sends events.

use std::time::{Duration, Instant};

use crate::messages::{Purpose, SearchId};
use crate::search::job::RunResult;
use crate::search::running_search::{RunningSearch, SearchTask};
use crate::search::stop::RunId;

/// Longest time that the result of worker 0 waits for those of the other workers. They see a stop within a fraction
/// of this, unless they wait for a processor.
pub(super) const VOTING_TIME: Duration = Duration::from_millis(4);

/// A run of the workers that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Identifies the run.
    pub id: RunId,
    /// Number of workers that have not finished it.
    pub workers: usize,
}

/// The controller's current activity.
#[derive(Default)]
pub(super) enum State {
    /// No search.
    #[default]
    Idle,
    /// Workers search.
    Searching {
        /// The search.
        search: Box<RunningSearch>,
        /// Its workers.
        run: Run,
    },
    /// Worker 0 has finished, and its result waits for those of the other workers.
    Voting {
        /// The search.
        search: Box<RunningSearch>,
        /// The workers that have not finished.
        run: Run,
        /// Time at which the answer no longer waits.
        until: Instant,
    },
    /// All workers have finished, but no move is due: an analysis, a ponder search before the hit, or a paused search.
    Finished(Box<RunningSearch>),
    /// The run was stopped, and the search starts again when all workers have finished.
    Restarting {
        /// The search.
        search: Box<RunningSearch>,
        /// Its workers.
        run: Run,
    },
    /// Workers finish a run whose result is not wanted.
    Draining {
        /// The workers.
        run: Run,
        /// The search to start when all workers have finished.
        next: Option<SearchTask>,
    },
}

/// A search that starts now.
pub(super) enum NextSearch {
    /// A new one.
    New(SearchTask),
    /// One that was stopped for a restart.
    Restarted(Box<RunningSearch>),
}

/// The result of [`State::restart`].
pub(super) enum Restart {
    /// There is nothing to restart.
    None,
    /// The search starts again once its workers have been stopped and have finished.
    AfterRun,
    /// The search, which has no workers, starts again at once.
    Now(Box<RunningSearch>),
}

impl State {
    /// Returns the run whose workers have not all finished.
    pub fn run(&self) -> Option<Run> {
        match self {
            State::Idle | State::Finished(_) => None,
            State::Searching { run, .. }
            | State::Voting { run, .. }
            | State::Restarting { run, .. }
            | State::Draining { run, .. } => Some(*run),
        }
    }

    /// Returns the current search; `None` in `Idle` and `Draining`.
    pub fn search(&self) -> Option<&RunningSearch> {
        match self {
            State::Idle | State::Draining { .. } => None,
            State::Searching { search, .. }
            | State::Voting { search, .. }
            | State::Finished(search)
            | State::Restarting { search, .. } => Some(search),
        }
    }

    /// Returns the search as [`State::search`] does.
    pub fn search_mut(&mut self) -> Option<&mut RunningSearch> {
        match self {
            State::Idle | State::Draining { .. } => None,
            State::Searching { search, .. }
            | State::Voting { search, .. }
            | State::Finished(search)
            | State::Restarting { search, .. } => Some(search),
        }
    }

    /// Returns the search as [`State::search`] does if it has this identifier.
    pub fn search_with(&mut self, id: SearchId) -> Option<&mut RunningSearch> {
        self.search_mut()
            .filter(|search| search.task.request.id == id)
    }

    /// Returns the task with this identifier, also if it waits for its turn.
    pub fn task_with(&mut self, id: SearchId) -> Option<&mut SearchTask> {
        let task = match self {
            State::Draining { next, .. } => next.as_mut(),
            _ => self.search_mut().map(|search| &mut search.task),
        };
        task.filter(|task| task.request.id == id)
    }

    /// Returns `true` while workers search for a move of the engine.
    pub fn is_searching_for_move(&self) -> bool {
        match self {
            State::Searching { search, .. }
            | State::Voting { search, .. }
            | State::Restarting { search, .. } => search.task.request.purpose == Purpose::Play,
            State::Idle | State::Finished(_) | State::Draining { .. } => false,
        }
    }

    /// Returns `true` if all workers are about to finish, after which pending settings take effect.
    pub fn is_ending(&self) -> bool {
        matches!(self, State::Restarting { .. } | State::Draining { .. })
    }

    /// Gives up the search, if any. Its workers, which the caller must stop, may still have to finish.
    pub fn abandon(&mut self) {
        *self = match std::mem::take(self) {
            State::Idle | State::Finished(_) => State::Idle,
            State::Searching { run, .. }
            | State::Voting { run, .. }
            | State::Restarting { run, .. } => State::Draining { run, next: None },
            draining @ State::Draining { .. } => draining,
        };
    }

    /// In `Draining`, queues the task, replacing a queued one. Otherwise returns it to be started now.
    pub fn enqueue(&mut self, task: SearchTask) -> Option<SearchTask> {
        match self {
            State::Draining { next, .. } => {
                *next = Some(task);
                None
            }
            _ => Some(task),
        }
    }

    /// Removes the search with this identifier if it waits for its turn.
    pub fn remove_next(&mut self, id: SearchId) {
        if let State::Draining { next, .. } = self {
            next.take_if(|next| next.request.id == id);
        }
    }

    /// Restarts the search from its first iteration. An analysis restarts even after its end.
    pub fn restart(&mut self) -> Restart {
        let (state, restart) = match std::mem::take(self) {
            State::Searching { search, run } | State::Voting { search, run, .. } => {
                (State::Restarting { search, run }, Restart::AfterRun)
            }
            State::Finished(search) if search.task.request.purpose == Purpose::Analyse => {
                (State::Idle, Restart::Now(search))
            }
            other => (other, Restart::None),
        };
        *self = state;
        restart
    }

    /// Records that a worker has finished a run, at `now`. Returns `true` if it was the last one.
    pub fn worker_finished(&mut self, id: RunId, result: RunResult, now: Instant) -> bool {
        let run = match self {
            State::Idle | State::Finished(_) => return false,
            State::Searching { run, .. }
            | State::Voting { run, .. }
            | State::Restarting { run, .. }
            | State::Draining { run, .. } => run,
        };
        if run.id != id {
            return false;
        }
        run.workers -= 1;
        let all_finished = run.workers == 0;
        let is_first_worker = result.worker_id == 0;
        if let Some(search) = self.search_mut() {
            search.results.push(result);
        }
        *self = match std::mem::take(self) {
            State::Searching { search, .. } | State::Voting { search, .. } if all_finished => {
                State::Finished(search)
            }
            State::Searching { search, run } if is_first_worker => State::Voting {
                search,
                run,
                until: now + VOTING_TIME,
            },
            other => other,
        };
        all_finished
    }

    /// Ends the vote: without the results of the remaining workers if a move is due, else they are waited for.
    pub fn end_vote(&mut self) {
        *self = match std::mem::take(self) {
            State::Voting { search, run, .. } if search.task.is_answer_due() => {
                drop(search);
                State::Draining { run, next: None }
            }
            State::Voting { search, run, .. } => State::Searching { search, run },
            other => other,
        };
    }

    /// Ends a search whose workers have all finished if a move is due.
    pub fn end_finished(&mut self) {
        if matches!(self, State::Finished(search) if search.task.is_answer_due()) {
            *self = State::Idle;
        }
    }

    /// Takes the search that starts now that all workers have finished.
    pub fn take_next(&mut self) -> Option<NextSearch> {
        match std::mem::take(self) {
            State::Restarting { search, run } if run.workers == 0 => {
                Some(NextSearch::Restarted(search))
            }
            State::Draining { next, run } if run.workers == 0 => next.map(NextSearch::New),
            other => {
                *self = other;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
