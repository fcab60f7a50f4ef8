//! Quiescence search: the search of noisy moves until the position is quiet.

use crate::board::CheckInfo;
use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Move, Ply, Score};

use super::node::NodeType;
use super::picker::{Picked, Picker};
use super::searcher::Searcher;
use super::table::TableEntry;

/// Depth of a quiescence node that searches noisy moves and direct quiet checks, or in check all evasions.
pub(super) const DEPTH_QS_CHECKS: Depth = 0;

/// Depth of a quiescence node that searches noisy moves only. Its table entries do not satisfy [`DEPTH_QS_CHECKS`].
const DEPTH_QS_NO_CHECKS: Depth = -1;

impl<E: Evaluator> Searcher<E> {
    /// Searches the noisy moves of the current position and returns its score for the side to move, with the bounds of
    /// [`Searcher::search`]. In the first half of a line, direct quiet checks are searched at the first node, too.
    pub(super) fn quiescence<N: NodeType>(&mut self, alpha: Score, beta: Score, ply: Ply) -> Score {
        let depth = if self.is_near_root(ply) {
            DEPTH_QS_CHECKS
        } else {
            DEPTH_QS_NO_CHECKS
        };
        self.quiescence_at::<N>(alpha, beta, ply, depth)
    }

    /// Starts a quiescence search at [`DEPTH_QS_CHECKS`] or [`DEPTH_QS_NO_CHECKS`] and returns its score.
    pub(super) fn quiescence_at<N: NodeType>(
        &mut self,
        alpha: Score,
        beta: Score,
        ply: Ply,
        depth: Depth,
    ) -> Score {
        let limit = self.parameters.quiescence_nodes() as u64;
        self.recaptures_from = self.nodes + limit;
        self.quiescence_node::<N>(alpha, beta, ply, depth)
    }

