//! Context of history scores: earlier moves, pawn structure and attacked squares.

use std::cell::OnceCell;

use crate::board::{AttackMap, Board};
use crate::types::{Key, Move, SquareSet};

use super::piece_to::ContinuationRow;

/// The properties of a position on which the history score of a move depends. The attacked squares are computed when
/// they are first needed; all calls must pass the board of the same position.
#[derive(Debug)]
pub(in crate::search) struct HistoryContext {
    /// The rows of the continuation history for the moves 1, 2 and 4 plies before.
    pub continuation_rows: [ContinuationRow; 3],
    /// The pawn key.
    pub pawn_key: Key,
    /// The squares that the opponent attacks, by the value of the attackers, once computed.
    threats: OnceCell<AttackMap>,
}

impl HistoryContext {
    /// Returns the context of a position with this pawn key after the moves with these rows.
    #[inline]
    pub fn new(continuation_rows: [ContinuationRow; 3], pawn_key: Key) -> HistoryContext {
        HistoryContext {
            continuation_rows,
            pawn_key,
            threats: OnceCell::new(),
        }
    }

    /// Returns `true` if the opponent attacks the from or to square of a quiet move.
    ///
    /// If not, the opponent cannot capture the moved piece: a slider that attacks the to square only after the move
    /// attacks the from square before.
    #[inline]
    pub fn touches_attacked_square(&self, board: &Board, mv: Move) -> bool {
        threat_index(self.threats(board).by_all, mv) != 0
    }

    /// Returns the squares that the opponent attacks, by the value of the attackers.
    #[inline]
    pub fn threats(&self, board: &Board) -> &AttackMap {
        self.threats
            .get_or_init(|| board.attack_map(!board.side_to_move()))
    }
}

/// Returns an index, 0 to 3, of whether the squares of a move are attacked: 2 for the from square plus 1 for the to
/// square.
#[inline]
pub(super) fn threat_index(threats: SquareSet, mv: Move) -> usize {
    let (from, to) = mv.indices();
    usize::from(threats.contains_index(from)) * 2 + usize::from(threats.contains_index(to))
}
