//! Material and piece squares in one table, and the phase of the game.

use crate::types::{Color, PieceKind, Square};

use super::eval_context::EvalContext;
use super::square_set::SquareSet;
use super::value::Value;
use super::weights::{Weights, file_from_edge};

/// The phase with all pieces on the board; 0 with kings and pawns alone.
pub(super) const FULL_PHASE: i32 = 24;

/// What each kind adds to the phase.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Worth of a piece on a square by colour, kind and [`Square::index`], material included; White's
/// positive, Black's negative, so that a position is a plain sum.
pub(super) struct PieceSquares<V>([[[V; 64]; 6]; 2]);

impl<V: Value> PieceSquares<V> {
    /// The table that follows from the weights.
    pub(super) fn new(weights: &Weights<V>) -> PieceSquares<V> {
        let mut table = [[[V::ZERO; 64]; 6]; 2];
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let worth = weights.material[kind.index()] + square_value(weights, kind, square);
                table[Color::White.index()][kind.index()][square.index()] = worth;
                table[Color::Black.index()][kind.index()][square.flip_rank().index()] = -worth;
            }
        }
        PieceSquares(table)
    }

    /// Worth of one piece in White's eyes.
    #[inline]
    pub(super) fn of(&self, color: Color, kind: PieceKind, square: Square) -> V {
        self.0[color.index()][kind.index()][square.index()]
    }
}

/// The piece-square value of a white piece, without material.
pub(super) fn square_value<V: Value>(weights: &Weights<V>, kind: PieceKind, square: Square) -> V {
    weights.squares[kind.index()][4 * square.rank().index() + file_from_edge(square)]
}

/// How much of the middlegame is left, 0 to [`FULL_PHASE`].
#[inline]
pub(super) fn phase(context: &EvalContext) -> i32 {
    let weigh = |kind: PieceKind| {
        let count =
            context.pieces(Color::White, kind).len() + context.pieces(Color::Black, kind).len();
        PHASE[kind.index()] * count as i32
    };
    let phase = weigh(PieceKind::Knight)
        + weigh(PieceKind::Bishop)
        + weigh(PieceKind::Rook)
        + weigh(PieceKind::Queen);
    phase.min(FULL_PHASE)
}

/// Whether `us` has bishops on both colours.
#[inline]
pub(super) fn has_bishop_pair(context: &EvalContext, us: Color) -> bool {
    let bishops = context.pieces(us, PieceKind::Bishop);
    bishops.meets(SquareSet::DARK) && bishops.meets(!SquareSet::DARK)
}