    /// Visits one node of a quiescence search and returns its score. Only the first node may search quiet checks.
    ///
    /// After `quiescence_nodes` nodes, the quiescence search tries recaptures only: with many queens on the board, the
    /// tree of all captures is too large to search.
    fn quiescence_node<N: NodeType>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: Ply,
        mut depth: Depth,
    ) -> Score {
        // Step Q1. Count the node. Return early for a stop, a draw, a score set by the user (`setscore`) or the ply
        //    limit.
        self.enter_node(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        let check_info = self.stack.at(ply).check_info;
        let in_check = check_info.in_check();
        if let Some(score) = self.quiescence_exit_score(in_check, ply) {
            return score;
        }

        // Step Q2. Transposition table. The evaluation comes first, although the entry may contain it: meanwhile the
        //    prefetched bucket arrives.
        if in_check {
            depth = DEPTH_QS_CHECKS;
        }
        let raw_eval = if in_check {
            Score::NONE
        } else {
            self.evaluate()
        };
        let key = self.board.key();
        let table_entry = self.probe();
        if let Some(entry) = table_entry
            && !N::PV
            && entry.depth >= depth
            && self.allows_table_cutoff()
            && let Some(score) = entry.cutoff_score(alpha, beta, ply)
        {
            return score;
        }

        // Step Q3. Stand pat. Out of check, the side to move may decline all captures.
        let mut best = -Score::INFINITE;
        let mut delta_score = -Score::INFINITE;
        if !in_check {
            let static_eval = self.correct_eval(raw_eval, ply);
            // A mate score of the table would end the line before the mate is on the board.
            best = match table_entry {
                Some(entry) if !entry.score.is_decisive() => entry.refine_eval(static_eval, ply),
                _ => static_eval,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            delta_score = static_eval + self.parameters.quiescence_futility();
        }

        // Step Q4. Search the moves.
        let mut node = QuiescenceNode {
            alpha,
            beta,
            ply,
            depth,
            check_info,
            table_move: table_entry
                .and_then(|entry| entry.mv)
                .filter(|_| self.parameters.table_move()),
            delta_score,
            best,
            best_move: None,
            is_complete: true,
        };
        self.search_quiescence_moves::<N>(&mut node);
        if self.stopped {
            return Score::DRAW;
        }

        // Step Q5. Checkmate if there is no evasion.
        if in_check && node.best == -Score::INFINITE {
            return Score::mated_in(ply);
        }

        // Step Q6. Store the result in the transposition table, unless skipped captures might have raised the score.
        //    Captures skipped further down the line are not considered: scores that far down are rough in any case.
        if node.is_complete || node.best >= beta {
            let entry = TableEntry {
                mv: node.best_move,
                score: node.best.to_table(ply),
                eval: raw_eval,
                depth,
                bound: Bound::of(node.best, alpha, beta),
                on_pv: table_entry.is_some_and(|entry| entry.on_pv),
            };
            self.store(key, entry);
        }
        node.best
    }

    /// Returns the score of a node that ends the line: a draw, a score set by the user, or the evaluation at the ply
    /// limit.
    #[inline]
    fn quiescence_exit_score(&mut self, in_check: bool, ply: Ply) -> Option<Score> {
        if self.is_draw(in_check) {
            return Some(self.draw_score());
        }
        if let Some(score) = self.score_override(0, ply) {
            return Some(score);
        }
        let must_end = Self::is_too_deep(ply) || !self.parameters.quiescence();
        must_end.then(|| self.evaluate())
    }

    /// Searches the moves of a node: out of check, noisy moves that lose no material and perhaps quiet checks; in
    /// check, evasions, but only noisy ones once a move avoids being mated. Ends early once `stopped` is set.
    #[inline]
    fn search_quiescence_moves<N: NodeType>(&mut self, node: &mut QuiescenceNode) {
        let in_check = node.check_info.in_check();
        let mut picker = self.quiescence_picker(node);
        while let Some(Picked { mv, .. }) = picker.next(
            &self.board,
            &self.histories,
            &self.parameters,
            &self.shared.table,
        ) {
            if !in_check
                && self.nodes >= self.recaptures_from
                && !self.stack.is_recapture(node.ply, mv)
            {
                node.is_complete = false;
                continue;
            }
            if !in_check && self.evaluator.overlooks(&self.board, mv) {
                continue;
            }
            if node.best > -Score::TABLEBASE_BOUND {
                if in_check {
                    picker.skip_quiets();
                    if !mv.is_noisy() {
                        continue;
                    }
                } else if !mv.is_noisy() {
                    let loss = self.parameters.quiescence_check_loss();
                    if !self.board.see_at_least(mv, -loss) {
                        continue;
                    }
                } else if node.delta_score <= node.alpha && !self.board.see_at_least(mv, 1) {
                    // Delta pruning.
                    node.best = node.best.max(node.delta_score);
                    continue;
                }
            }
            let undo = self.make(mv, node.ply);
            let score = -self.quiescence_node::<N>(
                -node.beta,
                -node.alpha,
                node.ply.next(),
                DEPTH_QS_NO_CHECKS,
            );
            self.unmake(mv, undo, node.ply);
            if self.stopped {
                return;
            }
            if score > node.best {
                node.best = score;
                if score > node.alpha {
                    node.alpha = score;
                    node.best_move = Some(mv);
                    if N::PV {
                        self.pv.update(node.ply, mv);
                    }
                    if score >= node.beta {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the picker for the moves of a node.
    #[inline]
    fn quiescence_picker(&self, node: &QuiescenceNode) -> Picker {
        let &QuiescenceNode {
            check_info,
            table_move,
            ..
        } = node;
        let context = self.stack.history_context(node.ply, self.board.pawn_key());
        if check_info.in_check() {
            return Picker::all(check_info, context, table_move, [None; 2]);
        }
        let noisy = Picker::noisy(check_info, context, table_move, 0);
        if node.depth == DEPTH_QS_CHECKS && self.parameters.quiescence_checks() {
            noisy.with_quiet_checks()
        } else {
            noisy
        }
    }
}

/// The state of a node of the quiescence search in its move loop.
struct QuiescenceNode {
    /// Best score that the side to move is sure of.
    alpha: Score,
    /// Score at which the opponent avoids this node.
    beta: Score,
    /// Distance from the root.
    ply: Ply,
    /// [`DEPTH_QS_CHECKS`] or [`DEPTH_QS_NO_CHECKS`].
    depth: Depth,
    /// Checkers and pinned pieces.
    check_info: CheckInfo,
    /// Move of the transposition table.
    table_move: Option<Move>,
    /// Score that a capture which wins nothing can reach at most; minus infinity in check.
    delta_score: Score,
    /// Best score so far.
    best: Score,
    /// Move that has raised alpha last.
    best_move: Option<Move>,
    /// Unset if captures were skipped because of the number of nodes.
    is_complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::Pv;
    use crate::search::test_support::{position, searcher_at};
    use crate::types::Color;

    /// Returns the score of a quiescence search at ply 1 and the static evaluation.
    fn scores(side: Color, pieces: &str) -> (Score, Score) {
        let mut searcher = searcher_at(&position(side, pieces, 0));
        searcher.evaluator.reset(&searcher.board);
        let score = searcher.quiescence::<Pv>(-Score::INFINITE, Score::INFINITE, Ply(1));
        (score, searcher.evaluate())
    }

    #[test]
    fn only_captures_that_win_material_raise_the_score() {
        let (score, eval) = scores(Color::White, "Kg1 Rd1 kg8 qd7");
        assert!(eval < Score(0) && score > Score(0), "{eval:?} {score:?}");
        let (score, eval) = scores(Color::White, "Kg1 Rd1 kg8 pd6 pc7");
        assert_eq!(score, eval, "the pawn on d6 is defended");
    }

    #[test]
    fn checkmate_is_recognised() {
        let (score, _) = scores(Color::Black, "Kg1 Rd8 kg8 pf7 pg7 ph7");
        assert_eq!(score, Score::mated_in(Ply(1)));
    }
}
