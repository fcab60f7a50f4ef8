//! What the network consists of, and its last layer.

use std::sync::Arc;

use crate::types::Score;

use super::EMBEDDED;
use super::features::ROWS;
use super::kernels::{Kernels, ONE};

/// Numbers in an accumulator of one side.
pub(super) const WIDTH: usize = 512;

/// Sets of output weights, by the number of pieces on the board.
pub(super) const OUTPUTS: usize = 8;

/// Regions of the own king for which there are separate rows.
pub(super) const KING_BUCKETS: usize = 1;

/// The region of a king's square, in the eyes of its side.
pub(super) const KING_BUCKET_OF: [u8; 64] = [0; 64];

/// Ways in which a side may look at the board.
pub(super) const VIEWS: usize = 2 * KING_BUCKETS;

/// Parts of 1.0 in an output weight.
pub(super) const WEIGHT_ONE: i32 = 128;

/// The largest output weight, up or down: times what a clipped number can be, it still fits into 16 bits.
pub(super) const LARGEST_WEIGHT: i16 = 128;

/// The most that the output weights of one set may add up to, signs aside: with all numbers at their largest, the sum
/// still fits into 31 bits.
pub(super) const LARGEST_SUM: i32 = i32::MAX / (ONE as i32 * ONE as i32);

/// Centipawns of an output of 1.0.
const CENTIPAWNS: i64 = 200;

/// An accumulator of one side, or what a piece adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub [i16; WIDTH]);

impl Row {
    pub const ZERO: Row = Row([0; WIDTH]);

    /// The numbers as vectors of `N`.
    #[inline(always)]
    pub fn vectors<const N: usize>(&self) -> &[[i16; N]] {
        self.0.as_chunks().0
    }

    /// The same, to be written to.
    #[inline(always)]
    pub fn vectors_mut<const N: usize>(&mut self) -> &mut [[i16; N]] {
        self.0.as_chunks_mut().0
    }

    /// The numbers as tiles of `T` vectors of `N`.
    #[inline(always)]
    pub fn tiles<const N: usize, const T: usize>(&self) -> &[[[i16; N]; T]] {
        self.vectors().as_chunks().0
    }

    /// The same, to be written to.
    #[inline(always)]
    pub fn tiles_mut<const N: usize, const T: usize>(&mut self) -> &mut [[[i16; N]; T]] {
        self.0.as_chunks_mut().0.as_chunks_mut().0
    }
}

/// A network as it was trained and rounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// What it is called.
    pub(super) name: String,
    /// CRC-32 of all its numbers as its file has them.
    pub(super) checksum: u32,
    /// An accumulator without pieces.
    pub(super) biases: Row,
    /// As [`super::features::View::row`] numbers them.
    pub(super) rows: Box<[Row]>,
    /// By number of pieces: for the side to move and for the other.
    pub(super) weights: [[Row; 2]; OUTPUTS],
    /// In parts of [`WEIGHT_ONE`] times [`ONE`].
    pub(super) output_biases: [i32; OUTPUTS],
}

impl Network {
    /// The one that comes with the engine.
    pub fn embedded() -> Arc<Network> {
        Arc::clone(&EMBEDDED)
    }

    /// A network that knows nothing.
    pub(super) fn blank() -> Network {
        Network {
            name: String::new(),
            checksum: 0,
            biases: Row::ZERO,
            rows: vec![Row::ZERO; ROWS].into_boxed_slice(),
            weights: [[Row::ZERO; 2]; OUTPUTS],
            output_biases: [0; OUTPUTS],
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// CRC-32 of all its numbers, which tells networks apart.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The value for the side to move, from the accumulators of that side and of the other, with so many pieces on the
    /// board.
    #[inline]
    pub(super) fn output(&self, kernels: Kernels, sides: [&Row; 2], pieces: usize) -> Score {
        let set = (pieces.saturating_sub(2) / 4).min(OUTPUTS - 1);
        let sum = (kernels.forward)(sides, &self.weights[set]);
        let value = i64::from(sum / i32::from(ONE)) + i64::from(self.output_biases[set]);
        let centipawns = value * CENTIPAWNS / i64::from(i32::from(ONE) * WEIGHT_ONE);
        Score(centipawns.clamp(i32::MIN.into(), i32::MAX.into()) as i32).clamp_to_eval()
    }
}
