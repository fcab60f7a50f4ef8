//! One search from the search thread's point of view: the task, its cost so far, and what its workers have reported.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::clock::IterationStats;
use crate::config::Parameters;
use crate::messages::{
    Limits, Purpose, SearchEvent, SearchInfo, SearchRequest, SearchStatus, TimeSource,
};
use crate::tablebase::{RootRanking, Tablebases, Wdl};
use crate::types::{Depth, MAX_DEPTH, Move, Score};

use super::job::{Progress, RunResult, Shared};
use super::line_filter::LineFilter;
use super::stop::RunId;
use super::vote;

/// Time to the hard limit below which a search does without other threads.
///
/// A busy system lets a thread wait for up to 8 ms until its turn comes. With less than three times this, to wait for
/// helpers, or behind them, would take a large part of the time, while they hardly search.
pub(super) const LITTLE_TIME: Duration = Duration::from_millis(25);

/// Highest score, in centipawns above that of a draw, of a position in which the side to move does not try to win.
const NO_ADVANTAGE: i32 = 20;

/// A requested search, and what outlasts a restart of it.
pub(super) struct SearchTask {
    /// The request. Pauses move its `started`, from which limits count, to a later time.
    pub request: Box<SearchRequest>,
    /// Start of the time that thinking lines show. A ponder hit does not change it; pauses move it to a later time.
    pub search_started: Instant,
    /// Cost of the runs that were stopped to restart the search with other settings.
    pub earlier_cost: SearchCost,
    /// Cost at the ponder hit, when the budget began; zero without one.
    pub ponder_cost: SearchCost,
    /// Time of the runs that were stopped for a restart. The soft limit does not count it.
    pub restart_overhead: Duration,
    /// Start of the current pause.
    pub paused: Option<Instant>,
}

impl SearchTask {
    /// Creates a task that has cost nothing yet.
    pub fn new(request: Box<SearchRequest>) -> SearchTask {
        SearchTask {
            search_started: request.started,
            request,
            earlier_cost: SearchCost::default(),
            ponder_cost: SearchCost::default(),
            restart_overhead: Duration::ZERO,
            paused: None,
        }
    }

    /// Returns the legal root moves that are not excluded.
    pub fn root_moves(&self) -> Vec<Move> {
        let legal = self.request.position.legal_moves();
        let excluded = &self.request.excluded;
        legal
            .into_iter()
            .filter(|mv| !excluded.contains(mv))
            .collect()
    }

    /// Returns the ranks of these root moves by the tablebases, if these contain the position. A search for a move
    /// gets none if its time ends meanwhile, because a disk may be slow; neither does one with scores of the user,
    /// which contradict the tables.
    pub fn rank(&self, tablebases: &Tablebases, root_moves: &[Move]) -> Option<RootRanking> {
        let request = &self.request;
        if !request.score_overrides.is_empty() {
            return None;
        }
        let has_time = || self.time_left() >= Limits::MIN_SEARCH_TIME;
        tablebases.rank_root_moves(&request.position, root_moves, has_time)
    }

    /// Returns `true` if the search ends with a move and is not paused.
    pub fn is_answer_due(&self) -> bool {
        self.request.purpose == Purpose::Play && self.paused.is_none()
    }

    /// Returns [`SearchRequest::time_left`] if a move is due, else [`Duration::MAX`].
    pub fn time_left(&self) -> Duration {
        if self.is_answer_due() {
            self.request.time_left()
        } else {
            Duration::MAX
        }
    }

    /// Ends the current pause, which does not count as search time. Returns `false` if there was none.
    pub fn resume(&mut self) -> bool {
        let Some(since) = self.paused.take() else {
            return false;
        };
        self.request.started += since.elapsed();
        self.search_started += since.elapsed();
        true
    }
}

/// Work of a search, summed over its threads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchCost {
    /// Nodes visited.
    pub nodes: u64,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// Processor time; zero unless the search counts by [`TimeSource::Processor`].
    pub processor_time: Duration,
}

