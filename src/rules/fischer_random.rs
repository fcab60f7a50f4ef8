//! Start positions of Fischer Random chess.

use crate::types::PieceKind;

/// Number of start positions of Fischer Random chess.
pub const START_POSITIONS: usize = 960;

/// Returns the back rank, from file a to h, of the start position with this number, modulo 960, in the numbering of
/// Reinhard Scharnagl. Number 518 is the start position of normal chess.
///
/// ```
/// use gaur::rules::start_row;
/// use gaur::types::PieceKind;
///
/// let queens = start_row(518).map(|kind| kind == PieceKind::Queen);
/// assert_eq!(queens.iter().position(|&is_queen| is_queen), Some(3));
/// ```
pub fn start_row(number: usize) -> [PieceKind; 8] {
    let mut rest = number % START_POSITIONS;
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let mut row = [None; 8];
    put(&mut row, PieceKind::Bishop, |file| file % 2 == 1, digit(4));
    put(&mut row, PieceKind::Bishop, |file| file % 2 == 0, digit(4));
    put(&mut row, PieceKind::Queen, |_| true, digit(6));
    // The ten ways to put two knights on five files, in order.
    let mut pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| [second, first]));
    // The second one first, so that the places of the first one do not change.
    for place in pairs.nth(digit(10)).into_iter().flatten() {
        put(&mut row, PieceKind::Knight, |_| true, place);
    }
    // The king has the middle one of the files that are left.
    for place in [2, 0] {
        put(&mut row, PieceKind::Rook, |_| true, place);
    }
    row.map(|kind| kind.unwrap_or(PieceKind::King))
}

/// Puts a piece on the empty file with this index among those that `is_possible` accepts.
fn put(
    row: &mut [Option<PieceKind>; 8],
    kind: PieceKind,
    is_possible: impl Fn(usize) -> bool,
    index: usize,
) {
    let mut places = row
        .iter_mut()
        .enumerate()
        .filter(|(file, piece)| piece.is_none() && is_possible(*file));
    if let Some((_, piece)) = places.nth(index) {
        *piece = Some(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_usual_ones() {
        for (number, expected) in [
            (0, "BBQNNRKR"),
            (518, "RNBQKBNR"),
            (959, "RKRNNQBB"),
            (960 + 518, "RNBQKBNR"),
        ] {
            let row: String = start_row(number).iter().map(|kind| kind.letter()).collect();
            assert_eq!(row, expected, "{number}");
        }
    }
}
