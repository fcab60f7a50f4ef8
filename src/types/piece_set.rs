//! Sets of piece numbers of one side.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of piece numbers 0 to 15, one bit each. (Idea: the engine rose.)
///
/// A side's pieces are numbered on the board. The set is an iterator over its numbers in ascending order.
///
/// ```
/// use gaur::types::PieceSet;
///
/// let mut set = PieceSet::single(3) | PieceSet::single(7);
/// set.remove(3);
/// assert_eq!(set.collect::<Vec<_>>(), [7]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PieceSet(pub u16);

impl PieceSet {
    /// The empty set.
    pub const EMPTY: PieceSet = PieceSet(0);

    /// Returns the set of one piece number, 0 to 15.
    #[inline]
    pub const fn single(number: usize) -> PieceSet {
        PieceSet(1 << (number & 15))
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of elements.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set has two elements or more.
    ///
    /// ```
    /// use gaur::types::PieceSet;
    ///
    /// assert!(PieceSet(0b101).has_several());
    /// assert!(!PieceSet(0b100).has_several());
    /// ```
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns `true` if the set contains `number`.
    ///
    /// ```
    /// use gaur::types::PieceSet;
    ///
    /// assert!(PieceSet::single(5).contains(5));
    /// ```
    #[inline]
    pub const fn contains(self, number: usize) -> bool {
        self.0 >> (number & 15) & 1 != 0
    }

    /// Returns the lowest number in the set.
    ///
    /// ```
    /// use gaur::types::PieceSet;
    ///
    /// assert_eq!(PieceSet(0b110).first(), Some(1));
    /// assert_eq!(PieceSet::EMPTY.first(), None);
    /// ```
    #[inline]
    pub const fn first(self) -> Option<usize> {
        if self.0 == 0 {
            None
        } else {
            Some(self.0.trailing_zeros() as usize & 15)
        }
    }

    /// Adds a piece number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0 |= PieceSet::single(number).0;
    }

    /// Removes a piece number.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0 &= !PieceSet::single(number).0;
    }
}

impl Iterator for PieceSet {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let number = self.first()?;
        self.0 &= self.0 - 1;
        Some(number)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl BitAnd for PieceSet {
    type Output = PieceSet;

    #[inline]
    fn bitand(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }
}

impl BitOr for PieceSet {
    type Output = PieceSet;

    #[inline]
    fn bitor(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }
}

impl BitOrAssign for PieceSet {
    #[inline]
    fn bitor_assign(&mut self, other: PieceSet) {
        self.0 |= other.0;
    }
}

impl Not for PieceSet {
    type Output = PieceSet;

    #[inline]
    fn not(self) -> PieceSet {
        PieceSet(!self.0)
    }
}
