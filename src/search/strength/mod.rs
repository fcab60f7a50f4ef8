//! Searches with a limited playing strength.
//!
//! A [`Level`] limits the nodes, adds noise to evaluations, leaves terms out of them and overlooks moves. The root
//! moves are compared as in an analysis of several lines; the level then chooses among those that seem good.
//!
//! | file | content |
//! |---|---|
//! | `level` | the properties of each level |
//! | `perception` | evaluation with noise, overlooked moves |
//! | `choice` | the choice among the root moves |
//! | `random` | random numbers that belong to a position |
//!
//! The search is that of full strength with another evaluator. Its table and histories are its own and cleared for each
//! move, so that a level uses no results of other searches.

mod choice;
mod level;
mod perception;
mod random;

use std::sync::Arc;

use crate::board::Board;
use crate::clock::Choice;
use crate::eval::Evaluator;
use crate::messages::{SearchInfo, Strength};
use crate::types::{Color, Move};

use super::job::{Job, Progress, RunResult, Shared};
use super::monitor::Monitor;
use super::root_moves::RootMove;
use super::searcher::Searcher;
use super::setup::SearchSetup;
use super::table::Table;
use choice::{Candidate, choose, good_moves};
use perception::{Perception, masters};
use random::{mix, uniform};

pub(super) use level::Level;

/// Size of the transposition table in mebibytes.
const TABLE_MEGABYTES: u64 = 1;

/// Nodes of a search for the root moves in an ending that the level plays without errors.
const MASTERED_NODES: f64 = 50_000.0;

/// Centipawns that a recapture wins at least if it is played without comparing it for long.
const WON_MATERIAL: i32 = 100;

/// Number of root moves that a level sees at least.
const LEAST_MOVES: usize = 2;

/// Nodes after which a search ends within an iteration, as a multiple of those after which it starts none.
const HARD_LIMIT: f64 = 6.0;

/// Nodes that are added to this limit.
const MORE_NODES: u64 = 3000;

/// Nodes after which a search ends within its first iteration, which compares all moves. In positions with many
/// captures it takes some ten thousand.
const FIRST_ITERATION_LIMIT: u64 = 100_000;

/// Number of pieces at the start of a game.
const START_PIECES: usize = 32;

/// Half-moves that a captured piece counts for at least.
const HALF_MOVES_PER_CAPTURE: u16 = 2;

/// Salts of the random numbers of a move.
const CHOICE_SALT: u64 = 0x61;
const TIME_SALTS: [u64; 2] = [0x62, 0x63];

/// A search that plays with limited strength.
pub(super) struct LimitedSearch {
    searcher: Searcher<Perception>,
}

/// The move of a limited search.
pub(super) struct LimitedResult {
    /// The move as the result of a run.
    pub result: RunResult,
    /// The choice as the player sees it.
    pub choice: Choice,
    /// Two random numbers from 0 to below 1 for the thinking time.
    pub uniform: [f64; 2],
}

impl LimitedSearch {
    /// Creates a search with the evaluation function of this setup.
    pub fn new(setup: &SearchSetup) -> LimitedSearch {
        let shared = Arc::new(Shared::new(Table::new(TABLE_MEGABYTES), 1));
        shared.table.prepare(1, || false);
        shared.table.use_ready();
        let perception = Perception::new(&setup.evaluation);
        LimitedSearch {
            searcher: Searcher::new(perception, shared, 0, setup.parameters),
        }
    }

