//! Geometry of 0x88 indices: steps, and tables by the difference of two indices.
//!
//! The difference of two 0x88 indices determines the relative position of the two squares. A table with 256 entries
//! therefore contains the piece types that attack over each difference on an empty board, and another one the step of
//! the line between the squares. (Attack tables by difference: Bruce Moreland's 0x88 pages.)

use crate::types::Color;

/// A 0x88 index, or the difference of two of them. Negative differences wrap around.
pub(super) type Index0x88 = u8;

pub(super) const NORTH: Index0x88 = 0x10;
pub(super) const SOUTH: Index0x88 = 0xF0;
pub(super) const EAST: Index0x88 = 0x01;
pub(super) const WEST: Index0x88 = 0xFF;

/// Steps of a bishop.
pub(super) const DIAGONAL_STEPS: [Index0x88; 4] = [0x11, 0x0F, 0xEF, 0xF1];
/// Steps of a rook.
pub(super) const STRAIGHT_STEPS: [Index0x88; 4] = [NORTH, EAST, SOUTH, WEST];
/// Steps of a king: first those of a bishop, then those of a rook.
pub(super) const KING_STEPS: [Index0x88; 8] = [0x11, 0x0F, 0xEF, 0xF1, NORTH, EAST, SOUTH, WEST];
/// Steps of a knight.
pub(super) const KNIGHT_STEPS: [Index0x88; 8] = [0x21, 0x1F, 0x12, 0x0E, 0xDF, 0xE1, 0xEE, 0xF2];

/// Attack-type masks: the piece types that attack over a difference on an empty board.
///
/// Entries of [`ATTACKS`] and the masks of pieces consist of these bits. Knights and rooks have two bits each, so that
/// differences of files and of ranks can be looked up separately.
pub(super) mod attack_mask {
    pub const KNIGHT_TWO_RANKS: u8 = 1;
    pub const KNIGHT_TWO_FILES: u8 = 2;
    pub const FILE: u8 = 4;
    pub const RANK: u8 = 8;
    pub const DIAGONAL: u8 = 16;
    pub const KING: u8 = 32;
    pub const WHITE_PAWN: u8 = 64;
    pub const BLACK_PAWN: u8 = 128;
    pub const KNIGHT: u8 = KNIGHT_TWO_RANKS | KNIGHT_TWO_FILES;
    pub const STRAIGHT: u8 = FILE | RANK;
    pub const SLIDING: u8 = DIAGONAL | STRAIGHT;
}

/// Returns `true` if the index is off the board.
#[inline(always)]
pub(super) const fn is_off_board(index: Index0x88) -> bool {
    index & 0x88 != 0
}

/// Returns the step of one rank in the direction in which `color` advances.
#[inline(always)]
pub(super) const fn forward(color: Color) -> Index0x88 {
    match color {
        Color::White => NORTH,
        Color::Black => SOUTH,
    }
}

/// [`attack_mask`] of the pieces that attack `to` from `from` on an empty board, by `to - from`.
pub(super) static ATTACKS: [u8; 256] = attack_table();

/// Step of the line from `from` to `to`, by `to - from`; 0 if the squares are on no common line.
pub(super) static STEPS: [Index0x88; 256] = step_table();

/// Targets of a knight by its 0x88 index.
///
/// A target off the board is replaced by the knight's own square. That square is never a legal target, so that no test
/// for the edge is needed.
pub(super) static KNIGHT_TARGETS: [[Index0x88; 8]; 128] = target_table(KNIGHT_STEPS);

/// Targets of a king by its 0x88 index, in the order of [`KING_STEPS`]. A target off the board is replaced by the
/// king's own square.
pub(super) static KING_TARGETS: [[Index0x88; 8]; 128] = target_table(KING_STEPS);

/// Squares next to a king that a piece on `from` attacks on an empty board, by `king - from`: one bit for each of
/// [`KING_STEPS`].
pub(super) struct KingZoneAttacks {
    pub knight: [u8; 256],
    pub diagonal: [u8; 256],
    pub straight: [u8; 256],
    pub king: [u8; 256],
}

/// The table of attacks on the squares next to a king.
pub(super) static KING_ZONE_ATTACKS: KingZoneAttacks = KingZoneAttacks {
    knight: zone_table(attack_mask::KNIGHT),
    diagonal: zone_table(attack_mask::DIAGONAL),
    straight: zone_table(attack_mask::STRAIGHT),
    king: zone_table(attack_mask::KING),
};

