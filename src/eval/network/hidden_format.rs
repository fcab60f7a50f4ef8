//! Hidden layers in network files. `docs/network-format.md` describes the format.

use super::architecture::Width;
use super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_INPUTS, SECOND_NEURONS};

/// Returns the size in bytes of the hidden layers of one output bucket, and of the output after them.
pub(super) fn bucket_bytes(width: Width) -> usize {
    let first = FIRST_NEURONS * (width.neurons() * size_of::<i8>() + size_of::<i32>());
    let second = SECOND_NEURONS * (SECOND_INPUTS * size_of::<i16>() + size_of::<i32>());
    first + second + SECOND_NEURONS * size_of::<i16>() + size_of::<i32>()
}

/// Parameters that are read one after the other; 0 after their end.
struct Parameters<'a>(&'a [u8]);

impl Parameters<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let Some((value, rest)) = self.0.split_first_chunk() else {
            return [0; N];
        };
        self.0 = rest;
        *value
    }

    fn byte(&mut self) -> i8 {
        i8::from_le_bytes(self.next())
    }

    fn word(&mut self) -> i16 {
        i16::from_le_bytes(self.next())
    }

    fn double_word(&mut self) -> i32 {
        i32::from_le_bytes(self.next())
    }
}

/// Reads the hidden layers of all output buckets from their bytes, which must have the right length.
pub(super) fn read(buckets: &mut [HiddenLayers], bytes: &[u8]) {
    let mut parameters = Parameters(bytes);
    for layers in &mut *buckets {
        for neuron in 0..FIRST_NEURONS {
            for product in 0..layers.products() {
                layers.set_first_weight(neuron, product, parameters.byte());
            }
        }
    }
    for layers in &mut *buckets {
        layers.first_biases.fill_with(|| parameters.double_word());
    }
    for layers in &mut *buckets {
        for neuron in 0..SECOND_NEURONS {
            for input in 0..SECOND_INPUTS {
                layers.set_second_weight(neuron, input, parameters.word());
            }
        }
    }
    for layers in &mut *buckets {
        layers.second_biases.fill_with(|| parameters.double_word());
    }
    for layers in &mut *buckets {
        layers.output_weights.0.fill_with(|| parameters.word());
    }
    for layers in &mut *buckets {
        layers.output_bias = parameters.double_word();
    }
}

/// Returns the bytes of the hidden layers of all output buckets, the inverse of [`read`].
#[cfg(test)]
pub(super) fn to_bytes(buckets: &[HiddenLayers]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for layers in buckets {
        for neuron in 0..FIRST_NEURONS {
            let weight = |product| layers.first_weight(neuron, product) as u8;
            bytes.extend((0..layers.products()).map(weight));
        }
    }
    let biases = |layers: &HiddenLayers| layers.first_biases;
    bytes.extend(buckets.iter().flat_map(biases).flat_map(i32::to_le_bytes));
    for layers in buckets {
        for neuron in 0..SECOND_NEURONS {
            let weight = |input| layers.second_weight(neuron, input).to_le_bytes();
            bytes.extend((0..SECOND_INPUTS).flat_map(weight));
        }
    }
    let biases = |layers: &HiddenLayers| layers.second_biases;
    bytes.extend(buckets.iter().flat_map(biases).flat_map(i32::to_le_bytes));
    let weights = |layers: &HiddenLayers| layers.output_weights.0;
    bytes.extend(buckets.iter().flat_map(weights).flat_map(i16::to_le_bytes));
    let bias = |layers: &HiddenLayers| layers.output_bias.to_le_bytes();
    bytes.extend(buckets.iter().flat_map(bias));
    bytes
}