/// A search that workers are doing or have done, and what they have reported in the current run.
pub(super) struct RunningSearch {
    /// The task.
    pub task: SearchTask,
    /// The current run.
    pub run: RunId,
    /// Root moves that are searched.
    pub root_moves: Vec<Move>,
    /// Tablebases of the run; `None`: none.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Ranks of the root moves by the tablebases, if these contain the position.
    pub ranking: Option<RootRanking>,
    /// Number of helpers that take part in the run.
    pub helpers: usize,
    /// Results of the workers that have finished.
    pub results: Vec<RunResult>,
    /// Set once limits have arrived that the workers do not know, so that the search thread must check them.
    pub has_new_limits: bool,
    /// Depth of the newest line, sent or not.
    pub line_depth: Depth,
    /// Depth of the last completed iteration.
    pub completed_depth: Depth,
    /// End of the last completed iteration, as measured by [`RunningSearch::elapsed`], and its statistics.
    pub last_iteration: Option<(Duration, IterationStats)>,
    /// The thinking lines of the run.
    pub lines: LineFilter,
    /// Time from the start of the request until the answer is sent, if it has been found before.
    pub answer_delay: Duration,
    /// Set after `?`.
    pub is_move_now: bool,
}

impl RunningSearch {
    /// Creates a search of which nothing has been reported yet.
    pub fn new(task: SearchTask, run: RunId, root_moves: Vec<Move>) -> RunningSearch {
        let request = &task.request;
        RunningSearch {
            lines: LineFilter::new(request.limits.line_rate, request.started),
            task,
            run,
            root_moves,
            tablebases: None,
            ranking: None,
            helpers: 0,
            results: Vec::new(),
            has_new_limits: false,
            line_depth: 0,
            completed_depth: 0,
            last_iteration: None,
            answer_delay: Duration::ZERO,
            is_move_now: false,
        }
    }

    /// Returns the tablebases of the run.
    pub fn tablebases(&self) -> Option<&Tablebases> {
        self.tablebases.as_deref()
    }

    /// Returns the time when the answer is to be sent if it has to wait, even if this time is over; `None` if it need
    /// not wait, or if no move is due.
    pub fn answer_due(&self) -> Option<Instant> {
        let due = self.task.request.started.checked_add(self.answer_delay)?;
        let waits = self.task.is_answer_due() && !self.answer_delay.is_zero();
        waits.then_some(due)
    }

    /// Applies the line rate of the task, whose limits or purpose have changed.
    pub fn apply_line_rate(&mut self) {
        let request = &self.task.request;
        self.lines
            .set_rate(request.limits.line_rate, request.started);
    }

    /// Returns the time at which a deferred line is to be sent. A paused search sends none.
    pub fn line_due(&self) -> Option<Instant> {
        let is_paused = self.task.paused.is_some();
        self.lines.due().filter(|_| !is_paused)
    }

    /// Returns the time at which a deferred line or the answer is to be sent, whichever comes first; `None` if nothing
    /// waits.
    pub fn next_due(&self) -> Option<Instant> {
        self.line_due().into_iter().chain(self.answer_due()).min()
    }

    /// Returns the deferred line if it is to be sent now.
    pub fn take_due_line(&mut self) -> Option<SearchEvent> {
        let id = self.task.request.id;
        self.line_due()?;
        let info = self.lines.take_due(Instant::now())?;
        Some(SearchEvent::Info(id, info))
    }

    /// Returns the task for another run, with the cost of the runs so far.
    pub fn into_restarted_task(self, shared: &Shared) -> SearchTask {
        let (restart_overhead, earlier_cost) = (self.elapsed(shared), self.cost(shared));
        SearchTask {
            restart_overhead,
            earlier_cost,
            ..self.task
        }
    }

    /// Keeps the cost of the workers of the run, which has finished, because they are replaced. The ranking remains.
    pub fn on_pool_end(&mut self, shared: &Shared) {
        let mut cost = self.cost(shared);
        cost.tablebase_hits -= self.ranking_probes();
        self.task.earlier_cost = cost;
        self.helpers = 0;
    }

    /// Returns the cost of all runs so far.
    pub fn cost(&self, shared: &Shared) -> SearchCost {
        let earlier = self.task.earlier_cost;
        SearchCost {
            nodes: earlier.nodes + shared.nodes(self.run),
            tablebase_hits: earlier.tablebase_hits
                + self.ranking_probes()
                + shared.tablebase_hits(self.run),
            processor_time: earlier.processor_time + shared.processor_time(self.run),
        }
    }

    /// Returns the number of positions that the ranking of the root moves has found in tablebases.
    fn ranking_probes(&self) -> u64 {
        self.ranking.as_ref().map_or(0, RootRanking::probes)
    }

    /// Returns the time since the search began, by its [`TimeSource`] and without pauses.
    pub fn elapsed(&self, shared: &Shared) -> Duration {
        match self.task.request.time_source {
            TimeSource::Wall => self.since(self.task.search_started),
            TimeSource::Processor => self.cost(shared).processor_time,
        }
    }

