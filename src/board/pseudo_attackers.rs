//! Pseudo-attackers: the pieces of a side that attack a square on an empty board, computed for all pieces at once.

use wide::u8x16;

use crate::types::{Color, PieceSet};

use super::Board;
use super::geometry::{Index0x88, attack_mask, is_off_board};

/// Offset added to a difference of indices. The lower four bits are then 7 plus the steps to the east, the upper four
/// bits 7 plus the steps to the north, each from 0 to 14.
const MIDDLE: Index0x88 = 0x77;

/// Number of steps in either direction, by four bits of such a difference.
static DISTANCE: [u8; 16] = distance_table();

/// [`attack_mask`] without diagonals that a number of files allows, by the four bits for files.
static BY_FILES: [u8; 16] = files_table();

/// [`attack_mask`] without diagonals that a number of ranks allows, by the four bits for ranks.
static BY_RANKS: [u8; 16] = ranks_table();

const fn distance_table() -> [u8; 16] {
    let mut table = [0; 16];
    let mut half = 0;
    while half < 16 {
        table[half] = half.abs_diff(7) as u8;
        half += 1;
    }
    table
}

const fn files_table() -> [u8; 16] {
    let mut table = [attack_mask::RANK; 16];
    let mut half = 0;
    while half < 16 {
        table[half] |= match half.abs_diff(7) {
            0 => attack_mask::FILE | attack_mask::KING,
            1 => {
                attack_mask::KNIGHT_TWO_RANKS
                    | attack_mask::KING
                    | attack_mask::WHITE_PAWN
                    | attack_mask::BLACK_PAWN
            }
            2 => attack_mask::KNIGHT_TWO_FILES,
            _ => 0,
        };
        half += 1;
    }
    table
}

const fn ranks_table() -> [u8; 16] {
    let mut table = [attack_mask::FILE; 16];
    let mut half = 0;
    while half < 16 {
        table[half] |= match half.abs_diff(7) {
            0 => attack_mask::RANK | attack_mask::KING,
            1 => attack_mask::KNIGHT_TWO_FILES | attack_mask::KING,
            2 => attack_mask::KNIGHT_TWO_RANKS,
            _ => 0,
        };
        half += 1;
    }
    table[8] |= attack_mask::WHITE_PAWN;
    table[6] |= attack_mask::BLACK_PAWN;
    table
}

impl Board {
    /// Returns the pieces of `by` that attack the square on an empty board.
    ///
    /// The result is that of [`attacks`](super::geometry::attacks) for all 16 numbers at once. The masks for files and
    /// for ranks are looked up separately; a piece attacks the square if both contain its type.
    #[inline(always)]
    pub(super) fn pseudo_attackers(&self, target: Index0x88, by: Color) -> PieceSet {
        debug_assert!(!is_off_board(target));
        let squares = u8x16::new(*self.list(by));
        let difference = u8x16::splat(target.wrapping_add(MIDDLE)) - squares;
        let (files, ranks) = (difference & u8x16::splat(0x0F), difference >> 4);
        let orthogonal_and_knight =
            u8x16::new(BY_FILES).shuffle(files) & u8x16::new(BY_RANKS).shuffle(ranks);
        let distance = u8x16::new(DISTANCE);
        let is_diagonal = distance.shuffle(files).simd_eq(distance.shuffle(ranks));
        let attacks = orthogonal_and_knight | is_diagonal & u8x16::splat(attack_mask::DIAGONAL);
        let hits = attacks & u8x16::new(*self.attack_masks(by));
        let is_off = hits.simd_eq(u8x16::splat(0)) | squares.simd_eq(u8x16::splat(target));
        PieceSet(!is_off.to_bitmask() as u16) & self.all_numbers(by)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::super::geometry::attacks;
    use super::*;
    use crate::types::Square;

    #[test]
    fn pseudo_attackers_agree_with_the_attack_table() {
        let mut random = ChaCha8Rng::seed_from_u64(12);
        for _ in 0..20 {
            let mut board = Board::standard();
            for _ in 0..150 {
                for (by, square) in Color::ALL
                    .into_iter()
                    .flat_map(|by| Square::all().map(move |square| (by, square)))
                {
                    let target = square.index_0x88();
                    let one_by_one = board.all_numbers(by).filter(|&number| {
                        attacks(board.list(by)[number], target) & board.attack_masks(by)[number]
                            != 0
                    });
                    let at_once = board.pseudo_attackers(target, by);
                    assert!(one_by_one.eq(at_once), "{square:?} by {by:?}: {board:?}");
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
