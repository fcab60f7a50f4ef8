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
    ///
    /// The quiescence search must not return a score that the user has set for depths below that of the node.
    #[inline]
    pub(in crate::search) fn try_razoring(&mut self, node: &NodeState) -> Option<Score> {
        if !allows_razoring(&self.parameters, node) || self.score_override(0, node.ply).is_some() {
            return None;
        }
        let score = self.quiescence::<NonPv>(node.alpha, node.alpha + 1, node.ply);
        (self.stopped || score <= node.alpha).then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::ScoreOverrides;
    use crate::search::test_support::{node_state, position, searcher_at};
    use crate::types::{Color, Ply};

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

    #[test]
    fn a_score_that_the_user_has_set_for_quiescence_search_is_not_that_of_the_node() {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 kg8 qd7 pg7", 0));
        searcher.evaluator.reset(&searcher.board);
        let node = NodeState {
            depth: 2,
            ply: Ply(3),
            ..node_state(searcher.evaluate())
        };
        let node = NodeState {
            estimate: node.alpha - 1500,
            ..node
        };
        assert!(searcher.try_razoring(&node).is_some());
        let mut overrides = ScoreOverrides::default();
        overrides.set(searcher.board.key(), Score(-777), 1);
        searcher.score_overrides = overrides;
        assert_eq!(searcher.try_razoring(&node), None);
    }
}
