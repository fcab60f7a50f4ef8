//! Moves as coordinates, the way the protocol writes them.

use crate::rules::Variant;
use crate::types::{CastlingSide, File, Move, Square};

/// Writes a move as the protocol wants it: `e2e4`, `e7e8q`.
///
/// Castling is the king's two-square move (`e1g1`) in standard chess, and `O-O` or `O-O-O` in Fischer
/// Random, where squares could be misread.
pub fn write_coordinate(mv: Move, variant: Variant) -> String {
    if mv.is_castle() {
        let side = mv.castling_side();
        return match (variant, mv.from().file()) {
            (Variant::Standard, File::E) => format!("{}{}", mv.from(), king_target(mv)),
            _ => castling_text(side).to_owned(),
        };
    }
    let (from, to) = (mv.from(), mv.to());
    match mv.promotion() {
        Some(kind) => format!("{from}{to}{}", kind.letter().to_ascii_lowercase()),
        None => format!("{from}{to}"),
    }
}

/// Returns the king's square after a castling move.
///
/// ```
/// use gaur::notation::king_target;
/// use gaur::types::{Move, MoveKind, Square};
///
/// let square = |name| Square::from_name(name).unwrap();
/// let castling = Move::new(square("e1"), square("h1"), MoveKind::Castle);
/// assert_eq!(king_target(castling), square("g1"));
/// ```
pub fn king_target(mv: Move) -> Square {
    Square::new(mv.castling_side().king_file(), mv.from().rank())
}

/// `O-O` or `O-O-O`.
pub(super) const fn castling_text(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::HSide => "O-O",
        CastlingSide::ASide => "O-O-O",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, PieceKind};

    fn square(name: &str) -> Square {
        Square::from_name(name).unwrap()
    }

    #[test]
    fn plain_moves_and_promotions() {
        let push = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
        assert_eq!(write_coordinate(push, Variant::Standard), "e2e4");
        let kind = MoveKind::promotion(PieceKind::Knight, true);
        let promotion = Move::new(square("b7"), square("a8"), kind);
        assert_eq!(write_coordinate(promotion, Variant::Fischerandom), "b7a8n");
    }

    #[test]
    fn castling_is_written_for_the_variant() {
        for (rook, standard, fischerandom) in [
            ("h1", "e1g1", "O-O"),
            ("a1", "e1c1", "O-O-O"),
            ("h8", "e8g8", "O-O"),
        ] {
            let king = Square::new(File::E, square(rook).rank());
            let mv = Move::new(king, square(rook), MoveKind::Castle);
            assert_eq!(write_coordinate(mv, Variant::Standard), standard);
            assert_eq!(write_coordinate(mv, Variant::Fischerandom), fischerandom);
        }
    }
}
