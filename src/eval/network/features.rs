//! Which row of the network a piece on a square is, in the eyes of one side.

use crate::types::{Color, File, PieceKind, Square};

use super::net::{KING_BUCKET_OF, KING_BUCKETS};

/// Pieces of both sides on all squares, for all king buckets: rows on file, in the order of buckets, owners (the side
/// that looks, the other), kinds and squares.
pub(super) const FEATURES: usize = KING_BUCKETS * 2 * PER_OWNER;

const PER_OWNER: usize = 6 * 64;

/// Rows in memory: their numbers have bits of their own for bucket, owner, kind and square, so that another view is
/// only some bits changed. Those of the kinds 6 and 7, which do not exist, lie idle.
pub(super) const ROWS: usize = KING_BUCKETS << BUCKET_SHIFT;

const _: () = assert!(ROWS <= 1 << u16::BITS);

const KIND_SHIFT: u32 = 6;
const OWNER_SHIFT: u32 = 9;
const BUCKET_SHIFT: u32 = 10;

/// Where the row is in memory that has this number on file.
pub(super) const fn row_of(feature: usize) -> usize {
    ((feature / PER_OWNER) << OWNER_SHIFT) | (feature % PER_OWNER)
}

/// A piece on a square, the number of its row for White with the king on the files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed(u16);

impl Placed {
    #[inline(always)]
    pub fn new(color: Color, kind: PieceKind, square: Square) -> Placed {
        let number = (color.index() << OWNER_SHIFT) | (kind.index() << KIND_SHIFT) | square.index();
        Placed(number as u16)
    }
}

/// How a side looks at the board: from its own end, with its king on the files a to d. The bits in which its numbers
/// differ from those of [`Placed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View(u16);

impl View {
    /// That of a side whose king stands there.
    #[inline]
    pub fn new(side: Color, king: Square) -> View {
        let mirror = if king.file() >= File::E { 7 } else { 0 };
        let own_end = match side {
            Color::White => 0,
            Color::Black => (1 << OWNER_SHIFT) | 0o70,
        };
        let bucket = KING_BUCKET_OF[king.index() ^ mirror ^ (own_end & 0o77)];
        View(((usize::from(bucket) << BUCKET_SHIFT) | own_end | mirror) as u16)
    }

    /// The row of a piece.
    #[inline(always)]
    pub fn row(self, placed: Placed) -> usize {
        usize::from(placed.0 ^ self.0)
    }

    /// Number of the view among those of its side.
    #[inline]
    pub fn number(self) -> usize {
        usize::from((self.0 >> BUCKET_SHIFT) << 1 | (self.0 & 1))
    }
}
