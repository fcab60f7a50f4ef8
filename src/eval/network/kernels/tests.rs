//! Equality of all instruction sets, bit by bit.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::architecture::{OutputKind, Width};
use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_INPUTS, SECOND_NEURONS};
use super::super::quantisation::{BLOCK_SIZE, Block, MAX_OUTPUT_WEIGHT};
use super::active_groups::{ActiveGroups, GroupBits, MAX_GROUPS, set_bits};
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

/// Computes the outputs of random hidden layers for random accumulators, and for extreme ones.
struct HiddenOutputs(Random);

impl HiddenOutputs {
    /// Returns layers whose weights are as large as the limits allow, and mostly random.
    fn layers(&mut self, products: usize, width: Width, extreme: Option<i8>) -> HiddenLayers {
        let random = &mut self.0.0;
        let mut layers = HiddenLayers::zero(width);
        for neuron in 0..FIRST_NEURONS {
            for product in 0..products {
                let weight = extreme.unwrap_or(random.next_u32() as i8);
                layers.set_first_weight(neuron, product, weight);
            }
        }
        let mut below = |limit: u32| (random.next_u32() % limit) as i32;
        layers.first_biases.fill_with(|| below(20_000) - 10_000);
        for neuron in 0..SECOND_NEURONS {
            for input in 0..SECOND_INPUTS {
                let weight = below(2 * 8256 + 1) - 8256;
                layers.set_second_weight(neuron, input, weight as i16);
            }
        }
        layers.second_biases.fill_with(|| below(200_000) - 100_000);
        layers
            .output_weights
            .0
            .fill_with(|| (below(2 * 8256 + 1) - 8256) as i16);
        layers.output_bias = below(200_000) - 100_000;
        assert_eq!(layers.overflowing_neuron(), None);
        layers
    }
}

impl KernelVisitor for HiddenOutputs {
    type Output = Vec<i32>;

    fn visit<K: Kernels, const B: usize>(mut self) -> Self::Output {
        let neurons = B * BLOCK_SIZE;
        let width = Width::new(neurons).expect("a width");
        let mut outputs = Vec::new();
        for _ in 0..HIDDEN_LAYERS {
            // Sums of two products of these weights are the largest ones.
            for extreme in [None, Some(i8::MIN), Some(i8::MAX)] {
                let layers = self.layers(neurons, width, extreme);
                let random = &mut self.0;
                for (low, high) in [
                    (i16::MIN, i16::MAX),
                    (-300, 600),
                    (-900, 60),
                    (255, 256),
                    (-5, 0),
                ] {
                    let accumulators = [0; 2].map(|_| random.blocks::<B>(low, high));
                    outputs.push(K::hidden(accumulators.each_ref(), &layers));
                }
            }
        }
        outputs
    }
}

#[test]
fn all_instruction_sets_agree_on_hidden_layers() {
    let accepted = Width::ALL.into_iter();
    for width in accepted.filter(|&width| OutputKind::Hidden.accepts(width)) {
        let random = Random(ChaCha8Rng::seed_from_u64(1));
        let outputs_of = |isa: Isa| isa.visit(width, HiddenOutputs(random.clone()));
        let expected = outputs_of(Isa::Scalar);
        for isa in Isa::available() {
            assert!(outputs_of(isa) == expected, "{isa:?}, {width:?}");
        }
    }
}

#[test]
fn groups_of_products_that_are_not_zero_are_listed() {
    let last = MAX_GROUPS as u16 - 1;
    let expected = [0, 1, 63, 129, 130, last];
    let mut bits: GroupBits = [0; _];
    for group in expected {
        // The bits of an instruction set with four lanes.
        let first = group / 4 * 4;
        set_bits(&mut bits, usize::from(first), 1 << (group - first));
    }
    assert_eq!(ActiveGroups::new(&bits).get(), expected);
    // Those of an instruction set with 16 lanes.
    let mut bits: GroupBits = [0; _];
    set_bits(&mut bits, MAX_GROUPS - 16, 0x8001);
    assert_eq!(ActiveGroups::new(&bits).get(), [last - 15, last]);
    let all: Vec<u16> = (0..=last).collect();
    assert_eq!(ActiveGroups::new(&[u8::MAX; MAX_GROUPS / 8]).get(), all);
    assert!(ActiveGroups::new(&[0; MAX_GROUPS / 8]).get().is_empty());
}
