//! What the controller and its workers share and tell each other.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::IterationStats;
use crate::messages::{Bound, Limits, ScoreOverrides, SearchInfo, TimeSource};
use crate::rules::Position;
use crate::types::{Depth, MAX_DEPTH, Move, Score};

use super::pv::Line;
use super::statistics::Statistics;
use super::stop::{RunId, StopGate};
use super::table::Table;

/// A search as a worker gets it.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub run: RunId,
    pub position: Position,
    /// The legal moves that may be considered.
    pub root_moves: Vec<Move>,
    /// Deepest iteration, at least 1.
    pub depth: Depth,
    /// Most nodes over all workers.
    pub nodes: Option<u64>,
    /// Nodes of this worker after which it starts no further iteration.
    pub soft_nodes: Option<u64>,
    /// Variations wanted, at least 1.
    pub multi_pv: usize,
    /// Positions whose scores the user has given.
    pub score_overrides: ScoreOverrides,
    /// Whether processor time is wanted.
    pub time_source: TimeSource,
    /// Set if the result reports the worker's processor time. Reading that clock takes a system call, which a search
    /// of some hundred nodes notices.
    pub measure_processor_time: bool,
    /// See `Searcher`.
    pub variety: i32,
    pub variety_seed: u64,
}

impl Job {
    /// A search of all legal moves for one line, without anything given by a user; `limits.budget` is not looked at.
    pub fn plain(run: RunId, position: &Position, limits: &Limits) -> Job {
        Job {
            run,
            position: position.clone(),
            root_moves: position.legal_moves().to_vec(),
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            nodes: limits.nodes,
            soft_nodes: None,
            multi_pv: 1,
            score_overrides: ScoreOverrides::default(),
            time_source: TimeSource::Wall,
            measure_processor_time: true,
            variety: 0,
            variety_seed: 0,
        }
    }
}

/// What a worker found.
#[derive(Clone, Debug)]
pub(super) struct RunResult {
    /// Who found it.
    pub worker: usize,
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    pub score: Score,
    /// The meaning of `score`: a search that is stopped after its window was missed has only a bound.
    pub bound: Bound,
    /// The last iteration that was finished; 0 if none was.
    pub depth: Depth,
    pub selective_depth: u32,
    /// The line `best` begins.
    pub line: Line,
    pub statistics: Statistics,
    pub nodes: u64,
    /// Processor time of the worker's thread; zero if the job did not ask for it.
    pub processor_time: Duration,
}

impl RunResult {
    /// A result without any search.
    pub fn unsearched(best: Option<Move>) -> RunResult {
        RunResult {
            worker: 0,
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

/// What a worker says while it searches.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    /// A line of thinking; its time and nodes are for the controller to fill in.
    Line(SearchInfo),
    /// An iteration is finished; its lines have been reported.
    Iteration(IterationStats),
}

/// What workers and controller share. Counters of different threads lie on different cache lines.
pub(super) struct Shared {
    pub gate: StopGate,
    pub table: Table,
    pub status: Status,
    counters: Box<[Counter]>,
}

#[derive(Default)]
#[repr(align(128))]
struct Counter {
    nodes: AtomicU64,
    /// Nanoseconds, where they are wanted.
    processor_time: AtomicU64,
}

/// How far the first worker is, for `.`.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Status {
    depth: AtomicU32,
    /// Root moves begun in this iteration.
    begun: AtomicU32,
    total: AtomicU32,
    current: AtomicU32,
}

impl Status {
    pub fn begin(&self, depth: Depth, total: usize) {
        self.depth.store(depth.unsigned_abs(), Ordering::Relaxed);
        self.begun.store(0, Ordering::Relaxed);
        self.total.store(total as u32, Ordering::Relaxed);
    }

    pub fn root_move(&self, number: usize, mv: Move) {
        self.begun.store(number as u32 + 1, Ordering::Relaxed);
        self.current.store(u32::from(mv.bits()), Ordering::Relaxed);
    }

    /// No search, nothing to report.
    pub fn reset(&self, total: usize) {
        self.begin(0, total);
        self.current.store(0, Ordering::Relaxed);
    }

    /// Depth, root moves left, root moves in all, the current one.
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
    pub fn new(table: Table, threads: usize) -> Shared {
        Shared {
            gate: StopGate::default(),
            table,
            status: Status::default(),
            counters: (0..threads.max(1)).map(|_| Counter::default()).collect(),
        }
    }

    pub fn publish_nodes(&self, worker: usize, nodes: u64) {
        if let Some(counter) = self.counters.get(worker) {
            counter.nodes.store(nodes, Ordering::Relaxed);
        }
    }

    pub fn publish_processor_time(&self, worker: usize, time: Duration) {
        if let Some(counter) = self.counters.get(worker) {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            counter.processor_time.store(nanoseconds, Ordering::Relaxed);
        }
    }

    /// Nothing is counted yet; no worker may be at work.
    pub fn reset_counters(&self) {
        for counter in &self.counters {
            counter.nodes.store(0, Ordering::Relaxed);
            counter.processor_time.store(0, Ordering::Relaxed);
        }
    }

    /// Nodes of all workers, as far as published.
    pub fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counter| counter.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Processor time of all workers, as far as published.
    pub fn processor_time(&self) -> Duration {
        let times = self
            .counters
            .iter()
            .map(|counter| counter.processor_time.load(Ordering::Relaxed));
        Duration::from_nanos(times.fold(0, u64::saturating_add))
    }
}
