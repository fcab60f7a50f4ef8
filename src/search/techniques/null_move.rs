//! Null move pruning: if the score reaches beta although the side to move passes, the node is pruned. (Don Beal,
//! Chrilly Donninger.)

use crate::board::Board;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply, Score};

use crate::search::node::{NodeState, NonPv};
use crate::search::searcher::Searcher;

/// Returns `true` if a null move may be tried at a node. The estimate must reach beta, the static evaluation must be
/// high enough for the depth (`null_move_slack` lowers the requirement per ply), and the table entry must not be an
/// upper bound below beta.
///
/// With king and pawns alone it is not tried: there, zugzwang is frequent, and every legal move can be worse than
/// passing.
#[inline]
fn allows_null_move(parameters: &Parameters, board: &Board, node: &NodeState) -> bool {
    let NodeState { depth, beta, .. } = *node;
    parameters.null_move()
        && depth >= parameters.null_move_depth()
        && node.estimate >= beta
        && node.static_eval + parameters.null_move_slack() * depth
            >= beta + parameters.null_move_margin()
        && beta > -Score::TABLEBASE_BOUND
        && node.table_entry.is_none_or(|entry| {
            entry.bound != Bound::Upper || entry.score.from_table(node.ply) >= beta
        })
        && board.has_pieces(board.side_to_move())
}

/// Returns the plies by which the null move search is shallower than the node. They grow with the depth and with the
/// surplus, the amount by which the estimate exceeds beta.
#[inline]
fn null_move_reduction(parameters: &Parameters, node: &NodeState) -> Depth {
    let surplus = (node.estimate.0 - node.beta.0) / parameters.null_move_surplus().max(1);
    parameters.null_move_base()
        + node.depth / parameters.null_move_divisor().max(1)
        + surplus.clamp(0, 3)
}

/// Returns the score of a node that a null move has pruned. A win found after a null move is not proven.
#[inline]
fn null_move_score(score: Score, beta: Score) -> Score {
    if score >= Score::TABLEBASE_BOUND {
        beta
    } else {
        score
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Returns `true` if a null move is permitted at `ply`: the last move was not a null move, and no null move is
    /// being verified there.
    #[inline]
    pub(in crate::search) fn null_move_permitted(&self, ply: Ply) -> bool {
        !self.stack.before(ply, 1).is_null_move && !self.stack.at(ply).null_move_disabled
    }

    /// Searches a null move and returns a score of at least beta if the opponent cannot refute it.
    ///
    /// Returns `None` if the conditions are not met, if the null move or its verification fails low, or if the search
    /// was stopped.
    #[inline]
    pub(in crate::search) fn try_null_move(&mut self, node: &NodeState) -> Option<Score> {
        if allows_null_move(&self.parameters, &self.board, node) {
            self.search_null_move(node)
        } else {
            None
        }
    }

    /// Searches a null move, and verifies a fail high if the depth is at least `null_move_verification`.
    fn search_null_move(&mut self, node: &NodeState) -> Option<Score> {
        let &NodeState {
            beta, depth, ply, ..
        } = node;
        let reduced_depth = depth - null_move_reduction(&self.parameters, node);
        let undo = self.make_null_move(ply);
        let score = -self.search::<NonPv>(-beta, -beta + 1, reduced_depth, ply.next(), false);
        self.unmake_null_move(undo);
        if self.stopped || score < beta {
            return None;
        }
        if depth >= self.parameters.null_move_verification() {
            // Zugzwang also occurs with pieces on the board. A search without the null move verifies the fail high.
            self.stack.at_mut(ply).null_move_disabled = true;
            let verified = self.search::<NonPv>(beta - 1, beta, reduced_depth.max(1), ply, false);
            self.stack.at_mut(ply).null_move_disabled = false;
            if self.stopped || verified < beta {
                return None;
            }
        }
        Some(null_move_score(score, beta))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{node_state, position, searcher_at};
    use crate::types::Color;

    #[test]
    fn no_null_move_with_pawns_alone_or_below_beta() {
        let parameters = Parameters::default();
        let board = |pieces| position(Color::White, pieces, 0).board().clone();
        let pawns = board("Ke1 ke8 Pa2");
        assert!(!allows_null_move(
            &parameters,
            &pawns,
            &node_state(Score(500))
        ));
        let knight = board("Ke1 ke8 Pa2 Nb1");
        assert!(allows_null_move(
            &parameters,
            &knight,
            &node_state(Score(500))
        ));
        assert!(
            !allows_null_move(&parameters, &knight, &node_state(Score(-1))),
            "below beta"
        );
    }

    #[test]
    fn reductions_grow_with_depth_and_surplus() {
        let parameters = Parameters::default();
        let reduction = |depth, estimate| {
            let node = NodeState {
                depth,
                ..node_state(Score(estimate))
            };
            null_move_reduction(&parameters, &node)
        };
        assert!(reduction(16, 10) > reduction(4, 10));
        assert_eq!(reduction(4, 5000), reduction(4, 10) + 3);
    }

    #[test]
    fn null_moves_prove_no_mate() {
        let mate = Score::mate_in(Ply(7));
        assert_eq!(null_move_score(mate, Score(30)), Score(30));
        assert_eq!(null_move_score(Score(90), Score(30)), Score(90));
    }

    #[test]
    fn two_null_moves_in_a_row_are_not_permitted() {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 Rd1 kg8", 0));
        assert!(searcher.null_move_permitted(Ply(2)));
        searcher.stack.at_mut(Ply(1)).is_null_move = true;
        assert!(!searcher.null_move_permitted(Ply(2)));
        searcher.stack.at_mut(Ply(4)).null_move_disabled = true;
        assert!(!searcher.null_move_permitted(Ply(4)), "being verified");
    }
}
