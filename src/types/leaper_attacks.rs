//! Squares attacked by knights and kings.

use super::{Color, Square, SquareSet};

/// Knight attacks by [`Square::index`].
static KNIGHT_ATTACKS: [SquareSet; 64] = knight_table();

/// King attacks by [`Square::index`].
static KING_ATTACKS: [SquareSet; 64] = king_table();

/// Returns the squares that a knight on `square` attacks.
///
/// ```
/// use gaur::types::{Square, knight_attacks};
///
/// let corner = Square::from_name("a1").unwrap();
/// let names: Vec<String> = knight_attacks(corner).map(|square| square.to_string()).collect();
/// assert_eq!(names, ["c2", "b3"]);
/// ```
#[inline]
pub fn knight_attacks(square: Square) -> SquareSet {
    KNIGHT_ATTACKS[square.index()]
}

/// Returns the squares that a king on `square` attacks.
///
/// ```
/// use gaur::types::{Square, king_attacks};
///
/// let corner = Square::from_name("a1").unwrap();
/// let names: Vec<String> = king_attacks(corner).map(|square| square.to_string()).collect();
/// assert_eq!(names, ["b1", "a2", "b2"]);
/// ```
#[inline]
pub fn king_attacks(square: Square) -> SquareSet {
    KING_ATTACKS[square.index()]
}

const fn king_table() -> [SquareSet; 64] {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = SquareSet::of(Square::from_index(index));
        let rank = square.widened();
        let block = rank
            .union(rank.forward(Color::White))
            .union(rank.forward(Color::Black));
        table[index] = block.without(square);
        index += 1;
    }
    table
}

const fn knight_table() -> [SquareSet; 64] {
    const STEPS: [(i8, i8); 8] = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < STEPS.len() {
            let (files, ranks) = STEPS[step];
            if let Some(to) = Square::from_index(index).offset(files, ranks) {
                table[index] = table[index].with(to);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_counts_add_up_over_the_board() {
        let count = |attacks: fn(Square) -> SquareSet| -> usize {
            Square::all().map(|square| attacks(square).len()).sum()
        };
        assert_eq!(count(knight_attacks), 336);
        assert_eq!(count(king_attacks), 420);
    }

    #[test]
    fn attacks_are_symmetric() {
        for from in Square::all() {
            for to in Square::all() {
                for attacks in [knight_attacks, king_attacks] {
                    assert_eq!(attacks(from).contains(to), attacks(to).contains(from));
                }
            }
        }
    }
}
