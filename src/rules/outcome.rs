//! Results of a game on the board.

use crate::board::Board;
use crate::types::{Color, PieceKind, Square};

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated.
    Mate {
        /// Side that gave mate.
        winner: Color,
    },
    /// A draw.
    Draw(DrawReason),
}

/// Reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// No legal move, no check.
    Stalemate,
    /// The position has occurred for the third time.
    Repetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate by any sequence of moves; see [`is_material_insufficient`].
    InsufficientMaterial,
}

/// Returns `true` if neither side can mate by the definition of the xboard protocol: bare kings, one minor piece in
/// all, or any number of bishops that all stand on squares of one colour.
pub fn is_material_insufficient(board: &Board) -> bool {
    let count = |kind| board.count(Color::White, kind) + board.count(Color::Black, kind);
    let has = |kind| count(kind) > 0;
    if has(PieceKind::Pawn) || has(PieceKind::Rook) || has(PieceKind::Queen) {
        return false;
    }
    match (count(PieceKind::Knight), count(PieceKind::Bishop)) {
        (0, 0) | (1, 0) => true,
        (0, _) => {
            let mut bishops = Color::ALL
                .into_iter()
                .flat_map(|color| board.pieces(color, PieceKind::Bishop));
            let first = bishops.next().map(Square::is_light);
            bishops.all(|square| Some(square.is_light()) == first)
        }
        _ => false,
    }
}
