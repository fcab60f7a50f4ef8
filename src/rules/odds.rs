//! Games at odds: start positions in which one side lacks pieces or pawns.

use crate::board::Board;
use crate::types::{Color, File, Piece, PieceKind, Rank, Square};

use super::fischer_random::{START_POSITIONS, start_row};
use super::variant::Variant;

/// Number of the start position of normal chess among those of Fischer Random chess.
const STANDARD_ROW: usize = 518;

/// The odds of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// Side that lacks pieces or pawns.
    pub giver: Color,
    /// The missing pieces and pawns.
    pub missing: Vec<PieceKind>,
}

impl Odds {
    /// Returns the odds in a position that lacks pieces or pawns of one side, while all others are on their start
    /// squares. Castling rights, the side to move and the move counters do not matter. Returns `None` for any other
    /// position.
    pub fn of(board: &Board, variant: Variant) -> Option<Odds> {
        let giver = Color::ALL
            .into_iter()
            .min_by_key(|&color| men(board, color))?;
        let row = back_rank(board, !giver)?;
        let missing = missing_pieces(board, giver, row);
        let is_complete = men(board, !giver) == 16 && missing_pieces(board, !giver, row).is_empty();
        let are_others_home = men(board, giver) + missing.len() == 16;
        let are_odds = is_complete && are_others_home && !missing.is_empty();
        (are_odds && is_start_row(row, variant)).then_some(Odds { giver, missing })
    }
}

/// Returns `true` if games of this variant begin with this back rank.
fn is_start_row(row: [PieceKind; 8], variant: Variant) -> bool {
    match variant {
        Variant::Standard => row == start_row(STANDARD_ROW),
        Variant::Fischerandom => (0..START_POSITIONS).any(|number| row == start_row(number)),
    }
}

/// Returns the number of pieces and pawns of a side.
fn men(board: &Board, color: Color) -> usize {
    PieceKind::ALL
        .iter()
        .map(|&kind| board.count(color, kind))
        .sum()
}

/// Returns the pieces of a side on its home rank, from file a to h, or `None` if a square is empty.
fn back_rank(board: &Board, color: Color) -> Option<[PieceKind; 8]> {
    let mut row = [PieceKind::King; 8];
    for (place, file) in row.iter_mut().zip(File::all()) {
        let square = Square::new(file, Rank::home(color));
        *place = board
            .piece_on(square)
            .filter(|piece| piece.color == color)?
            .kind;
    }
    Some(row)
}

/// Returns the pieces and pawns of a side that are not on the start squares of a game with this back rank.
fn missing_pieces(board: &Board, color: Color, row: [PieceKind; 8]) -> Vec<PieceKind> {
    let pieces = row
        .into_iter()
        .zip(File::all())
        .map(|(kind, file)| (kind, file, Rank::home(color)));
    let pawns = File::all().map(|file| (PieceKind::Pawn, file, Rank::SECOND.relative_to(color)));
    pieces
        .chain(pawns)
        .filter(|&(kind, file, rank)| {
            board.piece_on(Square::new(file, rank)) != Some(Piece::new(color, kind))
        })
        .map(|(kind, ..)| kind)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::types::CastlingSide;

    /// Returns a setup with this back rank on both sides and all pawns.
    fn start(row: [PieceKind; 8]) -> Setup {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            for (kind, file) in row.into_iter().zip(File::all()) {
                let home = Square::new(file, Rank::home(color));
                let pawns = Square::new(file, Rank::SECOND.relative_to(color));
                setup.set(home, Some(Piece::new(color, kind)));
                setup.set(pawns, Some(Piece::new(color, PieceKind::Pawn)));
            }
        }
        setup
    }

    /// Returns the odds after these squares have been emptied.
    fn odds(row: [PieceKind; 8], empty: &[&str], variant: Variant) -> Option<Odds> {
        let mut setup = start(row);
        for name in empty {
            setup.set(Square::from_name(name).expect("a square"), None);
        }
        let board = Board::from_setup(&setup).expect("a legal position");
        Odds::of(&board, variant)
    }

    #[test]
    fn missing_pieces_are_odds() {
        let row = start_row(STANDARD_ROW);
        for (empty, giver, missing) in [
            (&["f7"][..], Color::Black, &[PieceKind::Pawn][..]),
            (&["b1"], Color::White, &[PieceKind::Knight]),
            (
                &["d8", "a7", "h8"],
                Color::Black,
                &[PieceKind::Queen, PieceKind::Rook, PieceKind::Pawn],
            ),
        ] {
            let expected = Odds {
                giver,
                missing: missing.to_vec(),
            };
            assert_eq!(odds(row, empty, Variant::Standard), Some(expected));
        }
    }

    #[test]
    fn other_positions_have_no_odds() {
        let row = start_row(STANDARD_ROW);
        assert_eq!(odds(row, &[], Variant::Standard), None);
        assert_eq!(odds(row, &["a7", "a2"], Variant::Standard), None);
    }

    #[test]
    fn all_others_must_be_on_their_start_squares() {
        for (from, to, color, kind) in [
            ("g8", "f6", Color::Black, PieceKind::Knight),
            ("e7", "e6", Color::Black, PieceKind::Pawn),
            ("e8", "e6", Color::Black, PieceKind::King),
            ("e2", "e4", Color::White, PieceKind::Pawn),
        ] {
            let mut setup = start(start_row(STANDARD_ROW));
            let piece = Piece::new(color, kind);
            for (name, piece) in [("b8", None), (from, None), (to, Some(piece))] {
                setup.set(Square::from_name(name).expect("a square"), piece);
            }
            let board = Board::from_setup(&setup).expect("a legal position");
            assert_eq!(Odds::of(&board, Variant::Standard), None, "{from}{to}");
        }
    }

    #[test]
    fn every_row_of_fischer_random_may_be_the_start() {
        for number in [0, 300, STANDARD_ROW, 959] {
            let row = start_row(number);
            let found = odds(row, &["c7"], Variant::Fischerandom);
            assert_eq!(found.map(|odds| odds.giver), Some(Color::Black), "{number}");
            let is_standard = number == STANDARD_ROW;
            assert_eq!(
                odds(row, &["c7"], Variant::Standard).is_some(),
                is_standard,
                "{number}"
            );
        }
    }

    #[test]
    fn castling_rights_do_not_matter() {
        let mut setup = start(start_row(STANDARD_ROW));
        setup.set(Square::from_name("b8").expect("a square"), None);
        setup.castling = Color::ALL.map(|_| {
            CastlingSide::ALL.map(|side| {
                File::from_letter(if side == CastlingSide::HSide {
                    'h'
                } else {
                    'a'
                })
            })
        });
        let board = Board::from_setup(&setup).expect("a legal position");
        let found = Odds::of(&board, Variant::Standard).expect("odds");
        assert_eq!(found.missing, [PieceKind::Knight]);
    }
}
