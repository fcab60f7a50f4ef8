//! The set of squares that one side attacks.

use crate::types::{Color, PieceKind, Square, SquareSet, king_attacks, knight_attacks};

use super::Board;
use super::geometry::{DIAGONAL_STEPS, Index0x88, STRAIGHT_STEPS, is_off_board};

/// The set of one square by 0x88 index; empty off the board.
static SQUARES: [SquareSet; 256] = {
    let mut squares = [SquareSet::EMPTY; 256];
    let mut index = 0;
    while index < 128 {
        if !is_off_board(index as Index0x88) {
            squares[index] = SquareSet::of(Square::from_index_0x88(index as Index0x88));
        }
        index += 1;
    }
    squares
};

impl Board {
    /// Returns the squares that `by` attacks. They include its own pieces' squares if these are defended.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Square};
    ///
    /// let attacks = Board::standard().attack_map(Color::White);
    /// assert!(attacks.contains(Square::from_name("f3").unwrap()));
    /// assert!(!attacks.contains(Square::from_name("e4").unwrap()));
    /// ```
    pub fn attack_map(&self, by: Color) -> SquareSet {
        match self.simd {
            Some(simd) => simd.attack_map(self, by),
            None => self.scalar_attack_map(by),
        }
    }

    /// Scalar counterpart of the vectorised [`Board::attack_map`].
    pub(super) fn scalar_attack_map(&self, by: Color) -> SquareSet {
        let list = self.list(by);
        let mut pawns = SquareSet::EMPTY;
        for number in self.set(by, PieceKind::Pawn) {
            pawns |= SQUARES[usize::from(list[number])];
        }
        let mut map = pawns.pawn_attacks(by);
        for number in self.set(by, PieceKind::Knight) {
            map |= knight_attacks(Square::from_index_0x88(list[number]));
        }
        let queens = self.set(by, PieceKind::Queen);
        for number in self.set(by, PieceKind::Bishop) | queens {
            map |= self.rays(list[number], &DIAGONAL_STEPS);
        }
        for number in self.set(by, PieceKind::Rook) | queens {
            map |= self.rays(list[number], &STRAIGHT_STEPS);
        }
        map | king_attacks(self.king(by))
    }

    /// Returns the squares from `from` in the directions of `steps`, up to and including the first piece of each ray.
    #[inline(always)]
    fn rays(&self, from: Index0x88, steps: &[Index0x88; 4]) -> SquareSet {
        let mut map = SquareSet::EMPTY;
        for &step in steps {
            let mut to = from.wrapping_add(step);
            while self.entry(to).is_empty() {
                map |= SQUARES[usize::from(to)];
                to = to.wrapping_add(step);
            }
            map |= SQUARES[usize::from(to)];
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    #[test]
    fn the_attack_map_agrees_with_the_test_of_each_square() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..20 {
            let mut board = Board::standard();
            for _ in 0..150 {
                for by in Color::ALL {
                    let map = board.attack_map(by);
                    for square in Square::all() {
                        let attacked = board.is_attacked(square, by);
                        assert_eq!(
                            map.contains(square),
                            attacked,
                            "{square:?} by {by:?}: {board:?}"
                        );
                    }
                }
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
            }
        }
    }
}
