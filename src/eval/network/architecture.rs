//! Sizes and quantisation of the network.
//!
//! All values are integers. A value of 1.0 is [`ACCUMULATOR_SCALE`] in biases, feature weights and accumulators, and
//! [`OUTPUT_WEIGHT_SCALE`] in output weights (often called QA and QB). The limits of the output weights guarantee that
//! products fit into 16 bits and sums into 32 bits.

/// Neurons of the hidden layer per perspective.
pub(super) const ACCUMULATOR_SIZE: usize = 512;

/// Sets of output weights, selected by the number of pieces on the board.
pub(super) const OUTPUT_BUCKETS: usize = 8;

/// Regions of the own king's square that have feature weights of their own.
pub(super) const KING_BUCKETS: usize = 1;

/// The king bucket of each square from the perspective of the king's side.
pub(super) const KING_BUCKET_OF: [u8; 64] = [0; 64];

/// Perspectives of one side: king buckets, each with the board mirrored or not.
pub(super) const PERSPECTIVES: usize = 2 * KING_BUCKETS;

/// Integer that represents 1.0 in an accumulator; the activation function clips to 0 and this value.
pub(super) const ACCUMULATOR_SCALE: i16 = 255;

/// Integer that represents 1.0 in an output weight.
pub(super) const OUTPUT_WEIGHT_SCALE: i32 = 128;

/// Largest absolute value of an output weight. Its product with a clipped accumulator value fits into 16 bits.
pub(super) const MAX_OUTPUT_WEIGHT: i16 = 128;

const _: () = assert!(ACCUMULATOR_SCALE as i32 * MAX_OUTPUT_WEIGHT as i32 <= i16::MAX as i32);

/// Largest sum of the absolute output weights of a bucket. With all neurons at 1.0 the output fits into 32 bits.
pub(super) const MAX_OUTPUT_WEIGHT_SUM: i32 =
    i32::MAX / (ACCUMULATOR_SCALE as i32 * ACCUMULATOR_SCALE as i32);

/// Score in centipawns of a network output of 1.0.
pub(super) const OUTPUT_CENTIPAWNS: i64 = 200;

/// A 16-bit value for each neuron of one perspective: an accumulator, the weights of a feature, or output weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct NeuronValues(pub [i16; ACCUMULATOR_SIZE]);

impl NeuronValues {
    /// Zero for each neuron.
    pub const ZERO: NeuronValues = NeuronValues([0; ACCUMULATOR_SIZE]);

    /// Returns the values as SIMD vectors of `N` lanes.
    #[inline(always)]
    pub fn vectors<const N: usize>(&self) -> &[[i16; N]] {
        self.0.as_chunks().0
    }

    /// Returns the values as mutable SIMD vectors of `N` lanes.
    #[inline(always)]
    pub fn vectors_mut<const N: usize>(&mut self) -> &mut [[i16; N]] {
        self.0.as_chunks_mut().0
    }

    /// Returns the values as tiles of `T` SIMD vectors of `N` lanes.
    #[inline(always)]
    pub fn tiles<const N: usize, const T: usize>(&self) -> &[[[i16; N]; T]] {
        self.vectors().as_chunks().0
    }

    /// Returns the values as mutable tiles of `T` SIMD vectors of `N` lanes.
    #[inline(always)]
    pub fn tiles_mut<const N: usize, const T: usize>(&mut self) -> &mut [[[i16; N]; T]] {
        self.0.as_chunks_mut().0.as_chunks_mut().0
    }
}
