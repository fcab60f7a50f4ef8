//! Data exchanged between the search thread and its helpers: jobs, results, progress and counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::IterationStats;
use crate::config::ProbeSettings;
use crate::messages::{Bound, Contempt, Limits, ScoreOverrides, SearchInfo, TimeSource};
use crate::rules::Position;
use crate::tablebase::Tablebases;
use crate::types::{Depth, MAX_DEPTH, Move, Score};

use super::pv::Line;
use super::statistics::Statistics;
use super::stop::{RunId, StopGate};
use super::table::Table;

/// A search for the workers. All of them get the same job.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// Run that the job belongs to.
    pub run: RunId,
    /// Position to search, with the keys of the earlier positions of the game.
    pub position: Position,
    /// Legal moves to search.
    pub root_moves: Vec<Move>,
    /// Numbers of root moves of the groups that they form, best group first. A move of a later group is worse than all
    /// moves of an earlier one, whatever their scores. Moves beyond the last group form another one.
    pub root_groups: Vec<usize>,
    /// Depth of the last iteration, at least 1.
    pub depth: Depth,
    /// Largest number of nodes of all workers together.
    pub nodes: Option<u64>,
    /// Number of nodes of a worker after which it starts no iteration.
    pub soft_nodes: Option<u64>,
    /// Number of nodes after which a worker ends an iteration that is not the first one.
    pub later_nodes: Option<u64>,
    /// Number of lines to search, at least 1.
    pub multi_pv: usize,
    /// Scores that the user has set for positions (`setscore`).
    pub score_overrides: ScoreOverrides,
    /// Tablebases that the workers probe; `None`: none.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Positions that the workers look up in the tablebases.
    pub probing: ProbeSettings,
    /// Value of a draw.
    pub contempt: Contempt,
    /// Clock of the search. Workers publish their processor time only for [`TimeSource::Processor`].
    pub time_source: TimeSource,
    /// Set if the result contains the worker's processor time. Reading that clock takes a system call, whose time
    /// matters in a search of some hundred nodes.
    pub measure_processor_time: bool,
    /// Largest random variation of evaluations, in centipawns.
    pub variety: i32,
    /// Seed of the random variation.
    pub variety_seed: u64,
}

impl Job {
    /// Creates a job that searches all legal moves for one line, without score overrides and contempt. Ignores
    /// `limits.budget`.
    pub fn plain(run: RunId, position: &Position, limits: &Limits) -> Job {
        Job {
            run,
            position: position.clone(),
            root_moves: position.legal_moves().to_vec(),
            root_groups: Vec::new(),
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            nodes: limits.nodes,
            soft_nodes: None,
            later_nodes: None,
            multi_pv: 1,
            score_overrides: ScoreOverrides::default(),
            tablebases: None,
            probing: ProbeSettings::default(),
            contempt: Contempt::NONE,
            time_source: TimeSource::Wall,
            measure_processor_time: true,
            variety: 0,
            variety_seed: 0,
        }
    }
}

/// The result of a worker.
#[derive(Clone, Debug)]
pub(super) struct RunResult {
    /// Index of the worker, from 0.
    pub worker_id: usize,
    /// Best move; `None` if there is no root move.
    pub best: Option<Move>,
    /// Expected reply.
    pub ponder: Option<Move>,
    /// Score for the side to move.
    pub score: Score,
    /// Relation of `score` to the exact score. A search that is stopped after it missed its window has only a bound.
    pub bound: Bound,
    /// Depth of the last completed iteration; 0 if there is none.
    pub depth: Depth,
    /// Length of the longest line searched in the last iteration, in plies.
    pub selective_depth: u32,
    /// Principal variation, which begins with `best`.
    pub line: Line,
    /// Counts of the worker.
    pub statistics: Statistics,
    /// Number of nodes of the worker.
    pub nodes: u64,
    /// Processor time of the worker; zero if the job does not require it.
    pub processor_time: Duration,
}

impl RunResult {
    /// Creates a result that is not searched.
    pub fn unsearched(best: Option<Move>) -> RunResult {
        RunResult {
            worker_id: 0,
            best,
            ponder: None,
            score: Score::DRAW,
            bound: Bound::Exact,
            depth: 0,
            selective_depth: 0,
            line: best.into_iter().collect(),
            statistics: Statistics::default(),
            nodes: 0,
            processor_time: Duration::ZERO,
        }
    }
}

/// The progress of worker 0.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    /// A thinking line. The receiver sets its time and nodes.
    Line(SearchInfo),
    /// The end of an iteration, after its lines.
    Iteration(IterationStats),
}

/// The data shared by the workers.
pub(super) struct Shared {
    /// Stops and pauses runs.
    pub gate: StopGate,
    /// Transposition table.
    pub table: Table,
    /// Progress of worker 0.
    pub status: Status,
    /// Counters by worker.
    counters: Box<[Counter]>,
}

/// The counters of a worker, which alone writes them. The alignment keeps counters of different workers on different
/// cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Counter {
    /// Identifier of the run that the other counters belong to.
    run: AtomicU64,
    /// Number of nodes.
    nodes: AtomicU64,
    /// Number of positions found in tablebases.
    tablebase_hits: AtomicU64,
    /// Processor time in nanoseconds, if the job requires it.
    processor_time: AtomicU64,
}

