//! The position in the form that the tables need.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

use crate::board::Board;
use crate::types::{Color, PieceKind};

/// Returns the position of a board without castling rights. Returns nothing if the library does not accept it.
pub(super) fn of(board: &Board) -> Option<Chess> {
    let mut by_role = ByRole::<Bitboard>::default();
    let mut by_color = ByColor::<Bitboard>::default();
    for color in Color::ALL {
        let of_color = match color {
            Color::White => &mut by_color.white,
            Color::Black => &mut by_color.black,
        };
        for kind in PieceKind::ALL {
            let of_role = match kind {
                PieceKind::Pawn => &mut by_role.pawn,
                PieceKind::Knight => &mut by_role.knight,
                PieceKind::Bishop => &mut by_role.bishop,
                PieceKind::Rook => &mut by_role.rook,
                PieceKind::Queen => &mut by_role.queen,
                PieceKind::King => &mut by_role.king,
            };
            for square in board.pieces(color, kind) {
                let square = of_square(square);
                of_role.add(square);
                of_color.add(square);
            }
        }
    }
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: match board.side_to_move() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        ep_square: board.en_passant().map(of_square),
        // The tables assume that the last move was a capture or pawn move.
        halfmoves: 0,
        fullmoves: NonZeroU32::MIN,
        ..Setup::empty()
    };
    // A user can set up positions that no game reaches.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn of_square(square: crate::types::Square) -> Square {
    // The index is below 64.
    Square::new(square.index() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use shakmaty::Position as _;

    #[test]
    fn legal_moves_stay_the_same_also_en_passant() {
        for (fen, has_en_passant) in [
            ("8/8/8/3pP3/8/8/k7/7K w - d6 0 2", true),
            ("8/8/8/3pP3/8/8/k7/7K w - - 0 2", false),
            ("7k/K7/8/8/2pP4/8/8/8 b - d3 0 2", true),
            // The pawn is pinned.
            ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", false),
            ("8/8/8/8/4k3/8/4P3/4K3 b - - 7 20", false),
        ] {
            let board = Board::from_setup(&parse_fen(fen).expect("a FEN")).expect("legal");
            let position = of(&board).expect("accepted");
            let moves = position.legal_moves();
            assert_eq!(moves.len() as u64, board.count_legal(), "{fen}");
            let en_passant = moves.iter().filter(|mv| mv.is_en_passant()).count();
            assert_eq!(en_passant, usize::from(has_en_passant), "{fen}");
            assert_eq!(position.turn().is_white(), fen.contains(" w "), "{fen}");
        }
    }
}
