//! One thread's search: its board, its tables, and the steps every node takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::board::Board;
use crate::board::Undo;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::{ScoreOverrides, TimeSource};
use crate::rules::{FIFTY_MOVES, is_material_insufficient};
use crate::types::{Depth, Key, MAX_PLY, Move, Ply, Score};

use super::history::{Corrections, Histories, NO_PIECE_SQUARE, Places, piece_square};
use super::job::{Job, Shared};
use super::killers::Killers;
use super::poll::PollInterval;
use super::pv::{PreviousLine, PvTable};
use super::reduce::Reductions;
use super::root::RootMoves;
use super::stack::Stack;
use super::statistics::Statistics;
use super::stop::RunId;
use super::table::TableEntry;

/// A first iteration of the first thread is finished even when a stop has come already, unless it grows beyond this
/// many nodes or takes [`FIRST_ITERATION_GRACE`] longer.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Time that an unfinished first iteration has after a stop.
const FIRST_ITERATION_GRACE: Duration = Duration::from_millis(5);

/// From this half-move clock on, the table's scores no longer decide: they may come from lines in which the fifty-move
/// rule was far away.
const FIFTY_MOVES_NEAR: u16 = 80;

/// The search of one thread.
pub(super) struct Searcher<E> {
    pub evaluator: E,
    pub shared: Arc<Shared>,
    /// Index of the thread, from 0; thread 0 reports lines and ends the search.
    pub thread_id: usize,
    pub run: RunId,
    pub parameters: Parameters,
    pub board: Board,
    /// Keys of the positions before the current one, of the game and of the line being searched.
    pub keys: Vec<Key>,
    /// How many of `keys` belong to the game.
    pub game_keys: usize,
    /// Keys before this index lie behind a null move and cannot be repeated.
    pub null_floor: usize,
    pub root: RootMoves,
    /// How many of the best root moves are wanted with their lines, at least 1.
    pub variations: usize,
    /// No legal move is excluded at the root.
    pub all_root_moves: bool,
    pub pv: PvTable,
    pub previous_line: PreviousLine,
    pub killers: Killers,
    pub histories: Histories,
    pub corrections: Corrections,
    pub stack: Stack,
    pub reductions: Reductions,
    pub statistics: Statistics,
    pub nodes: u64,
    /// The number of nodes from which the running quiescence search tries recaptures only.
    pub recaptures_from: u64,
    pub node_limit: Option<u64>,
    pub next_poll: u64,
    poll_interval: PollInterval,
    /// The poll that first saw the stop of this job.
    stop_seen: Option<Instant>,
    pub selective_depth: u32,
    /// The iteration being searched.
    pub root_depth: Depth,
    pub completed_depth: Depth,
    pub stopped: bool,
    /// Random play: evaluations vary by up to this, by position and seed.
    pub variety: i32,
    pub variety_seed: u64,
    /// Scores that the user has set for positions.
    pub score_overrides: ScoreOverrides,
    /// This thread's processor time when the job began; `None` if the job does not measure it.
    processor_start: Option<Duration>,
    /// Whether the job's time is counted by it.
    shows_processor_time: bool,
}

impl<E: Evaluator> Searcher<E> {
    pub fn new(
        evaluator: E,
        shared: Arc<Shared>,
        thread_id: usize,
        parameters: Parameters,
    ) -> Searcher<E> {
        Searcher {
            evaluator,
            shared,
            thread_id,
            run: RunId::default(),
            board: Board::standard(),
            keys: Vec::with_capacity(1024),
            game_keys: 0,
            null_floor: 0,
            root: RootMoves::default(),
            variations: 1,
            all_root_moves: true,
            pv: PvTable::new(),
            previous_line: PreviousLine::default(),
            killers: Killers::new(),
            histories: Histories::new(),
            corrections: Corrections::new(),
            stack: Stack::new(),
            reductions: Reductions::new(&parameters),
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
            processor_start: None,
            shows_processor_time: false,
        }
    }

    /// Gets ready for a job; what was learned in earlier ones stays.
    pub fn prepare(&mut self, job: &Job) {
        self.run = job.run;
        self.board = job.position.board().clone();
        self.keys.clear();
        self.keys.extend_from_slice(job.position.earlier_keys());
        self.game_keys = self.keys.len();
        self.null_floor = 0;
        self.root.refill(&job.root_moves);
        self.all_root_moves = job.root_moves.len() as u64 == self.board.count_legal();
        self.killers.clear();
        self.stack.clear();
        self.stack.at_mut(Ply::ROOT).places = Places::of(&self.board);
        self.stack.at_mut(Ply::ROOT).checks = self.board.check_info();
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
        self.evaluator.reset(&self.board);
        self.processor_start = job
            .measure_processor_time
            .then(|| ThreadTime::now().as_duration());
        self.shows_processor_time = job.time_source == TimeSource::Processor;
        self.publish();
    }

