//! Lines of sight over a set of occupied squares: what a slider attacks from a square, whether it stands there or not,
//! and who looks at a queen through another piece.

use crate::types::Square;

use super::square_set::SquareSet;

/// The directions that lead to higher indices as files and ranks; even ones are straight.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 1), (1, 0), (-1, 1)];

/// One line through a square: what lies on it on either side, by index.
#[derive(Clone, Copy)]
struct Line {
    below: SquareSet,
    above: SquareSet,
}

/// The lines through a square by direction, in one cache line.
#[repr(align(64))]
struct Star([Line; 4]);

static STARS: [Star; 64] = {
    const NOTHING: Line = Line {
        below: SquareSet::EMPTY,
        above: SquareSet::EMPTY,
    };
    let mut stars = [const { Star([NOTHING; 4]) }; 64];
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

/// All squares in one direction.
const fn ray(square: Square, files: i8, ranks: i8) -> SquareSet {
    let mut ray = SquareSet::EMPTY;
    let mut here = square;
    while let Some(next) = here.offset(files, ranks) {
        ray = ray.with(next);
        here = next;
    }
    ray
}

/// What a bishop and what a rook would see from a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) diagonal: SquareSet,
    pub(super) straight: SquareSet,
}

/// The lines from `square`, each up to and including the first occupied square.
#[inline]
pub(super) fn lines_from(square: Square, occupied: SquareSet) -> Lines {
    Lines {
        diagonal: diagonal_from(square, occupied),
        straight: straight_from(square, occupied),
    }
}

/// What a bishop on `square` would see.
#[inline]
pub(super) fn diagonal_from(square: Square, occupied: SquareSet) -> SquareSet {
    look(1, square, occupied) | look(3, square, occupied)
}

/// What a rook on `square` would see.
#[inline]
pub(super) fn straight_from(square: Square, occupied: SquareSet) -> SquareSet {
    look(0, square, occupied) | look(2, square, occupied)
}

/// The line in one direction, both ways up to and including the first occupied square.
#[inline]
fn look(direction: usize, square: Square, occupied: SquareSet) -> SquareSet {
    let Line { below, above } = STARS[square.index()].0[direction];
    SquareSet::between_obstacles(below, above, occupied)
}

/// Whether one of `bishops` or `rooks` would see `square` if one single piece between were gone.
#[inline]
pub(super) fn is_seen_through_one(
    square: Square,
    bishops: SquareSet,
    rooks: SquareSet,
    occupied: SquareSet,
) -> bool {
    let star = &STARS[square.index()].0;
    let [file, rising, rank, falling] = star.map(|line| line.below | line.above);
    if !(rising | falling).meets(bishops) && !(file | rank).meets(rooks) {
        return false; // as nearly always
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
            lines.straight,
            set(&["b3", "b4", "b1", "a2", "c2", "d2", "e2", "f2", "g2", "h2"])
        );
        assert_eq!(lines.diagonal, set(&["a1", "a3", "c1", "c3", "d4"]));
    }

    #[test]
    fn a_queen_is_seen_through_exactly_one_piece() {
        let seen = |between: &[&str]| {
            let rooks = set(&["d8"]);
            is_seen_through_one(square("d1"), SquareSet::EMPTY, rooks, set(between) | rooks)
        };
        assert!(!seen(&[]));
        assert!(seen(&["d4"]));
        assert!(!seen(&["d4", "d6"]));
        let bishop_on_file = set(&["d8"]);
        assert!(!is_seen_through_one(
            square("d1"),
            bishop_on_file,
            SquareSet::EMPTY,
            bishop_on_file | set(&["d4"])
        ));
    }
}
