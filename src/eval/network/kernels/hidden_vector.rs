//! Inner loops of the hidden layers, written once for all SIMD instruction sets, in terms of a few intrinsics.

/// Defines the function `hidden_output` of one instruction set.
///
/// It uses the functions of `kernels`. A `$vector` holds `$lanes` 16-bit values, or twice as many bytes; a `$sum` holds
/// half as many 32-bit sums. The calling file also defines:
///
/// - `splat`: a vector with the same 32 bits in all lanes;
/// - `multiply`: the products of two vectors of values, clipped and shifted right by `PRODUCT_SHIFT`; if a value of the
///   second vector is negative, its product may be, too;
/// - `pack`: two vectors of such products as bytes, negative ones as 0, in their order, in the lanes of a `$sum`;
/// - `add_bytes`: adds to each lane of a sum four products, of bytes from 0 to 127 and of signed bytes;
/// - `$add_pairs`: adds to each lane of a sum the products of two pairs of neighbouring values.
macro_rules! hidden_layers {
    (
        features $features:literal, vector $vector:ty, lanes $lanes:literal,
        sum $sum:ty, zero $zero:ident, add_sums $add_sums:ident, store_sum $store_sum:ident, add_pairs $add_pairs:ident
    ) => {
        /// Sums to which products are added alternately, to shorten the chain of dependent additions: eight vectors.
        const INTERLEAVED: usize = 8 / VECTORS;

        /// Returns the output of hidden layers.
        #[target_feature(enable = $features)]
        fn hidden_output<const B: usize>(
            accumulators: [&[Block; B]; 2],
            layers: &HiddenLayers,
        ) -> i32 {
            let products = compute_products(accumulators);
            let activations = layers.first_activations(&first_sums(&products, layers));
            let activations = layers.second_activations(&second_sums(&activations, layers));
            let mut sum = $zero();
            for vector in 0..VECTORS {
                let weights = load(&layers.output_weights, vector);
                sum = add_products(sum, load(&activations, vector), weights);
            }
            horizontal_sum(sum) + layers.output_bias
        }

        /// Returns the products of the halves of both accumulators.
        #[inline]
        #[target_feature(enable = $features)]
        fn compute_products<const B: usize>(accumulators: [&[Block; B]; 2]) -> Products<B> {
            let mut products = Products([[0; _]; B]);
            // A vector of bytes holds the products of two vectors of each half.
            let groups = products.0.as_flattened_mut();
            let mut targets = groups.as_chunks_mut::<{ $lanes / 2 }>().0.iter_mut();
            for accumulator in accumulators {
                let (low, high) = accumulator.split_at(B / 2);
                let (low, high) = (low.as_chunks::<2>().0, high.as_chunks::<2>().0);
                for (low, high) in low.iter().zip(high) {
                    let vectors: [[$vector; VECTORS]; 2] = std::array::from_fn(|block| {
                        std::array::from_fn(|vector| {
                            multiply(load(&low[block], vector), load(&high[block], vector))
                        })
                    });
                    let pairs = vectors.as_flattened().as_chunks::<2>().0;
                    for ([a, b], target) in pairs.iter().zip(&mut targets) {
                        store_sum(target, pack(*a, *b));
                    }
                }
            }
            products
        }

        /// Returns the sums of the first layer without biases.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_sums<const B: usize>(
            products: &Products<B>,
            layers: &HiddenLayers,
        ) -> [i32; FIRST_NEURONS] {
            let mut sums = [[$zero(); VECTORS]; INTERLEAVED];
            let groups = products.0.as_flattened().as_chunks::<INTERLEAVED>().0;
            let weights = layers.first_weights.as_chunks::<INTERLEAVED>().0;
            for (groups, weights) in groups.iter().zip(weights) {
                for (sums, (&group, weights)) in sums.iter_mut().zip(groups.iter().zip(weights)) {
                    let inputs = splat(group);
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        *sum = add_bytes(*sum, inputs, load(weights, vector));
                    }
                }
            }
            let mut result = [0; FIRST_NEURONS];
            for (vector, target) in result.as_chunks_mut().0.iter_mut().enumerate() {
                let mut sum = sums[0][vector];
                for sums in &sums[1..] {
                    sum = $add_sums(sum, sums[vector]);
                }
                store_sum(target, sum);
            }
            result
        }

        /// Returns the sums of the second layer without biases.
        #[inline]
        #[target_feature(enable = $features)]
        fn second_sums(activations: &Block, layers: &HiddenLayers) -> [i32; SECOND_NEURONS] {
            let mut sums = [[[$zero(); VECTORS]; 2]; 2];
            let pairs = layers.second_weights.as_chunks::<2>().0;
            for (index, pairs) in pairs.iter().enumerate() {
                for (pair, blocks) in pairs.iter().enumerate() {
                    let inputs = splat(lane(activations, 2 * index + pair));
                    for (sums, weights) in sums[pair].iter_mut().zip(blocks) {
                        for (vector, sum) in sums.iter_mut().enumerate() {
                            *sum = $add_pairs(*sum, inputs, load(weights, vector));
                        }
                    }
                }
            }
            let mut result = [0; SECOND_NEURONS];
            let [first, second] = sums.each_ref().map(|sums| sums.as_flattened());
            let targets = result.as_chunks_mut().0.iter_mut();
            for ((a, b), target) in first.iter().zip(second).zip(targets) {
                store_sum(target, $add_sums(*a, *b));
            }
            result
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_sum(target: &mut [i32; $lanes / 2], sum: $sum) {
            // SAFETY: the array holds exactly one vector, and the instruction needs no alignment.
            unsafe { $store_sum(target.as_mut_ptr().cast(), sum) }
        }
    };
}
pub(super) use hidden_layers;