const fn target_table(steps: [Index0x88; 8]) -> [[Index0x88; 8]; 128] {
    let mut table = [[0; 8]; 128];
    let mut from = 0;
    while from < 128 {
        let mut i = 0;
        while i < 8 {
            let to = (from as Index0x88).wrapping_add(steps[i]);
            table[from][i] = if is_off_board(to) {
                from as Index0x88
            } else {
                to
            };
            i += 1;
        }
        from += 1;
    }
    table
}

const fn zone_table(mask: u8) -> [u8; 256] {
    let attack_table = attack_table();
    let mut table = [0; 256];
    let mut difference = 0;
    while difference < 256 {
        let mut i = 0;
        while i < 8 {
            let to_neighbour = (difference as Index0x88).wrapping_add(KING_STEPS[i]);
            if attack_table[to_neighbour as usize] & mask != 0 {
                table[difference] |= 1 << i;
            }
            i += 1;
        }
        difference += 1;
    }
    table
}

const fn attack_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 8 {
        table[KNIGHT_STEPS[i] as usize] |= attack_mask::KNIGHT;
        table[KING_STEPS[i] as usize] |= attack_mask::KING;
        let mut length = 1;
        while length < 8 {
            let bit = if i < 4 {
                attack_mask::DIAGONAL
            } else {
                attack_mask::STRAIGHT
            };
            table[KING_STEPS[i].wrapping_mul(length) as usize] |= bit;
            length += 1;
        }
        i += 1;
    }
    table[NORTH.wrapping_add(EAST) as usize] |= attack_mask::WHITE_PAWN;
    table[NORTH.wrapping_add(WEST) as usize] |= attack_mask::WHITE_PAWN;
    table[SOUTH.wrapping_add(EAST) as usize] |= attack_mask::BLACK_PAWN;
    table[SOUTH.wrapping_add(WEST) as usize] |= attack_mask::BLACK_PAWN;
    table
}

const fn step_table() -> [Index0x88; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 8 {
        let mut length = 1;
        while length < 8 {
            table[KING_STEPS[i].wrapping_mul(length) as usize] = KING_STEPS[i];
            length += 1;
        }
        i += 1;
    }
    table
}

/// Returns the [`attack_mask`] of the pieces that attack `to` from `from` on an empty board.
#[inline(always)]
pub(super) fn attacks(from: Index0x88, to: Index0x88) -> u8 {
    ATTACKS[to.wrapping_sub(from) as usize]
}

/// Returns the step of the line from `from` to `to`; 0 if they are on no common line.
#[inline(always)]
pub(super) fn step(from: Index0x88, to: Index0x88) -> Index0x88 {
    STEPS[to.wrapping_sub(from) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn tables_agree_with_distances_of_files_and_ranks() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let files = to.file().index().abs_diff(from.file().index());
                let ranks = to.rank().index().abs_diff(from.rank().index());
                let bits = attacks(from.index_0x88(), to.index_0x88());
                assert_eq!(bits & attack_mask::DIAGONAL != 0, files == ranks);
                assert_eq!(bits & attack_mask::STRAIGHT != 0, files == 0 || ranks == 0);
                assert_eq!(bits & attack_mask::KNIGHT != 0, files * ranks == 2);
                assert_eq!(bits & attack_mask::KING != 0, files.max(ranks) == 1);
                for (bit, &neighbour) in KING_TARGETS[to.index_0x88() as usize].iter().enumerate() {
                    // The king's own square replaces a neighbour off the board.
                    if neighbour != to.index_0x88() && neighbour != from.index_0x88() {
                        let attack = attacks(from.index_0x88(), neighbour);
                        let difference = to.index_0x88().wrapping_sub(from.index_0x88()) as usize;
                        for (zone, mask) in [
                            (&KING_ZONE_ATTACKS.knight, attack_mask::KNIGHT),
                            (&KING_ZONE_ATTACKS.diagonal, attack_mask::DIAGONAL),
                            (&KING_ZONE_ATTACKS.straight, attack_mask::STRAIGHT),
                            (&KING_ZONE_ATTACKS.king, attack_mask::KING),
                        ] {
                            assert_eq!(zone[difference] >> bit & 1 != 0, attack & mask != 0);
                        }
                    }
                }
                assert_eq!(
                    step(from.index_0x88(), to.index_0x88()) != 0,
                    bits & attack_mask::SLIDING != 0
                );
            }
        }
    }
}
