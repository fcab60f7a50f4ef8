//! Sets of squares, one bit each by [`Square::index`]: what is attacked, where pawns stand.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use crate::types::{Color, File, Rank, Square};

/// A set of squares. Local to the evaluation: the board itself keeps none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SquareSet(u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl SquareSet {
    /// No square.
    pub(super) const EMPTY: SquareSet = SquareSet(0);
    /// The dark squares, a1 among them.
    pub(super) const DARK: SquareSet = SquareSet(0xAA55_AA55_AA55_AA55);
    /// The sixteen squares c3 to f6.
    pub(super) const LARGE_CENTRE: SquareSet = SquareSet(0x0000_3C3C_3C3C_0000);
    /// The four squares d4, e4, d5, e5.
    pub(super) const CENTRE: SquareSet = SquareSet(0x0000_0018_1800_0000);
    /// Files a to d.
    pub(super) const LEFT_HALF: SquareSet = SquareSet(FILE_A * 0x0F);
    /// Files e to h.
    pub(super) const RIGHT_HALF: SquareSet = SquareSet(FILE_A * 0xF0);
    /// Files a and h.
    pub(super) const EDGE_FILES: SquareSet = SquareSet(FILE_A | FILE_H);

    /// The set of one square.
    #[inline]
    pub(super) const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    /// All squares of a file.
    #[inline]
    pub(super) const fn file(file: File) -> SquareSet {
        SquareSet(FILE_A << file.index())
    }

    /// All squares of the rank with this index, 0 to 7, in the eyes of `color`.
    #[inline]
    pub(super) const fn relative_rank(index: usize, color: Color) -> SquareSet {
        let index = match color {
            Color::White => index,
            Color::Black => 7 - index,
        };
        SquareSet(0xFF << (8 * index))
    }

    /// The files next to the one given.
    #[inline]
    pub(super) const fn adjacent_files(file: File) -> SquareSet {
        let file = SquareSet::file(file);
        SquareSet(file.west().0 | file.east().0)
    }

    /// The squares of all ranks beyond `rank` in the direction `color` moves.
    #[inline]
    pub(super) const fn ranks_ahead(rank: Rank, color: Color) -> SquareSet {
        match color {
            Color::White => SquareSet((!0xFF) << (8 * rank.index())),
            Color::Black => SquareSet((1 << (8 * rank.index())) - 1),
        }
    }

    /// How many squares.
    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are two or more.
    #[inline]
    pub(super) const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in it.
    #[inline]
    pub(super) const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub(super) const fn meets(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The square with the lowest index.
    #[inline]
    pub(super) const fn lowest(self) -> Option<Square> {
        self.rearmost(Color::White)
    }

    /// These squares and one more.
    #[inline]
    pub(super) const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | 1 << square.index())
    }

    /// Adds a square.
    #[inline]
    pub(super) fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// The squares without those of `other`.
    #[inline]
    pub(super) const fn without(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }

    /// The square of this set that is nearest to the home rank of `color`.
    #[inline]
    pub(super) const fn rearmost(self, color: Color) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        Some(Square::from_index(match color {
            Color::White => self.0.trailing_zeros() as usize,
            Color::Black => 63 - self.0.leading_zeros() as usize,
        }))
    }

    /// The squares of a line, given in two parts by index, up to and including the nearest occupied square of each
    /// part.
    ///
    /// (Obstruction difference: Michael Hoffmann, 2011.)
    #[inline]
    pub(super) const fn between_obstacles(
        below: SquareSet,
        above: SquareSet,
        occupied: SquareSet,
    ) -> SquareSet {
        let lower = below.0 & occupied.0 | 1;
        let upper = above.0 & occupied.0;
        // The first has all bits from the obstacle below upwards; adding the second ends them at the obstacle above.
        let from = u64::MAX << (63 - lower.leading_zeros());
        let end = (upper & upper.wrapping_neg()) << 1;
        SquareSet((below.0 | above.0) & from.wrapping_add(end))
    }

    /// One step towards the a-file; the a-file falls off.
    #[inline]
    const fn west(self) -> SquareSet {
        SquareSet((self.0 & !FILE_A) >> 1)
    }

    /// One step towards the h-file; the h-file falls off.
    #[inline]
    const fn east(self) -> SquareSet {
        SquareSet((self.0 & !FILE_H) << 1)
    }

    /// Itself and one step to each side.
    #[inline]
    pub(super) const fn widened(self) -> SquareSet {
        SquareSet(self.0 | self.west().0 | self.east().0)
    }

    /// One step in the direction `color` moves.
    #[inline]
    pub(super) const fn forward(self, color: Color) -> SquareSet {
        match color {
            Color::White => SquareSet(self.0 << 8),
            Color::Black => SquareSet(self.0 >> 8),
        }
    }

    /// These squares and all that lie ahead of them on their files in the eyes of `color`.
    #[inline]
    pub(super) const fn forward_fill(self, color: Color) -> SquareSet {
        let mut set = self.0;
        match color {
            Color::White => {
                set |= set << 8;
                set |= set << 16;
                set |= set << 32;
            }
            Color::Black => {
                set |= set >> 8;
                set |= set >> 16;
                set |= set >> 32;
            }
        }
        SquareSet(set)
    }

    /// What pawns of `color` on these squares attack.
    #[inline]
    pub(super) const fn pawn_attacks(self, color: Color) -> SquareSet {
        let forward = self.forward(color);
        SquareSet(forward.west().0 | forward.east().0)
    }

    /// What two pawns of `color` on these squares attack both.
    #[inline]
    pub(super) const fn pawn_double_attacks(self, color: Color) -> SquareSet {
        let forward = self.forward(color);
        SquareSet(forward.west().0 & forward.east().0)
    }

    /// The files that have a square in the set, as eight bits.
    #[inline]
    pub(super) const fn files(self) -> u8 {
        self.forward_fill(Color::Black).0 as u8
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

/// The squares a king on each square reaches.
pub(super) static KING_STEPS: [SquareSet; 64] = {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let here = SquareSet::of(Square::from_index(index));
        let row = here.widened();
        let block = row.0 | row.forward(Color::White).0 | row.forward(Color::Black).0;
        table[index] = SquareSet(block & !here.0);
        index += 1;
    }
    table
};

