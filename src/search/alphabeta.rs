//! The alpha-beta search function. [`Searcher::search`] visits one node in numbered steps. Most techniques have
//! a file of their own in `techniques/`; `techniques/mod.rs` lists the others.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply, Score};

use super::history::SearchedMoves;
use super::move_context::MoveContext;
use super::node::{NodeState, NodeType};
use super::picker::{Picked, Picker};
use super::searcher::Searcher;
use super::table::TableEntry;
use super::techniques::futility::is_futile;
use super::techniques::hindsight::depth_change;
use super::techniques::history_pruning::has_low_history_score;
use super::techniques::internal_iterative_reduction;
use super::techniques::late_move_pruning::exceeds_lmp_count;
use super::techniques::mate_distance_pruning::mate_distance_window;
use super::techniques::raised_alpha::shortens_next_moves;
use super::techniques::reduced_depth::reduced_depth;
use super::techniques::reverse_futility::reverse_futility;
use super::techniques::see_pruning::{capture_loses_material, quiet_loses_material};
use super::techniques::singular::SingularResult;

impl<E: Evaluator> Searcher<E> {
    /// Searches the current position to `depth` and returns its score for the side to move.
    ///
    /// A score between `alpha` and `beta` is exact. A score of at least `beta` is a lower bound (fail high); a score of
    /// at most `alpha` is an upper bound (fail low). `cut_node` is set where the parent expects a fail high. The score
    /// is meaningless once `stopped` is set.
    #[expect(
        clippy::too_many_lines,
        reason = "the numbered steps are the table of contents of the search"
    )]
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Score {
        // Step 1. Quiescence search (`quiescence.rs`) at depth 0.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply);
        }

        // Step 2. Count the node. Return early for a stop.
        self.enter_node(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        let check_info = self.stack.at(ply).check_info;
        let in_check = check_info.in_check();
        if !N::ROOT {
            // Step 3. Return early for a draw, a score set by the user (`setscore`) or the ply limit. If the side to
            //    move can repeat a position (`path.rs`), its score is at least a draw.
            if self.is_draw(in_check) {
                return self.draw_score();
            }
            if let Some(score) = self.score_override(depth, ply) {
                return score;
            }
            if Self::is_too_deep(ply) {
                return self.evaluate();
            }
            let draw_score = self.draw_score();
            if alpha < draw_score
                && self.parameters.upcoming_repetition()
                && self.path.has_upcoming_repetition(&self.board)
            {
                alpha = draw_score;
                if alpha >= beta {
                    return alpha;
                }
            }

            // Step 4. Mate distance pruning (`techniques/mate_distance_pruning.rs`).
            (alpha, beta) = mate_distance_window(alpha, beta, ply);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 5. Transposition table (`table.rs`). PV nodes take no cutoff from the table: it would truncate the
        //    principal variation and could hide a repetition.
        let key = self.board.key();
        let excluded = self.stack.at(ply).excluded;
        let table_entry = self.probe();
        if let Some(entry) = table_entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth
            && self.allows_table_cutoff()
            && let Some(score) = entry.cutoff_score(alpha, beta, ply)
        {
            return score;
        }
        // Step 5a. Tablebases (`techniques/tablebase.rs`). In a PV node a win or loss limits the score, and the search
        //    looks for a mate.
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && self.may_probe_tablebases()
            && let Some(found) = self.probe_tablebases(in_check, (alpha, beta), depth, ply)
        {
            if found.causes_cutoff(alpha, beta) {
                return found.score;
            }
            if N::PV {
                match found.bound {
                    Bound::Lower => floor = found.score,
                    Bound::Upper | Bound::Exact => ceiling = found.score,
                }
                alpha = alpha.max(floor);
            }
        }
        let table_move = table_entry
            .and_then(|entry| entry.mv)
            .filter(|_| self.parameters.table_move());

        // Step 6. Static evaluation (`static_eval.rs`), undefined in check. The table score replaces it as estimate
        //    where its bound is tighter.
        let raw_eval = match table_entry {
            _ if in_check => Score::NONE,
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        let static_eval = if in_check {
            Score::NONE
        } else {
            self.correct_eval(raw_eval, ply)
        };
        self.stack.at_mut(ply).static_eval = static_eval;
        let estimate = match table_entry {
            Some(entry) if !in_check => entry.refine_eval(static_eval, ply),
            _ => static_eval,
        };
        let mut node = NodeState {
            alpha,
            beta,
            depth,
            ply,
            pv_node: N::PV,
            cut_node,
            raw_eval,
            static_eval,
            correction: self.correction_size(raw_eval, static_eval),
            estimate,
            improving: self.stack.is_improving(ply),
            table_entry,
            table_move,
            quiet_singular: false,
            on_pv: N::PV || table_entry.is_some_and(|entry| entry.on_pv),
        };

        // Step 6a. Hindsight (`techniques/hindsight.rs`): change the depth after a reduced move.
        if !N::ROOT && excluded.is_none() {
            node.depth += depth_change(&self.parameters, &node, self.stack.before(ply, 1));
        }

        // Step 7. Prune the node, unless it is a PV node, in check or in a singular search.
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }

        // Step 8. Internal iterative reduction (`techniques/internal_iterative_reduction.rs`).
        if !N::ROOT
            && excluded.is_none()
            && internal_iterative_reduction::applies(&self.parameters, &node)
        {
            node.depth -= 1;
        }
        // May become smaller than `node.depth` after a move that raised alpha, for all that reads it instead: base
        // reduction, depth of the next moves, history updates and the table entry.
        let mut depth = node.depth;

        // Step 9. Prepare the move loop (`picker.rs`). It starts without killer moves two plies below, which stem from
        //    other branches (Stockfish). The previous principal variation goes before the table move.
        let line_move = self
            .previous_line
            .move_at(ply)
            .filter(|_| N::PV && self.parameters.previous_line());
        self.killers.clear_ply(ply + 2);
        let killers = if self.parameters.killers() {
            self.killers.get(ply)
        } else {
            [None; 2]
        };
        let context = self.stack.history_context(ply, self.board.pawn_key());
        let mut picker = Picker::all(check_info, context, line_move.or(table_move), killers);
        let allows_move_pruning = !N::ROOT && self.board.has_pieces(self.board.side_to_move());
        let mut best = floor;
        let mut best_move = None;
        let mut move_count = 0;
        let mut searched = SearchedMoves::default();
        let mut overlooked = false;
        loop {
            // Step 10. Futility pruning (`techniques/futility.rs`): skip quiet moves without direct check from now on.
            //    Then pick the next move. No move is pruned before one avoids a loss, so the first is pruned only if
            //    the tablebases show a win.
            let may_prune = allows_move_pruning && best > -Score::TABLEBASE_BOUND;
            let base_reduction = self.reductions.get(depth, move_count + 1);
            let reduced_depth = reduced_depth(&self.parameters, &node, base_reduction);
            if may_prune && is_futile(&self.parameters, reduced_depth, static_eval, alpha) {
                picker.skip_quiets_without_check();
            }
            let next = if N::ROOT {
                self.next_root_move(move_count, picker.context())
            } else {
                picker.next(
                    &self.board,
                    &self.histories,
                    &self.parameters,
                    &self.shared.table,
                )
            };
            let Some(Picked {
                mv,
                class,
                history_score,
                gives_direct_check,
            }) = next
            else {
                break;
            };
            if Some(mv) == excluded {
                continue;
            }
            if !N::ROOT && !in_check && self.evaluator.overlooks(&self.board, mv) {
                overlooked = true;
                continue;
            }
            move_count += 1;
            let mut current = MoveContext {
                mv,
                class,
                history_score,
                gives_direct_check,
                move_count,
                base_reduction,
                reduced_depth,
                new_depth: depth - 1,
                reduction: 0,
            };

            // Step 11. Prune the move.
            if may_prune {
                if !mv.is_noisy() {
                    // Step 11a. Late move pruning (`techniques/late_move_pruning.rs`).
                    if exceeds_lmp_count(&self.parameters, &node, &current) {
                        picker.skip_quiets();
                        continue;
                    }
                    // Step 11b. History pruning (`techniques/history_pruning.rs`).
                    if has_low_history_score(&self.parameters, &node, &current) {
                        continue;
                    }
                    // Step 11c. SEE pruning of quiet moves (`techniques/see_pruning.rs`).
                    let context = picker.context();
                    if quiet_loses_material(&self.parameters, &self.board, context, &current) {
                        continue;
                    }
                } else if capture_loses_material(&self.parameters, &self.board, &node, &current) {
                    // Step 11c. SEE pruning of captures and promotions (`techniques/see_pruning.rs`).
                    continue;
                }
            }

            // Step 12. Singular extension (`techniques/singular.rs`) of the table move.
            if !N::ROOT
                && excluded.is_none()
                && Some(mv) == table_move
                && let Some(entry) = table_entry
            {
                match self.singular_extension(&node, &entry, mv) {
                    SingularResult::Adjust(plies) => {
                        current.new_depth += plies;
                        node.quiet_singular = plies > 0 && !mv.is_noisy();
                    }
                    SingularResult::MultiCut(score) => return score,
                }
                if self.stopped {
                    return Score::DRAW;
                }
            }

            // Step 13. Make the move (`make_move.rs`).
            if move_count == 1 {
                // Null move and ProbCut searches of step 7 have counted fail highs at the child's ply.
                self.stack.at_mut(ply.next()).cutoff_count = 0;
            }
            let nodes_before = self.nodes;
            let undo = self.make(mv, ply);
            let frame = self.stack.at_mut(ply);
            frame.move_count = move_count as u16;
            frame.is_early_quiet =
                !mv.is_noisy() && move_count == 1 + usize::from(table_move.is_some());
            // `new_depth` exceeds `depth` only after an extension by two or three plies.
            let double_extension = u16::from(current.new_depth > depth);
            self.stack.at_mut(ply.next()).double_extensions =
                self.stack.at(ply).double_extensions + double_extension;
            if N::PV {
                // A zero-window search leaves no line. The line of an earlier move must not remain in its place.
                self.pv.clear(ply.next());
            }

            // Step 14. Late move reduction, and the shortened search of a first move
            //    (`techniques/late_move_reductions.rs`).
            current.reduction = self.late_move_reduction(&node, &current, N::ROOT);
            current.new_depth -= Depth::from(self.shortens_first_move(&node, &current));

            // Step 15. Principal variation search (`techniques/principal_variation_search.rs`).
            let score = self.search_move::<N>(&node, &current, alpha, best);
            self.unmake(mv, undo, ply);
            if self.stopped {
                return Score::DRAW;
            }

            // Step 16. Compare the score with the window. On a fail high, update the histories (`cutoff.rs`). Below it,
            //    after a move that raised alpha the next ones may get a smaller depth (`techniques/raised_alpha.rs`).
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.record_root_score(move_count - 1, mv, score, (alpha, beta), nodes);
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
                        // Singular and verification searches do not count: they search the same node once more.
                        if excluded.is_none() && !self.stack.at(ply).null_move_disabled {
                            self.stack.at_mut(ply).cutoff_count += 1;
                        }
                        self.statistics.cutoffs[class as usize] += 1;
                        self.statistics.first_move_cutoffs += u64::from(move_count == 1);
                        self.update_after_cutoff(mv, picker.context(), &searched, depth, ply);
                        break;
                    }
                    depth -= Depth::from(shortens_next_moves(&self.parameters, depth, score));
                }
            }
            searched.push(mv);
        }

        // Step 17. No legal move: mate or stalemate. A singular search returns here and stores nothing.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if overlooked {
                static_eval
            } else if in_check {
                Score::mated_in(ply)
            } else {
                self.draw_score()
            };
        }
        if excluded.is_some() {
            return best;
        }

        best = best.min(ceiling);

        // Step 18. Update the correction history (`static_eval.rs`).
        let bound = Bound::of(best, node.alpha, beta);
        if !in_check {
            self.update_corrections(&node, best, bound, best_move);
        }

        // Step 19. Store the result in the transposition table. At the root it must be the score of the position: that
        //    of the first line of a multi-PV search, with no move excluded.
        if !N::ROOT || (self.root.is_first_line() && self.all_root_moves) {
            self.store(
                key,
                TableEntry {
                    mv: best_move,
                    score: best.to_table(ply),
                    eval: raw_eval,
                    depth,
                    bound,
                    on_pv: node.on_pv,
                },
            );
        }
        best
    }

    /// Returns the score of a node that is pruned without a search of its moves. It must be neither a PV node nor in
    /// check nor in a singular search.
    pub(super) fn prune_node(&mut self, node: &NodeState) -> Option<Score> {
        let null_move_permitted = self.null_move_permitted(node.ply);

        // Step 7a. Reverse futility pruning with threat verification (`techniques/reverse_futility.rs`).
        let mut is_threatened = false;
        if let Some(score) = reverse_futility(&self.parameters, node) {
            is_threatened = null_move_permitted && self.verify_threat(node);
            if !is_threatened {
                return Some(score);
            }
        }
        if self.stopped {
            return None;
        }

        // Step 7b. Razoring (`techniques/razoring.rs`).
        if let Some(score) = self.try_razoring(node) {
            return Some(score);
        }

        // Step 7c. Null move pruning (`techniques/null_move.rs`), unless threat verification has just failed low.
        if null_move_permitted
            && !is_threatened
            && let Some(score) = self.try_null_move(node)
        {
            return Some(score);
        }
        if self.stopped {
            return None;
        }

        // Step 7d. ProbCut (`techniques/probcut.rs`).
        self.try_probcut(node)
    }
}

#[cfg(test)]
mod tests;
