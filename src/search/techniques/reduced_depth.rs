//! Reduced depth of a move, by which it is pruned: smaller for later moves, which late move reductions would search
//! to a smaller depth anyway, and if the side to move is not improving. (Stockfish.)

use crate::config::Parameters;
use crate::search::node::NodeState;
use crate::search::reduction_table::ONE_PLY;
use crate::types::Depth;

/// Returns the depth of the node less the base reduction of a move in 1/1024 ply, and less `pruning_not_improving` if
/// the side to move is not improving; at least 0.
#[inline]
pub(in crate::search) fn reduced_depth(
    parameters: &Parameters,
    node: &NodeState,
    reduction: i32,
) -> Depth {
    let addition = i32::from(!node.improving) * parameters.pruning_not_improving();
    (node.depth - (reduction + addition) / ONE_PLY).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::node_state;
    use crate::types::Score;

    #[test]
    fn moves_are_pruned_earlier_if_not_improving() {
        let parameters = Parameters::default();
        let node = node_state(Score(0));
        let depth = |improving, reduction| {
            let node = NodeState { improving, ..node };
            reduced_depth(&parameters, &node, reduction)
        };
        assert_eq!(depth(true, 2 * ONE_PLY), node.depth - 2);
        let rest = 3 * ONE_PLY - parameters.pruning_not_improving();
        assert_eq!(depth(false, rest), node.depth - 3);
        assert_eq!(depth(true, rest), node.depth - rest / ONE_PLY);
        assert_eq!(depth(false, 100 * ONE_PLY), 0);
    }
}
