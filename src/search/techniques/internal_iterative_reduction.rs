//! Internal iterative reduction: a PV or cut node without a table move is searched one ply shallower. (Ed Schröder.)
//!
//! Without a table move, move ordering is poor. The shallower search finds one for the next visit.

use crate::config::Parameters;

use crate::search::node::NodeState;

/// Returns `true` if a node is to be searched one ply shallower. It must not be the root or a singular search.
#[inline]
pub(in crate::search) fn applies(parameters: &Parameters, node: &NodeState) -> bool {
    parameters.internal_reduction()
        && (node.pv_node || node.cut_node)
        && node.depth >= parameters.internal_reduction_depth()
        && node.table_move.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::node_state;
    use crate::types::{Move, MoveKind, Score, Square};

    #[test]
    fn only_nodes_without_a_table_move_are_reduced() {
        let parameters = Parameters::default();
        let node = node_state(Score(0));
        assert!(applies(&parameters, &node));
        let [from, to] = [8, 16].map(Square::from_index);
        let with_move = NodeState {
            table_move: Some(Move::new(from, to, MoveKind::Quiet)),
            ..node
        };
        assert!(!applies(&parameters, &with_move));
        let all_node = NodeState {
            cut_node: false,
            ..node
        };
        assert!(!applies(&parameters, &all_node));
    }
}
