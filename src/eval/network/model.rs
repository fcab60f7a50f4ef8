//! The parameters of a network, and its output layer.

use std::collections::TryReserveError;

use crate::types::Score;

use super::architecture::{Architecture, OutputKind};
use super::features::SLOTS_PER_BUCKET;
use super::hidden::HiddenLayers;
use super::kernels::Kernels;
use super::quantisation::{ACCUMULATOR_SCALE, Block, try_zero_blocks, zero_blocks};

/// Quantised parameters of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Name stored in the network file.
    pub(super) name: String,
    /// CRC-32 stored in the network file.
    pub(super) checksum: u32,
    /// Sizes of the layers and division of the king's squares.
    pub(super) architecture: Architecture,
    /// Biases of the accumulators: the accumulator of an empty board.
    pub(super) biases: Box<[Block]>,
    /// Weights of each feature, indexed by [`super::features::Perspective::index`].
    pub(super) feature_weights: Box<[Block]>,
    /// Output weights by bucket: those of the accumulator of the side to move, then those of its opponent's. None with
    /// hidden layers.
    pub(super) output_weights: Box<[Block]>,
    /// Output biases by bucket; 1.0 is [`ACCUMULATOR_SCALE`] times the scale of the output weights. None with hidden
    /// layers.
    pub(super) output_biases: Box<[i32]>,
    /// Hidden layers and output after them, by bucket. None with a single output.
    pub(super) hidden_layers: Box<[HiddenLayers]>,
}

impl Network {
    /// Returns a network of this architecture whose parameters are all zero.
    ///
    /// # Errors
    /// Returns an error if the system refuses the memory of the feature weights, which are nearly all of it.
    pub(super) fn zero(architecture: Architecture) -> Result<Network, TryReserveError> {
        let blocks = architecture.width.blocks();
        let (single, hidden) = match architecture.output {
            OutputKind::Single => (architecture.output_buckets, 0),
            OutputKind::Hidden => (0, architecture.output_buckets),
        };
        Ok(Network {
            name: String::new(),
            checksum: 0,
            biases: zero_blocks(blocks),
            feature_weights: try_zero_blocks(feature_blocks(&architecture))?,
            output_weights: zero_blocks(single * 2 * blocks),
            output_biases: vec![0; single].into_boxed_slice(),
            hidden_layers: vec![HiddenLayers::zero(architecture.width); hidden].into_boxed_slice(),
            architecture,
        })
    }

    /// Returns the name stored in the network file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the CRC-32 stored in the network file, which identifies the network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the score for the side to move in centipawns by a single output, given both accumulators and the number
    /// of pieces.
    ///
    /// The first accumulator is that of the side to move.
    #[inline(always)]
    pub(super) fn output<K: Kernels, const B: usize>(
        &self,
        accumulators: [&[Block; B]; 2],
        pieces: usize,
    ) -> Score {
        let bucket = self.architecture.output_bucket(pieces);
        let weights = &self.output_weights.as_chunks::<B>().0.as_chunks::<2>().0[bucket];
        let sum = K::forward(accumulators, weights);
        // Each product has the scale of the accumulator twice, because the activation is squared.
        let scale = i32::from(ACCUMULATOR_SCALE);
        let output = i64::from(sum / scale) + i64::from(self.output_biases[bucket]);
        self.architecture.score(output)
    }

    /// Returns the score for the side to move in centipawns by hidden layers, given both accumulators and the number of
    /// pieces.
    ///
    /// The first accumulator is that of the side to move.
    #[inline(always)]
    pub(super) fn hidden_output<K: Kernels, const B: usize>(
        &self,
        accumulators: [&[Block; B]; 2],
        pieces: usize,
    ) -> Score {
        let bucket = self.architecture.output_bucket(pieces);
        let output = K::hidden(accumulators, &self.hidden_layers[bucket]);
        self.architecture.hidden_score(output)
    }

    /// Returns the weights of each feature.
    #[inline(always)]
    pub(super) fn weights<const B: usize>(&self) -> &[[Block; B]] {
        self.feature_weights.as_chunks().0
    }
}

/// Returns the number of blocks of feature weights.
pub(super) fn feature_blocks(architecture: &Architecture) -> usize {
    architecture.king_buckets.count() * SLOTS_PER_BUCKET * architecture.width.blocks()
}
