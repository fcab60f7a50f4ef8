//! Inner loops without explicit SIMD instructions: the reference for all other instruction sets.

use super::super::architecture::{ACCUMULATOR_SCALE, NeuronValues};
use super::kernel_set::Kernels;

pub(super) const KERNELS: Kernels = Kernels {
    add_sub,
    add_sub_sub,
    update,
    forward,
};

fn add_sub(
    target: &mut NeuronValues,
    source: &NeuronValues,
    added: [&NeuronValues; 1],
    removed: [&NeuronValues; 1],
) {
    update(target, source, &added, &removed);
}

fn add_sub_sub(
    target: &mut NeuronValues,
    source: &NeuronValues,
    added: [&NeuronValues; 1],
    removed: [&NeuronValues; 2],
) {
    update(target, source, &added, &removed);
}

fn update(
    target: &mut NeuronValues,
    source: &NeuronValues,
    added: &[&NeuronValues],
    removed: &[&NeuronValues],
) {
    *target = *source;
    for weights in added {
        for (sum, weight) in target.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for weights in removed {
        for (sum, weight) in target.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

fn forward(accumulators: [&NeuronValues; 2], weights: &[NeuronValues; 2]) -> i32 {
    let mut sum = 0i32;
    for (accumulator, weights) in accumulators.into_iter().zip(weights) {
        for (&value, &weight) in accumulator.0.iter().zip(&weights.0) {
            let clipped = i32::from(value.clamp(0, ACCUMULATOR_SCALE));
            sum = sum.wrapping_add(clipped * clipped * i32::from(weight));
        }
    }
    sum
}
