//! State of the search of one thread.
//!
//! [`Searcher`] owns the board, the search path and all tables of a thread. Other files implement the search itself:
//! `make_move.rs`, `static_eval.rs`, `quiescence.rs`, `alphabeta.rs`, `cutoff.rs`, the techniques, `aspiration.rs` and
//! `iterate.rs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::board::Board;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::{Contempt, ScoreOverrides, TimeSource};
use crate::rules::FIFTY_MOVES;
use crate::tablebase::Tablebases;
use crate::types::{Depth, Key, MAX_PLY, Ply, Score};

use super::history::{CorrectionHistory, CorrectionIndices, Histories};
use super::job::{Job, Shared};
use super::killers::Killers;
use super::monitor::Monitor;
use super::path::{SearchPath, is_draw};
use super::poll::PollInterval;
use super::probe_limits::ProbeLimits;
use super::pv::{PreviousLine, PvTable};
use super::reduction_table::ReductionTable;
use super::root_moves::RootMoves;
use super::stack::Stack;
use super::statistics::Statistics;
use super::stop::RunId;
use super::table::TableEntry;

/// Nodes up to which worker 0 completes its first iteration after a stop, so that there is a best move.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Time after a stop up to which worker 0 completes its first iteration.
const FIRST_ITERATION_GRACE: Duration = Duration::from_millis(5);

/// Half-move clock from which table scores cause no cutoff. They may stem from lines in which the fifty-move rule was
/// far away.
const TABLE_CUTOFF_CLOCK: u16 = 80;

/// The search of one thread.
pub(super) struct Searcher<E> {
    /// Evaluation function.
    pub evaluator: E,
    /// State shared with the other workers.
    pub shared: Arc<Shared>,
    /// Index of the worker, from 0; worker 0 reports progress.
    pub worker_id: usize,
    /// Handles events between nodes; `None` for a helper, and for a search that only its own limits end.
    pub monitor: Option<Box<dyn Monitor + Send>>,
    /// Run that the current job belongs to.
    pub run: RunId,
    /// Search parameters.
    pub parameters: Parameters,
    /// Current position.
    pub board: Board,
    /// Keys of the positions before the current one.
    pub path: SearchPath,
    /// Root moves and what is known about them.
    pub root: RootMoves,
    /// Number of lines to search at the root, at least 1.
    pub multi_pv: usize,
    /// Set if no legal root move is excluded, and the root moves form one group.
    pub all_root_moves: bool,
    /// Principal variations by ply.
    pub pv: PvTable,
    /// Principal variation of the previous iteration.
    pub previous_line: PreviousLine,
    /// Killer moves.
    pub killers: Killers,
    /// History scores of moves.
    pub histories: Histories,
    /// Learned errors of the static evaluation.
    pub corrections: CorrectionHistory,
    /// State of each ply of the current line.
    pub stack: Stack,
    /// Base reductions of late moves.
    pub reductions: ReductionTable,
    /// Counts over the current job.
    pub statistics: Statistics,
    /// Nodes visited in the current job.
    pub nodes: u64,
    /// Node count from which the current quiescence search tries recaptures only.
    pub recaptures_from: u64,
    /// Node limit of the job, over all threads.
    pub node_limit: Option<u64>,
    /// Node count at which the search polls for a stop.
    pub next_poll: u64,
    poll_interval: PollInterval,
    /// Time of the poll that first saw the stop of this job.
    stop_seen: Option<Instant>,
    /// Largest ply visited for the current line of the iteration, plus 1.
    pub selective_depth: u32,
    /// Depth of the current iteration.
    pub root_depth: Depth,
    /// Depth of the last completed iteration; 0 before the first.
    pub completed_depth: Depth,
    /// Set once the search must end. Scores returned afterwards are meaningless.
    pub stopped: bool,
    /// Largest random variation of evaluations, in centipawns.
    pub variety: i32,
    /// Seed of the random variation.
    pub variety_seed: u64,
    /// Scores set by the user for positions (`setscore`).
    pub score_overrides: ScoreOverrides,
    /// Tablebases to probe; `None`: none.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Positions to look up in the tablebases.
    pub probe_limits: ProbeLimits,
    /// Positions found in tablebases in the current job.
    pub tablebase_hits: u64,
    /// Value of a draw.
    pub contempt: Contempt,
    /// Processor time of this thread at the start of the job; `None` if the job does not measure it.
    processor_start: Option<Duration>,
    /// Set if the job's time is processor time.
    publishes_processor_time: bool,
}

