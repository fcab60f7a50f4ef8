//! The search being done, and the one waiting for its turn, as the controller knows them.

use std::time::{Duration, Instant};

use crate::clock::Effort;
use crate::messages::{Limits, Purpose, SearchInfo, SearchRequest, TimeSource};
use crate::types::{Depth, Move};

use super::job::{RunResult, Shared};
use super::stop::RunId;

/// A search that is wanted, with what was ordered about it so far.
pub(super) struct Wanted {
    /// Its `started`, from which limits count, is moved on by pauses.
    pub request: SearchRequest,
    /// From which the time shown counts; a ponder hit does not change it. Moved on by pauses, too.
    pub began: Instant,
    /// What runs cost that were stopped to go on with other settings.
    pub earlier: Spent,
    /// What had been spent when the move became owed: nothing, or what pondering took before the hit.
    pub spent_before: Spent,
    /// How much of the time that is shown went to such runs: it counts as no thought about the move.
    pub lost: Duration,
    /// When it was frozen.
    pub paused: Option<Instant>,
    /// A move is to come at once.
    pub move_now: bool,
}

impl Wanted {
    /// A search that has cost nothing yet.
    pub fn new(request: SearchRequest) -> Wanted {
        Wanted {
            began: request.started,
            request,
            earlier: Spent::default(),
            spent_before: Spent::default(),
            lost: Duration::ZERO,
            paused: None,
            move_now: false,
        }
    }

    /// The moves to be considered: the legal ones that are not excluded.
    pub fn root_moves(&self) -> Vec<Move> {
        let legal = self.request.position.legal_moves();
        let excluded = &self.request.excluded;
        legal
            .into_iter()
            .filter(|mv| !excluded.contains(mv))
            .collect()
    }
}

/// Work of a search over all its threads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub nodes: u64,
    pub processor_time: Duration,
}

/// The search being done.
pub(super) struct Active {
    pub wanted: Wanted,
    pub run: RunId,
    /// Workers that have not finished this run.
    pub running: usize,
    /// What the workers found that have finished.
    pub results: Vec<RunResult>,
    /// Until when the answer waits for the votes of the others, once the first worker has finished.
    pub votes_until: Option<Instant>,
    /// Nobody wants the answer any more, or it has been given.
    pub abandoned: bool,
    /// Stopped to be started again with a new configuration.
    pub restarting: bool,
    /// Limits have come that the workers do not know of.
    pub has_new_limits: bool,
    /// Depth of the run's newest line, shown or not.
    pub line_depth: Depth,
    /// Depth of the run's last iteration that has ended.
    pub completed_depth: Depth,
    pub last_line: Option<(Instant, SearchInfo)>,
    /// When the run's last iteration ended, by [`Active::elapsed`], and how hard it was.
    pub last_iteration: Option<(Duration, Effort)>,
    /// Lines shown in this run.
    pub lines: usize,
    /// A line that is shown at the end of the run, if no other is before.
    pub held_line: Option<SearchInfo>,
    pub root_moves: Vec<Move>,
}

impl Active {
    /// The work of all runs so far.
    pub fn spent(&self, shared: &Shared) -> Spent {
        let earlier = self.wanted.earlier;
        Spent {
            nodes: earlier.nodes + shared.nodes(),
            processor_time: earlier.processor_time + shared.processor_time(),
        }
    }

    /// Time used, by the clock that the search counts by; pauses are not counted.
    pub fn elapsed(&self, shared: &Shared) -> Duration {
        match self.wanted.request.time_source {
            TimeSource::Wall => self.since(self.wanted.began),
            TimeSource::Processor => self.spent(shared).processor_time,
        }
    }

    /// The same since the move became owed, which is what hard limits are about.
    pub fn elapsed_of_budget(&self, shared: &Shared) -> Duration {
        self.elapsed(shared).saturating_sub(self.elapsed_before())
    }

    /// What pondering took before the move became owed.
    fn elapsed_before(&self) -> Duration {
        let Wanted { request, began, .. } = &self.wanted;
        match request.time_source {
            TimeSource::Wall => request.started.saturating_duration_since(*began),
            TimeSource::Processor => self.wanted.spent_before.processor_time,
        }
    }

    /// Nodes searched since the move became owed.
    pub fn nodes_of_budget(&self, shared: &Shared) -> u64 {
        let before = self.wanted.spent_before.nodes;
        self.spent(shared).nodes.saturating_sub(before)
    }

    /// Returns `true` if depth or nodes of the search have reached limits that the workers do not know of.
    pub fn has_reached_new_limits(&self, shared: &Shared) -> bool {
        let Limits { depth, nodes, .. } = self.wanted.request.limits;
        self.has_new_limits
            && (depth.is_some_and(|most| self.completed_depth >= most)
                || nodes.is_some_and(|most| self.nodes_of_budget(shared) >= most))
    }

    /// Returns `true` for a depth beyond a limit that the workers do not know of.
    pub fn is_beyond_new_depth(&self, depth: Depth) -> bool {
        let most = self.wanted.request.limits.depth;
        self.has_new_limits && most.is_some_and(|most| depth > most)
    }

    fn since(&self, start: Instant) -> Duration {
        self.wanted
            .paused
            .unwrap_or_else(Instant::now)
            .saturating_duration_since(start)
    }

    /// Whether to answer now rather than begin the next iteration or, at a ponder hit, go on with the one begun
    /// already.
    ///
    /// What was thought on the opponent's time counts: what the clock is spared now, later moves can use. Where nothing
    /// can be saved up (soft and hard limit are the same), the whole time is used all the same.
    pub fn has_thought_enough(&self) -> bool {
        let request = &self.wanted.request;
        let (Purpose::Play, Some(budget)) = (request.purpose, request.limits.budget) else {
            return false;
        };
        if self.root_moves.len() == 1 {
            return true;
        }
        let Some((elapsed, effort)) = &self.last_iteration else {
            return false;
        };
        let uncounted = if budget.soft < budget.hard {
            self.wanted.lost
        } else {
            self.elapsed_before()
        };
        elapsed.saturating_sub(uncounted) >= budget.soft_after(effort)
    }
}

#[cfg(test)]
mod tests;
