//! Razoring: near the horizon, a node far below alpha is left to quiescence search. (John Birmingham and Peter Kent;
//! this form from Stockfish.)

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::types::Score;

use crate::search::node::{NodeState, NonPv};
use crate::search::searcher::Searcher;

/// Returns `true` if razoring may be tried.
#[inline]
fn allows_razoring(parameters: &Parameters, node: &NodeState) -> bool {
    parameters.razoring()
        && node.depth <= parameters.razoring_depth()
        && node.estimate + parameters.razoring_margin() * node.depth <= node.alpha
        && !node.alpha.is_decisive()
}

impl<E: Evaluator> Searcher<E> {
    /// Returns the score of a quiescence search if it confirms that the node fails low, or if the search was stopped.
    #[inline]
    pub(in crate::search) fn try_razoring(&mut self, node: &NodeState) -> Option<Score> {
        if !allows_razoring(&self.parameters, node) {
            return None;
        }
        let score = self.quiescence::<NonPv>(node.alpha, node.alpha + 1, node.ply);
        (self.stopped || score <= node.alpha).then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::node_state;

    #[test]
    fn only_nodes_far_below_alpha_and_near_the_horizon_are_razored() {
        let parameters = Parameters::default();
        let allows = |estimate, depth| {
            let node = NodeState {
                depth,
                ..node_state(Score(estimate))
            };
            allows_razoring(&parameters, &node)
        };
        assert!(allows(-1500, 2));
        assert!(!allows(-100, 2));
        assert!(!allows(-1500, 8), "far from the horizon");
    }
}
