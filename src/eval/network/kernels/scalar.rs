//! Inner loops without explicit SIMD instructions: the reference for all other instruction sets.

use super::super::hidden::{FIRST_NEURONS, GROUP, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block, PRODUCT_SHIFT};
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

    fn hidden<const B: usize>(accumulators: [&[Block; B]; 2], layers: &HiddenLayers) -> i32 {
        let activations = layers.first_activations(&first_sums(accumulators, layers));
        let mut sums = [0; SECOND_NEURONS];
        let pairs = activations.vectors::<2>().iter();
        for (pair, weights) in pairs.zip(&layers.second_weights) {
            let weights = weights.iter().flat_map(Block::vectors::<2>);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += weighted_sum(pair, weights);
            }
        }
        let activations = layers.second_activations(&sums);
        weighted_sum(&activations.0, &layers.output_weights.0) + layers.output_bias
    }
}

/// Returns the sums of the first hidden layer without biases. Groups of four products that are all zero are skipped.
fn first_sums<const B: usize>(
    accumulators: [&[Block; B]; 2],
    layers: &HiddenLayers,
) -> [i32; FIRST_NEURONS] {
    let mut sums = [0; FIRST_NEURONS];
    let mut groups = layers.first_weights.iter();
    for accumulator in accumulators {
        let (low, high) = accumulator.split_at(B / 2);
        let [low, high] = [low, high].map(|half| half.iter().flat_map(Block::vectors::<GROUP>));
        for ((low, high), weights) in low.zip(high).zip(&mut groups) {
            let group: [i16; GROUP] = std::array::from_fn(|index| {
                let clipped = |value: i16| i32::from(value.clamp(0, ACCUMULATOR_SCALE));
                ((clipped(low[index]) * clipped(high[index])) >> PRODUCT_SHIFT) as i16
            });
            if group == [0; GROUP] {
                continue;
            }
            for (sum, weights) in sums.iter_mut().zip(weights.vectors::<{ GROUP / 2 }>()) {
                let [a, b] =
                    weights.map(|pair| pair.to_le_bytes().map(|byte| i16::from(byte as i8)));
                *sum += weighted_sum(&group, &[a[0], a[1], b[0], b[1]]);
            }
        }
    }
    sums
}

/// Returns the sum of the values, each multiplied by its weight.
fn weighted_sum<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
    let products = values.iter().zip(weights);
    products
        .map(|(&value, &weight)| i32::from(value) * i32::from(weight))
        .sum()
}
