//! The squares that one side attacks, as a set.

use crate::types::{Color, PieceKind, Square};

use super::Board;
use super::geometry::{
    DIAGONAL_STEPS, Index0x88, KING_TARGETS, KNIGHT_TARGETS, STRAIGHT_STEPS, is_off_board,
};

/// A set of squares, one bit for each of the 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackMap(u64);

/// By index, the square's bit; none off the board.
static BITS: [u64; 256] = bit_table();

/// By index, the squares that a knight and a king attack.
static KNIGHT_MAPS: [u64; 256] = leap_maps(&KNIGHT_TARGETS);
static KING_MAPS: [u64; 256] = leap_maps(&KING_TARGETS);

/// The squares that are not on the a-file, not on the h-file.
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

const fn bit_table() -> [u64; 256] {
    let mut bits = [0; 256];
    let mut index = 0;
    while index < 128 {
        if !is_off_board(index as Index0x88) {
            bits[index] = 1 << Square::from_index_0x88(index as Index0x88).index();
        }
        index += 1;
    }
    bits
}

const fn leap_maps(targets: &[[Index0x88; 8]; 128]) -> [u64; 256] {
    let bits = bit_table();
    let mut maps = [0; 256];
    let mut from = 0;
    while from < 128 {
        let mut i = 0;
        while i < 8 {
            let to = targets[from][i] as usize;
            // A target off the board is replaced by the piece's own square.
            if to != from {
                maps[from] |= bits[to];
            }
            i += 1;
        }
        from += 1;
    }
    maps
}

impl AttackMap {
    /// Whether the square of this index, below 64, is attacked.
    #[inline]
    pub fn contains_index(self, index: usize) -> bool {
        self.0 >> (index & 63) & 1 != 0
    }
}

impl Board {
    /// The squares that `by` attacks, own pieces' squares included where they are defended.
    pub fn attack_map(&self, by: Color) -> AttackMap {
        AttackMap(match self.simd {
            Some(simd) => simd.attack_map(self, by),
            None => self.attack_map_by_loops(by),
        })
    }

    /// What it is, a bit for each square.
    pub(super) fn attack_map_by_loops(&self, by: Color) -> u64 {
        let list = self.list(by);
        let mut pawns = 0;
        for number in self.set(by, PieceKind::Pawn) {
            pawns |= BITS[usize::from(list[number])];
        }
        let ahead = match by {
            Color::White => pawns << 8,
            Color::Black => pawns >> 8,
        };
        let mut map = (ahead & NOT_H) << 1 | (ahead & NOT_A) >> 1;
        for number in self.set(by, PieceKind::Knight) {
            map |= KNIGHT_MAPS[usize::from(list[number])];
        }
        let queens = self.set(by, PieceKind::Queen);
        for number in self.set(by, PieceKind::Bishop) | queens {
            map |= self.rays(list[number], &DIAGONAL_STEPS);
        }
        for number in self.set(by, PieceKind::Rook) | queens {
            map |= self.rays(list[number], &STRAIGHT_STEPS);
        }
        map | KING_MAPS[usize::from(list[0])]
    }

    /// The squares from `from` by these steps, up to and including the first piece.
    #[inline(always)]
    fn rays(&self, from: Index0x88, steps: &[Index0x88; 4]) -> u64 {
        let mut map = 0;
        for &step in steps {
            let mut to = from.wrapping_add(step);
            while self.entry(to).is_empty() {
                map |= BITS[usize::from(to)];
                to = to.wrapping_add(step);
            }
            map |= BITS[usize::from(to)];
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
    fn the_map_says_what_each_square_would_say() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..20 {
            let mut board = Board::standard();
            for _ in 0..150 {
                for by in Color::ALL {
                    let map = board.attack_map(by);
                    for square in Square::all() {
                        let attacked = board.is_attacked(square, by);
                        assert_eq!(
                            map.contains_index(square.index()),
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
