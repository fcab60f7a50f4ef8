//! Attacks of sliding pieces on a set of occupied squares, and X-ray attacks through one piece.

use crate::types::{Square, SquareSet};

/// Directions towards higher square indices, in files and ranks. Orthogonal ones have even numbers.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 1), (1, 0), (-1, 1)];

/// Squares of one line through a square, with lower and with higher indices.
#[derive(Clone, Copy)]
struct Line {
    below: SquareSet,
    above: SquareSet,
}

/// The four lines through a square by direction, in one cache line.
#[repr(align(64))]
struct Star([Line; 4]);

/// Lines through each square.
static STARS: [Star; 64] = {
    const EMPTY: Line = Line {
        below: SquareSet::EMPTY,
        above: SquareSet::EMPTY,
    };
    let mut stars = [const { Star([EMPTY; 4]) }; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIRECTIONS[direction];
            stars[index].0[direction] = Line {
                below: ray(square, -files, -ranks),
                above: ray(square, files, ranks),
            };
            direction += 1;
        }
        index += 1;
    }
    stars
};

/// Returns all squares in one direction from `square`.
const fn ray(square: Square, files: i8, ranks: i8) -> SquareSet {
    let mut ray = SquareSet::EMPTY;
    let mut here = square;
    while let Some(next) = here.offset(files, ranks) {
        ray = ray.with(next);
        here = next;
    }
    ray
}

/// Squares that a bishop and a rook would attack from a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// Attacks of a bishop.
    pub(super) diagonal: SquareSet,
    /// Attacks of a rook.
    pub(super) orthogonal: SquareSet,
}

/// Returns the attacks of a bishop and of a rook from `square`.
#[inline]
pub(super) fn lines_from(square: Square, occupied: SquareSet) -> Lines {
    Lines {
        diagonal: diagonal_from(square, occupied),
        orthogonal: orthogonal_from(square, occupied),
    }
}

/// Returns the attacks of a bishop from `square`.
#[inline]
pub(super) fn diagonal_from(square: Square, occupied: SquareSet) -> SquareSet {
    line_attacks(1, square, occupied) | line_attacks(3, square, occupied)
}

/// Returns the attacks of a rook from `square`.
#[inline]
pub(super) fn orthogonal_from(square: Square, occupied: SquareSet) -> SquareSet {
    line_attacks(0, square, occupied) | line_attacks(2, square, occupied)
}

/// Returns the squares of one line on both sides of `square`, up to and including the first occupied square.
#[inline]
fn line_attacks(direction: usize, square: Square, occupied: SquareSet) -> SquareSet {
    let Line { below, above } = STARS[square.index()].0[direction];
    SquareSet::between_obstacles(below, above, occupied)
}

/// Returns `true` if one of `bishops` or `rooks` attacks `square` through exactly one other piece (an X-ray attack).
#[inline]
pub(super) fn has_xray_attacker(
    square: Square,
    bishops: SquareSet,
    rooks: SquareSet,
    occupied: SquareSet,
) -> bool {
    let star = &STARS[square.index()].0;
    let [file, rising, rank, falling] = star.map(|line| line.below | line.above);
    if !(rising | falling).intersects(bishops) && !(file | rank).intersects(rooks) {
        return false; // the usual case
    }
    star.iter().enumerate().any(|(direction, line)| {
        let sliders = if direction % 2 == 0 { rooks } else { bishops };
        let is_behind_one = |between: SquareSet| (between & occupied).len() == 1;
        let below = (line.below & sliders)
            .into_iter()
            .any(|slider| is_behind_one(line.below & STARS[slider.index()].0[direction].above));
        let above = (line.above & sliders)
            .into_iter()
            .any(|slider| is_behind_one(line.above & STARS[slider.index()].0[direction].below));
        below || above
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> SquareSet {
        names
            .iter()
            .filter_map(|name| Square::from_name(name))
            .fold(SquareSet::EMPTY, |set, square| set.with(square))
    }

    fn square(name: &str) -> Square {
        Square::from_name(name).expect("a square")
    }

    #[test]
    fn lines_end_at_the_first_piece() {
        let lines = lines_from(square("b2"), set(&["b4", "d4", "a1", "b1"]));
        assert_eq!(
            lines.orthogonal,
            set(&["b3", "b4", "b1", "a2", "c2", "d2", "e2", "f2", "g2", "h2"])
        );
        assert_eq!(lines.diagonal, set(&["a1", "a3", "c1", "c3", "d4"]));
    }

    #[test]
    fn an_xray_attack_passes_through_exactly_one_piece() {
        let is_attacked = |between: &[&str]| {
            let rooks = set(&["d8"]);
            has_xray_attacker(square("d1"), SquareSet::EMPTY, rooks, set(between) | rooks)
        };
        assert!(!is_attacked(&[]));
        assert!(is_attacked(&["d4"]));
        assert!(!is_attacked(&["d4", "d6"]));
        let bishop_on_file = set(&["d8"]);
        assert!(!has_xray_attacker(
            square("d1"),
            bishop_on_file,
            SquareSet::EMPTY,
            bishop_on_file | set(&["d4"])
        ));
    }
}
