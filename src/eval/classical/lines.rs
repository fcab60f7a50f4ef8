//! Lines of sight from a square on which the asked-for piece need not stand: where a check would come
//! from, who looks at a queen through another piece. What pieces attack is the board's to say.

use crate::types::Square;

use super::square_set::SquareSet;

/// The eight directions as files and ranks; the first four lead to higher indices, the even ones are
/// straight.
const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (-1, 1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (1, -1),
];

/// All squares in one direction, by direction and start.
static RAYS: [[SquareSet; 64]; 8] = {
    let mut rays = [[SquareSet::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut index = 0;
        while index < 64 {
            let mut here = Square::from_index(index);
            while let Some(next) = here.offset(files, ranks) {
                rays[direction][index] = rays[direction][index].with(next);
                here = next;
            }
            index += 1;
        }
        direction += 1;
    }
    rays
};

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
    look(1, square, occupied)
        | look(3, square, occupied)
        | look(5, square, occupied)
        | look(7, square, occupied)
}

/// What a rook on `square` would see.
#[inline]
pub(super) fn straight_from(square: Square, occupied: SquareSet) -> SquareSet {
    look(0, square, occupied)
        | look(2, square, occupied)
        | look(4, square, occupied)
        | look(6, square, occupied)
}

/// The ray in one direction, up to and including the first occupied square.
#[inline]
fn look(direction: usize, square: Square, occupied: SquareSet) -> SquareSet {
    let ray = RAYS[direction][square.index()];
    // The last square of each direction has an empty ray, so it may stand in for "no piece".
    let first = if direction < 4 {
        (ray & occupied).with(LAST).lowest()
    } else {
        (ray & occupied).with(FIRST).highest()
    };
    match first {
        Some(first) => ray.without(RAYS[direction][first.index()]),
        None => ray,
    }
}

const FIRST: Square = Square::from_index(0);
const LAST: Square = Square::from_index(63);

/// Whether one of `bishops` or `rooks` would see `square` if one single piece between were gone.
#[inline]
pub(super) fn is_seen_through_one(
    square: Square,
    bishops: SquareSet,
    rooks: SquareSet,
    occupied: SquareSet,
) -> bool {
    (0..8).any(|direction| {
        let ray = RAYS[direction][square.index()];
        let sliders = ray & if direction % 2 == 0 { rooks } else { bishops };
        sliders.into_iter().any(|slider| {
            let between = ray.without(RAYS[direction][slider.index()] | SquareSet::of(slider));
            (between & occupied).len() == 1
        })
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
