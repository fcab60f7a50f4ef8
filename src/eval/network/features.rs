//! Input features: their numbers in the network file and their indices in memory from each perspective.

use crate::board::PlacedPiece;
use crate::types::{Color, PieceKind, Square};

use super::architecture::KingBuckets;
use super::quantisation::MAX_KING_BUCKETS;

/// Input features of one perspective in each king bucket: owner (own, opponent's) × 6 kinds × 64 squares.
///
/// The network file stores the weights of the features in this order.
pub(super) const FEATURES_PER_BUCKET: usize = 2 * FEATURES_PER_OWNER;

/// Squares of the board: the number of features of one owner's pieces of one kind.
pub(super) const SQUARES: usize = 64;

const FEATURES_PER_OWNER: usize = 6 * SQUARES;

/// Places for the weights of features in memory, for each king bucket.
///
/// An index has separate bits for bucket, owner, kind and square. One XOR then converts it to another perspective.
/// The places of the kinds 6 and 7, which do not exist, are unused.
pub(super) const SLOTS_PER_BUCKET: usize = 1 << BUCKET_SHIFT;

const _: () = assert!(MAX_KING_BUCKETS * SLOTS_PER_BUCKET <= 1 << u16::BITS);

const KIND_SHIFT: u32 = SQUARES.ilog2();
const OWNER_SHIFT: u32 = 9;
const BUCKET_SHIFT: u32 = 10;

/// Returns the index in memory of the feature with the number `feature` in the network file.
pub(super) const fn slot_of(feature: usize) -> usize {
    ((feature / FEATURES_PER_OWNER) << OWNER_SHIFT) | (feature % FEATURES_PER_OWNER)
}

/// Returns the number in the network file of the feature with the index `slot` in memory.
pub(super) const fn number_of(slot: usize) -> usize {
    (slot >> OWNER_SHIFT) * FEATURES_PER_OWNER + slot % (1 << OWNER_SHIFT)
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

/// Perspective of one side: the board seen from its own end, in one king bucket, mirrored or not.
///
/// The value is the XOR of the indices of a feature from this perspective and in [`Feature`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perspective(u16);

impl Perspective {
    /// Returns the perspective of `side` with its king on `king`.
    pub fn new(king_buckets: &KingBuckets, side: Color, king: usize) -> Perspective {
        let mirror = if king_buckets.is_mirrored() && king & 4 != 0 {
            7
        } else {
            0
        };
        let own_end = match side {
            Color::White => 0,
            Color::Black => (1 << OWNER_SHIFT) | 0o70,
        };
        let bucket = king_buckets.buckets()[king ^ (own_end & 0o77)];
        Perspective(((usize::from(bucket) << BUCKET_SHIFT) | own_end | mirror) as u16)
    }

    /// Returns the index of the weights of `feature` from this perspective.
    #[inline(always)]
    pub fn index(self, feature: Feature) -> usize {
        usize::from(feature.0 ^ self.0)
    }

    /// Returns the number of this perspective among those of its side, below twice the number of king buckets.
    #[inline]
    pub fn number(self) -> usize {
        usize::from((self.0 >> BUCKET_SHIFT) << 1 | (self.0 & 1))
    }
}

/// The perspectives of both sides for each square of their kings.
#[derive(Clone, Debug)]
pub(super) struct Perspectives([[Perspective; 64]; 2]);

impl Perspectives {
    /// Returns the perspectives with these king buckets.
    pub fn new(king_buckets: &KingBuckets) -> Perspectives {
        Perspectives(
            Color::ALL
                .map(|side| std::array::from_fn(|king| Perspective::new(king_buckets, side, king))),
        )
    }

    /// Returns the perspective of `side` with its king on `king`.
    #[inline]
    pub fn of(&self, side: Color, king: Square) -> Perspective {
        self.0[side.index()][king.index()]
    }
}
