//! The search being done, and the one waiting for its turn, as the controller knows them.

use std::time::{Duration, Instant};

use crate::messages::{Purpose, SearchInfo, SearchRequest};
use crate::types::Move;

use super::job::RunResult;
use super::stop::RunId;

/// A search that is wanted, with what was ordered about it so far.
pub(super) struct Wanted {
    /// Its `started`, from which limits count, is moved on by pauses.
    pub request: SearchRequest,
    /// From which the time shown counts; a ponder hit does not change it. Moved on by pauses, too.
    pub began: Instant,
    /// Nodes of runs that were stopped to go on with other settings.
    pub earlier_nodes: u64,
    /// When it was frozen.
    pub paused: Option<Instant>,
    /// A move is to come at once.
    pub move_now: bool,
}

/// The search being done.
pub(super) struct Active {
    pub wanted: Wanted,
    pub run: RunId,
    /// Workers that have not finished this run.
    pub running: usize,
    /// What the first worker found, once it has finished.
    pub result: Option<RunResult>,
    /// Nobody wants the answer any more.
    pub abandoned: bool,
    /// Stopped to be started again with a new configuration.
    pub restarting: bool,
    pub last_line: Option<(Instant, SearchInfo)>,
    pub root_moves: Vec<Move>,
}

impl Active {
    /// Time used, pauses not counted.
    pub fn elapsed(&self) -> Duration {
        self.since(self.wanted.began)
    }

    pub fn since(&self, start: Instant) -> Duration {
        self.wanted
            .paused
            .unwrap_or_else(Instant::now)
            .saturating_duration_since(start)
    }

    /// Whether to answer now rather than begin the next iteration.
    pub fn should_stop_after_iteration(&self) -> bool {
        if self.wanted.request.purpose != Purpose::Play {
            return false;
        }
        let Some(budget) = self.wanted.request.limits.budget else {
            return false;
        };
        self.root_moves.len() == 1 || self.since(self.wanted.request.started) >= budget.soft
    }
}
