//! The squares that one side attacks, as a set over the 0x88 plane.

use crate::types::{Color, PieceKind, Square};

use super::Board;
use super::geometry::{
    Code, DIAGONAL_STEPS, EAST, KING_STEPS, KING_TARGETS, KNIGHT_TARGETS, NORTH, STRAIGHT_STEPS,
    off_board,
};

/// A set of squares by 0x88 code: one bit for each of the 128, of which those off the board mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackMap(u128);

/// By code, the squares that a knight and a king attack.
static KNIGHT_MAPS: [u128; 128] = leap_maps(&KNIGHT_TARGETS);
static KING_MAPS: [u128; 128] = leap_maps(&KING_TARGETS);

const fn leap_maps(targets: &[[Code; 8]; 128]) -> [u128; 128] {
    let mut maps = [0; 128];
    let mut from = 0;
    while from < 128 {
        let mut i = 0;
        while i < 8 {
            let to = targets[from][i];
            // A target off the board is replaced by the piece's own square.
            if to as usize != from {
                maps[from] |= 1 << to;
            }
            i += 1;
        }
        from += 1;
    }
    maps
}

impl AttackMap {
    /// Whether the square is attacked.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.code() & 1 != 0
    }
}

impl Board {
    /// The squares that `by` attacks, own pieces' squares included where they are defended.
    pub fn attack_map(&self, by: Color) -> AttackMap {
        let list = self.list(by);
        let mut pawns = 0u128;
        for number in self.set(by, PieceKind::Pawn) {
            pawns |= 1 << list[number];
        }
        // What leaves the board sideways lands on codes that mean nothing.
        let ahead = match by {
            Color::White => pawns << NORTH,
            Color::Black => pawns >> NORTH,
        };
        let mut map = ahead << EAST | ahead >> EAST;
        for number in self.set(by, PieceKind::Knight) {
            map |= KNIGHT_MAPS[usize::from(list[number] & 127)];
        }
        for number in self.set(by, PieceKind::Bishop) {
            map |= self.rays(list[number], &DIAGONAL_STEPS);
        }
        for number in self.set(by, PieceKind::Rook) {
            map |= self.rays(list[number], &STRAIGHT_STEPS);
        }
        for number in self.set(by, PieceKind::Queen) {
            map |= self.rays(list[number], &KING_STEPS);
        }
        AttackMap(map | KING_MAPS[usize::from(list[0] & 127)])
    }

    /// The squares from `from` by these steps, up to and including the first piece.
    #[inline(always)]
    fn rays(&self, from: Code, steps: &[Code]) -> u128 {
        let mut map = 0;
        for &step in steps {
            let mut to = from.wrapping_add(step);
            while !off_board(to) {
                map |= 1u128 << to;
                if !self.cell(to).is_empty() {
                    break;
                }
                to = to.wrapping_add(step);
            }
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
