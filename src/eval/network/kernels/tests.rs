//! Equality of all instruction sets, bit by bit.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::architecture::{OutputKind, Width};
use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_INPUTS, SECOND_NEURONS};
use super::super::quantisation::{
    BLOCK_SIZE, Block, HIDDEN_SUM_SCALE, MAX_ACTIVATION, MAX_FIRST_BIAS, MAX_OUTPUT_WEIGHT,
};
use super::{Isa, KernelVisitor, Kernels};

/// Number of random inputs for each width.
const INPUTS: usize = 20;

/// Number of random hidden layers of each kind for each width; to set their weights takes long.
const HIDDEN_LAYERS: usize = 3;

/// Source of random blocks.
#[derive(Clone)]
struct Random(ChaCha8Rng);

impl Random {
    /// Returns blocks of random values between `low` and `high`.
    fn blocks<const B: usize>(&mut self, low: i16, high: i16) -> [Block; B] {
        let count = (i32::from(high) - i32::from(low) + 1) as u32;
        let mut value = || (i32::from(low) + (self.0.next_u32() % count) as i32) as i16;
        let mut block = || Block(std::array::from_fn::<_, BLOCK_SIZE, _>(|_| value()));
        std::array::from_fn(|_| block())
    }

    /// Returns blocks of any values.
    fn any<const B: usize>(&mut self) -> [Block; B] {
        self.blocks(i16::MIN, i16::MAX)
    }
}

/// Computes the results of all inner loops for the same random inputs.
struct Results(Random);

impl KernelVisitor for Results {
    type Output = (Vec<Block>, Vec<i32>);

    fn visit<K: Kernels, const B: usize>(mut self) -> Self::Output {
        let random = &mut self.0;
        let (mut accumulators, mut outputs) = (Vec::new(), Vec::new());
        for _ in 0..INPUTS {
            let [source, a, b, c, d]: [[Block; B]; 5] = std::array::from_fn(|_| random.any());
            let mut updated = [Block::ZERO; B];
            K::update(&mut updated, &source, &[&a, &b], &[&c, &d, &a]);
            accumulators.extend(updated);
            K::add_sub(&mut updated, &source, [&a], [&c]);
            accumulators.extend(updated);
            K::add_sub_sub(&mut updated, &source, [&a], [&c, &d]);
            accumulators.extend(updated);
            let limit = MAX_OUTPUT_WEIGHT;
            let weights = [0; 2].map(|_| random.blocks::<B>(-limit, limit));
            outputs.push(K::forward([&source, &updated], &weights));
            // Most of these values lie in the range that the activation does not clip.
            let near = [0; 2].map(|_| random.blocks::<B>(-300, 600));
            outputs.push(K::forward(near.each_ref(), &weights));
        }
        (accumulators, outputs)
    }
}

#[test]
fn all_instruction_sets_agree() {
    for width in Width::ALL {
        let random = Random(ChaCha8Rng::seed_from_u64(1));
        let results_of = |isa: Isa| isa.visit(width, Results(random.clone()));
        let expected = results_of(Isa::Scalar);
        for isa in Isa::available() {
            assert!(results_of(isa) == expected, "{isa:?}, {width:?}");
        }
    }
}

/// Returns the products of both accumulators.
fn products<const B: usize>(accumulators: &[[Block; B]; 2]) -> Vec<i32> {
    let clipped = |value: &i16| i32::from(*value).clamp(0, 255);
    let of_one = |accumulator: &[Block; B]| -> Vec<i32> {
        let values: Vec<i16> = accumulator.iter().flat_map(|block| block.0).collect();
        let (low, high) = values.split_at(values.len() / 2);
        let pairs = low.iter().zip(high);
        pairs
            .map(|(low, high)| clipped(low) * clipped(high) / 512)
            .collect()
    };
    accumulators.iter().flat_map(of_one).collect()
}

/// Computes the outputs of random hidden layers for random accumulators, and for extreme ones.
struct HiddenOutputs(Random);

impl HiddenOutputs {
    /// Returns layers with large random weights, or with the same weight for all products.
    fn layers(&mut self, width: Width, first: Option<i8>) -> HiddenLayers {
        let random = &mut self.0.0;
        let mut layers = HiddenLayers::zero(width);
        for neuron in 0..FIRST_NEURONS {
            for product in 0..layers.products() {
                let weight = first.unwrap_or(random.next_u32() as i8);
                layers.set_first_weight(neuron, product, weight);
            }
        }
        let mut weight = || (random.next_u32() % (2 * 7000 + 1)) as i16 - 7000;
        for neuron in 0..SECOND_NEURONS {
            for input in 0..SECOND_INPUTS {
                layers.set_second_weight(neuron, input, weight());
            }
        }
        layers.output_weights.0.fill_with(weight);
        layers
    }

