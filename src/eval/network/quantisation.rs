//! Limits and quantisation of networks, and the block of values of which their parameters consist.
//!
//! All values are integers. A value of 1.0 is [`ACCUMULATOR_SCALE`] in biases, feature weights and accumulators, and 64
//! or 128 in output weights (often called QA and QB). The limits of the output weights guarantee that products fit into
//! 16 bits and sums into 32 bits. Networks with hidden layers have scales of their own.

use std::collections::TryReserveError;

/// Values in a [`Block`].
pub(super) const BLOCK_SIZE: usize = 32;

/// Largest number of sets of output weights, selected by the number of pieces on the board.
pub(super) const MAX_OUTPUT_BUCKETS: usize = 8;

/// Largest number of regions of the own king's square that have feature weights of their own.
pub(super) const MAX_KING_BUCKETS: usize = 32;

/// Integer that represents 1.0 in an accumulator; the activation function clips to 0 and this value.
pub(super) const ACCUMULATOR_SCALE: i16 = 255;

/// Integers that may represent 1.0 in an output weight.
pub(super) const OUTPUT_WEIGHT_SCALES: [u16; 2] = [64, 128];

/// Largest absolute value of an output weight. Its product with a clipped accumulator value fits into 16 bits.
pub(super) const MAX_OUTPUT_WEIGHT: i16 = 128;

const _: () = assert!(ACCUMULATOR_SCALE as i32 * MAX_OUTPUT_WEIGHT as i32 <= i16::MAX as i32);

/// Largest sum of the absolute output weights of a bucket. With all neurons at 1.0 the output fits into 32 bits.
pub(super) const MAX_OUTPUT_WEIGHT_SUM: i32 =
    i32::MAX / (ACCUMULATOR_SCALE as i32 * ACCUMULATOR_SCALE as i32);

/// Bits that a product of two clipped accumulator values loses, so that 7 bits remain: 1.0 is 255² / 512 = 127.002.
pub(super) const PRODUCT_SHIFT: u32 = 9;

/// Largest product of two clipped accumulator values.
pub(super) const MAX_PRODUCT: i32 =
    (ACCUMULATOR_SCALE as i32 * ACCUMULATOR_SCALE as i32) >> PRODUCT_SHIFT;

/// Integer that represents 1.0 in a weight of the first hidden layer.
const FIRST_WEIGHT_SCALE: i32 = 64;

/// Integer that represents 1.0 in a weight of the second hidden layer, and in an output weight after hidden layers.
pub(super) const SECOND_WEIGHT_SCALE: u16 = 512;

/// Integer that represents 1.0 in a sum of the second hidden layer, and in an output after hidden layers.
pub(super) const HIDDEN_SUM_SCALE: i32 =
    ACCUMULATOR_SCALE as i32 * ACCUMULATOR_SCALE as i32 * FIRST_WEIGHT_SCALE;

/// Bits by which a sum of the second hidden layer is longer than an activation of a hidden layer.
pub(super) const SUM_SHIFT: u32 = SECOND_WEIGHT_SCALE.ilog2();

/// Largest activation of a hidden layer: 1.0 is 255² / 512 x 64 = 8128.125.
pub(super) const MAX_ACTIVATION: i32 = HIDDEN_SUM_SCALE >> SUM_SHIFT;

/// Bits that the square of an activation of a hidden layer loses. Squares are (255 / 256)² of the exact ones.
pub(super) const SQUARE_SHIFT: u32 = 13;

const _: () = assert!((MAX_ACTIVATION * MAX_ACTIVATION) >> SQUARE_SHIFT <= MAX_ACTIVATION);

/// Largest absolute bias of the first hidden layer. Sums of this layer, which has at most [`MAX_PRODUCTS`] inputs, then
/// fit into 32 bits.
pub(super) const MAX_FIRST_BIAS: u32 = 1 << 30;

/// Largest number of products of accumulator values.
pub(super) const MAX_PRODUCTS: usize = 1536;

const _: () = assert!(
    MAX_PRODUCTS as i64 * MAX_PRODUCT as i64 * 128 + MAX_FIRST_BIAS as i64 <= i32::MAX as i64
);

/// Largest score in centipawns that an output of 1.0 may represent.
pub(super) const MAX_OUTPUT_CENTIPAWNS: u16 = 1000;

/// Values of [`BLOCK_SIZE`] neurons, or their weights.
///
/// Accumulators, the weights of a feature and output weights are slices of blocks. The alignment is that of a cache
/// line and of the largest vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Block(pub [i16; BLOCK_SIZE]);

impl Block {
    /// Zero for each neuron.
    pub const ZERO: Block = Block([0; BLOCK_SIZE]);

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
}

/// Returns `count` blocks of zeros.
pub(super) fn zero_blocks(count: usize) -> Box<[Block]> {
    vec![Block::ZERO; count].into_boxed_slice()
}

/// Returns `count` blocks of zeros, or an error if the system refuses the memory.
pub(super) fn try_zero_blocks(count: usize) -> Result<Box<[Block]>, TryReserveError> {
    let mut blocks = Vec::new();
    blocks.try_reserve_exact(count)?;
    blocks.resize(count, Block::ZERO);
    Ok(blocks.into_boxed_slice())
}
