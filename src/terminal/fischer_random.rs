//! Start positions of Fischer Random chess.

use crate::types::PieceKind;

/// Number of start positions.
const POSITIONS: u64 = 960;

/// Number of files.
const FILES: usize = 8;

/// The ways to put two knights on five files.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// Returns the FEN of the start position with this number, modulo 960, in the usual numbering: bishops on squares of
/// different colours, and the king between the rooks. Number 518 is the start position of normal chess.
pub(super) fn start_position(number: u64) -> String {
    let mut rest = (number % POSITIONS) as usize;
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let mut files = [None; FILES];
    put(
        &mut files,
        PieceKind::Bishop,
        |file| file % 2 == 1,
        digit(4),
    );
    put(
        &mut files,
        PieceKind::Bishop,
        |file| file % 2 == 0,
        digit(4),
    );
    put(&mut files, PieceKind::Queen, |_| true, digit(6));
    let (first, second) = KNIGHTS.get(digit(10)).copied().unwrap_or_default();
    // The second one first, so that the places of the first one do not change.
    put(&mut files, PieceKind::Knight, |_| true, second);
    put(&mut files, PieceKind::Knight, |_| true, first);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        put(&mut files, kind, |_| true, 0);
    }
    let white: String = files.iter().flatten().map(|kind| kind.letter()).collect();
    let black = white.to_ascii_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

/// Puts a piece on the empty file with this index among those that `is_possible` accepts.
fn put(
    files: &mut [Option<PieceKind>; FILES],
    kind: PieceKind,
    is_possible: impl Fn(usize) -> bool,
    index: usize,
) {
    let mut places = files
        .iter_mut()
        .enumerate()
        .filter(|(file, piece)| piece.is_none() && is_possible(*file));
    if let Some((_, piece)) = places.nth(index) {
        *piece = Some(kind);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::parse_fen_for;
    use crate::rules::{Position, Variant};

    #[test]
    fn all_positions_are_different_and_legal() {
        let positions: BTreeSet<String> = (0..POSITIONS).map(start_position).collect();
        assert_eq!(positions.len(), 960);
        for fen in &positions {
            let setup = parse_fen_for(fen, Variant::Fischerandom).expect("a FEN");
            let position = Position::from_setup(&setup, Variant::Fischerandom).expect("legal");
            assert!(
                position
                    .board()
                    .to_setup()
                    .castling
                    .iter()
                    .flatten()
                    .all(Option::is_some)
            );
            let (first_rank, _) = fen.split_once('/').expect("ranks");
            let at = |letter| first_rank.match_indices(letter).map(|(file, _)| file);
            let bishops: Vec<usize> = at("b").collect();
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{fen}");
            let rooks: Vec<usize> = at("r").collect();
            let king = at("k").next().expect("a king");
            assert!(rooks[0] < king && king < rooks[1], "{fen}");
        }
    }

    #[test]
    fn the_numbers_are_the_usual_ones() {
        for (number, first_rank) in [
            (0, "bbqnnrkr"),
            (518, "rnbqkbnr"),
            (959, "rkrnnqbb"),
            (960 + 518, "rnbqkbnr"),
        ] {
            assert!(start_position(number).starts_with(first_rank), "{number}");
        }
    }
}
