//! Index of a coloured piece and the square that it moves to.

use crate::board::Board;
use crate::types::Move;

/// Number of indices: [`Board::piece_code`] times 64, plus the index of the square.
pub(super) const PIECE_TO_COUNT: usize = 16 * 64;

/// A coloured piece and its target square, below [`PIECE_TO_COUNT`].
pub(in crate::search) type PieceTo = u16;

/// Index of a null move and of moves before the root; no piece has it.
pub(in crate::search) const NO_PIECE_TO: PieceTo = 0;

/// Returns the index of the moving piece and its target square, before the move is made.
#[inline]
pub(in crate::search) fn piece_to(board: &Board, mv: Move) -> PieceTo {
    ((board.piece_code(mv.from()) << 6 | mv.indices().1) % PIECE_TO_COUNT) as PieceTo
}

/// Row of the continuation history, below [`CONTINUATION_ROWS`]: an earlier move by piece, target square and whether it
/// was a capture.
pub(in crate::search) type ContinuationRow = u16;

/// Row after a null move, or if no move was made.
pub(in crate::search) const NO_CONTINUATION_ROW: ContinuationRow = NO_PIECE_TO;

/// Number of rows of the continuation history.
pub(super) const CONTINUATION_ROWS: usize = 2 * PIECE_TO_COUNT;

/// Returns the row of the continuation history for the moves after a move with this index.
#[inline]
pub(in crate::search) fn continuation_row(piece_to: PieceTo, is_capture: bool) -> ContinuationRow {
    piece_to + PIECE_TO_COUNT as u16 * u16::from(is_capture)
}

/// Returns the index of the target square, 0 to 63.
#[inline]
pub(in crate::search) fn target_index(piece_to: PieceTo) -> usize {
    usize::from(piece_to) % 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_an_index_with_its_target() {
        let board = Board::standard();
        for mv in board.legal_moves() {
            let index = piece_to(&board, mv);
            assert_ne!(index, NO_PIECE_TO);
            assert!(usize::from(index) < PIECE_TO_COUNT);
            assert_eq!(target_index(index), mv.indices().1);
        }
    }
}
