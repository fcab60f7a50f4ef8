//! Equality of all instruction sets, bit by bit.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::architecture::{MAX_OUTPUT_WEIGHT, NeuronValues};
use super::Isa;

/// Returns random values between `low` and `high`.
fn random_values(random: &mut ChaCha8Rng, low: i16, high: i16) -> NeuronValues {
    let count = (i32::from(high) - i32::from(low) + 1) as u32;
    NeuronValues(std::array::from_fn(|_| {
        (i32::from(low) + (random.next_u32() % count) as i32) as i16
    }))
}

#[test]
fn all_instruction_sets_agree() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..200 {
        let [source, a, b, c, d] =
            std::array::from_fn(|_| random_values(&mut random, i16::MIN, i16::MAX));
        // Most of these values lie in the range that the activation does not clip.
        let near = std::array::from_fn::<_, 2, _>(|_| random_values(&mut random, -300, 600));
        let weights = std::array::from_fn(|_| {
            random_values(&mut random, -MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
        });
        let results = Isa::available().into_iter().map(|isa| {
            let kernels = isa.kernels();
            let mut updated = NeuronValues::ZERO;
            (kernels.update)(&mut updated, &source, &[&a, &b], &[&c, &d]);
            let mut add_sub = NeuronValues::ZERO;
            (kernels.add_sub)(&mut add_sub, &source, [&a], [&c]);
            let mut add_sub_sub = NeuronValues::ZERO;
            (kernels.add_sub_sub)(&mut add_sub_sub, &source, [&a], [&c, &d]);
            let far = (kernels.forward)([&source, &updated], &weights);
            let near = (kernels.forward)(near.each_ref(), &weights);
            (isa, (updated, add_sub, add_sub_sub, far, near))
        });
        let mut results = results.collect::<Vec<_>>().into_iter();
        let (_, expected) = results
            .next()
            .expect("the scalar kernels are always available");
        for (isa, result) in results {
            assert!(result == expected, "{isa:?}");
        }
    }
}
