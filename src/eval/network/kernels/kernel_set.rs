//! The table of inner loops that each instruction set implements.

use super::super::architecture::NeuronValues;

/// Accumulator update with a fixed number of added and removed features.
pub(super) type FixedUpdate<const ADDED: usize, const REMOVED: usize> = fn(
    target: &mut NeuronValues,
    source: &NeuronValues,
    added: [&NeuronValues; ADDED],
    removed: [&NeuronValues; REMOVED],
);

/// Inner loops for one instruction set.
///
/// The updates store `source` plus the weights `added` minus the weights `removed` in `target`.
#[derive(Clone, Copy)]
pub(in crate::eval::network) struct Kernels {
    /// Update with one added and one removed feature: a quiet move.
    pub add_sub: FixedUpdate<1, 1>,
    /// Update with one added and two removed features: a capture.
    pub add_sub_sub: FixedUpdate<1, 2>,
    /// Update with any number of added and removed features.
    pub update: fn(
        target: &mut NeuronValues,
        source: &NeuronValues,
        added: &[&NeuronValues],
        removed: &[&NeuronValues],
    ),
    /// Output layer: the sum of `clip(x)² · weight` over the neurons `x` of both accumulators.
    pub forward: fn(accumulators: [&NeuronValues; 2], weights: &[NeuronValues; 2]) -> i32,
}
