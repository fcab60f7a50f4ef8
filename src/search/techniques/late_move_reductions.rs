//! Late move reduction: a late move is probably bad and is first searched to a smaller depth.

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::types::Depth;

use crate::search::move_context::MoveContext;
use crate::search::node::NodeState;
use crate::search::reduction_table::ONE_PLY;
use crate::search::searcher::Searcher;
use crate::search::statistics::MoveClass;

/// Number of fail highs of earlier child nodes beyond which a move is reduced more.
const MANY_CUTOFFS: u16 = 3;

/// Number of the parent's move from which on the moves after it are reduced less: a late move is reduced itself, so a
/// good reply to it needs a deeper search to be found. (Stockfish.)
const LATE_PARENT_MOVE: u16 = 8;

/// Units of history score to which the parameters `reduction_history` and `reduction_capture_history` refer.
const HISTORY_UNIT: i32 = 16_384;

/// Returns `true` if a move may be reduced: at a depth of at least 2, a quiet move or a bad capture after the first
/// move, at the root after the second. The root's moves have no class `BadCapture`, so its captures are never reduced.
#[inline]
fn allows_reduction(
    parameters: &Parameters,
    node: &NodeState,
    mv: &MoveContext,
    is_root: bool,
) -> bool {
    parameters.late_move_reductions()
        && node.depth >= 2
        && mv.move_count > 1 + usize::from(is_root)
        && (!mv.mv.is_noisy() || mv.class == MoveClass::BadCapture)
}

/// Returns the smallest reduction in plies: -1, an extension, in PV nodes and for moves with a very high history score;
/// otherwise 0.
#[inline]
fn min_reduction(parameters: &Parameters, node: &NodeState, mv: &MoveContext) -> Depth {
    -Depth::from(node.pv_node || mv.history_score > parameters.extension_history_score())
}

/// Inputs of the reduction from the states of the neighbouring plies.
#[derive(Clone, Copy, Debug, Default)]
struct StackContext {
    /// Set if the move gives check.
    gives_check: bool,
    /// Number of times that earlier child nodes have failed high; re-searches count again.
    cutoff_count: u16,
    /// Number, in search order, of the move that led to the node.
    parent_move_count: u16,
}

/// Returns the reduction in whole plies, possibly negative.
#[inline]
fn reduction(
    parameters: &Parameters,
    node: &NodeState,
    mv: &MoveContext,
    stack: StackContext,
) -> Depth {
    let mut reduction = mv.base_reduction;
    let mut add = |condition: bool, units: i32| reduction += i32::from(condition) * units;
    add(node.cut_node, parameters.reduction_cut_node());
    add(
        node.table_move.is_some_and(|mv| mv.is_noisy()),
        parameters.reduction_noisy_table_move(),
    );
    add(!node.improving, parameters.reduction_not_improving());
    add(
        stack.cutoff_count > MANY_CUTOFFS,
        parameters.reduction_cutoff_count(),
    );
    add(node.on_pv, -parameters.reduction_on_pv());
    add(node.pv_node, -parameters.reduction_pv_node());
    add(
        mv.class == MoveClass::Killer,
        -parameters.reduction_killer(),
    );
    add(
        stack.parent_move_count >= LATE_PARENT_MOVE,
        -parameters.reduction_late_parent(),
    );
    add(node.quiet_singular, -parameters.reduction_singular());
    add(stack.gives_check, -parameters.reduction_check());
    let per_history_score = if mv.mv.is_noisy() {
        parameters.reduction_capture_history()
    } else {
        parameters.reduction_history()
    };
    reduction -= mv.history_score * per_history_score / HISTORY_UNIT;
    reduction / ONE_PLY
}

impl<E: Evaluator> Searcher<E> {
    /// Returns the plies by which the first search of a move, which has been made, is shallower than `new_depth`: 0 if
    /// it is not reduced, -1 if it is extended.
    #[inline]
    pub(in crate::search) fn late_move_reduction(
        &self,
        node: &NodeState,
        mv: &MoveContext,
        is_root: bool,
    ) -> Depth {
        if !allows_reduction(&self.parameters, node, mv, is_root) {
            return 0;
        }
        let child = self.stack.at(node.ply.next());
        let stack = StackContext {
            gives_check: child.check_info.in_check(),
            cutoff_count: child.cutoff_count,
            parent_move_count: self.stack.before(node.ply, 1).move_count,
        };
        let min = if self.may_extend(node.ply) {
            min_reduction(&self.parameters, node, mv)
        } else {
            0
        };
        reduction(&self.parameters, node, mv, stack).clamp(min, (mv.new_depth - 1).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{
        BACK_RANK_MATE, move_context, node_state, position, searcher_at,
    };
    use crate::types::{Color, Score};

    #[test]
    fn only_late_moves_are_reduced() {
        let parameters = Parameters::default();
        let node = node_state(Score(0));
        let allows = |move_count, class, is_root| {
            let mv = MoveContext {
                move_count,
                class,
                ..move_context()
            };
            allows_reduction(&parameters, &node, &mv, is_root)
        };
        assert!(!allows(1, MoveClass::Quiet, false));
        assert!(allows(2, MoveClass::Quiet, false));
        assert!(!allows(2, MoveClass::Quiet, true));
        let shallow = NodeState { depth: 1, ..node };
        assert!(!allows_reduction(
            &parameters,
            &shallow,
            &move_context(),
            false
        ));
    }

    #[test]
    fn moves_with_a_high_history_score_are_reduced_less() {
        let parameters = Parameters::default();
        let node = NodeState {
            cut_node: false,
            improving: true,
            ..node_state(Score(0))
        };
        let mv = |history_score| MoveContext {
            base_reduction: 3 * ONE_PLY,
            history_score,
            ..move_context()
        };
        let plies = |score| reduction(&parameters, &node, &mv(score), StackContext::default());
        assert!(plies(30_000) < plies(0) && plies(0) < plies(-30_000));
        assert_eq!(min_reduction(&parameters, &node, &mv(0)), 0);
        assert_eq!(min_reduction(&parameters, &node, &mv(30_000)), -1);
        let pv_node = NodeState {
            pv_node: true,
            ..node
        };
        assert_eq!(min_reduction(&parameters, &pv_node, &mv(0)), -1);
    }

    #[test]
    fn moves_after_a_late_move_and_after_a_singular_move_are_reduced_less() {
        let parameters = Parameters::default();
        let mut searcher = searcher_at(&position(Color::White, BACK_RANK_MATE, 0));
        let node = NodeState {
            improving: true,
            ..node_state(Score(0))
        };
        let mv = MoveContext {
            base_reduction: 3 * ONE_PLY - parameters.reduction_cut_node(),
            ..move_context()
        };
        let mut plies = |quiet_singular, parent_move_count| {
            searcher.stack.at_mut(node.ply - 1).move_count = parent_move_count;
            let node = NodeState {
                quiet_singular,
                ..node
            };
            searcher.late_move_reduction(&node, &mv, false)
        };
        let less = |units| (3 * ONE_PLY - units) / ONE_PLY;
        assert_eq!(plies(false, 7), 3);
        assert_eq!(plies(false, 8), less(parameters.reduction_late_parent()));
        assert_eq!(plies(true, 7), less(parameters.reduction_singular()));
        assert!(plies(false, 8) < 3 && plies(true, 7) < 3);
    }
}
