//! Reverse futility pruning: near the horizon, a node far above beta is pruned. (Static null move pruning: Ernst
//! Heinz.)
//!
//! Threat verification limits it near the root. After a sacrifice the side to move is far ahead in material, and the
//! mate that follows may need one more quiet move. Gaur therefore makes a null move and lets a quiescence search look
//! for captures and direct checks of the opponent. It does so only in the first half of a line and not at the smallest
//! depths, because elsewhere it costs more than it finds.

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::types::Score;

use crate::search::node::{NodeState, NonPv};
use crate::search::quiescence::DEPTH_QS_CHECKS;
use crate::search::searcher::Searcher;

/// Returns the score of the node if it can be pruned: one third of the way from beta to the estimate.
#[inline]
pub(in crate::search) fn reverse_futility(
    parameters: &Parameters,
    node: &NodeState,
) -> Option<Score> {
    let NodeState {
        depth,
        estimate,
        beta,
        ..
    } = *node;
    let margin = parameters.reverse_futility_margin() * depth
        - parameters.reverse_futility_improving() * i32::from(node.improving);
    let prunes = parameters.reverse_futility()
        && depth <= parameters.reverse_futility_depth()
        && estimate - margin >= beta
        && !estimate.is_decisive()
        && beta > -Score::TABLEBASE_BOUND;
    prunes.then(|| Score((estimate.0 + 2 * beta.0) / 3))
}

impl<E: Evaluator> Searcher<E> {
    /// Threat verification: returns `true` if a quiescence search after a null move scores below beta. Far from the
    /// root and below depth `reverse_futility_guard`, the result is always `false`.
    pub(in crate::search) fn verify_threat(&mut self, node: &NodeState) -> bool {
        let &NodeState {
            beta, depth, ply, ..
        } = node;
        if depth < self.parameters.reverse_futility_guard() || !self.is_near_root(ply) {
            return false;
        }
        let undo = self.make_null_move(ply);
        let score = -self.quiescence_at::<NonPv>(-beta, -beta + 1, ply.next(), DEPTH_QS_CHECKS);
        self.unmake_null_move(undo);
        score < beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{BACK_RANK_MATE, node_state, position, searcher_at};
    use crate::types::{Color, Depth, Ply};

    #[test]
    fn only_nodes_far_above_beta_are_pruned() {
        let parameters = Parameters::default();
        let node = |estimate| NodeState {
            depth: 2,
            ..node_state(Score(estimate))
        };
        let score = reverse_futility(&parameters, &node(600)).expect("far above beta");
        assert!(score > Score(0) && score < Score(600), "{score:?}");
        assert_eq!(reverse_futility(&parameters, &node(20)), None);
        let mated = NodeState {
            beta: -Score::MATE,
            ..node(600)
        };
        assert_eq!(reverse_futility(&parameters, &mated), None);
    }

    #[test]
    fn threats_are_verified_near_the_root_and_not_at_small_depths() {
        let is_threatened = |pieces: &str, depth: Depth, ply| {
            let mut searcher = searcher_at(&position(Color::Black, pieces, 0));
            searcher.root_depth = 12;
            searcher.verify_threat(&NodeState {
                depth,
                ply,
                ..node_state(Score(1500))
            })
        };
        assert!(is_threatened(BACK_RANK_MATE, 6, Ply(2)));
        assert!(
            is_threatened(BACK_RANK_MATE, 6, Ply(6)),
            "half of twelve plies"
        );
        let escape = BACK_RANK_MATE.replace("ph7", "ph6");
        assert!(!is_threatened(&escape, 6, Ply(2)));
        assert!(
            !is_threatened(BACK_RANK_MATE, 6, Ply(7)),
            "far from the root"
        );
        assert!(!is_threatened(BACK_RANK_MATE, 2, Ply(2)), "small depth");
    }
}
