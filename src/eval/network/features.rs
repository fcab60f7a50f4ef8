//! Input features: their numbers in the network file and their indices in memory from each perspective.

use crate::board::PlacedPiece;
use crate::types::{Color, File, PieceKind, Square};

use super::architecture::{KING_BUCKET_OF, KING_BUCKETS};

/// Input features of one perspective: king buckets × owner (own, opponent's) × 6 kinds × 64 squares.
///
/// The network file stores the weights of the features in this order.
pub(super) const FEATURES: usize = KING_BUCKETS * 2 * FEATURES_PER_OWNER;

const FEATURES_PER_OWNER: usize = 6 * 64;

/// Places for the weights of features in memory.
///
/// An index has separate bits for bucket, owner, kind and square. One XOR then converts it to another perspective.
/// The places of the kinds 6 and 7, which do not exist, are unused.
pub(super) const FEATURE_SLOTS: usize = KING_BUCKETS << BUCKET_SHIFT;

const _: () = assert!(FEATURE_SLOTS <= 1 << u16::BITS);

const KIND_SHIFT: u32 = 6;
const OWNER_SHIFT: u32 = 9;
const BUCKET_SHIFT: u32 = 10;

/// Returns the index in memory of the feature with the number `feature` in the network file.
pub(super) const fn slot_of(feature: usize) -> usize {
    ((feature / FEATURES_PER_OWNER) << OWNER_SHIFT) | (feature % FEATURES_PER_OWNER)
}

/// A piece on a square: its feature index from White's perspective, not mirrored, in king bucket 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feature(u16);

impl Feature {
    /// Returns the feature of a piece on `square`.
    #[inline(always)]
    pub fn new(color: Color, kind: PieceKind, square: Square) -> Feature {
        let index = (color.index() << OWNER_SHIFT) | (kind.index() << KIND_SHIFT) | square.index();
        Feature(index as u16)
    }

    /// Returns the feature of a placed piece.
    #[inline(always)]
    pub fn of(placed: PlacedPiece) -> Feature {
        Feature::new(placed.piece.color, placed.piece.kind, placed.square)
    }
}

/// Perspective of one side: the board seen from its own end, mirrored so that its king stands on files a to d.
///
/// The value is the XOR of the indices of a feature from this perspective and in [`Feature`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perspective(u16);

impl Perspective {
    /// Returns the perspective of `side` with its king on `king`.
    #[inline]
    pub fn new(side: Color, king: Square) -> Perspective {
        let mirror = if king.file() >= File::E { 7 } else { 0 };
        let own_end = match side {
            Color::White => 0,
            Color::Black => (1 << OWNER_SHIFT) | 0o70,
        };
        let bucket = KING_BUCKET_OF[king.index() ^ mirror ^ (own_end & 0o77)];
        Perspective(((usize::from(bucket) << BUCKET_SHIFT) | own_end | mirror) as u16)
    }

    /// Returns the index of the weights of `feature` from this perspective, below [`FEATURE_SLOTS`].
    #[inline(always)]
    pub fn index(self, feature: Feature) -> usize {
        usize::from(feature.0 ^ self.0)
    }

    /// Returns the number of this perspective among those of its side, below
    /// [`PERSPECTIVES`](super::architecture::PERSPECTIVES).
    #[inline]
    pub fn number(self) -> usize {
        usize::from((self.0 >> BUCKET_SHIFT) << 1 | (self.0 & 1))
    }
}
