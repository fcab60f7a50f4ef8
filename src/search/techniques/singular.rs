//! Singular extension: a table move that is the only good move is searched deeper. (Anantharaman, Campbell and Hsu;
//! this form, with multi-cut and negative extension, from Stockfish.)
//!
//! The table move is singular if a search of the other moves to half the depth stays below a limit (singular beta),
//! which lies below the table score. If another move reaches the limit and the limit is at least beta, the node is
//! pruned (multi-cut). If the table move is not singular but a cutoff is expected, it is searched to a smaller depth
//! (negative extension). If the other moves stay far below the limit, the extension is two plies; for a quiet move
//! outside PV nodes it can be three.

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Move, Score};

use crate::search::node::{NodeState, NonPv};
use crate::search::searcher::Searcher;
use crate::search::table::TableEntry;

/// The result of a singular search.
pub(in crate::search) enum SingularResult {
    /// The depth of the table move changes by this number of plies.
    Adjust(Depth),
    /// A move besides the table move reaches a singular beta of at least beta: the node is pruned with this score.
    MultiCut(Score),
}

/// Plies by which the table entry may be shallower than the node.
const MAX_ENTRY_DEPTH_GAP: Depth = 3;

/// Returns the beta of the singular search, below which all other moves must stay. Returns `None` if the table entry
/// does not suggest that its move is singular.
#[inline]
fn singular_beta(parameters: &Parameters, entry: &TableEntry, node: &NodeState) -> Option<Score> {
    let &NodeState {
        depth, ply, on_pv, ..
    } = node;
    let min_depth = parameters.singular_depth() + i32::from(on_pv) * parameters.singular_on_pv();
    let score = entry.score.from_table(ply);
    let applies = parameters.singular()
        && depth >= min_depth
        && entry.depth >= depth - MAX_ENTRY_DEPTH_GAP
        && entry.bound != Bound::Upper
        && !score.is_decisive();
    // `singular_margin` is in 1/16 centipawn per ply of depth.
    applies.then(|| score - parameters.singular_margin() * depth / 16)
}

/// Returns the centipawns below singular beta that extend by two plies or more. An extension of a PV node costs more.
#[inline]
fn double_extension_margin(parameters: &Parameters, pv_node: bool) -> i32 {
    parameters.double_extension_margin() + i32::from(pv_node) * parameters.double_extension_pv()
}

impl<E: Evaluator> Searcher<E> {
    /// Returns the extension of the table move `mv`, or the score of a multi-cut. `entry` is the node's table entry.
    pub(in crate::search) fn singular_extension(
        &mut self,
        node: &NodeState,
        entry: &TableEntry,
        mv: Move,
    ) -> SingularResult {
        let &NodeState {
            beta, ply, pv_node, ..
        } = node;
        let Some(singular_beta) = singular_beta(&self.parameters, entry, node) else {
            return SingularResult::Adjust(0);
        };
        if !self.may_extend(ply) {
            return SingularResult::Adjust(0);
        }
        let score = self.search_without(mv, node, singular_beta);
        if self.stopped {
            return SingularResult::Adjust(0);
        }
        if score < singular_beta {
            let margin = double_extension_margin(&self.parameters, pv_node);
            let double_extensions = i32::from(self.stack.at(ply).double_extensions);
            if score < singular_beta - margin
                && double_extensions < self.parameters.double_extension_limit()
            {
                let triple = !mv.is_noisy()
                    && !pv_node
                    && score < singular_beta - self.parameters.triple_extension_margin();
                return SingularResult::Adjust(2 + Depth::from(triple));
            }
            return SingularResult::Adjust(1);
        }
        if singular_beta >= beta && !singular_beta.is_decisive() && !pv_node {
            return SingularResult::MultiCut(singular_beta);
        }
        let table_score = entry.score.from_table(ply);
        if table_score >= beta {
            // In PV nodes the table move is reduced by one ply less.
            let reduction = self.parameters.negative_extension() - i32::from(pv_node);
            return SingularResult::Adjust(-reduction);
        }
        if node.cut_node {
            return SingularResult::Adjust(-self.parameters.cut_node_extension());
        }
        SingularResult::Adjust(0)
    }