    /// Sets the biases such that most sums are between the values at which they are clipped: a wrong sum then changes
    /// the output.
    fn set_biases<const B: usize>(
        &mut self,
        layers: &mut HiddenLayers,
        accumulators: &[[Block; B]; 2],
    ) {
        let mut below = |limit: i32| (self.0.0.next_u32() % limit as u32) as i32;
        let products = products(accumulators);
        let first_sums = std::array::from_fn(|neuron| {
            let numbered = products.iter().enumerate();
            numbered
                .map(|(product, value)| value * i32::from(layers.first_weight(neuron, product)))
                .sum::<i32>()
        });
        for (neuron, sum) in first_sums.iter().enumerate() {
            layers.first_biases[neuron] = match neuron {
                3 => MAX_FIRST_BIAS as i32,
                4 => -(MAX_FIRST_BIAS as i32),
                _ => below(MAX_ACTIVATION) - sum,
            };
        }
        let activations = layers.first_activations(&first_sums).0;
        for neuron in 0..SECOND_NEURONS {
            let products = activations.iter().enumerate().map(|(input, value)| {
                i32::from(*value) * i32::from(layers.second_weight(neuron, input))
            });
            layers.second_biases[neuron] = below(HIDDEN_SUM_SCALE) - products.sum::<i32>();
        }
        layers.output_bias = below(200_000) - 100_000;
        assert_eq!(layers.overflowing_neuron(), None);
    }
}

impl KernelVisitor for HiddenOutputs {
    type Output = Vec<i32>;

    fn visit<K: Kernels, const B: usize>(mut self) -> Self::Output {
        let width = Width::new(B * BLOCK_SIZE).expect("a width");
        let mut outputs = Vec::new();
        for _ in 0..HIDDEN_LAYERS {
            // Sums of two products of these weights are the largest ones.
            for first in [None, Some(i8::MIN), Some(i8::MAX)] {
                let mut layers = self.layers(width, first);
                for (low, high) in [
                    (i16::MIN, i16::MAX),
                    (-300, 600),
                    (-900, 60),
                    (255, 256),
                    (-5, 0),
                ] {
                    let accumulators = [0; 2].map(|_| self.0.blocks::<B>(low, high));
                    self.set_biases(&mut layers, &accumulators);
                    outputs.push(K::hidden(accumulators.each_ref(), &layers));
                }
            }
        }
        outputs
    }
}

/// Returns the widths of accumulators that hidden layers accept.
fn hidden_widths() -> impl Iterator<Item = Width> {
    let widths = Width::ALL.into_iter();
    widths.filter(|&width| OutputKind::Hidden.accepts(width))
}

#[test]
fn all_instruction_sets_agree_on_hidden_layers() {
    for width in hidden_widths() {
        let random = Random(ChaCha8Rng::seed_from_u64(1));
        let outputs_of = |isa: Isa| isa.visit(width, HiddenOutputs(random.clone()));
        let expected = outputs_of(Isa::Scalar);
        for isa in Isa::available() {
            assert!(outputs_of(isa) == expected, "{isa:?}, {width:?}");
        }
    }
}

/// Computes the largest and the smallest output that the limits of the weights allow.
struct ExtremeOutputs;

impl KernelVisitor for ExtremeOutputs {
    type Output = [i32; 2];

    fn visit<K: Kernels, const B: usize>(self) -> Self::Output {
        let width = Width::new(B * BLOCK_SIZE).expect("a width");
        let ones = [Block([255; BLOCK_SIZE]); B];
        // With the largest first biases all activations of the first layer are 8128, and their squares 8064.
        let mut layers = HiddenLayers::zero(width);
        layers.first_biases.fill(MAX_FIRST_BIAS as i32);
        for neuron in 0..FIRST_NEURONS {
            for product in 0..layers.products() {
                let weight = if neuron % 2 == 0 { i8::MIN } else { i8::MAX };
                layers.set_first_weight(neuron, product, weight);
            }
        }
        // The sums of the second layer add up to 2,138,898,432, or to 8,454,144 after a part of 1,073,676,288.
        for neuron in 0..SECOND_NEURONS {
            for input in 0..SECOND_INPUTS {
                let is_negative = neuron % 2 == 1 && input >= SECOND_INPUTS / 2;
                let weight = if is_negative { -8256 } else { 8256 };
                layers.set_second_weight(neuron, input, weight);
            }
        }
        layers.second_biases.fill(131_071);
        [1, -1].map(|sign| {
            layers.output_weights.0.fill(8256 * sign);
            layers.output_bias = 131_071 * i32::from(sign);
            assert_eq!(layers.overflowing_neuron(), None);
            K::hidden([&ones, &ones], &layers)
        })
    }
}

#[test]
fn outputs_of_hidden_layers_reach_the_limits_of_32_bits() {
    for width in hidden_widths() {
        for isa in Isa::available() {
            let outputs = isa.visit(width, ExtremeOutputs);
            assert_eq!(outputs, [i32::MAX, -i32::MAX], "{isa:?}, {width:?}");
        }
    }
}
