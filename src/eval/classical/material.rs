//! Material and piece-square values in one table, and the game phase.

use crate::types::{Color, PieceKind, Square, SquareSet};

use super::eval_context::EvalContext;
use super::value::Value;
use super::weights::{Weights, file_from_edge};

/// Game phase with all pieces on the board. The phase is 0 with only kings and pawns.
pub const FULL_PHASE: i32 = 24;

/// Contribution of each kind of piece to the game phase.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Material plus piece-square values, by color, kind and [`Square::index`].
///
/// Values of black pieces are negative, so that the value of a position is the sum over all its pieces.
pub(super) struct PieceSquares<V>([[[V; 64]; 6]; 2]);

impl<V: Value> PieceSquares<V> {
    /// Computes the table from the weights.
    pub(super) fn new(weights: &Weights<V>) -> PieceSquares<V> {
        let mut table = [[[V::ZERO; 64]; 6]; 2];
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let value = weights.material[kind.index()] + square_value(weights, kind, square);
                table[Color::White.index()][kind.index()][square.index()] = value;
                table[Color::Black.index()][kind.index()][square.flip_rank().index()] = -value;
            }
        }
        PieceSquares(table)
    }

    /// Returns the value of one piece from White's perspective.
    #[inline]
    pub(super) fn of(&self, color: Color, kind: PieceKind, square: Square) -> V {
        self.0[color.index()][kind.index()][square.index()]
    }
}

/// Returns the piece-square value of a white piece, without material.
pub(super) fn square_value<V: Value>(weights: &Weights<V>, kind: PieceKind, square: Square) -> V {
    weights.squares[kind.index()][4 * square.rank().index() + file_from_edge(square)]
}

/// Returns the game phase, from 0 (only kings and pawns) to [`FULL_PHASE`].
#[inline]
pub(super) fn phase(context: &EvalContext) -> i32 {
    let phase_of = |kind: PieceKind| {
        let count =
            context.pieces(Color::White, kind).len() + context.pieces(Color::Black, kind).len();
        PHASE[kind.index()] * count as i32
    };
    let phase = phase_of(PieceKind::Knight)
        + phase_of(PieceKind::Bishop)
        + phase_of(PieceKind::Rook)
        + phase_of(PieceKind::Queen);
    phase.min(FULL_PHASE)
}

/// Returns `true` if `us` has bishops on squares of both colours.
#[inline]
pub(super) fn has_bishop_pair(context: &EvalContext, us: Color) -> bool {
    let bishops = context.pieces(us, PieceKind::Bishop);
    bishops.intersects(SquareSet::DARK) && bishops.intersects(!SquareSet::DARK)
}
