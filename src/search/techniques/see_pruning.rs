//! SEE pruning: near the horizon, moves that lose too much material by static exchange evaluation are skipped.

use crate::board::Board;
use crate::config::Parameters;

use crate::search::history::HistoryContext;
use crate::search::move_context::MoveContext;
use crate::search::node::NodeState;

/// Returns `true` if a quiet move loses too much material for its reduced depth. Only moves from or to a square that
/// the opponent attacks are examined.
#[inline]
pub(in crate::search) fn quiet_loses_material(
    parameters: &Parameters,
    board: &Board,
    context: &HistoryContext,
    mv: &MoveContext,
) -> bool {
    let loss = parameters.see_pruning_quiet() * mv.reduced_depth * mv.reduced_depth;
    parameters.see_pruning()
        && mv.reduced_depth <= parameters.see_pruning_depth()
        && context.touches_attacked_square(board, mv.mv)
        && !board.see_at_least(mv.mv, -loss)
}

/// Returns `true` if a capture or promotion loses too much material for the depth. The history score raises or lowers
/// the permitted loss.
#[inline]
pub(in crate::search) fn capture_loses_material(
    parameters: &Parameters,
    board: &Board,
    node: &NodeState,
    mv: &MoveContext,
) -> bool {
    let loss = parameters.see_pruning_noisy() * node.depth + mv.history_score / 64;
    parameters.see_pruning()
        && node.depth <= parameters.see_pruning_depth()
        && !board.see_at_least(mv.mv, -loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::NO_PIECE_TO;
    use crate::search::test_support::{move_context, node_state, position};
    use crate::types::{Color, Key, Move, Score, Square};

    /// Returns the legal move between two squares.
    fn find(board: &Board, from: &str, to: &str) -> Move {
        let [from, to] = [from, to].map(|name| Square::from_name(name).expect("a square"));
        let mut moves = board.legal_moves().into_iter();
        let found = moves.find(|mv| mv.from() == from && mv.to() == to);
        found.expect("a legal move")
    }

    #[test]
    fn a_queen_that_takes_a_defended_pawn_is_pruned_near_the_horizon() {
        let parameters = Parameters::default();
        let position = position(Color::White, "Kg1 Qd1 kg8 pd5 pe6", 0);
        let board = position.board();
        let context = HistoryContext::new([NO_PIECE_TO; 3], Key(0));
        let node = NodeState {
            depth: 2,
            ..node_state(Score(0))
        };
        let mv = |from, to| MoveContext {
            mv: find(board, from, to),
            reduced_depth: 2,
            ..move_context()
        };
        let loses = |mv: &MoveContext| quiet_loses_material(&parameters, board, &context, mv);
        // The pawn on d5 attacks c4 and e4, the pawn on e6 defends d5.
        assert!(!loses(&mv("d1", "d4")));
        let capture = mv("d1", "d5");
        assert!(capture_loses_material(&parameters, board, &node, &capture));
        let deep = NodeState { depth: 20, ..node };
        assert!(!capture_loses_material(&parameters, board, &deep, &capture));
    }

    #[test]
    fn quiet_moves_that_lose_a_piece_are_pruned() {
        let parameters = Parameters::default();
        let position = position(Color::White, "Kg1 Qc1 kg8 pd5", 0);
        let board = position.board();
        let context = HistoryContext::new([NO_PIECE_TO; 3], Key(0));
        let mv = |to| MoveContext {
            mv: find(board, "c1", to),
            reduced_depth: 2,
            ..move_context()
        };
        let loses = |mv: &MoveContext| quiet_loses_material(&parameters, board, &context, mv);
        assert!(loses(&mv("c4")));
        assert!(!loses(&mv("c3")));
    }
}
