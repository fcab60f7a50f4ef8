//! Quiescence search: the search of noisy moves until the position is quiet.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply, Score};

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
        // Step 1. Count the node. Return early for a stop, a draw, a score set by the user or the ply limit.
        self.enter_node(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        let check_info = self.stack.at(ply).check_info;
        let in_check = check_info.in_check();
        if self.is_draw(in_check) {
            return Score::DRAW;
        }
        if let Some(score) = self.score_override(0, ply) {
            return score;
        }
        if Self::is_too_deep(ply) || !self.parameters.quiescence() {
            return self.evaluate();
        }

        // Step 2. Transposition table. The evaluation comes first, although the entry may contain it: meanwhile the
        //    prefetched bucket arrives (nodes per second +3 %).
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

        // Step 3. Stand pat. Out of check, the side to move may decline all captures.
        let mut best = -Score::INFINITE;
        let mut futility_score = -Score::INFINITE;
        if !in_check {
            let static_eval = self.correct_eval(raw_eval, ply);
            // A mate score of the table would end the line before the mate is on the board.
            best = match table_entry {
                Some(entry) if !entry.score.is_mate() => entry.refine_eval(static_eval, ply),
                _ => static_eval,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            futility_score = static_eval + self.parameters.quiescence_futility();
        }

        // Step 4. Search the moves: noisy moves that lose no material, and perhaps checks. In check, search evasions; once
        //    one avoids being mated, only noisy ones.
        let table_move = table_entry
            .and_then(|entry| entry.mv)
            .filter(|_| self.parameters.table_move());
        let context = self.stack.history_context(ply, self.board.pawn_key());
        let mut picker = if in_check {
            Picker::all(check_info, context, table_move, [None; 2])
        } else {
            let noisy = Picker::noisy(check_info, context, table_move, 0);
            if depth == DEPTH_QS_CHECKS && self.parameters.quiescence_checks() {
                noisy.with_quiet_checks()
            } else {
                noisy
            }
        };
        let old_alpha = alpha;
        let mut best_move = None;
        let mut is_complete = true;
        while let Some(Picked { mv, .. }) = picker.next(
            &self.board,
            &self.histories,
            &self.parameters,
            &self.shared.table,
        ) {
            if !in_check && self.nodes >= self.recaptures_from && !self.stack.is_recapture(ply, mv)
            {
                is_complete = false;
                continue;
            }
            if best > -Score::MATE_BOUND {
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
                } else if futility_score <= alpha && !self.board.see_at_least(mv, 1) {
                    best = best.max(futility_score);
                    continue;
                }
            }
            let undo = self.make(mv, ply);
            let score = -self.quiescence_node::<N>(-beta, -alpha, ply.next(), DEPTH_QS_NO_CHECKS);
            self.unmake(mv, undo, ply);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // Step 5. Checkmate if there is no evasion.
        if in_check && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }

        // Step 6. Store the result in the transposition table, unless skipped captures might have raised the score.
        //    Captures skipped further down the line are not considered: scores that far down are rough in any case.
        if !is_complete && best < beta {
            return best;
        }
        let bound = Bound::of(best, old_alpha, beta);
        self.store(
            key,
            TableEntry {
                mv: best_move,
                score: best.to_table(ply),
                eval: raw_eval,
                depth,
                bound,
                on_pv: table_entry.is_some_and(|entry| entry.on_pv),
            },
        );
        best
    }
}
