//! Hidden layers between accumulators and output: sizes, weights and activations.
//!
//! The first half of each accumulator is multiplied by its second half, neuron by neuron, after both have been clipped.
//! These products are the inputs of a layer of [`FIRST_NEURONS`] neurons. Their activations, clipped, and also clipped
//! and squared, are the inputs of a layer of [`SECOND_NEURONS`] neurons. Its clipped activations are those of the
//! output.
//!
//! All values are integers. The limits that [`HiddenLayers::overflowing_neuron`] checks guarantee that sums fit into 32
//! bits.

use super::architecture::Width;
use super::quantisation::{
    BLOCK_SIZE, Block, HIDDEN_SUM_SCALE, MAX_ACTIVATION, MAX_FIRST_BIAS, SQUARE_SHIFT, SUM_SHIFT,
    zero_blocks,
};

/// Neurons of the first hidden layer.
pub(super) const FIRST_NEURONS: usize = 16;

/// Neurons of the second hidden layer.
pub(super) const SECOND_NEURONS: usize = 32;

/// Inputs of the second hidden layer: two activations of each neuron of the first one.
pub(super) const SECOND_INPUTS: usize = 2 * FIRST_NEURONS;

/// Products whose weights are adjacent in memory, so that one instruction multiplies them: bytes of a 32-bit lane.
pub(super) const GROUP: usize = 4;

const _: () = assert!(GROUP * FIRST_NEURONS == size_of::<Block>());
const _: () = assert!(SECOND_INPUTS == BLOCK_SIZE && SECOND_NEURONS == BLOCK_SIZE);

/// Weights and biases of the hidden layers and of the output after them, for one output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HiddenLayers {
    /// For each group of products a block with a 32-bit lane of four weights for each neuron of the first layer.
    pub first_weights: Box<[Block]>,
    pub first_biases: [i32; FIRST_NEURONS],
    /// For each pair of inputs two blocks with a 32-bit lane of two weights for each neuron of the second layer.
    pub second_weights: [[Block; 2]; SECOND_INPUTS / 2],
    pub second_biases: [i32; SECOND_NEURONS],
    pub output_weights: Block,
    pub output_bias: i32,
}

impl HiddenLayers {
    /// Returns layers for accumulators of this width, whose parameters are all zero.
    pub fn zero(width: Width) -> HiddenLayers {
        HiddenLayers {
            first_weights: zero_blocks(width.neurons() / GROUP),
            first_biases: [0; FIRST_NEURONS],
            second_weights: [[Block::ZERO; 2]; SECOND_INPUTS / 2],
            second_biases: [0; SECOND_NEURONS],
            output_weights: Block::ZERO,
            output_bias: 0,
        }
    }

    /// Returns the number of products, the inputs of the first layer.
    pub fn products(&self) -> usize {
        self.first_weights.len() * GROUP
    }

    /// Sets the weight of a product in the first layer.
    pub fn set_first_weight(&mut self, neuron: usize, product: usize, weight: i8) {
        let byte = neuron * GROUP + product % GROUP;
        let value = &mut self.first_weights[product / GROUP].0[byte / 2];
        let mut bytes = value.to_le_bytes();
        bytes[byte % 2] = weight as u8;
        *value = i16::from_le_bytes(bytes);
    }

    /// Returns the weight of an input of the second layer: of the clipped activations of the first one, then of their
    /// squares.
    pub fn second_weight(&self, neuron: usize, input: usize) -> i16 {
        let value = neuron * 2 + input % 2;
        self.second_weights[input / 2][value / BLOCK_SIZE].0[value % BLOCK_SIZE]
    }

    /// Sets the weight of an input of the second layer.
    pub fn set_second_weight(&mut self, neuron: usize, input: usize, weight: i16) {
        let value = neuron * 2 + input % 2;
        self.second_weights[input / 2][value / BLOCK_SIZE].0[value % BLOCK_SIZE] = weight;
    }

    /// Returns the name of a neuron whose sum could overflow.
    pub fn overflowing_neuron(&self) -> Option<String> {
        let overflows = |weights: &mut dyn Iterator<Item = i16>, bias: i32| {
            let sum: i64 = weights.map(|weight| i64::from(weight).abs()).sum();
            sum * i64::from(MAX_ACTIVATION) + i64::from(bias).abs() > i64::from(i32::MAX)
        };
        let first = |&neuron: &usize| self.first_biases[neuron].unsigned_abs() > MAX_FIRST_BIAS;
        let second = |&neuron: &usize| {
            let mut weights = (0..SECOND_INPUTS).map(|input| self.second_weight(neuron, input));
            overflows(&mut weights, self.second_biases[neuron])
        };
        if let Some(neuron) = (0..FIRST_NEURONS).find(first) {
            return Some(format!("neuron {neuron} of hidden layer 1"));
        }
        if let Some(neuron) = (0..SECOND_NEURONS).find(second) {
            return Some(format!("neuron {neuron} of hidden layer 2"));
        }
        let mut weights = self.output_weights.0.into_iter();
        overflows(&mut weights, self.output_bias).then(|| "the output".to_owned())
    }

    /// Returns the activations of the first layer, given its sums without biases: clipped, then clipped and squared.
    #[inline(always)]
    pub fn first_activations(&self, sums: &[i32; FIRST_NEURONS]) -> Block {
        let mut activations = Block::ZERO;
        let (clipped, squared) = activations.0.split_at_mut(FIRST_NEURONS);
        for neuron in 0..FIRST_NEURONS {
            let sum = sums[neuron] + self.first_biases[neuron];
            let value = sum.clamp(0, MAX_ACTIVATION);
            clipped[neuron] = value as i16;
            squared[neuron] = ((value * value) >> SQUARE_SHIFT) as i16;
        }
        activations
    }

    /// Returns the activations of the second layer, given its sums without biases.
    #[inline(always)]
    pub fn second_activations(&self, sums: &[i32; SECOND_NEURONS]) -> Block {
        let mut activations = Block::ZERO;
        let sums = sums.iter().zip(&self.second_biases);
        for (activation, (sum, bias)) in activations.0.iter_mut().zip(sums) {
            *activation = ((sum + bias).clamp(0, HIDDEN_SUM_SCALE) >> SUM_SHIFT) as i16;
        }
        activations
    }
}

#[cfg(test)]
impl HiddenLayers {
    /// Returns the weight of a product in the first layer.
    pub fn first_weight(&self, neuron: usize, product: usize) -> i8 {
        let byte = neuron * GROUP + product % GROUP;
        self.first_weights[product / GROUP].0[byte / 2].to_le_bytes()[byte % 2] as i8
    }
}
