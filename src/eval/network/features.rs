//! Which row of the network a piece on a square is, in the eyes of one side.

use crate::types::{Color, File, PieceKind, Square};

use super::net::{KING_BUCKET_OF, KING_BUCKETS};

/// Rows for one king bucket: pieces of both sides times squares.
const PER_BUCKET: usize = 12 * 64;

/// All rows.
pub(super) const FEATURES: usize = KING_BUCKETS * PER_BUCKET;

/// A piece on a square.
pub(super) type Placed = (Color, PieceKind, Square);

/// How a side looks at the board: from its own end, with its king on the files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    side: Color,
    mirrored: bool,
    bucket: usize,
}

impl View {
    /// That of a side whose king stands there.
    #[inline]
    pub fn new(side: Color, king: Square) -> View {
        let mut view = View {
            side,
            mirrored: king.file() >= File::E,
            bucket: 0,
        };
        view.bucket = usize::from(KING_BUCKET_OF[view.square(king)]);
        view
    }

    /// A square's index in this view.
    #[inline]
    fn square(self, square: Square) -> usize {
        square.relative_to(self.side).index() ^ if self.mirrored { 7 } else { 0 }
    }

    /// The row of a piece.
    #[inline]
    pub fn row(self, (color, kind, square): Placed) -> usize {
        let theirs = usize::from(color != self.side);
        self.bucket * PER_BUCKET + (theirs * 6 + kind.index()) * 64 + self.square(square)
    }

    /// Number of the view among those of its side.
    #[inline]
    pub fn number(self) -> usize {
        self.bucket * 2 + usize::from(self.mirrored)
    }
}
