//! Moves in standard algebraic notation, written.

use std::fmt::Write;

use super::coordinate::{castling_text, write_coordinate};
use crate::board::Board;
use crate::rules::Position;
use crate::types::{Move, MoveList, PieceKind, Square};

/// Writes a move in standard algebraic notation: `Nbd2`, `exd6`, `e8=Q+`, `O-O-O#`.
///
/// The text names the from square only as far as needed to distinguish the move from other legal ones. A move that
/// is not legal here is written as coordinates.
pub fn write_san(position: &Position, mv: Move) -> String {
    let board = position.board();
    let moves = board.legal_moves();
    let Some(piece) = board.piece_on(mv.from()).filter(|_| moves.contains(&mv)) else {
        return write_coordinate(mv, position.variant());
    };
    let mut text = String::with_capacity(8);
    if mv.is_castle() {
        text.push_str(castling_text(mv.castling_side()));
    } else {
        write_step(board, &moves, mv, piece.kind, &mut text);
    }
    text.push_str(check_sign(board, mv));
    text
}

fn write_step(board: &Board, moves: &MoveList, mv: Move, kind: PieceKind, text: &mut String) {
    if kind == PieceKind::Pawn {
        if mv.is_capture() {
            text.push(mv.from().file().letter());
        }
    } else {
        text.push(kind.letter());
        write_origin(board, moves, mv, kind, text);
    }
    if mv.is_capture() {
        text.push('x');
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", mv.to());
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(kind.letter());
    }
}

/// Names the file, the rank or both, as far as pieces of the same kind make it necessary.
fn write_origin(board: &Board, moves: &MoveList, mv: Move, kind: PieceKind, text: &mut String) {
    let from = mv.from();
    let is_similar = |other: &&Move| {
        !other.is_castle()
            && other.to() == mv.to()
            && other.from() != from
            && board
                .piece_on(other.from())
                .is_some_and(|piece| piece.kind == kind)
    };
    let similar_moves = || moves.iter().filter(is_similar).map(|other| other.from());
    if similar_moves().next().is_none() {
        return;
    }
    let shares_file = similar_moves().any(|other: Square| other.file() == from.file());
    let shares_rank = similar_moves().any(|other: Square| other.rank() == from.rank());
    if !shares_file || shares_rank {
        text.push(from.file().letter());
    }
    if shares_file {
        text.push(from.rank().digit());
    }
}

fn check_sign(board: &Board, mv: Move) -> &'static str {
    let mut after = board.clone();
    let _ = after.make(mv);
    match (after.in_check(), after.legal_moves().is_empty()) {
        (true, true) => "#",
        (true, false) => "+",
        (false, _) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_fen, parse_move};
    use crate::rules::Variant;

    /// Returns the SAN of a move given in coordinates.
    fn san(fen: &str, coordinates: &str) -> String {
        let board = Board::from_setup(&parse_fen(fen).unwrap()).unwrap();
        let position = Position::new(board, Variant::Standard);
        let mv = parse_move(&position, coordinates).unwrap();
        write_san(&position, mv)
    }

    #[test]
    fn plain_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(san(start, "e2e4"), "e4");
        assert_eq!(san(start, "g1f3"), "Nf3");
    }

    #[test]
    fn captures_promotions_and_en_passant() {
        let fen = "1r2k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 2";
        assert_eq!(san(fen, "e5d6"), "exd6");
        assert_eq!(san(fen, "a7a8q"), "a8=Q");
        assert_eq!(san(fen, "a7b8r"), "axb8=R+");
    }

    #[test]
    fn the_square_left_is_named_as_far_as_needed() {
        assert_eq!(san("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2"), "Nbd2");
        assert_eq!(san("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3"), "R1a3");
        // Three queens: neither file nor rank alone will do for the one in the corner.
        assert_eq!(san("1k6/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h4e1"), "Qh4e1");
        // A pinned piece does not make the move ambiguous.
        assert_eq!(san("4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1", "a1c2"), "Nc2");
        assert_eq!(san("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1", "b1c3"), "Nc3");
    }

    #[test]
    fn check_mate_and_castling() {
        assert_eq!(san("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8+");
        assert_eq!(san("7k/R7/8/8/8/8/8/1R2K3 w - - 0 1", "b1b8"), "Rb8#");
        assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
        assert_eq!(san("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "O-O-O");
    }

    #[test]
    fn a_move_that_is_not_legal_is_written_as_coordinates() {
        let position = Position::standard();
        for bits in 1..=u16::MAX {
            let mv = Move::from_bits(bits).unwrap();
            if !position.is_legal(mv) {
                assert!(write_san(&position, mv).len() >= 3, "{mv:?}");
            }
        }
    }
}
