//! Sets of squares.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use super::{Color, File, Rank, Square};

/// A set of squares: one bit per square, at position [`Square::index`].
///
/// The set is an iterator over its squares in index order.
///
/// ```
/// use gaur::types::{Color, File, Square, SquareSet};
///
/// let pawns = SquareSet::file(File::A) & SquareSet::relative_rank(1, Color::White);
/// assert_eq!(pawns.map(|square| square.to_string()).collect::<Vec<_>>(), ["a2"]);
/// assert_eq!(pawns.forward(Color::White).first(), Square::from_name("a3"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SquareSet(u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// The 32 dark squares; a1 is one of them.
    pub const DARK: SquareSet = SquareSet(0xAA55_AA55_AA55_AA55);
    /// The 16 squares of the files c to f on ranks 3 to 6.
    pub const LARGE_CENTRE: SquareSet = SquareSet(0x0000_3C3C_3C3C_0000);
    /// The squares d4, e4, d5 and e5.
    pub const CENTRE: SquareSet = SquareSet(0x0000_0018_1800_0000);
    /// The files a to d.
    pub const QUEENSIDE: SquareSet = SquareSet(FILE_A * 0x0F);
    /// The files e to h.
    pub const KINGSIDE: SquareSet = SquareSet(FILE_A * 0xF0);
    /// The files a and h.
    pub const EDGE_FILES: SquareSet = SquareSet(FILE_A | FILE_H);

    /// Creates a set from its bits, a1 lowest.
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// assert_eq!(SquareSet::from_bits(0xFF).len(), 8);
    /// assert_eq!(SquareSet::from_bits(6).bits(), 6);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u64) -> SquareSet {
        SquareSet(bits)
    }

    /// Returns the bits of the set, a1 lowest.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of one square.
    ///
    /// ```
    /// use gaur::types::{Square, SquareSet};
    ///
    /// let e4 = Square::from_name("e4").unwrap();
    /// assert_eq!(SquareSet::of(e4), SquareSet::EMPTY.with(e4));
    /// ```
    #[inline]
    pub const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    /// Returns all squares of a file.
    ///
    /// ```
    /// use gaur::types::{File, SquareSet};
    ///
    /// assert_eq!(SquareSet::file(File::H).len(), 8);
    /// ```
    #[inline]
    pub const fn file(file: File) -> SquareSet {
        SquareSet(FILE_A << file.index())
    }

    /// Returns all squares of the rank with this index, 0 to 7, counted from the home rank of `color`.
    ///
    /// ```
    /// use gaur::types::{Color, Square, SquareSet};
    ///
    /// let e7 = Square::from_name("e7").unwrap();
    /// assert!(SquareSet::relative_rank(1, Color::Black).contains(e7));
    /// ```
    #[inline]
    pub const fn relative_rank(index: usize, color: Color) -> SquareSet {
        let index = match color {
            Color::White => index,
            Color::Black => 7 - index,
        };
        SquareSet(0xFF << (8 * index))
    }

    /// Returns the squares of the files next to `file`.
    ///
    /// ```
    /// use gaur::types::{File, SquareSet};
    ///
    /// assert_eq!(SquareSet::adjacent_files(File::H), SquareSet::file(File::G));
    /// ```
    #[inline]
    pub const fn adjacent_files(file: File) -> SquareSet {
        let file = SquareSet::file(file);
        SquareSet(file.west().0 | file.east().0)
    }

    /// Returns the squares of all ranks beyond `rank` in the direction in which `color` advances.
    ///
    /// ```
    /// use gaur::types::{Color, Rank, SquareSet};
    ///
    /// assert_eq!(SquareSet::ranks_ahead(Rank::FIRST, Color::White).len(), 56);
    /// assert!(SquareSet::ranks_ahead(Rank::FIRST, Color::Black).is_empty());
    /// ```
    #[inline]
    pub const fn ranks_ahead(rank: Rank, color: Color) -> SquareSet {
        match color {
            Color::White => SquareSet((!0xFF) << (8 * rank.index())),
            Color::Black => SquareSet((1 << (8 * rank.index())) - 1),
        }
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set has two squares or more.
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// assert!(SquareSet::CENTRE.has_several());
    /// assert!(!SquareSet::from_bits(1).has_several());
    /// ```
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns `true` if `square` is in the set.
    ///
    /// ```
    /// use gaur::types::{Square, SquareSet};
    ///
    /// assert!(SquareSet::DARK.contains(Square::from_name("a1").unwrap()));
    /// ```
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.contains_index(square.index())
    }

    /// Returns `true` if the square with this [`Square::index`] is in the set. Only the six lowest bits count.
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// assert!(SquareSet::from_bits(0b100).contains_index(2));
    /// ```
    #[inline]
    pub const fn contains_index(self, index: usize) -> bool {
        self.0 >> (index & 63) & 1 != 0
    }

    /// Returns `true` if the two sets have a square in common.
    ///
    /// ```
    /// use gaur::types::{File, SquareSet};
    ///
    /// assert!(SquareSet::CENTRE.intersects(SquareSet::file(File::E)));
    /// ```
    #[inline]
    pub const fn intersects(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the square with the lowest index.
    ///
    /// ```
    /// use gaur::types::{Square, SquareSet};
    ///
    /// assert_eq!(SquareSet::CENTRE.first(), Square::from_name("d4"));
    /// assert_eq!(SquareSet::EMPTY.first(), None);
    /// ```
    #[inline]
    pub const fn first(self) -> Option<Square> {
        self.rearmost(Color::White)
    }

    /// Returns the square that is nearest to the home rank of `color`.
    ///
    /// ```
    /// use gaur::types::{Color, Square, SquareSet};
    ///
    /// assert_eq!(SquareSet::CENTRE.rearmost(Color::Black), Square::from_name("e5"));
    /// ```
    #[inline]
    pub const fn rearmost(self, color: Color) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        Some(Square::from_index(match color {
            Color::White => self.0.trailing_zeros() as usize,
            Color::Black => 63 - self.0.leading_zeros() as usize,
        }))
    }

    /// Returns the set with `square` added.
    #[inline]
    pub const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | 1 << square.index())
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        *self = self.with(square);
    }

    /// Returns the squares that are in at least one of the two sets, as `|` does; usable in constants.
    #[inline]
    pub const fn union(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }

    /// Returns the squares that are not in `other`.
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// assert_eq!(SquareSet::CENTRE.without(SquareSet::DARK).len(), 2);
    /// ```
    #[inline]
    pub const fn without(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }

    /// Returns the squares of a line up to and including the nearest occupied square on either side.
    ///
    /// `below` and `above` are the parts of the line with lower and higher indices than the slider's square.
    ///
    /// (Obstruction difference: Michael Hoffmann, 2011.)
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// // A rook on c1 of the first rank, with pieces on a1, b1 and g1.
    /// let (below, above) = (SquareSet::from_bits(0b0000_0011), SquareSet::from_bits(0b1111_1000));
    /// let occupied = SquareSet::from_bits(0b0100_0011);
    /// let attacks = SquareSet::between_obstacles(below, above, occupied);
    /// assert_eq!(attacks, SquareSet::from_bits(0b0111_1010));
    /// ```
    #[inline]
    pub const fn between_obstacles(
        below: SquareSet,
        above: SquareSet,
        occupied: SquareSet,
    ) -> SquareSet {
        let lower = below.0 & occupied.0 | 1;
        let upper = above.0 & occupied.0;
        // All bits from the obstacle below upwards; adding `end` clears those beyond the obstacle above.
        let from = u64::MAX << (63 - lower.leading_zeros());
        let end = (upper & upper.wrapping_neg()) << 1;
        SquareSet((below.0 | above.0) & from.wrapping_add(end))
    }

    /// Returns the set shifted by one file towards the a-file. Squares of the a-file are dropped.
    #[inline]
    const fn west(self) -> SquareSet {
        SquareSet((self.0 & !FILE_A) >> 1)
    }

    /// Returns the set shifted by one file towards the h-file. Squares of the h-file are dropped.
    #[inline]
    const fn east(self) -> SquareSet {
        SquareSet((self.0 & !FILE_H) << 1)
    }

    /// Returns the set with the neighbours of its squares on the same rank.
    ///
    /// ```
    /// use gaur::types::{Square, SquareSet};
    ///
    /// let a1 = SquareSet::of(Square::from_index(0));
    /// assert_eq!(a1.widened(), SquareSet::from_bits(0b11));
    /// ```
    #[inline]
    pub const fn widened(self) -> SquareSet {
        SquareSet(self.0 | self.west().0 | self.east().0)
    }

    /// Returns the set shifted by one rank in the direction in which `color` advances. Squares of the last rank
    /// are dropped.
    ///
    /// ```
    /// use gaur::types::{Color, SquareSet};
    ///
    /// assert_eq!(SquareSet::from_bits(1).forward(Color::White), SquareSet::from_bits(1 << 8));
    /// assert!(SquareSet::from_bits(1).forward(Color::Black).is_empty());
    /// ```
    #[inline]
    pub const fn forward(self, color: Color) -> SquareSet {
        match color {
            Color::White => SquareSet(self.0 << 8),
            Color::Black => SquareSet(self.0 >> 8),
        }
    }

    /// Returns the set with all squares ahead of it on the same files, in the direction in which `color` advances.
    ///
    /// ```
    /// use gaur::types::{Color, File, Square, SquareSet};
    ///
    /// let a1 = SquareSet::of(Square::from_index(0));
    /// assert_eq!(a1.forward_fill(Color::White), SquareSet::file(File::A));
    /// assert_eq!(a1.forward_fill(Color::Black), a1);
    /// ```
    #[inline]
    pub const fn forward_fill(self, color: Color) -> SquareSet {
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

    /// Returns the squares that pawns of `color` on the squares of this set attack.
    ///
    /// ```
    /// use gaur::types::{Color, Square, SquareSet};
    ///
    /// let a2 = SquareSet::of(Square::from_name("a2").unwrap());
    /// assert_eq!(a2.pawn_attacks(Color::White).first(), Square::from_name("b3"));
    /// ```
    #[inline]
    pub const fn pawn_attacks(self, color: Color) -> SquareSet {
        let forward = self.forward(color);
        SquareSet(forward.west().0 | forward.east().0)
    }

    /// Returns the squares that two pawns of `color` on the squares of this set attack.
    ///
    /// ```
    /// use gaur::types::{Color, Square, SquareSet};
    ///
    /// let second_rank = SquareSet::relative_rank(1, Color::White);
    /// assert_eq!(second_rank.pawn_double_attacks(Color::White).first(), Square::from_name("b3"));
    /// ```
    #[inline]
    pub const fn pawn_double_attacks(self, color: Color) -> SquareSet {
        let forward = self.forward(color);
        SquareSet(forward.west().0 & forward.east().0)
    }

    /// Returns the files that have a square in the set: one bit per file, the a-file lowest.
    ///
    /// ```
    /// use gaur::types::SquareSet;
    ///
    /// assert_eq!(SquareSet::CENTRE.files(), 0b0001_1000);
    /// ```
    #[inline]
    pub const fn files(self) -> u8 {
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

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
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
