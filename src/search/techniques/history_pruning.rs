//! History pruning: near the horizon, quiet moves with a very low history score are skipped.

use crate::config::Parameters;

use crate::search::move_context::MoveContext;
use crate::search::node::NodeState;

/// Returns `true` if the history score of a quiet move is too low. The depth limit applies to the reduced depth; the
/// margin grows with the depth of the node.
#[inline]
pub(in crate::search) fn has_low_history_score(
    parameters: &Parameters,
    node: &NodeState,
    mv: &MoveContext,
) -> bool {
    parameters.history_pruning()
        && mv.reduced_depth <= parameters.history_pruning_depth()
        && mv.history_score < -parameters.history_pruning_margin() * node.depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{move_context, node_state};
    use crate::types::Score;

    #[test]
    fn only_low_scores_near_the_horizon_are_pruned() {
        let parameters = Parameters::default();
        let node = NodeState {
            depth: 2,
            ..node_state(Score(0))
        };
        let prunes = |history_score, reduced_depth| {
            let mv = MoveContext {
                history_score,
                reduced_depth,
                ..move_context()
            };
            has_low_history_score(&parameters, &node, &mv)
        };
        assert!(prunes(-30_000, 1));
        assert!(!prunes(-100, 1));
        assert!(!prunes(-30_000, 12), "far from the horizon");
    }
}
