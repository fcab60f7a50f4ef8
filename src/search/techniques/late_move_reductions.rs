//! Late move reduction: a late move is probably bad and is first searched to a smaller depth. By the same formula, the
//! first move of a zero-window node can be searched one ply shallower.

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply};

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

/// Addition to the reduction of the first move in a node without table move, in 1/1024 ply.
const NO_TABLE_MOVE: i32 = 1100;

/// Units of history score to which the parameters `reduction_history` and `reduction_capture_history` refer.
const HISTORY_UNIT: i32 = 16_384;

/// Returns `true` if a move may be reduced: at a depth of at least 2, one after the first; at the root a quiet move
/// after the second.
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
        && !(is_root && mv.mv.is_noisy())
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

/// Returns the reduction in 1/1024 ply, possibly negative.
#[inline]
fn reduction(
    parameters: &Parameters,
    node: &NodeState,
    mv: &MoveContext,
    stack: StackContext,
) -> i32 {
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
    if let Some(entry) = node.table_entry.filter(|_| node.on_pv) {
        // Alpha before the first move, as games have tested it, not alpha as raised since.
        let exceeds_alpha =
            entry.bound != Bound::Upper && entry.score.from_table(node.ply) > node.alpha;
        add(exceeds_alpha, -parameters.reduction_table_score());
        let is_deep = entry.depth >= node.depth;
        add(is_deep, -parameters.reduction_table_depth());
    }
    let per_history_score = if mv.mv.is_noisy() {
        parameters.reduction_capture_history()
    } else {
        parameters.reduction_history()
    };
    reduction
        - parameters.reduction_correction() * node.correction
        - mv.history_score * per_history_score / HISTORY_UNIT
}

/// Returns `true` if a first move may be searched one ply shallower: in a zero-window node of a depth of at least 3, if
/// at least two plies remain after a negative extension.
#[inline]
fn allows_short_first_move(parameters: &Parameters, node: &NodeState, mv: &MoveContext) -> bool {
    parameters.late_move_reductions()
        && mv.move_count == 1
        && !node.pv_node
        && node.depth >= 3
        && mv.new_depth >= 2
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
        let min = if self.may_extend(node.ply) {
            min_reduction(&self.parameters, node, mv)
        } else {
            0
        };
        let reduction = reduction(&self.parameters, node, mv, self.stack_context(node.ply));
        (reduction / ONE_PLY).clamp(min, (mv.new_depth - 1).max(0))
    }

    /// Returns `true` if the first move of a node, which has been made, is to be searched one ply shallower: by the
    /// formula for late moves its reduction would be large. (Stockfish.)
    ///
    /// This is no late move reduction: a fail high is not searched again.
    #[inline]
    pub(in crate::search) fn shortens_first_move(
        &self,
        node: &NodeState,
        mv: &MoveContext,
    ) -> bool {
        if !allows_short_first_move(&self.parameters, node, mv) {
            return false;
        }
        let addition = i32::from(node.table_move.is_none()) * NO_TABLE_MOVE;
        let reduction = reduction(&self.parameters, node, mv, self.stack_context(node.ply));
        reduction + addition > self.parameters.reduction_first_move()
    }

    /// Returns the inputs of the reduction after a move made at `ply`.
    #[inline]
    fn stack_context(&self, ply: Ply) -> StackContext {
        let child = self.stack.at(ply.next());
        StackContext {
            gives_check: child.check_info.in_check(),
            cutoff_count: child.cutoff_count,
            parent_move_count: self.stack.before(ply, 1).move_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::table::TableEntry;
    use crate::search::test_support::{
        BACK_RANK_MATE, move_context, node_state, position, searcher_at,
    };
    use crate::types::{Color, Move, MoveKind, Score, Square};

    #[test]
    fn only_late_moves_are_reduced() {
        let parameters = Parameters::default();
        let node = node_state(Score(0));
        let allows = |move_count, kind, is_root| {
            let [from, to] = [8, 16].map(Square::from_index);
            let mv = MoveContext {
                mv: Move::new(from, to, kind),
                move_count,
                ..move_context()
            };
            allows_reduction(&parameters, &node, &mv, is_root)
        };
        assert!(!allows(1, MoveKind::Quiet, false));
        assert!(allows(2, MoveKind::Quiet, false));
        assert!(allows(2, MoveKind::Capture, false));
        assert!(!allows(2, MoveKind::Quiet, true));
        assert!(allows(3, MoveKind::Quiet, true));
        assert!(!allows(3, MoveKind::Capture, true));
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
        let units = |score| reduction(&parameters, &node, &mv(score), StackContext::default());
        assert!(units(30_000) < units(0) && units(0) < units(-30_000));
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

    /// Returns the reduction of a late move in a node with this table entry.
    fn with_entry(on_pv: bool, score: i32, depth: Depth, bound: Bound) -> i32 {
        let node = NodeState {
            on_pv,
            table_entry: Some(TableEntry {
                mv: None,
                score: Score(score),
                eval: Score(0),
                depth,
                bound,
                on_pv,
            }),
            ..node_state(Score(0))
        };
        let context = StackContext::default();
        reduction(&Parameters::default(), &node, &move_context(), context)
    }

    #[test]
    fn good_and_deep_table_entries_reduce_less_on_a_pv() {
        let parameters = Parameters::default();
        let base = with_entry(true, -50, 3, Bound::Exact);
        assert_eq!(
            base - with_entry(true, 50, 3, Bound::Exact),
            parameters.reduction_table_score()
        );
        assert_eq!(
            base - with_entry(true, -50, 8, Bound::Exact),
            parameters.reduction_table_depth()
        );
        assert_eq!(base, with_entry(true, 50, 3, Bound::Upper));
        let off_pv = with_entry(false, -50, 3, Bound::Exact);
        assert_eq!(off_pv, with_entry(false, 50, 8, Bound::Exact));
    }

    #[test]
    fn a_large_correction_reduces_less() {
        let parameters = Parameters::default();
        let units = |correction| {
            let node = NodeState {
                correction,
                ..node_state(Score(0))
            };
            reduction(&parameters, &node, &move_context(), StackContext::default())
        };
        assert_eq!(units(0) - units(20), 20 * parameters.reduction_correction());
    }

    #[test]
    fn a_first_move_is_shortened_where_a_late_move_would_be_reduced_much() {
        let searcher = searcher_at(&position(Color::White, BACK_RANK_MATE, 0));
        let limit = searcher.parameters.reduction_first_move();
        let [from, to] = [8, 16].map(Square::from_index);
        let node = NodeState {
            improving: true,
            cut_node: false,
            table_move: Some(Move::new(from, to, MoveKind::Quiet)),
            ..node_state(Score(0))
        };
        let first = MoveContext {
            move_count: 1,
            base_reduction: limit + 1,
            ..move_context()
        };
        assert!(searcher.shortens_first_move(&node, &first));
        let smaller = MoveContext {
            base_reduction: limit,
            ..first
        };
        assert!(!searcher.shortens_first_move(&node, &smaller));
        let without_table_move = NodeState {
            table_move: None,
            ..node
        };
        assert!(searcher.shortens_first_move(&without_table_move, &smaller));
        let second = MoveContext {
            move_count: 2,
            ..first
        };
        let (pv_node, shallow) = (
            NodeState {
                pv_node: true,
                ..node
            },
            NodeState { depth: 2, ..node },
        );
        assert!(!searcher.shortens_first_move(&node, &second));
        assert!(!searcher.shortens_first_move(&pv_node, &first));
        assert!(!searcher.shortens_first_move(&shallow, &first));
    }
}
