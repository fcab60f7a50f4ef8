//! Hindsight: after a move searched with a reduced depth, the static evaluations before and after it show whether the
//! reduction was right. (Stockfish.)
//!
//! If the evaluation has not fallen for the side that moved, the move may be good, and the node is searched one ply
//! deeper. If both sides together evaluate their positions well above zero, the move has lost much, and the node is
//! searched one ply shallower.

use crate::config::Parameters;
use crate::types::{Depth, Score};

use crate::search::node::NodeState;
use crate::search::stack::Frame;

/// Least reduction of the last move after which the node is searched deeper.
const DEEPER_FROM: Depth = 3;

/// Least reduction of the last move after which the node is searched shallower.
const SHALLOWER_FROM: Depth = 2;

/// Returns the change of the node's depth: 1, 0, or at a depth of at least 2 also -1. `parent` is the frame from which
/// the last move was made; the result is 0 if either side was in check.
///
/// The verification search of a null move changes its depth once more. Games by time have tested hindsight only so.
#[inline]
pub(in crate::search) fn depth_change(
    parameters: &Parameters,
    node: &NodeState,
    parent: &Frame,
) -> Depth {
    let evals = [node.static_eval, parent.static_eval];
    if !parameters.hindsight() || evals.contains(&Score::NONE) {
        return 0;
    }
    let sum = node.static_eval.0 + parent.static_eval.0;
    if parent.reduction >= DEEPER_FROM && sum <= 0 {
        1
    } else if parent.reduction >= SHALLOWER_FROM
        && node.depth >= 2
        && sum > parameters.hindsight_margin()
    {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::stack::Stack;
    use crate::search::test_support::node_state;
    use crate::types::Ply;

    /// Returns the change at a depth after a move with this reduction, made with the evaluation `before`, if the
    /// evaluation of the opponent is then `after`.
    fn change_at(depth: Depth, reduction: Depth, before: Score, after: Score) -> Depth {
        let mut parent = *Stack::new().at(Ply(2));
        parent.reduction = reduction;
        parent.static_eval = before;
        let node = NodeState {
            depth,
            ..node_state(after)
        };
        depth_change(&Parameters::default(), &node, &parent)
    }

    /// Returns the change at a depth of 8.
    fn change(reduction: Depth, before: Score, after: Score) -> Depth {
        change_at(8, reduction, before, after)
    }

    #[test]
    fn a_move_that_keeps_the_evaluation_is_searched_deeper() {
        assert_eq!(change(3, Score(20), Score(-20)), 1);
        assert_eq!(change(2, Score(20), Score(-20)), 0, "small reduction");
        assert_eq!(change(3, Score(20), Score(0)), 0, "evaluation has fallen");
    }

    #[test]
    fn a_move_that_loses_much_is_searched_shallower() {
        let margin = Parameters::default().hindsight_margin();
        let (small, large) = (Score(margin - 20), Score(margin - 19));
        assert_eq!(change(2, Score(20), large), -1);
        assert_eq!(change(2, Score(20), small), 0, "small loss");
        assert_eq!(change(1, Score(20), large), 0, "small reduction");
        assert_eq!(change_at(2, 2, Score(20), large), -1);
        assert_eq!(change_at(1, 2, Score(20), large), 0, "small depth");
    }

    #[test]
    fn nothing_changes_in_check() {
        assert_eq!(change(4, Score::NONE, Score(50)), 0);
        assert_eq!(change(4, Score(50), Score::NONE), 0);
    }
}
