//! Inner loops without explicit SIMD instructions: the reference for all other instruction sets.

use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block};
use super::kernel_set::Kernels;

/// Scalar code.
pub(super) struct Scalar;

impl Kernels for Scalar {
    fn add_sub<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: [&[Block; B]; 1],
        removed: [&[Block; B]; 1],
    ) {
        Scalar::update(target, source, &added, &removed);
    }

    fn add_sub_sub<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: [&[Block; B]; 1],
        removed: [&[Block; B]; 2],
    ) {
        Scalar::update(target, source, &added, &removed);
    }

    fn update<const B: usize>(
        target: &mut [Block; B],
        source: &[Block; B],
        added: &[&[Block; B]],
        removed: &[&[Block; B]],
    ) {
        *target = *source;
        for weights in added {
            for (sums, weights) in target.iter_mut().zip(*weights) {
                for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
                    *sum = sum.wrapping_add(weight);
                }
            }
        }
        for weights in removed {
            for (sums, weights) in target.iter_mut().zip(*weights) {
                for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
                    *sum = sum.wrapping_sub(weight);
                }
            }
        }
    }

    fn forward<const B: usize>(accumulators: [&[Block; B]; 2], weights: &[[Block; B]; 2]) -> i32 {
        // A sum for each value of a block, so that the compiler can use vectors.
        let mut sums = [0i32; BLOCK_SIZE];
        let values = accumulators.into_iter().flatten();
        for (values, weights) in values.zip(weights.as_flattened()) {
            for ((sum, value), weight) in sums.iter_mut().zip(values.0).zip(weights.0) {
                let clipped = i32::from(value.clamp(0, ACCUMULATOR_SCALE));
                *sum = sum.wrapping_add(clipped * clipped * i32::from(weight));
            }
        }
        sums.into_iter().fold(0, i32::wrapping_add)
    }
}