    /// Returns the score of the node without the move `mv`, searched to half the depth with a zero window below
    /// `singular_beta`.
    #[inline]
    fn search_without(&mut self, mv: Move, node: &NodeState, singular_beta: Score) -> Score {
        let &NodeState { depth, ply, .. } = node;
        // The singular search overwrites these values of the stack.
        let static_eval = self.stack.at(ply).static_eval;
        let cutoff_count = self.stack.at(ply.next()).cutoff_count;
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(
            singular_beta - 1,
            singular_beta,
            (depth - 1) / 2,
            ply,
            node.cut_node,
        );
        self.stack.at_mut(ply).excluded = None;
        self.stack.at_mut(ply).static_eval = static_eval;
        self.stack.at_mut(ply.next()).cutoff_count = cutoff_count;
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{BACK_RANK_MATE, node_state, position, searcher_at};
    use crate::types::{Color, Ply, Square};

    #[test]
    fn other_moves_decide_between_extension_and_multi_cut() {
        let position = position(Color::White, BACK_RANK_MATE, 0);
        let result = |target: &str, beta, table_score, pv_node| {
            let target = Square::from_name(target);
            let mut moves = position.legal_moves().into_iter();
            let mv = moves.find(|mv| Some(mv.to()) == target);
            let mut searcher = searcher_at(&position);
            searcher.evaluator.reset(&searcher.board);
            searcher.root_depth = 8;
            let entry = TableEntry {
                mv,
                score: table_score,
                eval: Score(0),
                depth: 8,
                bound: Bound::Lower,
                on_pv: false,
            };
            let node = NodeState {
                alpha: beta - 1,
                beta,
                ply: Ply(1),
                pv_node,
                ..node_state(Score(0))
            };
            searcher.singular_extension(&node, &entry, mv.expect("a legal move"))
        };
        let singular = result("d8", Score(0), Score(0), false);
        assert!(matches!(singular, SingularResult::Adjust(1..=3)));
        for (pv_node, plies) in [(false, 3), (true, 2)] {
            let far_better = result("d8", Score(0), Score(5000), pv_node);
            assert!(matches!(far_better, SingularResult::Adjust(found) if found == plies));
        }
        let multi_cut = result("d2", Score(-500), Score(0), false);
        assert!(matches!(multi_cut, SingularResult::MultiCut(score) if score >= Score(-500)));
        let in_pv_node = result("d2", Score(-500), Score(0), true);
        assert!(matches!(in_pv_node, SingularResult::Adjust(..=0)));
        let negative = result("d2", Score(0), Score(0), false);
        assert!(matches!(negative, SingularResult::Adjust(..0)));
    }

    #[test]
    fn pv_nodes_need_a_larger_margin_for_a_double_extension() {
        let margin = |pv_node| double_extension_margin(&Parameters::default(), pv_node);
        assert!(margin(true) > margin(false));
    }

    #[test]
    fn only_a_deep_score_that_is_no_upper_bound_can_be_singular() {
        let parameters = Parameters::default();
        let entry = |depth, bound| TableEntry {
            mv: None,
            score: Score(50),
            eval: Score(0),
            depth,
            bound,
            on_pv: false,
        };
        let node = NodeState {
            depth: 10,
            ..node_state(Score(0))
        };
        let beta = |entry: TableEntry| singular_beta(&parameters, &entry, &node);
        assert!(beta(entry(9, Bound::Lower)).is_some_and(|score| score < Score(50)));
        assert_eq!(beta(entry(9, Bound::Upper)), None);
        assert_eq!(beta(entry(3, Bound::Exact)), None);
    }

    #[test]
    fn a_pv_needs_a_greater_depth() {
        let parameters = Parameters::default();
        let entry = TableEntry {
            mv: None,
            score: Score(50),
            eval: Score(0),
            depth: 20,
            bound: Bound::Lower,
            on_pv: true,
        };
        let is_tried = |depth, on_pv| {
            let node = NodeState {
                depth,
                on_pv,
                ..node_state(Score(0))
            };
            singular_beta(&parameters, &entry, &node).is_some()
        };
        let depth = parameters.singular_depth();
        assert!(!is_tried(depth - 1, false));
        assert!(is_tried(depth, false) && !is_tried(depth, true));
        assert!(is_tried(depth + parameters.singular_on_pv(), true));
    }
}
