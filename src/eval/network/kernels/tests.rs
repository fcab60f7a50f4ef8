//! All instruction sets give the same numbers, to the last bit.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::eval::network::net::LARGEST_WEIGHT;

fn row(random: &mut ChaCha8Rng, low: i16, high: i16) -> Row {
    let count = (i32::from(high) - i32::from(low) + 1) as u32;
    let mut number = || (i32::from(low) + (random.next_u32() % count) as i32) as i16;
    Row(std::array::from_fn(|_| number()))
}

#[test]
fn every_instruction_set_gives_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..200 {
        let [source, a, b, c, d] = std::array::from_fn(|_| row(&mut random, i16::MIN, i16::MAX));
        let near = [row(&mut random, -300, 600), row(&mut random, -300, 600)];
        let weights = std::array::from_fn(|_| row(&mut random, -LARGEST_WEIGHT, LARGEST_WEIGHT));
        let results = Isa::available().into_iter().map(|isa| {
            let kernels = isa.kernels();
            let mut sum = Row::ZERO;
            (kernels.update)(&mut sum, &source, &[&a, &b], &[&c, &d]);
            let mut plain = Row::ZERO;
            (kernels.plain)(&mut plain, &source, [&a], [&c]);
            let mut capture = Row::ZERO;
            (kernels.capture)(&mut capture, &source, [&a], [&c, &d]);
            let far = (kernels.forward)([&source, &sum], &weights);
            let near = (kernels.forward)([&near[0], &near[1]], &weights);
            (isa, (sum, plain, capture, far, near))
        });
        let mut results = results.collect::<Vec<_>>().into_iter();
        let (_, expected) = results.next().expect("plain code is always there");
        for (isa, result) in results {
            assert!(result == expected, "{isa:?}");
        }
    }
}