    /// A new game: nothing learned counts any more.
    pub fn forget(&mut self) {
        self.killers.clear();
        self.histories.clear();
        self.corrections.clear();
    }

    /// Counts a node and, now and then, looks whether to stop.
    #[inline]
    pub fn enter_node(&mut self, ply: Ply) {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(u32::from(ply.0) + 1);
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Tells the controller what this thread has spent so far.
    pub fn publish(&self) {
        self.shared.publish_nodes(self.thread_id, self.nodes);
        if self.shows_processor_time {
            self.shared
                .publish_processor_time(self.thread_id, self.processor_time());
        }
    }

    /// Returns the processor time that this thread has spent on the job; zero if the job does not measure it.
    pub fn processor_time(&self) -> Duration {
        self.processor_start.map_or(Duration::ZERO, |start| {
            ThreadTime::now().as_duration().saturating_sub(start)
        })
    }

    #[cold]
    fn poll(&mut self) {
        self.publish();
        let now = Instant::now();
        self.next_poll = self.nodes + self.poll_interval.after_poll(now);
        self.shared.gate.wait_while_paused(self.run);
        if self.shared.gate.is_stopped(self.run) {
            let seen = *self.stop_seen.get_or_insert(now);
            self.stopped = self.thread_id != 0
                || self.completed_depth > 0
                || self.nodes >= FIRST_ITERATION_NODES
                || now.duration_since(seen) >= FIRST_ITERATION_GRACE;
        }
        if let Some(limit) = self.node_limit {
            let all = self.shared.nodes();
            self.stopped |= all >= limit;
            self.next_poll = self
                .next_poll
                .min(self.nodes + limit.saturating_sub(all))
                .max(self.nodes + 1);
        }
    }

    /// Plays a legal move at `ply`.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: Ply) -> Undo {
        let key = self.board.approximate_key_after(mv);
        self.shared.table.prefetch(key);
        let frame = self.stack.at_mut(ply);
        frame.played = piece_square(&self.board, mv);
        frame.passed = false;
        self.evaluator.push(&self.board, mv);
        self.keys.push(self.board.key());
        self.previous_line.step(ply, mv);
        let undo = self.board.make(mv);
        let moves = self.stack.last_moves(ply.next());
        let places = Places::of(&self.board);
        self.corrections.prefetch(places, moves);
        let next = self.stack.at_mut(ply.next());
        next.places = places;
        next.checks = self.board.check_info();
        undo
    }

    /// Passes the move; for [`Searcher::unpass`] what it needs.
    pub fn pass(&mut self, ply: Ply) -> (Undo, usize) {
        let frame = self.stack.at_mut(ply);
        frame.played = NO_PIECE_SQUARE;
        frame.passed = true;
        self.evaluator.push_null(&self.board);
        self.keys.push(self.board.key());
        let floor = std::mem::replace(&mut self.null_floor, self.keys.len());
        let undo = self.board.make_null_move();
        self.shared.table.prefetch(self.board.key());
        let double_extensions = self.stack.at(ply).double_extensions;
        let next = self.stack.at_mut(ply.next());
        next.places = Places::of(&self.board);
        next.checks = self.board.check_info();
        next.double_extensions = double_extensions;
        (undo, floor)
    }

