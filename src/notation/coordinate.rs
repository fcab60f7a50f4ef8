//! Moves as coordinates, the way the protocol writes them.

use crate::rules::Variant;
use crate::types::{CastlingSide, File, Move, Square};

/// Writes a move as the protocol wants it: `e2e4`, `e7e8q`.
///
/// Castling is the king's two-square move (`e1g1`) in standard chess, and `O-O` or `O-O-O` in Fischer
/// Random, where squares could be misread.
pub fn write_coordinate(mv: Move, variant: Variant) -> String {
    if mv.is_castle() {
        let side = castling_side(mv);
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

/// Which castling a castling move is.
pub(super) fn castling_side(mv: Move) -> CastlingSide {
    if mv.to().file() > mv.from().file() {
        CastlingSide::HSide
    } else {
        CastlingSide::ASide
    }
}

/// Where the king stands after a castling move.
pub fn king_target(mv: Move) -> Square {
    Square::new(king_target_file(castling_side(mv)), mv.from().rank())
}

/// The file on which a castled king stands.
pub(super) const fn king_target_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::HSide => File::G,
        CastlingSide::ASide => File::C,
    }
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
