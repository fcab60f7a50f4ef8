//! Iterative deepening: searches to depth 1, 2, 3, ..., so that a best move is available at any time.

use std::time::Duration;

use crate::clock::IterationStats;
use crate::eval::Evaluator;
use crate::messages::{Bound, SearchInfo};
use crate::types::{Depth, Move, Ply, Score};

use super::job::{Job, Progress, RunResult};
use super::searcher::Searcher;

impl<E: Evaluator> Searcher<E> {
    /// Searches a job until its limits or a stop end it. Calls `report` with lines and completed iterations.
    pub fn iterate(&mut self, job: &Job, report: &mut dyn FnMut(Progress)) -> RunResult {
        self.prepare(job);
        self.order_mates_first();
        self.multi_pv = job.multi_pv.clamp(1, self.root.len().max(1));
        let first_depth = if self.parameters.iterative_deepening() {
            1
        } else {
            job.depth
        };
        let mut history = IterationHistory::default();
        for depth in first_depth..=job.depth {
            // The soft limit may stop the run when an iteration ends. Without this check, the next iteration would
            // search some hundred nodes before its first poll.
            let soft_limit_reached = job.soft_nodes.is_some_and(|limit| self.nodes >= limit);
            let ended = self.completed_depth > 0
                && (soft_limit_reached || self.shared.gate.is_stopped(self.run));
            if self.root.is_empty() || ended {
                break;
            }
            self.root_depth = depth;
            self.root.start_iteration();
            if let Some(best) = self.root.best() {
                self.previous_line.set(&best.line);
            }
            self.search_lines(depth, report);
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            self.publish();
            if let Some(limit) = job.later_nodes {
                self.limit_nodes(limit);
            }
            let stats = self.iteration_stats(&mut history);
            report(Progress::Iteration(stats));
            let all_final = (0..self.multi_pv)
                .filter_map(|rank| self.root.move_of_rank(rank))
                .all(|line| is_mate_final(line.score, depth));
            if all_final {
                break;
            }
        }
        self.result()
    }

    /// Moves mates in one to the front, so that a search that is stopped in its first iteration plays one.
    fn order_mates_first(&mut self) {
        let mut mates = 0;
        for number in 0..self.root.len() {
            let Some(mv) = self.root.move_at(number) else {
                break;
            };
            if self.board.gives_mate(mv) {
                self.root.bring_forward(number, mates);
                mates += 1;
            }
        }
    }

    /// Returns the statistics for time management of the iteration just completed, and adds it to the history.
    fn iteration_stats(&self, history: &mut IterationHistory) -> IterationStats {
        let Some(best) = self.root.best() else {
            return IterationStats::default();
        };
        if history.best_move == Some(best.mv) {
            history.stable_iterations += 1;
        } else {
            history.best_move = Some(best.mv);
            history.stable_iterations = 0;
        }
        let expected = history.average_score.unwrap_or(best.score.0);
        history.average_score = Some((expected + best.score.0) / 2);
        if !self.parameters.time_by_effort() {
            return IterationStats::AVERAGE;
        }
        IterationStats {
            stable_iterations: history.stable_iterations,
            best_move_node_fraction: best.nodes as f64 / self.nodes.max(1) as f64,
            score_drop: expected - best.score.0,
        }
    }

    /// Searches an iteration: one line after the other, from the best on.
    fn search_lines(&mut self, depth: Depth, report: &mut dyn FnMut(Progress)) {
        for rank in 0..self.multi_pv {
            self.root.set_finished_lines(rank);
            self.selective_depth = 0;
            if self.worker_id == 0 {
                self.shared.status.begin(depth, self.root.len());
            }
            self.search_root_window(depth, report);
            if self.stopped {
                break;
            }
            self.root.set_finished_lines(rank + 1);
            self.root.sort_finished_lines();
        }
        if !self.stopped {
            self.root.set_finished_lines(0);
            for rank in 0..self.multi_pv {
                self.report_line(rank, depth, Bound::Exact, report);
            }
        }
    }

