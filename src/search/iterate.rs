//! Iterative deepening: depth 1, 2, 3, ... with a best move ready at any time.

use std::time::Duration;

use crate::clock::IterationStats;
use crate::eval::Evaluator;
use crate::messages::{Bound, SearchInfo};
use crate::types::{Depth, Move, Ply, Score};

use super::history::Context;
use super::job::{Job, Progress, RunResult};
use super::picker::Picked;
use super::searcher::Searcher;
use super::statistics::CutGroup;

impl<E: Evaluator> Searcher<E> {
    /// Does a job to its end or until stopped, reporting on the way.
    pub fn iterate(&mut self, job: &Job, report: &mut dyn FnMut(Progress)) -> RunResult {
        self.prepare(job);
        self.try_mates_first();
        self.variations = job.multi_pv.clamp(1, self.root.len().max(1));
        let first_depth = if self.parameters.iterative_deepening() {
            1
        } else {
            job.depth
        };
        let mut trend = Trend::default();
        for depth in first_depth..=job.depth {
            // A stop that came with the report of an iteration would else cost some hundred nodes of the next.
            let soft_limit_reached = job.soft_nodes.is_some_and(|limit| self.nodes >= limit);
            let ended = self.completed_depth > 0
                && (soft_limit_reached || self.shared.gate.is_stopped(self.run));
            if self.root.is_empty() || ended {
                break;
            }
            self.root_depth = depth;
            self.root.begin_iteration();
            if let Some(best) = self.root.best() {
                self.previous_line.set(&best.line);
            }
            self.search_variations(depth, report);
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            self.publish();
            let effort = self.effort(&mut trend);
            report(Progress::Iteration(effort));
            let all_proven = (0..self.variations)
                .filter_map(|rank| self.root.variation(rank))
                .all(|variation| is_mate_proven(variation.score, depth));
            if all_proven {
                break;
            }
        }
        self.result()
    }

    /// Brings root moves that mate at once to the front: then a search that is stopped in its first iteration plays
    /// one.
    fn try_mates_first(&mut self) {
        let mut mates = 0;
        for number in 0..self.root.len() {
            let Some(mv) = self.root.candidate(number) else {
                break;
            };
            let undo = self.board.make(mv);
            let is_mate = self.board.in_check() && self.board.count_legal() == 0;
            self.board.unmake(mv, undo);
            if is_mate {
                self.root.bring_forward(number, mates);
                mates += 1;
            }
        }
    }

    /// How hard the iteration just finished was, in the light of those before it.
    fn effort(&self, trend: &mut Trend) -> IterationStats {
        let Some(best) = self.root.best() else {
            return IterationStats::default();
        };
        if trend.best == Some(best.mv) {
            trend.iterations += 1;
        } else {
            trend.best = Some(best.mv);
            trend.iterations = 0;
        }
        let expected = trend.score.unwrap_or(best.score.0);
        trend.score = Some((expected + best.score.0) / 2);
        if !self.parameters.time_by_effort() {
            return IterationStats::AVERAGE;
        }
        IterationStats {
            stable_iterations: trend.iterations,
            best_move_node_fraction: best.nodes as f64 / self.nodes.max(1) as f64,
            score_drop: expected - best.score.0,
        }
    }

    /// One iteration: the best variation, and as many after it as are wanted.
    fn search_variations(&mut self, depth: Depth, report: &mut dyn FnMut(Progress)) {
        for rank in 0..self.variations {
            self.root.place(rank);
            self.selective_depth = 0;
            if self.thread_id == 0 {
                self.shared.status.begin(depth, self.root.len());
            }
            self.search_root_window(depth, report);
            if self.stopped {
                break;
            }
            self.root.place(rank + 1);
            self.root.sort_placed();
        }
        if !self.stopped {
            self.root.place(0);
            for rank in 0..self.variations {
                self.report_variation(rank, depth, Bound::Exact, report);
            }
        }
    }

