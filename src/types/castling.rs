//! Castling sides and rights.

use super::{Color, File, Rank, Square};

/// The two castlings, named by the side of the rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// With the rook nearer the h-file; the king ends on the g-file.
    HSide,
    /// With the rook nearer the a-file; the king ends on the c-file.
    ASide,
}

impl CastlingSide {
    /// Both sides, in the order of FEN's `KQ`.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::HSide, CastlingSide::ASide];

    /// 0 for the h-side, 1 for the a-side.
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

/// Which castlings are still allowed by what has moved: four bits, `KQkq` from the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right at all.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The one right of `color` on `side`.
    #[inline]
    pub const fn of(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (color.index() * 2 + side.index()))
    }

    /// Both rights of `color`.
    #[inline]
    pub const fn both(color: Color) -> CastlingRights {
        CastlingRights(3 << (color.index() * 2))
    }

    /// 0 to 15, the index of tables over rights.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 15
    }

    /// Whether `color` may still castle on `side` as far as rights go.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::of(color, side).0 != 0
    }

    /// Whether no right is left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rights in both.
    #[inline]
    pub const fn intersect(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & other.0)
    }

    /// The rights in either.
    #[inline]
    pub const fn union(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// The rights here that are not in `other`.
    #[inline]
    pub const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }
}
