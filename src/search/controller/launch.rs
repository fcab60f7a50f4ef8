//! The start and the end of a run.

use std::sync::Arc;

use super::Controller;
use super::state::State;
use super::urgency::can_be_helped;
use crate::messages::{Purpose, SearchRequest, TimeSource};
use crate::search::job::{Job, RunResult};
use crate::search::running_search::{RunningSearch, SearchTask};
use crate::search::stop::RunId;
use crate::search::strength::Level;
use crate::tablebase::RootRanking;
use crate::types::{MAX_DEPTH, Move};

impl Controller {
    /// Begins a run: sends the job to the helpers if they can contribute, and returns it.
    pub(super) fn launch(&mut self, task: SearchTask) -> Arc<Job> {
        self.last_run = RunId(self.last_run.0 + 1);
        let run = self.last_run;
        let (root_moves, ranking) = self.ranked_root_moves(&task);
        let shared = &self.pool.shared;
        shared.status.reset(root_moves.len());
        shared.gate.set_paused(task.paused.is_some());
        self.use_table_for(&task);
        self.confirm();
        self.pool.shared.table.age();
        let mut job = self.job(run, &task.request, &root_moves);
        let lines = job.multi_pv;
        job.root_groups = ranking
            .as_ref()
            .map_or_else(Vec::new, |ranking| ranking.group_sizes(lines));
        // The ranks make sure that the result of the position is kept. Without probes, the search makes progress.
        if ranking
            .as_ref()
            .is_some_and(|ranking| !ranking.needs_probes())
        {
            job.tablebases = None;
        }
        let job = Arc::new(job);
        // Results of abandoned runs.
        self.pool.results.try_iter().for_each(drop);
        self.job = Some(Arc::clone(&job));
        let search = RunningSearch {
            tablebases: self.tablebases.clone(),
            ranking,
            ..RunningSearch::new(task, run, root_moves)
        };
        self.state = State::Searching(Box::new(search));
        self.start_helpers();
        job
    }

    /// Returns the root moves of a task that are to be searched: those that the tablebases rank best, if these contain
    /// the position, otherwise all.
    fn ranked_root_moves(&self, task: &SearchTask) -> (Vec<Move>, Option<RootRanking>) {
        let all = task.root_moves();
        let men = task.request.position.board().occupancy();
        let strength = task.request.strength;
        let tablebases = self
            .tablebases
            .as_ref()
            .filter(|_| men <= self.settings.probing.men)
            .filter(|_| strength.is_none_or(|strength| Level::of(strength.elo).uses_tablebases()));
        match tablebases.and_then(|tablebases| task.rank(tablebases, &all)) {
            Some(ranking) => (ranking.best(self.multi_pv(&task.request)), Some(ranking)),
            None => (all, None),
        }
    }

    /// Returns the number of lines that a search shows.
    fn multi_pv(&self, request: &SearchRequest) -> usize {
        if request.purpose == Purpose::Analyse {
            self.settings.multi_pv.max(1)
        } else {
            1
        }
    }

    /// Sends the job of the current run to the helpers if they can contribute and do not have it.
    pub(super) fn start_helpers(&mut self) {
        if let (State::Searching(search), Some(job)) = (&mut self.state, &self.job)
            && search.helpers == 0
            && can_be_helped(&search.task, &search.root_moves)
        {
            search.helpers = self.pool.start(job);
        }
    }

    /// Ends the run with the result of worker 0.
    pub(super) fn end_run(&mut self, result: RunResult) {
        self.stop_run();
        self.state.finish(result);
    }

    fn job(&self, run: RunId, request: &SearchRequest, root_moves: &[Move]) -> Job {
        let limits = &request.limits;
        Job {
            run,
            position: request.position.clone(),
            root_moves: root_moves.to_vec(),
            root_groups: Vec::new(),
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            // An analysis has no node limit. That of a ponder search applies from the ponder hit on, which restarts it.
            nodes: limits.nodes.filter(|_| request.purpose == Purpose::Play),
            soft_nodes: None,
            later_nodes: None,
            multi_pv: self.multi_pv(request),
            score_overrides: request.score_overrides.clone(),
            tablebases: self.tablebases.clone(),
            probing: self.settings.probing,
            contempt: request.contempt,
            time_source: request.time_source,
            measure_processor_time: request.time_source == TimeSource::Processor,
            variety: self.settings.variety,
            variety_seed: self.variety_seed,
        }
    }
}