    /// Reports a score outside the aspiration window. With several lines, only the end of the iteration reports them.
    pub(super) fn report_fail(&self, depth: Depth, bound: Bound, report: &mut dyn FnMut(Progress)) {
        if self.multi_pv == 1 {
            self.report_line(0, depth, bound, report);
        }
    }

    /// Reports the line with this rank, if this is worker 0.
    fn report_line(
        &self,
        rank: usize,
        depth: Depth,
        bound: Bound,
        report: &mut dyn FnMut(Progress),
    ) {
        let Some(root_move) = self.root.move_of_rank(rank).filter(|_| self.worker_id == 0) else {
            return;
        };
        let (score, bound) = match self.score_override(depth, Ply::ROOT) {
            Some(score) if rank == 0 => (score, Bound::Exact),
            // Other lines cannot be better than the score set for the position.
            Some(score) => (root_move.score.min(score), bound),
            None => (root_move.score, bound),
        };
        report(Progress::Line(SearchInfo {
            depth,
            selective_depth: self.selective_depth,
            score,
            bound,
            time: Duration::ZERO,
            nodes: self.nodes,
            tablebase_hits: self.tablebase_hits,
            rank,
            pv: root_move.line.to_vec(),
        }));
    }

    /// Returns the result of the job.
    fn result(&mut self) -> RunResult {
        self.publish();
        let best = self.root.best().cloned();
        let line = best
            .as_ref()
            .map(|best| best.line.clone())
            .unwrap_or_default();
        let score = best.as_ref().map_or(Score::DRAW, |best| {
            // Without a score in the current iteration, that of the last one applies.
            if best.score > -Score::INFINITE {
                best.score
            } else {
                best.previous_score
            }
        });
        let bound = best.as_ref().map_or(Bound::Exact, |best| best.bound);
        let (score, bound) = match self.score_override(self.completed_depth, Ply::ROOT) {
            Some(score) => (score, Bound::Exact),
            None => (score, bound),
        };
        RunResult {
            worker_id: self.worker_id,
            best: best.as_ref().map(|best| best.mv),
            ponder: line
                .get(1)
                .copied()
                .or_else(|| best.and_then(|best| self.expected_reply(best.mv))),
            score: if score == -Score::INFINITE {
                Score::DRAW
            } else {
                score
            },
            bound,
            depth: self.completed_depth,
            selective_depth: self.selective_depth,
            line,
            statistics: self.statistics,
            nodes: self.nodes,
            processor_time: self.processor_time(),
        }
    }

    /// Returns the table move after a root move, for a line that ends with the root move.
    fn expected_reply(&mut self, mv: Move) -> Option<Move> {
        let undo = self.board.make(mv);
        let reply = self
            .probe()
            .and_then(|entry| entry.mv)
            .filter(|&reply| self.board.is_legal(reply));
        self.board.unmake(mv, undo);
        reply
    }
}

/// Best moves and scores of the iterations so far.
#[derive(Default)]
struct IterationHistory {
    /// Best move of the last iteration.
    best_move: Option<Move>,
    /// Number of consecutive iterations with this best move, after the first one.
    stable_iterations: u32,
    /// Exponential moving average of the scores, in centipawns.
    average_score: Option<i32>,
}

/// Number of plies by which the depth of an iteration must exceed the distance of a mate before the mate counts as the
/// shortest. Shallower iterations miss some shorter mates because of reductions and pruning.
const MATE_MARGIN: Depth = 8;

/// Returns `true` for a mate score that deeper iterations are unlikely to improve.
fn is_mate_final(score: Score, depth: Depth) -> bool {
    match score.mate_distance() {
        Some(1) => true,
        Some(plies) => plies.abs() + MATE_MARGIN <= depth,
        None => false,
    }
}