    /// The root move with this number, as a picker would give it.
    pub(super) fn next_root_move(&self, number: usize, context: &Context) -> Option<Picked> {
        let mv = self.root.candidate(number)?;
        if self.thread_id == 0 {
            self.shared
                .status
                .set_root_move(self.root.rank_of(number), mv);
        }
        // The first is the best of the last iteration. The others are not told apart.
        if number == 0 {
            return Some(Picked::unjudged(mv, CutGroup::TableMove));
        }
        Some(Picked::unscored(
            mv,
            CutGroup::Quiet,
            context,
            &self.board,
            &self.histories,
        ))
    }

    /// A root move has been searched. The first counts even when it falls below the window: with the others known to
    /// be no better, it stays the best there is.
    pub(super) fn note_root_score(
        &mut self,
        number: usize,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes: u64,
    ) {
        self.root.add_nodes(number, nodes);
        if number == 0 || score > alpha {
            self.pv.update(Ply::ROOT, mv);
            let line = self.pv.line(Ply::ROOT);
            let bound = Bound::of(score, alpha, beta);
            self.root.set_best(number, score, bound, line);
        } else {
            self.root.set_worse(number);
        }
    }

    /// Reports that the best variation has missed its window. Where several are wanted their lines come together, when
    /// the depth is finished.
    pub(super) fn report_miss(&self, depth: Depth, bound: Bound, report: &mut dyn FnMut(Progress)) {
        if self.variations == 1 {
            self.report_variation(0, depth, bound, report);
        }
    }

    fn report_variation(
        &self,
        rank: usize,
        depth: Depth,
        bound: Bound,
        report: &mut dyn FnMut(Progress),
    ) {
        // Only what the first thread says is shown.
        let Some(variation) = self.root.variation(rank).filter(|_| self.thread_id == 0) else {
            return;
        };
        let (score, bound) = match self.score_override(depth, Ply::ROOT) {
            Some(given) if rank == 0 => (given, Bound::Exact),
            Some(given) => (variation.score.min(given), bound),
            None => (variation.score, bound),
        };
        report(Progress::Line(SearchInfo {
            depth,
            selective_depth: self.selective_depth,
            score,
            bound,
            time: Duration::ZERO,
            nodes: self.nodes,
            rank,
            pv: variation.line.to_vec(),
        }));
    }

    fn result(&mut self) -> RunResult {
        self.publish();
        let best = self.root.best().cloned();
        let line = best
            .as_ref()
            .map(|best| best.line.clone())
            .unwrap_or_default();
        let score = best.as_ref().map_or(Score::DRAW, |best| {
            // Stopped before the first score of an iteration: that of the last one is as good.
            if best.score > -Score::INFINITE {
                best.score
            } else {
                best.previous_score
            }
        });
        let bound = best.as_ref().map_or(Bound::Exact, |best| best.bound);
        let (score, bound) = match self.score_override(self.completed_depth, Ply::ROOT) {
            Some(given) => (given, Bound::Exact),
            None => (score, bound),
        };
        RunResult {
            thread_id: self.thread_id,
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

    /// The reply that the table expects to a root move, where the line ends with that move.
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

/// What iterations have in common.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    /// So many in a row had the same best move, after the first.
    iterations: u32,
    /// Mean of the scores, the last ones counting most, in centipawns.
    score: Option<i32>,
}

/// Plies that an iteration must be deeper than a mate is far away before the mate counts as the shortest. Reductions
/// and pruning leave out some of the shorter mates in less.
const MATE_MARGIN: Depth = 8;

/// Returns `true` for a mate so far within the depth of a finished iteration that deeper ones hardly shorten it.
fn is_mate_proven(score: Score, depth: Depth) -> bool {
    match score.mate_distance() {
        Some(1) => true,
        Some(plies) => plies.abs() + MATE_MARGIN <= depth,
        None => false,
    }
}