    /// Takes a pass back.
    pub fn unpass(&mut self, (undo, floor): (Undo, usize)) {
        self.board.unmake_null_move(undo);
        self.null_floor = floor;
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Takes it back.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo, ply: Ply) {
        self.board.unmake(mv, undo);
        self.previous_line.back(ply);
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Whether lines may still be made longer here: no line becomes more than about twice as long as the iteration is
    /// deep.
    #[inline]
    pub fn may_extend(&self, ply: Ply) -> bool {
        i32::from(ply.0) < 2 * self.root_depth
    }

    /// Whether this ply lies in the first half of the lines of this iteration.
    #[inline]
    pub fn is_near_root(&self, ply: Ply) -> bool {
        2 * i32::from(ply.0) <= self.root_depth
    }

    /// The static evaluation of the current position.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(&self.board);
        // Known draws, which only positions with a bare king are, stay draws.
        if self.variety == 0 || self.board.has_bare_king() {
            return score;
        }
        // A hash of position and seed, so that a position keeps its value for a whole game.
        let mixed =
            (self.board.key().0 ^ self.variety_seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let spread = self.variety as u64 * 2 + 1;
        (score + (((mixed * spread) >> 32) as i32 - self.variety)).clamp_to_eval()
    }

    /// The static evaluation at `ply` as experience corrects it; the nearer the fifty-move rule, the less it counts.
    /// Against a bare king nothing is corrected: draws are known exactly there.
    #[inline]
    pub fn corrected(&self, raw: Score, ply: Ply) -> Score {
        let clock = i32::from(self.board.halfmove_clock());
        let mut score = Score(raw.0 * (200 - clock).max(0) / 200);
        if self.corrects_evaluation() {
            let moves = self.stack.last_moves(ply);
            let places = self.stack.at(ply).places;
            score += self.corrections.of(places, moves, &self.parameters);
        }
        score.clamp_to_eval()
    }

    /// Returns `true` if the static evaluation of the current position is corrected and its corrections learn from it.
    #[inline]
    pub fn corrects_evaluation(&self) -> bool {
        self.parameters.correction() && !self.board.has_bare_king()
    }

    /// Returns what the table knows of the current position. A mate that the fifty-move rule forestalls is left out.
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

    /// Notes a result in the table.
    #[inline]
    pub fn store(&self, key: Key, entry: TableEntry) {
        if self.parameters.table() {
            self.shared.table.store(key, entry);
        }
    }

    /// What the user says that the current position counts in a search to `depth`.
    #[inline]
    pub fn score_override(&self, depth: Depth, ply: Ply) -> Option<Score> {
        if self.score_overrides.is_empty() {
            return None;
        }
        let score = self.score_overrides.get(self.board.key(), depth)?;
        Some(score.from_table(ply))
    }

    /// Whether a score found in the table may end the search of this position.
    #[inline]
    pub fn may_trust_table_scores(&self) -> bool {
        self.board.halfmove_clock() < FIFTY_MOVES_NEAR
    }

    /// Whether the current position, not the root, counts as a draw: by repetition, fifty moves or material.
    ///
    /// One earlier occurrence within the searched line is enough, since what could be done once can be done again;
    /// of positions of the game it takes two.
    pub fn is_draw(&self, in_check: bool) -> bool {
        if is_material_insufficient(&self.board) {
            return true;
        }
        if self.board.halfmove_clock() >= FIFTY_MOVES {
            // Mate on the hundredth half-move counts.
            return !in_check || self.board.count_legal() > 0;
        }
        self.parameters.repetition() && self.is_repetition()
    }

    /// How many half-moves back positions may equal this one: to the last move that cannot be taken back, or null move.
    fn reach(&self) -> usize {
        let count = self.keys.len();
        usize::from(self.board.halfmove_clock()).min(count - self.null_floor.min(count))
    }

    fn is_repetition(&self) -> bool {
        let key = self.board.key();
        let (count, reach) = (self.keys.len(), self.reach());
        let mut earlier = 0;
        // The same side is to move every second position; the nearest repetition is four half-moves back.
        let mut distance = 4;
        while distance <= reach {
            let index = count - distance;
            if self.keys[index] == key {
                earlier += 1;
                if index >= self.game_keys || earlier == 2 {
                    return true;
                }
            }
            distance += 2;
        }

        false
    }

    /// Whether the side to move can repeat a position by its next move, so that it need not lose.
    pub fn can_repeat(&self) -> bool {
        if !self.parameters.upcoming_repetition() {
            return false;
        }
        let (count, reach) = (self.keys.len(), self.reach());
        if reach < 3 {
            return false;
        }
        // What the opponent's moves since then have changed together: it must be nothing.
        let turn = self.board.turn_key();
        let mut theirs = self.board.key() ^ self.keys[count - 1] ^ turn;
        for distance in (3..=reach).step_by(2) {
            let index = count - distance;
            theirs ^= self.keys[index + 1] ^ self.keys[index] ^ turn;
            if theirs == Key(0) && self.board.can_move_to(self.keys[index]) {
                // Of positions of the game it takes two.
                let earlier = &self.keys[count - reach..index];
                if index >= self.game_keys || earlier.contains(&self.keys[index]) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the line has become so long that it must end here.
    #[inline]
    pub fn is_too_deep(ply: Ply) -> bool {
        ply.index() >= MAX_PLY - 1
    }
}