impl<E: Evaluator> Searcher<E> {
    /// Creates the searcher of a thread.
    pub fn new(
        evaluator: E,
        shared: Arc<Shared>,
        worker_id: usize,
        parameters: Parameters,
    ) -> Searcher<E> {
        Searcher {
            evaluator,
            shared,
            worker_id,
            monitor: None,
            run: RunId::default(),
            board: Board::standard(),
            path: SearchPath::new(),
            root: RootMoves::default(),
            multi_pv: 1,
            all_root_moves: true,
            pv: PvTable::new(),
            previous_line: PreviousLine::default(),
            killers: Killers::new(),
            histories: Histories::new(),
            corrections: CorrectionHistory::new(),
            stack: Stack::new(),
            reductions: ReductionTable::new(&parameters),
            parameters,
            statistics: Statistics::default(),
            nodes: 0,
            recaptures_from: 0,
            node_limit: None,
            next_poll: 0,
            poll_interval: PollInterval::new(),
            stop_seen: None,
            selective_depth: 0,
            root_depth: 0,
            completed_depth: 0,
            stopped: false,
            variety: 0,
            variety_seed: 0,
            score_overrides: ScoreOverrides::default(),
            tablebases: None,
            probe_limits: ProbeLimits::NONE,
            tablebase_hits: 0,
            contempt: Contempt::NONE,
            processor_start: None,
            publishes_processor_time: false,
        }
    }

    /// Prepares for a job. Histories of earlier jobs stay.
    pub fn prepare(&mut self, job: &Job) {
        self.run = job.run;
        self.board = job.position.board().clone();
        self.path.start(job.position.earlier_keys());
        self.root.reset(&job.root_moves, &job.root_groups);
        let first_group = job.root_groups.first();
        self.all_root_moves = first_group.is_none_or(|&size| size >= job.root_moves.len())
            && job.root_moves.len() as u64 == self.board.count_legal();
        self.killers.clear();
        self.stack.clear();
        let frame = self.stack.at_mut(Ply::ROOT);
        frame.correction_indices = CorrectionIndices::of(&self.board);
        frame.check_info = self.board.check_info();
        self.statistics = Statistics::default();
        self.nodes = 0;
        self.node_limit = job.nodes;
        self.poll_interval = PollInterval::new();
        self.next_poll = job
            .nodes
            .unwrap_or(u64::MAX)
            .min(self.poll_interval.nodes());
        self.stop_seen = None;
        self.selective_depth = 0;
        self.completed_depth = 0;
        self.stopped = false;
        self.variety = job.variety;
        self.variety_seed = job.variety_seed;
        self.score_overrides.clone_from(&job.score_overrides);
        self.tablebases.clone_from(&job.tablebases);
        self.probe_limits = job
            .tablebases
            .as_ref()
            .map_or(ProbeLimits::NONE, |tablebases| {
                ProbeLimits::new(tablebases, job.probing)
            });
        self.tablebase_hits = 0;
        self.contempt = job.contempt;
        self.evaluator.reset(&self.board);
        self.processor_start = job
            .measure_processor_time
            .then(|| ThreadTime::now().as_duration());
        self.publishes_processor_time = job.time_source == TimeSource::Processor;
        self.shared.begin_counting(self.worker_id, job.run);
    }

    /// Clears killer moves and histories for a new game.
    pub fn new_game(&mut self) {
        self.killers.clear();
        self.histories.clear();
        self.corrections.clear();
    }

