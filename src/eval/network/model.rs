//! The parameters of a network, and its output layer.

use crate::types::Score;

use super::architecture::{
    ACCUMULATOR_SCALE, NeuronValues, OUTPUT_BUCKETS, OUTPUT_CENTIPAWNS, OUTPUT_WEIGHT_SCALE,
};
use super::features::FEATURE_SLOTS;
use super::kernels::Kernels;

/// Quantised parameters of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Name stored in the network file.
    pub(super) name: String,
    /// CRC-32 of the parameters as stored in the file.
    pub(super) checksum: u32,
    /// Biases of the hidden layer: the accumulator of an empty board.
    pub(super) biases: NeuronValues,
    /// Weights of each feature, indexed by [`super::features::Perspective::index`].
    pub(super) feature_weights: Box<[NeuronValues]>,
    /// Output weights by bucket, for the accumulators of the side to move and of its opponent.
    pub(super) output_weights: [[NeuronValues; 2]; OUTPUT_BUCKETS],
    /// Output biases by bucket; 1.0 is [`ACCUMULATOR_SCALE`] times [`OUTPUT_WEIGHT_SCALE`].
    pub(super) output_biases: [i32; OUTPUT_BUCKETS],
}

impl Network {
    /// Returns a network whose parameters are all zero.
    pub(super) fn zero() -> Network {
        Network {
            name: String::new(),
            checksum: 0,
            biases: NeuronValues::ZERO,
            feature_weights: vec![NeuronValues::ZERO; FEATURE_SLOTS].into_boxed_slice(),
            output_weights: [[NeuronValues::ZERO; 2]; OUTPUT_BUCKETS],
            output_biases: [0; OUTPUT_BUCKETS],
        }
    }

    /// Returns the name stored in the network file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the CRC-32 of all parameters, which identifies the network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the score for the side to move in centipawns, given both accumulators and the number of pieces.
    ///
    /// The first accumulator is that of the side to move.
    #[inline]
    pub(super) fn output(
        &self,
        kernels: Kernels,
        accumulators: [&NeuronValues; 2],
        pieces: usize,
    ) -> Score {
        let bucket = (pieces.saturating_sub(2) / 4).min(OUTPUT_BUCKETS - 1);
        let sum = (kernels.forward)(accumulators, &self.output_weights[bucket]);
        // Each product has the scale of the accumulator twice, because the activation is squared.
        let scale = i32::from(ACCUMULATOR_SCALE);
        let output = i64::from(sum / scale) + i64::from(self.output_biases[bucket]);
        let centipawns = output * OUTPUT_CENTIPAWNS / i64::from(scale * OUTPUT_WEIGHT_SCALE);
        Score(centipawns.clamp(i32::MIN.into(), i32::MAX.into()) as i32).clamp_to_eval()
    }
}
