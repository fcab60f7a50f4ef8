//! Late move pruning: after a number of moves, the remaining quiet moves of a node are skipped.
//!
//! A quiet move that gives direct check does not start the pruning, but once it has started, such moves are skipped,
//! too.

use crate::config::Parameters;

use crate::search::move_context::MoveContext;
use crate::search::node::NodeState;

/// Returns `true` for a quiet move without direct check whose move count exceeds the permitted one:
/// `late_move_base` plus the square of the depth, half of that if the side to move is not improving.
#[inline]
pub(in crate::search) fn exceeds_lmp_count(
    parameters: &Parameters,
    node: &NodeState,
    mv: &MoveContext,
) -> bool {
    let permitted =
        (parameters.late_move_base() + node.depth * node.depth) / (2 - i32::from(node.improving));
    !mv.gives_direct_check && parameters.late_move_pruning() && mv.move_count as i32 > permitted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{move_context, node_state};
    use crate::types::Score;

    #[test]
    fn only_late_moves_exceed_the_count() {
        let parameters = Parameters::default();
        let node = NodeState {
            depth: 3,
            improving: true,
            ..node_state(Score(0))
        };
        let exceeds = |move_count, gives_direct_check| {
            let mv = MoveContext {
                move_count,
                gives_direct_check,
                ..move_context()
            };
            exceeds_lmp_count(&parameters, &node, &mv)
        };
        assert!(!exceeds(2, false));
        assert!(exceeds(40, false));
        assert!(!exceeds(40, true));
    }
}