    /// Returns the data of the search that a monitor needs.
    pub fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.searcher.shared)
    }

    /// Searches a job of full strength with limited strength. Calls `report` with the best line of each iteration.
    pub fn run(
        &mut self,
        full: &Job,
        strength: Strength,
        monitor: Box<dyn Monitor + Send>,
        report: &mut dyn FnMut(Progress),
    ) -> LimitedResult {
        let level = Level::of(strength.elo);
        let job = self.prepare(full, &level, strength);
        let (mut result, candidates) = self.compare(&job, monitor, report);
        let board = job.position.board();
        let seed = mix(job.variety_seed ^ u64::from(level.elo), board.key().0);
        let recaptures = |mv: Move| {
            mv.is_capture()
                && Some(mv.to()) == strength.last_target
                && board.see_at_least(mv, WON_MATERIAL)
        };
        let random = uniform(mix(seed, CHOICE_SALT));
        let index = choose(&level, &candidates, recaptures, random);
        if let Some(candidate) = candidates.get(index) {
            result.best = candidate.line.first().copied();
            result.ponder = candidate.line.get(1).copied();
            result.score = candidate.score;
            result.line = candidate.line.iter().copied().collect();
        }
        let is_recapture = result
            .best
            .is_some_and(|mv| mv.is_capture() && Some(mv.to()) == strength.last_target);
        LimitedResult {
            choice: Choice {
                moves: full.root_moves.len(),
                good_moves: good_moves(&level, &candidates),
                is_recapture,
                ply: half_moves(board),
            },
            uniform: TIME_SALTS.map(|salt| uniform(mix(seed, salt))),
            result,
        }
    }

    /// Searches a job. Returns its result and the root moves that it has compared, best first: those of the last
    /// iteration that was completed, or as many as the first one has compared.
    fn compare(
        &mut self,
        job: &Job,
        monitor: Box<dyn Monitor + Send>,
        report: &mut dyn FnMut(Progress),
    ) -> (RunResult, Vec<Candidate>) {
        self.searcher.monitor = Some(monitor);
        let mut lines = LineCollector::default();
        let result = self.searcher.iterate(job, &mut |progress| {
            lines.add(&progress);
            if matches!(&progress, Progress::Line(info) if info.rank > 0) {
                return;
            }
            report(progress);
        });
        self.searcher.monitor = None;
        let mut candidates = lines.finished;
        if result.depth == 0 {
            let candidate = |root_move: &RootMove| Candidate {
                line: root_move.line.to_vec(),
                score: root_move.score,
            };
            let compared = self.searcher.root.finished_lines();
            candidates = compared.iter().map(candidate).collect();
        }
        (result, candidates)
    }

    /// Sets the searcher to a level and returns its job.
    fn prepare(&mut self, full: &Job, level: &Level, strength: Strength) -> Job {
        let board = full.position.board();
        self.searcher.shared.table.clear();
        self.searcher.new_game();
        let perception = &mut self.searcher.evaluator;
        perception.adjust(*level, full.variety_seed, strength.last_target, board);
        let root_moves = visible_moves(level, perception, board, &full.root_moves);
        let (nodes, lines) = if masters(level, board) {
            (MASTERED_NODES.max(level.nodes), 1)
        } else {
            (level.nodes, level.lines as usize)
        };
        let hard = (nodes * HARD_LIMIT) as u64 + MORE_NODES;
        let first = hard.max(FIRST_ITERATION_LIMIT);
        Job {
            multi_pv: lines,
            root_moves,
            soft_nodes: Some(nodes as u64),
            later_nodes: Some(hard),
            nodes: Some(full.nodes.map_or(first, |limit| limit.min(first))),
            tablebases: full.tablebases.clone().filter(|_| level.uses_tablebases()),
            measure_processor_time: full.measure_processor_time,
            ..full.clone()
        }
    }
}

/// Returns the root moves that a level sees, at least [`LEAST_MOVES`] if there are so many.
fn visible_moves(level: &Level, perception: &Perception, board: &Board, all: &[Move]) -> Vec<Move> {
    let mut copy = board.clone();
    let mut is_visible =
        |mv| !perception.overlooks(board, mv) || level.sees_mate_in_one() && copy.gives_mate(mv);
    let visible: Vec<Move> = all.iter().copied().filter(|&mv| is_visible(mv)).collect();
    if board.in_check() || visible.len() < LEAST_MOVES.min(all.len()) {
        all.to_vec()
    } else {
        visible
    }
}

/// Returns the number of half-moves before a position by its move number, or by the missing pieces if these are more
/// than a game loses in as many moves: positions that are set up often have the move number 1.
fn half_moves(board: &Board) -> u16 {
    let full_moves = board.fullmove_number().saturating_sub(1);
    let by_black = u16::from(board.side_to_move() == Color::Black);
    let by_number = full_moves.saturating_mul(2).saturating_add(by_black);
    let missing = START_PIECES.saturating_sub(board.occupancy());
    by_number.max(missing as u16 * HALF_MOVES_PER_CAPTURE)
}

/// Collects the lines of the last iteration that was completed.
#[derive(Default)]
struct LineCollector {
    current: Vec<Candidate>,
    finished: Vec<Candidate>,
}

impl LineCollector {
    fn add(&mut self, progress: &Progress) {
        match progress {
            Progress::Line(SearchInfo {
                rank, score, pv, ..
            }) => {
                // Line 0 can be reported several times in an iteration.
                self.current.truncate(*rank);
                self.current.push(Candidate {
                    line: pv.clone(),
                    score: *score,
                });
            }
            Progress::Iteration(_) => self.finished = std::mem::take(&mut self.current),
        }
    }
}

#[cfg(test)]
mod tests;
