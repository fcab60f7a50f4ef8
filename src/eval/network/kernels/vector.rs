//! Inner loops written once for all SIMD instruction sets, in terms of a few intrinsics.

/// Defines the inner loops of one instruction set as `KERNELS`.
///
/// A `$vector` holds `$lanes` 16-bit values; a `$sum` holds 32-bit sums of products. The calling file also defines
/// `clip` (clips a `$vector` to the range of the activation), `add_products` (adds the products of two vectors to a
/// `$sum`) and `horizontal_sum` (adds up the lanes of a `$sum`).
macro_rules! kernels {
    (
        features $features:literal, vector $vector:ty, lanes $lanes:literal, load $load:ident, store $store:ident,
        add $add:ident, sub $sub:ident, mul $mul:ident,
        sum $sum:ty, zero $zero:ident, add_sums $add_sums:ident
    ) => {
        pub(super) const KERNELS: Kernels = Kernels {
            add_sub,
            add_sub_sub,
            update,
            forward,
        };

        /// Vectors that `update` keeps in registers while it iterates over all features.
        const TILE: usize = 8;
        const _: () = assert!(ACCUMULATOR_SIZE.is_multiple_of($lanes * TILE));

        fn add_sub(
            target: &mut NeuronValues,
            source: &NeuronValues,
            added: [&NeuronValues; 1],
            removed: [&NeuronValues; 1],
        ) {
            // SAFETY: `Isa::kernels` returns this function only if the processor supports these features.
            unsafe { fixed_update(target, source, added, removed) }
        }

        fn add_sub_sub(
            target: &mut NeuronValues,
            source: &NeuronValues,
            added: [&NeuronValues; 1],
            removed: [&NeuronValues; 2],
        ) {
            // SAFETY: `Isa::kernels` returns this function only if the processor supports these features.
            unsafe { fixed_update(target, source, added, removed) }
        }

        fn update(
            target: &mut NeuronValues,
            source: &NeuronValues,
            added: &[&NeuronValues],
            removed: &[&NeuronValues],
        ) {
            // SAFETY: `Isa::kernels` returns this function only if the processor supports these features.
            unsafe { any_update(target, source, added, removed) }
        }

        fn forward(accumulators: [&NeuronValues; 2], weights: &[NeuronValues; 2]) -> i32 {
            // SAFETY: `Isa::kernels` returns this function only if the processor supports these features.
            unsafe { output_sum(accumulators, weights) }
        }

        /// Updates an accumulator with a constant number of features, so that the compiler unrolls the loops over
        /// them.
        #[inline]
        #[target_feature(enable = $features)]
        fn fixed_update<const ADDED: usize, const REMOVED: usize>(
            target: &mut NeuronValues,
            source: &NeuronValues,
            added: [&NeuronValues; ADDED],
            removed: [&NeuronValues; REMOVED],
        ) {
            for index in 0..ACCUMULATOR_SIZE / $lanes {
                let mut sum = load(&source.vectors()[index]);
                for weights in added {
                    sum = $add(sum, load(&weights.vectors()[index]));
                }
                for weights in removed {
                    sum = $sub(sum, load(&weights.vectors()[index]));
                }
                store(&mut target.vectors_mut()[index], sum);
            }
        }

        /// Updates an accumulator with any number of features, one tile of vectors after the other.
        #[target_feature(enable = $features)]
        fn any_update(
            target: &mut NeuronValues,
            source: &NeuronValues,
            added: &[&NeuronValues],
            removed: &[&NeuronValues],
        ) {
            for tile in 0..ACCUMULATOR_SIZE / ($lanes * TILE) {
                let mut sums: [$vector; TILE] = source.tiles()[tile].each_ref().map(|v| load(v));
                for weights in added {
                    for (sum, weights) in
                        sums.iter_mut().zip(&weights.tiles::<$lanes, TILE>()[tile])
                    {
                        *sum = $add(*sum, load(weights));
                    }
                }
                for weights in removed {
                    for (sum, weights) in
                        sums.iter_mut().zip(&weights.tiles::<$lanes, TILE>()[tile])
                    {
                        *sum = $sub(*sum, load(weights));
                    }
                }
                for (target, sum) in target.tiles_mut::<$lanes, TILE>()[tile]
                    .iter_mut()
                    .zip(sums)
                {
                    store(target, sum);
                }
            }
        }

        /// Returns the sum of `clip(x)² · weight`. Four partial sums shorten the chain of dependent additions.
        #[target_feature(enable = $features)]
        fn output_sum(accumulators: [&NeuronValues; 2], weights: &[NeuronValues; 2]) -> i32 {
            let mut sums: [$sum; 4] = [$zero(); 4];
            for (accumulator, weights) in accumulators.into_iter().zip(weights) {
                let (values, weights) =
                    (accumulator.vectors::<$lanes>(), weights.vectors::<$lanes>());
                for (index, (values, weights)) in values.iter().zip(weights).enumerate() {
                    let clipped = clip(load(values));
                    // The 16-bit product of value and weight does not overflow: see `MAX_OUTPUT_WEIGHT`.
                    let weighted = $mul(clipped, load(weights));
                    let sum = &mut sums[index % 4];
                    *sum = add_products(*sum, weighted, clipped);
                }
            }
            let [a, b, c, d] = sums;
            horizontal_sum($add_sums($add_sums(a, b), $add_sums(c, d)))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(values: &[i16; $lanes]) -> $vector {
            // SAFETY: the array holds exactly one vector, and the instruction needs no alignment.
            unsafe { $load(values.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store(target: &mut [i16; $lanes], vector: $vector) {
            // SAFETY: the array holds exactly one vector, and the instruction needs no alignment.
            unsafe { $store(target.as_mut_ptr().cast(), vector) }
        }
    };
}
pub(super) use kernels;
