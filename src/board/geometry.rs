//! The 0x88 plane: steps, and what the difference of two codes tells about a pair of squares.
//!
//! The difference of two 0x88 codes is unique to their relative placement, so one 256-entry table indexed by it
//! answers "could a knight, a bishop, ... go from here to there on an empty board?" and "by which step?".
//! (Difference-indexed attack tables: Bruce Moreland's 0x88 pages.)

use crate::types::Color;

/// A 0x88 index or the difference of two; negative steps wrap.
pub(super) type Index0x88 = u8;

pub(super) const NORTH: Index0x88 = 0x10;
pub(super) const SOUTH: Index0x88 = 0xF0;
pub(super) const EAST: Index0x88 = 0x01;
pub(super) const WEST: Index0x88 = 0xFF;

/// The steps of a bishop.
pub(super) const DIAGONAL_STEPS: [Index0x88; 4] = [0x11, 0x0F, 0xEF, 0xF1];
/// The steps of a rook.
pub(super) const STRAIGHT_STEPS: [Index0x88; 4] = [NORTH, EAST, SOUTH, WEST];
/// The steps of a king; the first four are a bishop's, the others a rook's.
pub(super) const KING_STEPS: [Index0x88; 8] = [0x11, 0x0F, 0xEF, 0xF1, NORTH, EAST, SOUTH, WEST];
/// The leaps of a knight.
pub(super) const KNIGHT_STEPS: [Index0x88; 8] = [0x21, 0x1F, 0x12, 0x0E, 0xDF, 0xE1, 0xEE, 0xF2];

/// Who could cover a difference on an empty board: bits of [`ATTACKS`] and of a piece's reach. Knights and rooks have
/// two each, so that files and ranks can be looked at apart from each other.
pub(super) mod attack_mask {
    pub const TALL_KNIGHT: u8 = 1;
    pub const WIDE_KNIGHT: u8 = 2;
    pub const FILE: u8 = 4;
    pub const RANK: u8 = 8;
    pub const DIAGONAL: u8 = 16;
    pub const KING: u8 = 32;
    pub const WHITE_PAWN: u8 = 64;
    pub const BLACK_PAWN: u8 = 128;
    pub const KNIGHT: u8 = TALL_KNIGHT | WIDE_KNIGHT;
    pub const STRAIGHT: u8 = FILE | RANK;
    pub const SLIDING: u8 = DIAGONAL | STRAIGHT;
}

/// Whether a index is off the board.
#[inline(always)]
pub(super) const fn is_off_board(index: Index0x88) -> bool {
    index & 0x88 != 0
}

/// One rank forward for `color`.
#[inline(always)]
pub(super) const fn forward(color: Color) -> Index0x88 {
    match color {
        Color::White => NORTH,
        Color::Black => SOUTH,
    }
}

/// By `to - from`: the [`attack_mask`] bits of the pieces that attack `to` from `from` on an empty board.
pub(super) static ATTACKS: [u8; 256] = attack_table();

/// By `to - from`: the step that leads from `from` to `to` in a straight line; 0 where there is no line.
pub(super) static STEPS: [Index0x88; 256] = step_table();

/// By 0x88 index: where a knight can go from there. A target off the board is replaced by the knight's own square,
/// which is never free for it, so that all eight can be tried without asking.
pub(super) static KNIGHT_TARGETS: [[Index0x88; 8]; 128] = leap_table(KNIGHT_STEPS);

/// By 0x88 index: as [`KNIGHT_TARGETS`] for the king, in the order of [`KING_STEPS`].
pub(super) static KING_TARGETS: [[Index0x88; 8]; 128] = leap_table(KING_STEPS);

/// By `king - from`: which of the king's neighbours a piece on `from` attacks on an empty board, one bit for each of
/// [`KING_STEPS`].
pub(super) struct Zone {
    pub knight: [u8; 256],
    pub diagonal: [u8; 256],
    pub straight: [u8; 256],
    pub king: [u8; 256],
}

/// The one [`Zone`].
pub(super) static ZONE: Zone = Zone {
    knight: zone_table(attack_mask::KNIGHT),
    diagonal: zone_table(attack_mask::DIAGONAL),
    straight: zone_table(attack_mask::STRAIGHT),
    king: zone_table(attack_mask::KING),
};

const fn leap_table(steps: [Index0x88; 8]) -> [[Index0x88; 8]; 128] {
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

/// The [`ATTACKS`] entry of two codes.
#[inline(always)]
pub(super) fn attacks(from: Index0x88, to: Index0x88) -> u8 {
    ATTACKS[to.wrapping_sub(from) as usize]
}

/// The [`STEPS`] entry of two codes.
#[inline(always)]
pub(super) fn step(from: Index0x88, to: Index0x88) -> Index0x88 {
    STEPS[to.wrapping_sub(from) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn tables_agree_with_plain_distances() {
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
                    // The king's own square stands for a neighbour off the board.
                    if neighbour != to.index_0x88() && neighbour != from.index_0x88() {
                        let attack = attacks(from.index_0x88(), neighbour);
                        let place = to.index_0x88().wrapping_sub(from.index_0x88()) as usize;
                        for (zone, mask) in [
                            (&ZONE.knight, attack_mask::KNIGHT),
                            (&ZONE.diagonal, attack_mask::DIAGONAL),
                            (&ZONE.straight, attack_mask::STRAIGHT),
                            (&ZONE.king, attack_mask::KING),
                        ] {
                            assert_eq!(zone[place] >> bit & 1 != 0, attack & mask != 0);
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
