//! Castling sides and rights.

use super::{Color, File, Rank, Square};

/// One of the two castlings, named by the side of the rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// Castling with the rook nearer to the h-file. The king's target is on the g-file.
    HSide,
    /// Castling with the rook nearer to the a-file. The king's target is on the c-file.
    ASide,
}

impl CastlingSide {
    /// Both sides, in the order of `KQ` in FEN.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::HSide, CastlingSide::ASide];

    /// Returns 0 for the h-side and 1 for the a-side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the king's file after castling.
    ///
    /// ```
    /// use gaur::types::{CastlingSide, File};
    ///
    /// assert_eq!(CastlingSide::HSide.king_file(), File::G);
    /// ```
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::HSide => File::G,
            CastlingSide::ASide => File::C,
        }
    }

    /// Returns the king's square after castling by `color`.
    ///
    /// ```
    /// use gaur::types::{CastlingSide, Color, Square};
    ///
    /// let target = CastlingSide::ASide.king_target(Color::Black);
    /// assert_eq!(Some(target), Square::from_name("c8"));
    /// ```
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        Square::new(self.king_file(), Rank::home(color))
    }

    /// Returns the rook's square after castling by `color`.
    ///
    /// ```
    /// use gaur::types::{CastlingSide, Color, Square};
    ///
    /// let target = CastlingSide::HSide.rook_target(Color::White);
    /// assert_eq!(Some(target), Square::from_name("f1"));
    /// ```
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::HSide => File::F,
            CastlingSide::ASide => File::D,
        };
        Square::new(file, Rank::home(color))
    }
}

/// Castling rights of both sides: a set of four bits, `KQkq` from the lowest.
///
/// ```
/// use gaur::types::{CastlingRights, CastlingSide, Color};
///
/// let rights = CastlingRights::ALL.without(CastlingRights::both(Color::White));
/// assert!(rights.has(Color::Black, CastlingSide::HSide));
/// assert!(!rights.has(Color::White, CastlingSide::HSide));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// The empty set.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// Returns the right of `color` to castle on `side`.
    #[inline]
    pub const fn of(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (color.index() * 2 + side.index()))
    }

    /// Returns both rights of `color`.
    #[inline]
    pub const fn both(color: Color) -> CastlingRights {
        CastlingRights(3 << (color.index() * 2))
    }

    /// Returns the index of the set in tables, 0 to 15.
    ///
    /// ```
    /// use gaur::types::CastlingRights;
    ///
    /// assert_eq!(CastlingRights::NONE.index(), 0);
    /// assert_eq!(CastlingRights::ALL.index(), 15);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 15
    }

    /// Returns `true` if the set contains the right of `color` to castle on `side`.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::of(color, side).0 != 0
    }

    /// Returns `true` if the set contains no right.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the rights that are in both sets.
    ///
    /// ```
    /// use gaur::types::{CastlingRights, Color};
    ///
    /// let white = CastlingRights::both(Color::White);
    /// assert_eq!(white.intersect(CastlingRights::ALL), white);
    /// assert!(white.intersect(CastlingRights::both(Color::Black)).is_empty());
    /// ```
    #[inline]
    pub const fn intersect(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & other.0)
    }

    /// Returns the rights that are in at least one of the sets.
    ///
    /// ```
    /// use gaur::types::{CastlingRights, Color};
    ///
    /// let (white, black) = (CastlingRights::both(Color::White), CastlingRights::both(Color::Black));
    /// assert_eq!(white.union(black), CastlingRights::ALL);
    /// ```
    #[inline]
    pub const fn union(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// Returns the rights of this set that are not in `other`.
    #[inline]
    pub const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }
}
