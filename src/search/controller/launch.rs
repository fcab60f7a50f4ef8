//! The start and the abandonment of searches.

use super::Controller;
use super::state::{NextSearch, Restart, Run, State};
use crate::messages::{Purpose, SearchId, SearchRequest, TimeSource};
use crate::search::job::{Job, RunResult};
use crate::search::running_search::{RunningSearch, SearchTask};
use crate::search::stop::RunId;
use crate::types::{MAX_DEPTH, Move};

impl Controller {
    /// Abandons the current search and starts another, once all workers have finished.
    pub(super) fn start(&mut self, request: Box<SearchRequest>) {
        self.stop_run();
        self.state.abandon();
        if let Some(task) = self.state.enqueue(SearchTask::new(request)) {
            self.begin(Some(NextSearch::New(task)));
        }
    }

    /// Abandons a search.
    pub(super) fn abandon(&mut self, id: SearchId) {
        self.state.remove_next(id);
        if self.state.search_with(id).is_some() {
            self.stop_run();
            self.state.abandon();
            self.start_next_search();
        }
    }

    /// Restarts the search from its first iteration, if it can be restarted.
    pub(super) fn restart(&mut self) {
        match self.state.restart() {
            Restart::None => {}
            Restart::AfterRun => self.stop_run(),
            Restart::Now(search) => self.begin(Some(NextSearch::Restarted(search))),
        }
    }

    /// Applies pending changes and starts the search that waits for its turn, unless workers are searching.
    pub(super) fn start_next_search(&mut self) {
        let next = self.state.take_next();
        if self.state.run().is_none() {
            self.begin(next);
        }
    }

    /// Applies pending changes and starts a search. No worker may be searching.
    fn begin(&mut self, next: Option<NextSearch>) {
        let (task, is_urgent) = match next {
            Some(NextSearch::New(task)) => {
                if task.request.score_overrides != self.score_overrides {
                    self.score_overrides
                        .clone_from(&task.request.score_overrides);
                    self.pending.forget = true;
                }
                (Some(task), true)
            }
            Some(NextSearch::Restarted(search)) => {
                let task = search.into_restarted_task(&self.pool.shared);
                (Some(task), false)
            }
            None => (None, false),
        };
        self.apply_changes(is_urgent);
        if let Some(task) = task {
            self.launch(task);
        }
    }

    /// Starts the workers on a task.
    fn launch(&mut self, task: SearchTask) {
        self.last_run = RunId(self.last_run.0 + 1);
        let id = self.last_run;
        let root_moves = task.root_moves();
        let shared = &self.pool.shared;
        shared.reset_counters();
        shared.status.reset(root_moves.len());
        shared.gate.set_paused(task.paused.is_some());
        self.use_table_for(&task.request);
        shared.table.age();
        let job = self.job(id, &task.request, &root_moves);
        if task.move_now {
            shared.gate.stop_through(id);
        }
        let workers = self.pool.start(job);
        // Without any worker, the first move is the answer.
        let unsearched = (workers == 0).then(|| RunResult::unsearched(root_moves.first().copied()));
        let mut search = Box::new(RunningSearch::new(task, root_moves));
        search.results.extend(unsearched);
        self.state = match workers {
            0 => State::Finished(search),
            _ => State::Searching {
                search,
                run: Run { id, workers },
            },
        };
        self.finish_search();
    }

    fn job(&self, run: RunId, request: &SearchRequest, root_moves: &[Move]) -> Job {
        let limits = &request.limits;
        Job {
            run,
            position: request.position.clone(),
            root_moves: root_moves.to_vec(),
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            // An analysis has no node limit. That of a ponder search applies from the ponder hit on, which restarts it.
            nodes: limits.nodes.filter(|_| request.purpose == Purpose::Play),
            soft_nodes: None,
            multi_pv: if request.purpose == Purpose::Analyse {
                self.settings.multi_pv.max(1)
            } else {
                1
            },
            score_overrides: request.score_overrides.clone(),
            time_source: request.time_source,
            measure_processor_time: request.time_source == TimeSource::Processor,
            variety: self.settings.variety,
            variety_seed: self.variety_seed,
        }
    }
}
