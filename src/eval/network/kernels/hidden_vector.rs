//! Inner loops of the hidden layers, written once for all SIMD instruction sets, in terms of a few intrinsics.

/// Defines the function `hidden_output` of one instruction set.
///
/// It uses the functions of `kernels`. A `$vector` holds `$lanes` 16-bit values, or twice as many bytes; a `$sum` holds
/// half as many 32-bit sums. The calling file also defines:
///
/// - `splat`: a vector with the same 32 bits in all lanes;
/// - `multiply`: the products of two vectors of values, clipped and shifted right by `PRODUCT_SHIFT`;
/// - `pack`: two vectors of such products as one vector of bytes, in their order;
/// - `active_lanes`: the bit set of the 32-bit lanes that are not zero;
/// - `add_bytes`: adds to each lane of a sum four products, of bytes from 0 to 127 and of signed bytes;
/// - `$add_pairs`: adds to each lane of a sum the products of two pairs of neighbouring values.
macro_rules! hidden_layers {
    (
        features $features:literal, vector $vector:ty, lanes $lanes:literal,
        sum $sum:ty, zero $zero:ident, add_sums $add_sums:ident, store_sum $store_sum:ident, add_pairs $add_pairs:ident
    ) => {
        /// Sums to which products are added alternately, to shorten the chain of dependent additions: four vectors.
        const INTERLEAVED: usize = 4 / VECTORS;

        /// Returns the output of hidden layers.
        #[target_feature(enable = $features)]
        fn hidden_output<const B: usize>(
            accumulators: [&[Block; B]; 2],
            layers: &HiddenLayers,
        ) -> i32 {
            let mut products = [Block::ZERO; MAX_PRODUCT_BLOCKS];
            let active = compute_products(accumulators, &mut products);
            let activations = layers.first_activations(&first_sums(&products, &active, layers));
            let activations = layers.second_activations(&second_sums(&activations, layers));
            let mut sum = $zero();
            for vector in 0..VECTORS {
                let weights = load(&layers.output_weights, vector);
                sum = add_products(sum, load(&activations, vector), weights);
            }
            horizontal_sum(sum) + layers.output_bias
        }

        /// Computes the products of the halves of both accumulators, and returns the groups that are not all zero.
        #[inline]
        #[target_feature(enable = $features)]
        fn compute_products<const B: usize>(
            accumulators: [&[Block; B]; 2],
            products: &mut [Block; MAX_PRODUCT_BLOCKS],
        ) -> ActiveGroups {
            let mut words = [0; MASK_WORDS];
            for side in 0..2 {
                let (low, high) = accumulators[side].split_at(B / 2);
                let (low, high) = (low.as_chunks::<2>().0, high.as_chunks::<2>().0);
                for (index, (low, high)) in low.iter().zip(high).enumerate() {
                    let index = side * (B / 4) + index;
                    let active = block_of_products(&mut products[index], low, high);
                    words[index / 4] |= active << (index % 4 * GROUPS_PER_BLOCK);
                }
            }
            ActiveGroups::new(&words)
        }

        /// Computes a block of products, and returns the bit set of their groups that are not all zero.
        #[inline]
        #[target_feature(enable = $features)]
        fn block_of_products(target: &mut Block, low: &[Block; 2], high: &[Block; 2]) -> u64 {
            let mut active = 0;
            for index in 0..VECTORS {
                let (a, b) = (2 * index, 2 * index + 1);
                let bytes = pack(
                    multiply(
                        load(&low[a / VECTORS], a % VECTORS),
                        load(&high[a / VECTORS], a % VECTORS),
                    ),
                    multiply(
                        load(&low[b / VECTORS], b % VECTORS),
                        load(&high[b / VECTORS], b % VECTORS),
                    ),
                );
                store(target, index, bytes);
                active |= u64::from(active_lanes(bytes)) << (index * $lanes / 2);
            }
            active
        }

        /// Returns the sums of the first layer without biases.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_sums(
            products: &[Block; MAX_PRODUCT_BLOCKS],
            active: &ActiveGroups,
            layers: &HiddenLayers,
        ) -> [i32; FIRST_NEURONS] {
            let mut sums = [[$zero(); VECTORS]; INTERLEAVED];
            let (chunks, rest) = active.get().as_chunks::<INTERLEAVED>();
            for groups in chunks {
                for (sums, &group) in sums.iter_mut().zip(groups) {
                    add_group(sums, usize::from(group), products, layers);
                }
            }
            for &group in rest {
                add_group(&mut sums[0], usize::from(group), products, layers);
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

        /// Adds the weighted products of one group to the sums of all neurons of the first layer.
        #[inline]
        #[target_feature(enable = $features)]
        fn add_group(
            sums: &mut [$sum; VECTORS],
            group: usize,
            products: &[Block; MAX_PRODUCT_BLOCKS],
            layers: &HiddenLayers,
        ) {
            let block = &products[group / GROUPS_PER_BLOCK];
            let inputs = splat(lane(block, group % GROUPS_PER_BLOCK));
            let weights = &layers.first_weights[group];
            for (vector, sum) in sums.iter_mut().enumerate() {
                *sum = add_bytes(*sum, inputs, load(weights, vector));
            }
        }

        /// Returns the sums of the second layer without biases.
        #[inline]
        #[target_feature(enable = $features)]
        fn second_sums(activations: &Block, layers: &HiddenLayers) -> [i32; SECOND_NEURONS] {
            let mut sums = [[$zero(); 2 * VECTORS]; 2];
            let pairs = layers.second_weights.as_chunks::<2>().0;
            for (index, pairs) in pairs.iter().enumerate() {
                for (pair, weights) in pairs.iter().enumerate() {
                    let inputs = splat(lane(activations, 2 * index + pair));
                    for vector in 0..2 * VECTORS {
                        let weights = load(&weights[vector / VECTORS], vector % VECTORS);
                        let sum = &mut sums[pair][vector];
                        *sum = $add_pairs(*sum, inputs, weights);
                    }
                }
            }
            let mut result = [0; SECOND_NEURONS];
            for (vector, target) in result.as_chunks_mut().0.iter_mut().enumerate() {
                store_sum(target, $add_sums(sums[0][vector], sums[1][vector]));
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
