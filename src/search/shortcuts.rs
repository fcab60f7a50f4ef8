//! Shortcuts: nodes that are decided without searching all their moves, and moves that are searched deeper because
//! nothing else will do.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Move, Ply, Score};

use super::alphabeta::{Facts, Singular};
use super::node::NonPv;
use super::picker::{Picked, Picker};
use super::prune;
use super::quiescence::WITH_CHECKS;
use super::searcher::Searcher;
use super::table::TableEntry;

impl<E: Evaluator> Searcher<E> {
    /// The score of a node that needs no search of its moves; not on the principal variation, not in check.
    pub(super) fn prune_node(&mut self, facts: &Facts) -> Option<Score> {
        let Facts {
            alpha,
            beta,
            depth,
            ply,
            eval,
            ..
        } = *facts;
        let parameters = self.parameters;
        let may_pass = !self.stack.before(ply, 1).passed && !self.stack.at(ply).no_pass;

        let mut threatened = false;
        if let Some(score) = prune::reverse_futility(&parameters, facts) {
            threatened = may_pass && self.is_threatened(facts);
            if !threatened {
                return Some(score);
            }
        }
        if self.stopped {
            return None;
        }
        if prune::may_razor(&parameters, facts) {
            let score = self.quiescence::<NonPv>(alpha, alpha + 1, ply);
            if self.stopped || score <= alpha {
                return Some(score);
            }
        }
        // Where passing has just been seen to fail it need not be tried.
        if may_pass
            && !threatened
            && prune::may_pass(&parameters, &self.board, facts)
            && let Some(score) = self.try_null_move(beta, depth, ply, eval)
        {
            return Some(score);
        }
        if self.stopped {
            return None;
        }
        if prune::may_probcut(&parameters, facts) {
            return self.try_probcut(facts);
        }
        None
    }

    /// Whether the opponent, moving twice, brings the score below `beta` by captures and direct checks. Only asked near
    /// the root and not at the smallest depths: where nearly all nodes are it would cost more than it finds. (After a
    /// sacrifice the other side is far ahead, and the mate that follows may need one quiet move more.)
    pub(super) fn is_threatened(&mut self, facts: &Facts) -> bool {
        let &Facts {
            beta, depth, ply, ..
        } = facts;
        if depth < self.parameters.reverse_futility_guard() || !self.is_near_root(ply) {
            return false;
        }
        let undo = self.pass(ply);
        let score = -self.quiescence_at::<NonPv>(-beta, -beta + 1, ply.next(), WITH_CHECKS);
        self.unpass(undo);
        score < beta
    }

    /// Passes, and returns a score that is at least `beta` if the opponent cannot make use of it.
    fn try_null_move(&mut self, beta: Score, depth: Depth, ply: Ply, eval: Score) -> Option<Score> {
        let reduced = depth - prune::null_move_reduction(&self.parameters, depth, eval, beta);
        let undo = self.pass(ply);
        let score = -self.search::<NonPv>(-beta, -beta + 1, reduced, ply.next(), false);
        self.unpass(undo);
        if self.stopped || score < beta {
            return None;
        }
        if prune::needs_verification(&self.parameters, depth) {
            // Zugzwang can fool a pass even with pieces on the board: our own moves must confirm it.
            self.stack.at_mut(ply).no_pass = true;
            let verified = self.search::<NonPv>(beta - 1, beta, reduced.max(1), ply, false);
            self.stack.at_mut(ply).no_pass = false;
            if self.stopped || verified < beta {
                return None;
            }
        }
        Some(prune::null_move_score(score, beta))
    }

    /// ProbCut: a capture that in a shallow search wins much more than `beta` would hardly fail in a deep one.
    /// (Michael Buro; in this form from Stockfish.)
    fn try_probcut(&mut self, facts: &Facts) -> Option<Score> {
        let &Facts {
            beta, depth, ply, ..
        } = facts;
        let bound = prune::probcut_bound(&self.parameters, facts);
        let table_move = facts.known.and_then(|entry| entry.mv);
        let checks = self.stack.at(ply).checks;
        let context = self.stack.context(ply, self.board.pawn_key());
        let threshold = (bound.0 - facts.static_eval.0).max(1);
        let mut picker = Picker::noisy(checks, context, table_move, Some(threshold));
        let reduced = depth - 4;
        while let Some(Picked { mv, .. }) = picker.next(
            &self.board,
            &self.histories,
            &self.parameters,
            &self.shared.table,
        ) {
            let undo = self.make(mv, ply);
            let mut score = -self.quiescence::<NonPv>(-bound, -bound + 1, ply.next());
            if score >= bound && reduced > 0 && !self.stopped {
                score =
                    -self.search::<NonPv>(-bound, -bound + 1, reduced, ply.next(), !facts.cut_node);
            }
            self.unmake(mv, undo, ply);
            if self.stopped {
                return None;
            }
            if score >= bound {
                let entry = TableEntry {
                    mv: Some(mv),
                    score: score.to_table(ply),
                    eval: facts.raw_eval,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    on_pv: facts.known.is_some_and(|entry| entry.on_pv),
                };
                self.store(self.board.key(), entry);
                return Some(if score.is_mate() {
                    score
                } else {
                    score - (bound.0 - beta.0)
                });
            }
        }
        None
    }

    /// Whether the table move is the only good one: all others, searched less deep, stay clearly below its score.
    /// (Stockfish; idea of singular extensions: Anantharaman, Campbell, Hsu.)
    pub(super) fn singular_extension(
        &mut self,
        facts: &Facts,
        entry: &TableEntry,
        mv: Move,
        pv_node: bool,
    ) -> Singular {
        let &Facts {
            beta, depth, ply, ..
        } = facts;
        let Some(target) = prune::singular_target(&self.parameters, entry, depth, ply) else {
            return Singular::Extend(0);
        };
        if !self.may_extend(ply) {
            return Singular::Extend(0);
        }
        let eval = self.stack.at(ply).eval;
        let child_cuts = self.stack.at(ply.next()).child_cuts;
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(target - 1, target, (depth - 1) / 2, ply, facts.cut_node);
        self.stack.at_mut(ply).excluded = None;
        self.stack.at_mut(ply).eval = eval;
        self.stack.at_mut(ply.next()).child_cuts = child_cuts;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < target {
            let margin = self.parameters.double_extension_margin();
            let many = i32::from(self.stack.at(ply).double_extensions);
            if !pv_node
                && score < target - margin
                && many < self.parameters.double_extension_limit()
            {
                return Singular::Extend(2);
            }
            return Singular::Extend(1);
        }
        // Without the table move others reach beta: so will this node.
        if target >= beta && !target.is_mate() && !pv_node {
            return Singular::Cut(target);
        }
        let table_score = entry.score.from_table(ply);
        if table_score >= beta {
            return Singular::Extend(-self.parameters.negative_extension() + i32::from(pv_node));
        }
        if facts.cut_node {
            return Singular::Extend(-self.parameters.cut_node_extension());
        }
        Singular::Extend(0)
    }
}