/// The progress of worker 0, for the command `.`.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Status {
    /// Depth of the current iteration.
    depth: AtomicU32,
    /// Number of root moves begun in the current iteration.
    begun: AtomicU32,
    /// Number of root moves.
    total: AtomicU32,
    /// Bits of the current root move; 0 for none.
    current: AtomicU32,
}

impl Status {
    /// Begins an iteration with `total` root moves.
    pub fn begin(&self, depth: Depth, total: usize) {
        self.depth.store(depth.unsigned_abs(), Ordering::Relaxed);
        self.begun.store(0, Ordering::Relaxed);
        self.total.store(total as u32, Ordering::Relaxed);
    }

    /// Sets the current root move and its index in the iteration.
    pub fn set_root_move(&self, index: usize, mv: Move) {
        self.begun.store(index as u32 + 1, Ordering::Relaxed);
        self.current.store(u32::from(mv.bits()), Ordering::Relaxed);
    }

    /// Resets the progress for a search with `total` root moves.
    pub fn reset(&self, total: usize) {
        self.begin(0, total);
        self.current.store(0, Ordering::Relaxed);
    }

    /// Copies the progress of another search.
    pub fn copy_from(&self, other: &Status) {
        for (to, from) in [
            (&self.depth, &other.depth),
            (&self.begun, &other.begun),
            (&self.total, &other.total),
            (&self.current, &other.current),
        ] {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Returns the depth, the number of root moves left, the number of root moves, and the current one.
    pub fn read(&self) -> (Depth, u32, u32, Option<Move>) {
        let total = self.total.load(Ordering::Relaxed);
        let left = total.saturating_sub(self.begun.load(Ordering::Relaxed));
        let current = Move::from_bits(self.current.load(Ordering::Relaxed) as u16);
        (
            self.depth.load(Ordering::Relaxed) as Depth,
            left,
            total,
            current,
        )
    }
}

impl Shared {
    /// Creates the data for a number of threads.
    pub fn new(table: Table, threads: usize) -> Shared {
        Shared {
            gate: StopGate::default(),
            table,
            status: Status::default(),
            counters: (0..threads.max(1)).map(|_| Counter::default()).collect(),
        }
    }

    /// Publishes the nodes of a worker.
    pub fn publish_nodes(&self, worker_id: usize, nodes: u64) {
        if let Some(counter) = self.counters.get(worker_id) {
            counter.nodes.store(nodes, Ordering::Relaxed);
        }
    }

    /// Publishes the number of positions that a worker has found in tablebases.
    pub fn publish_tablebase_hits(&self, worker_id: usize, hits: u64) {
        if let Some(counter) = self.counters.get(worker_id) {
            counter.tablebase_hits.store(hits, Ordering::Relaxed);
        }
    }

    /// Publishes the processor time of a worker.
    pub fn publish_processor_time(&self, worker_id: usize, time: Duration) {
        if let Some(counter) = self.counters.get(worker_id) {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            counter.processor_time.store(nanoseconds, Ordering::Relaxed);
        }
    }

    /// Resets the counters of a worker for a run. Only that worker may call it.
    pub fn begin_counting(&self, worker_id: usize, run: RunId) {
        if let Some(counter) = self.counters.get(worker_id) {
            counter.nodes.store(0, Ordering::Relaxed);
            counter.tablebase_hits.store(0, Ordering::Relaxed);
            counter.processor_time.store(0, Ordering::Relaxed);
            // A thread that reads the new run must not read counts of the old one.
            counter.run.store(run.0, Ordering::Release);
        }
    }

    /// Returns the counters of the workers that have begun a run. Some may still end an earlier one.
    fn counters_of(&self, run: RunId) -> impl Iterator<Item = &Counter> {
        let counters = self.counters.iter();
        counters.filter(move |counter| counter.run.load(Ordering::Acquire) == run.0)
    }

    /// Returns the published nodes of all workers in a run.
    pub fn nodes(&self, run: RunId) -> u64 {
        self.counters_of(run)
            .map(|counter| counter.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Returns the published tablebase hits of all workers in a run.
    pub fn tablebase_hits(&self, run: RunId) -> u64 {
        self.counters_of(run)
            .map(|counter| counter.tablebase_hits.load(Ordering::Relaxed))
            .sum()
    }

    /// Returns the published processor time of all workers in a run.
    pub fn processor_time(&self, run: RunId) -> Duration {
        let times = self
            .counters_of(run)
            .map(|counter| counter.processor_time.load(Ordering::Relaxed));
        Duration::from_nanos(times.fold(0, u64::saturating_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_belong_to_one_run() {
        let shared = Shared::new(Table::new(0), 2);
        for worker in [0, 1] {
            shared.begin_counting(worker, RunId(1));
            shared.publish_nodes(worker, 10);
            shared.publish_processor_time(worker, Duration::from_secs(2));
        }
        assert_eq!(shared.nodes(RunId(1)), 20);
        shared.begin_counting(0, RunId(2));
        shared.publish_nodes(0, 3);
        shared.publish_nodes(1, 11);
        assert_eq!(shared.nodes(RunId(2)), 3, "worker 1 has not begun");
        assert_eq!(shared.processor_time(RunId(2)), Duration::ZERO);
        shared.begin_counting(1, RunId(2));
        assert_eq!(shared.nodes(RunId(2)), 3);
    }
}