/// The squares a knight on each square reaches.
pub(super) static KNIGHT_JUMPS: [SquareSet; 64] = {
    const JUMPS: [(i8, i8); 8] = [
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
        let mut jump = 0;
        while jump < JUMPS.len() {
            let (files, ranks) = JUMPS[jump];
            if let Some(to) = Square::from_index(index).offset(files, ranks) {
                table[index].0 |= 1 << to.index();
            }
            jump += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        for name in names {
            set.insert(Square::from_name(name).expect("a square"));
        }
        set
    }

    #[test]
    fn pawns_do_not_attack_around_the_edge() {
        let pawns = set(&["a4", "h4", "d4"]);
        assert_eq!(
            pawns.pawn_attacks(Color::White),
            set(&["b5", "g5", "c5", "e5"])
        );
        assert_eq!(
            pawns.pawn_attacks(Color::Black),
            set(&["b3", "g3", "c3", "e3"])
        );
        assert_eq!(
            set(&["c4", "e4"]).pawn_double_attacks(Color::White),
            set(&["d5"])
        );
    }

    #[test]
    fn spans_follow_the_direction_of_play() {
        let e4 = Square::from_name("e4").expect("a square");
        assert_eq!(
            SquareSet::of(e4).forward_fill(Color::White),
            set(&["e4", "e5", "e6", "e7", "e8"])
        );
        assert_eq!(
            SquareSet::of(e4).forward_fill(Color::Black),
            set(&["e4", "e3", "e2", "e1"])
        );
        assert_eq!(SquareSet::ranks_ahead(e4.rank(), Color::White).len(), 32);
        assert_eq!(SquareSet::ranks_ahead(e4.rank(), Color::Black).len(), 24);
        assert_eq!(set(&["a1", "c8", "c2"]).files(), 0b101);
        assert_eq!(
            set(&["b2", "g7"]).rearmost(Color::Black),
            Square::from_name("g7")
        );
    }

    #[test]
    fn steps_and_jumps_stay_on_the_board() {
        assert_eq!(KING_STEPS[0], set(&["a2", "b1", "b2"]));
        assert_eq!(KNIGHT_JUMPS[0], set(&["b3", "c2"]));
        assert_eq!(
            KNIGHT_JUMPS.iter().map(|jumps| jumps.len()).sum::<usize>(),
            336
        );
        assert_eq!(
            KING_STEPS.iter().map(|steps| steps.len()).sum::<usize>(),
            420
        );
    }

    #[test]
    fn dark_squares_are_dark() {
        for square in Square::all() {
            assert_eq!(SquareSet::DARK.contains(square), !square.is_light());
        }
    }
}