    /// Returns the time used of the budget: as [`RunningSearch::elapsed`], without the time before a ponder hit.
    pub fn budget_time_used(&self, shared: &Shared) -> Duration {
        self.elapsed(shared).saturating_sub(self.ponder_time())
    }

    /// Returns the time between the start of the search and the ponder hit; zero without one.
    fn ponder_time(&self) -> Duration {
        let SearchTask {
            request,
            search_started,
            ..
        } = &self.task;
        match request.time_source {
            TimeSource::Wall => request.started.saturating_duration_since(*search_started),
            TimeSource::Processor => self.task.ponder_cost.processor_time,
        }
    }

    /// Returns the nodes visited, without those before a ponder hit.
    pub fn budget_nodes_used(&self, shared: &Shared) -> u64 {
        let before = self.task.ponder_cost.nodes;
        self.cost(shared).nodes.saturating_sub(before)
    }

    /// Returns the longest time that the results of the helpers may take after that of worker 0; zero without helpers
    /// or with little time.
    pub fn voting_time(&self) -> Duration {
        let hard = self.hard_limit();
        if self.helpers == 0 || hard.is_some_and(|hard| hard < LITTLE_TIME) {
            return Duration::ZERO;
        }
        vote::longest_time(hard)
    }

    fn hard_limit(&self) -> Option<Duration> {
        let budget = self.task.request.limits.budget;
        budget.map(|budget| budget.hard)
    }

    /// Returns the time after which worker 0 stops: the hard limit less the time of the vote.
    fn time_limit(&self) -> Option<Duration> {
        let hard = self.hard_limit()?;
        Some(hard.saturating_sub(self.voting_time()))
    }

    /// Returns `true` if a move is due and the search has reached its time limit, or another limit that the workers do
    /// not know, or if an answer that has been found is due now.
    pub fn has_reached_limit(&self, shared: &Shared) -> bool {
        let is_time_over = || {
            let limit = self.time_limit();
            limit.is_some_and(|limit| self.budget_time_used(shared) >= limit)
        };
        let is_due = || self.answer_due().is_some_and(|due| due <= Instant::now());
        self.task.is_answer_due()
            && (is_time_over() || self.has_reached_new_limits(shared) || is_due())
    }

    /// Returns `true` if the depth or nodes of the search have reached limits that the workers do not know.
    pub fn has_reached_new_limits(&self, shared: &Shared) -> bool {
        let Limits { depth, nodes, .. } = self.task.request.limits;
        self.has_new_limits
            && (depth.is_some_and(|most| self.completed_depth >= most)
                || nodes.is_some_and(|most| self.budget_nodes_used(shared) >= most))
    }

    /// Returns `true` if `depth` exceeds a limit that the workers do not know.
    fn is_beyond_new_depth(&self, depth: Depth) -> bool {
        let most = self.task.request.limits.depth;
        self.has_new_limits && most.is_some_and(|most| depth > most)
    }

    fn since(&self, start: Instant) -> Duration {
        self.task
            .paused
            .unwrap_or_else(Instant::now)
            .saturating_duration_since(start)
    }

    /// Returns `true` if the search must answer instead of beginning another iteration or, at a ponder hit, instead of
    /// continuing the current one.
    ///
    /// Pondering counts as thinking time: time saved on this move is available for later moves. Where no time can be
    /// saved, because soft and hard limit are equal, pondering does not count, and the search uses all of its time.
    pub fn soft_limit_reached(&self, parameters: &Parameters) -> bool {
        let request = &self.task.request;
        let (Purpose::Play, Some(budget)) = (request.purpose, request.limits.budget) else {
            return false;
        };
        if self.root_moves.len() == 1 {
            return true;
        }
        let Some((elapsed, stats)) = &self.last_iteration else {
            return false;
        };
        let uncounted = if budget.soft < budget.hard {
            self.task.restart_overhead
        } else {
            self.ponder_time()
        };
        elapsed.saturating_sub(uncounted) >= budget.soft_limit_after(stats, parameters)
    }

