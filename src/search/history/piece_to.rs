//! Indices of a coloured piece and the square that it moves to, and rows of the continuation history.

use crate::board::Board;
use crate::types::Move;

/// Number of indices: 64 target squares for no piece and for each of the 12 coloured pieces. Tables by two of them take
/// a third less memory than with [`Board::piece_code`], of whose 16 values 13 occur.
pub(super) const PIECE_TO_COUNT: usize = 13 * 64;

/// A coloured piece and its target square, below [`PIECE_TO_COUNT`].
pub(in crate::search) type PieceTo = u16;

/// Index of a null move and of moves before the root; no piece has it.
pub(in crate::search) const NO_PIECE_TO: PieceTo = 0;

/// Returns the index of the moving piece and its target square, before the move is made.
#[inline]
pub(in crate::search) fn piece_to(board: &Board, mv: Move) -> PieceTo {
    let code = board.piece_code(mv.from());
    // White has the codes 1 to 6, Black 9 to 14.
    let piece = code - (code >> 3) * 2;
    // The minimum spares checks of bounds.
    (piece << 6 | mv.indices().1).min(PIECE_TO_COUNT - 1) as PieceTo
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
    use std::collections::HashMap;

    use super::*;
    use crate::notation::parse_fen;
    use crate::types::Color;

    #[test]
    fn every_piece_and_target_has_an_index_of_its_own() {
        let mut found = HashMap::new();
        for (fen, color) in [
            ("k7/8/8/8/3QRBN1/8/7P/4K3 w - - 0 1", Color::White),
            ("4k3/7p/8/3qrbn1/8/8/8/K7 b - - 0 1", Color::Black),
        ] {
            let board = Board::from_setup(&parse_fen(fen).expect("a FEN")).expect("legal");
            for mv in board.legal_moves() {
                let index = piece_to(&board, mv);
                assert!(index != NO_PIECE_TO && usize::from(index) < PIECE_TO_COUNT);
                assert_eq!(target_index(index), mv.indices().1);
                let piece = board.piece_on(mv.from()).expect("the moving piece");
                assert_eq!(piece.color, color);
                let other = found.insert(index, (piece, mv.to()));
                assert!(
                    other.is_none_or(|other| other == (piece, mv.to())),
                    "{mv:?}"
                );
            }
        }
        assert!(found.len() > 100);
    }
}