    /// Counts a node and polls for a stop at intervals.
    #[inline]
    pub fn enter_node(&mut self, ply: Ply) {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(u32::from(ply.0) + 1);
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Publishes nodes and processor time of this thread.
    pub fn publish(&self) {
        self.shared.publish_nodes(self.worker_id, self.nodes);
        self.shared
            .publish_tablebase_hits(self.worker_id, self.tablebase_hits);
        if self.publishes_processor_time {
            self.shared
                .publish_processor_time(self.worker_id, self.processor_time());
        }
    }

    /// Returns the processor time that this thread has spent on the job; zero if the job does not measure it.
    pub fn processor_time(&self) -> Duration {
        self.processor_start.map_or(Duration::ZERO, |start| {
            ThreadTime::now().as_duration().saturating_sub(start)
        })
    }

    /// Publishes the counters, handles events, waits while the search is paused, and sets `stopped` if the search must
    /// end.
    #[cold]
    fn poll(&mut self) {
        self.publish();
        let now = Instant::now();
        self.next_poll = self.nodes + self.poll_interval.after_poll(now);
        let is_wanted = self.monitor.as_mut().is_none_or(|monitor| monitor.poll());
        self.shared.gate.wait_while_paused(self.run);
        if self.shared.gate.is_stopped(self.run) {
            // The pause may have been long.
            let now = Instant::now();
            let seen = *self.stop_seen.get_or_insert(now);
            self.stopped = !is_wanted
                || self.worker_id != 0
                || self.completed_depth > 0
                || self.nodes >= FIRST_ITERATION_NODES
                || now.duration_since(seen) >= FIRST_ITERATION_GRACE;
        }
        if let Some(limit) = self.node_limit {
            let all = self.shared.nodes(self.run);
            self.stopped |= all >= limit;
            self.next_poll = self
                .next_poll
                .min(self.nodes + limit.saturating_sub(all))
                .max(self.nodes + 1);
        }
    }

    /// Ends the search after `limit` nodes of all workers, or earlier if the job's limit is lower.
    pub fn limit_nodes(&mut self, limit: u64) {
        self.node_limit = Some(self.node_limit.map_or(limit, |of_job| of_job.min(limit)));
        self.next_poll = self.next_poll.min(limit);
    }

    /// Returns `true` if a line may be extended at `ply`: below twice the iteration depth.
    #[inline]
    pub fn may_extend(&self, ply: Ply) -> bool {
        i32::from(ply.0) < 2 * self.root_depth
    }

    /// Returns `true` if `ply` is at most half the iteration depth.
    #[inline]
    pub fn is_near_root(&self, ply: Ply) -> bool {
        2 * i32::from(ply.0) <= self.root_depth
    }

    /// Returns `true` if the line has reached the maximum ply and must end here.
    #[inline]
    pub fn is_too_deep(ply: Ply) -> bool {
        ply.index() >= MAX_PLY - 1
    }

    /// Returns `true` if the current position, which must not be the root, is a draw by material, the fifty-move rule
    /// or repetition.
    #[inline]
    pub fn is_draw(&self, in_check: bool) -> bool {
        is_draw(
            &self.board,
            &self.path,
            in_check,
            self.parameters.repetition(),
        )
    }

    /// Returns the score of a draw for the side to move.
    #[inline]
    pub fn draw_score(&self) -> Score {
        self.contempt.draw_score(self.board.side_to_move())
    }

    /// Returns the table entry of the current position. A mate score that needs more half-moves than the fifty-move
    /// rule leaves is discarded.
    #[inline]
    pub fn probe(&self) -> Option<TableEntry> {
        if !self.parameters.table() {
            return None;
        }
        let mut entry = self.shared.table.probe(self.board.key())?;
        let plies_left = FIFTY_MOVES.saturating_sub(self.board.halfmove_clock());
        if let Some(distance) = entry.score.mate_distance()
            && distance.unsigned_abs() > u32::from(plies_left)
        {
            entry.discard_score();
        }
        Some(entry)
    }

    /// Stores a result in the transposition table.
    #[inline]
    pub fn store(&self, key: Key, entry: TableEntry) {
        if self.parameters.table() {
            self.shared.table.store(key, entry);
        }
    }

    /// Returns `true` if a table score may cause a cutoff: the fifty-move rule is far away.
    #[inline]
    pub fn allows_table_cutoff(&self) -> bool {
        self.board.halfmove_clock() < TABLE_CUTOFF_CLOCK
    }

    /// Returns the score that the user has set for the current position and searches to `depth`; `None` in the searches
    /// of a node that a technique makes for itself, without a move or to a smaller depth than that of the node.
    #[inline]
    pub fn score_override(&self, depth: Depth, ply: Ply) -> Option<Score> {
        if self.score_overrides.is_empty() {
            return None;
        }
        let frame = self.stack.at(ply);
        if frame.excluded.is_some() || frame.null_move_disabled {
            return None;
        }
        let score = self.score_overrides.get(self.board.key(), depth)?;
        Some(score.from_table(ply))
    }
}
