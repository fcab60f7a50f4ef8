//! Equality of all instruction sets, bit by bit.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::architecture::Width;
use super::super::quantisation::{BLOCK_SIZE, Block, MAX_OUTPUT_WEIGHT};
use super::{Isa, KernelVisitor, Kernels};

/// Number of random inputs for each width.
const INPUTS: usize = 20;

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
