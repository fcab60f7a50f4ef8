//! The inner loops that each instruction set implements.

use super::super::hidden::HiddenLayers;
use super::super::quantisation::Block;

/// Inner loops of one instruction set, for accumulators of `B` blocks.
///
/// The updates store `source` plus the weights `added` minus the weights `removed` in `target`.
pub(in crate::eval::network) trait Kernels {
    /// Updates an accumulator with one added and one removed feature: a quiet move.
    fn add_sub<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: [&[Block; B]; 1],
        removed: [&[Block; B]; 1],
    );

    /// Updates an accumulator with one added and two removed features: a capture.
    fn add_sub_sub<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: [&[Block; B]; 1],
        removed: [&[Block; B]; 2],
    );

    /// Updates an accumulator with any number of added and removed features.
    fn update<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: &[&[Block; B]],
        removed: &[&[Block; B]],
    );

    /// Returns the sum of `clip(x)² · weight` over the neurons `x` of both accumulators: the output layer.
    fn forward<const B: usize>(accumulators: [&[Block; B]; 2], weights: &[[Block; B]; 2]) -> i32;

    /// Returns the output of hidden layers for accumulators of this width, which they must accept.
    fn hidden<const B: usize>(accumulators: [&[Block; B]; 2], layers: &HiddenLayers) -> i32;
}

/// Function that is compiled for each instruction set and each number of blocks per accumulator.
pub(in crate::eval::network) trait KernelVisitor {
    /// Result of the function.
    type Output;

    /// Calls the function with the inner loops `K` for accumulators of `B` blocks.
    fn visit<K: Kernels, const B: usize>(self) -> Self::Output;
}