    /// Records a report of worker 0. Returns the line to send, if any.
    ///
    /// `multi_pv` is the number of lines that an analysis shows.
    pub fn record(
        &mut self,
        progress: Progress,
        multi_pv: usize,
        shared: &Shared,
    ) -> Option<SearchEvent> {
        match progress {
            Progress::Line(info) if self.is_beyond_new_depth(info.depth) => None,
            Progress::Line(mut info) => {
                self.line_depth = info.depth;
                info.time = self.elapsed(shared);
                let cost = self.cost(shared);
                info.nodes = cost.nodes.max(info.nodes);
                info.tablebase_hits = cost.tablebase_hits.max(info.tablebase_hits);
                info.score = self.shown_score(info.pv.first().copied(), info.score);
                let has_one_line = self.task.request.purpose != Purpose::Analyse || multi_pv <= 1;
                let line = self.lines.filter(info, has_one_line, Instant::now())?;
                Some(SearchEvent::Info(self.task.request.id, line))
            }
            Progress::Iteration(stats) => {
                self.last_iteration = Some((self.elapsed(shared), stats));
                self.completed_depth = self.line_depth;
                None
            }
        }
    }

    /// Returns the score to show for a line that begins with `first`: that of the tablebases, if they know it.
    fn shown_score(&self, first: Option<Move>, score: Score) -> Score {
        match (&self.ranking, first) {
            (Some(ranking), Some(mv)) => ranking.score(mv, score, self.draw_score()),
            _ => score,
        }
    }

    /// Returns the score of a draw for the side to move.
    fn draw_score(&self) -> Score {
        let request = &self.task.request;
        request.contempt.draw_score(request.position.side_to_move())
    }

    /// Returns `true` if the tablebases show that the side to move cannot win and need not lose, and if the score of
    /// the search alone, `searched`, promises no advantage either. Otherwise the opponent may go wrong.
    fn is_tablebase_draw(&self, searched: Score) -> bool {
        let is_drawn = self
            .ranking
            .as_ref()
            .is_some_and(|ranking| (Wdl::BlessedLoss..=Wdl::Draw).contains(&ranking.result()));
        is_drawn && searched <= self.draw_score() + NO_ADVANTAGE
    }

    /// Returns the current status.
    pub fn status(&self, shared: &Shared) -> SearchStatus {
        let (depth, moves_left, moves_total, current) = shared.status.read();
        SearchStatus {
            time: self.elapsed(shared),
            nodes: self.cost(shared).nodes,
            depth,
            moves_left,
            moves_total,
            current,
        }
    }

    /// Returns the events that end the search if a move is due: the last line and the answer.
    pub fn final_events(&mut self, shared: &Shared) -> Vec<SearchEvent> {
        if !self.task.is_answer_due() {
            return Vec::new();
        }
        let Some(mut result) = vote::choose(&self.results).cloned() else {
            return Vec::new();
        };
        let is_tablebase_draw = self.is_tablebase_draw(result.score);
        result.score = self.shown_score(result.best, result.score);
        let id = self.task.request.id;
        let mut events = Vec::new();
        let last_line = self.last_line(&result, shared);
        events.extend(last_line.map(|info| SearchEvent::Info(id, info)));
        events.push(SearchEvent::Best {
            id,
            best: result.best,
            ponder: result.ponder,
            score: result.score,
            time: self.budget_time_used(shared),
            nodes: self.budget_nodes_used(shared),
            is_tablebase_draw,
        });
        events
    }

    /// Returns the line to send before the answer, if any.
    ///
    /// The last line sent must begin with the move played, and only lines of worker 0 were sent so far.
    fn last_line(&mut self, result: &RunResult, shared: &Shared) -> Option<SearchInfo> {
        let first_move = |info: &SearchInfo| info.pv.first().copied();
        let deferred = self.lines.take_deferred();
        let last = self.lines.last();
        let last_move = last.and_then(first_move);
        let may_omit = last.is_none() || last_move == result.best;
        if may_omit && !self.task.request.limits.line_rate.sends_last_line {
            return None;
        }
        let newest_move = deferred.as_ref().map_or(last_move, first_move);
        if result.best.is_none() || (newest_move == result.best && result.worker_id == 0) {
            return deferred;
        }
        let last_depth = last.map_or(1, |info| info.depth);
        let depth_limit = self.task.request.limits.depth.unwrap_or(MAX_DEPTH);
        Some(SearchInfo {
            depth: result.depth.min(depth_limit).max(last_depth),
            selective_depth: result.selective_depth,
            score: result.score,
            bound: result.bound,
            time: self.elapsed(shared),
            nodes: self.cost(shared).nodes,
            tablebase_hits: self.cost(shared).tablebase_hits,
            rank: 0,
            pv: result.line.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests;
