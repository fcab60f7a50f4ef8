//! Inner loops written once for all SIMD instruction sets, in terms of a few intrinsics.

/// Defines the type `$name`, which has the inner loops of one instruction set.
///
/// A `$vector` holds `$lanes` 16-bit values; a `$sum` holds 32-bit sums of products. The calling file also defines
/// `clip` (clips a `$vector` to the range of the activation), `add_products` (adds the products of two vectors to a
/// `$sum`) and `horizontal_sum` (adds up the lanes of a `$sum`), and uses `hidden_layers`, which defines
/// `hidden_output`.
///
/// Only `Isa::visit` uses the type, and only if the processor supports `$features`.
macro_rules! kernels {
    (
        $(#[$documentation:meta])* $name:ident,
        features $features:literal, vector $vector:ty, lanes $lanes:literal, load $load:ident, store $store:ident,
        add $add:ident, sub $sub:ident, mul $mul:ident,
        sum $sum:ty, zero $zero:ident, add_sums $add_sums:ident
    ) => {
        $(#[$documentation])*
        pub(super) struct $name;

        impl Kernels for $name {
            fn add_sub<const B: usize>(
                target: &mut [Block; B],
                source: &[Block; B],
                added: [&[Block; B]; 1],
                removed: [&[Block; B]; 1],
            ) {
                // SAFETY: `Isa::visit` uses this type only if the processor supports these features.
                unsafe { fixed_update(target, source, added, removed) }
            }

            fn add_sub_sub<const B: usize>(
                target: &mut [Block; B],
                source: &[Block; B],
                added: [&[Block; B]; 1],
                removed: [&[Block; B]; 2],
            ) {
                // SAFETY: `Isa::visit` uses this type only if the processor supports these features.
                unsafe { fixed_update(target, source, added, removed) }
            }

            fn update<const B: usize>(
                target: &mut [Block; B],
                source: &[Block; B],
                added: &[&[Block; B]],
                removed: &[&[Block; B]],
            ) {
                // SAFETY: `Isa::visit` uses this type only if the processor supports these features.
                unsafe { any_update(target, source, added, removed) }
            }

            fn forward<const B: usize>(
                accumulators: [&[Block; B]; 2],
                weights: &[[Block; B]; 2],
            ) -> i32 {
                // SAFETY: `Isa::visit` uses this type only if the processor supports these features.
                unsafe { output_sum(accumulators, weights) }
            }

            fn hidden<const B: usize>(
                accumulators: [&[Block; B]; 2],
                layers: &HiddenLayers,
            ) -> i32 {
                // SAFETY: `Isa::visit` uses this type only if the processor supports these features.
                unsafe { hidden_output(accumulators, layers) }
            }
        }

        /// Vectors in a block.
        const VECTORS: usize = BLOCK_SIZE / $lanes;

        const _: () = assert!(align_of::<Block>().is_multiple_of(size_of::<$vector>()));

        /// Blocks that `update` keeps in registers while it iterates over all features: eight vectors.
        const TILE: usize = 8 / VECTORS;

        /// Updates an accumulator with a constant number of features, so that the compiler unrolls the loops over
        /// them.
        #[inline]
        #[target_feature(enable = $features)]
        fn fixed_update<const B: usize, const ADDED: usize, const REMOVED: usize>(
            target: &mut [Block; B],
            source: &[Block; B],
            added: [&[Block; B]; ADDED],
            removed: [&[Block; B]; REMOVED],
        ) {
            for block in 0..B {
                for vector in 0..VECTORS {
                    let mut sum = load(&source[block], vector);
                    for weights in &added {
                        sum = $add(sum, load(&weights[block], vector));
                    }
                    for weights in &removed {
                        sum = $sub(sum, load(&weights[block], vector));
                    }
                    store(&mut target[block], vector, sum);
                }
            }
        }

        /// Updates an accumulator with any number of features, one tile of blocks after the other.
        #[target_feature(enable = $features)]
        fn any_update<const B: usize>(
            target: &mut [Block; B],
            source: &[Block; B],
            added: &[&[Block; B]],
            removed: &[&[Block; B]],
        ) {
            let (tiles, rest) = source.as_chunks::<TILE>();
            let (target_tiles, target_rest) = target.as_chunks_mut::<TILE>();
            for (index, (target, source)) in target_tiles.iter_mut().zip(tiles).enumerate() {
                update_tile(target, source, index * TILE, added, removed);
            }
            // The number of blocks is even, but not always a multiple of a tile.
            let first = tiles.len() * TILE;
            let pairs = target_rest.as_chunks_mut::<2>().0.iter_mut();
            for (index, (target, source)) in pairs.zip(rest.as_chunks::<2>().0).enumerate() {
                update_tile(target, source, first + index * 2, added, removed);
            }
        }

        /// Updates `T` blocks of an accumulator, from block `first` on.
        #[inline]
        #[target_feature(enable = $features)]
        fn update_tile<const B: usize, const T: usize>(
            target: &mut [Block; T],
            source: &[Block; T],
            first: usize,
            added: &[&[Block; B]],
            removed: &[&[Block; B]],
        ) {
            let mut sums: [[$vector; VECTORS]; T] = std::array::from_fn(|block| {
                std::array::from_fn(|vector| load(&source[block], vector))
            });
            for weights in added {
                for (sums, weights) in sums.iter_mut().zip(&weights[first..][..T]) {
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        *sum = $add(*sum, load(weights, vector));
                    }
                }
            }
            for weights in removed {
                for (sums, weights) in sums.iter_mut().zip(&weights[first..][..T]) {
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        *sum = $sub(*sum, load(weights, vector));
                    }
                }
            }
            for (target, sums) in target.iter_mut().zip(sums) {
                for (vector, sum) in sums.into_iter().enumerate() {
                    store(target, vector, sum);
                }
            }
        }

        /// Returns the sum of `clip(x)² · weight`. Four partial sums shorten the chain of dependent additions.
        #[target_feature(enable = $features)]
        fn output_sum<const B: usize>(
            accumulators: [&[Block; B]; 2],
            weights: &[[Block; B]; 2],
        ) -> i32 {
            // Not a loop over both: the compiler would keep the sums in memory.
            let [a, b] = weighted_squares(accumulators[0], &weights[0]);
            let [c, d] = weighted_squares(accumulators[1], &weights[1]);
            horizontal_sum($add_sums($add_sums(a, b), $add_sums(c, d)))
        }

        /// Returns two partial sums of `clip(x)² · weight` over one accumulator.
        #[inline]
        #[target_feature(enable = $features)]
        fn weighted_squares<const B: usize>(
            accumulator: &[Block; B],
            weights: &[Block; B],
        ) -> [$sum; 2] {
            let mut sums = [$zero(); 2];
            // Pairs of blocks, so that the index of the sum is constant when the inner loops are unrolled.
            let pairs = accumulator.as_chunks::<2>().0.iter();
            for (values, weights) in pairs.zip(weights.as_chunks::<2>().0) {
                add_weighted_squares(&mut sums, values, weights);
            }
            sums
        }

        /// Adds `clip(x)² · weight` of two blocks to two sums, alternately.
        #[inline]
        #[target_feature(enable = $features)]
        fn add_weighted_squares(
            sums: &mut [$sum; 2],
            values: &[Block; 2],
            weights: &[Block; 2],
        ) {
            for block in 0..2 {
                for vector in 0..VECTORS {
                    let clipped = clip(load(&values[block], vector));
                    // The 16-bit product of value and weight does not overflow: see `MAX_OUTPUT_WEIGHT`.
                    let weighted = $mul(clipped, load(&weights[block], vector));
                    let sum = &mut sums[(block * VECTORS + vector) % 2];
                    *sum = add_products(*sum, weighted, clipped);
                }
            }
        }

        /// Returns a vector of the block.
        ///
        /// The load is aligned: for the baseline processor of the build, the compiler splits unaligned loads of 32
        /// bytes into two.
        #[inline]
        #[target_feature(enable = $features)]
        fn load(block: &Block, index: usize) -> $vector {
            let vector: &[i16; $lanes] = &block.vectors()[index];
            // SAFETY: the array holds exactly one vector. It is aligned, because the block is aligned to 64 bytes and
            // divided into vectors of a size that divides 64.
            unsafe { $load(vector.as_ptr().cast()) }
        }

        /// Replaces a vector of the block.
        #[inline]
        #[target_feature(enable = $features)]
        fn store(block: &mut Block, index: usize, vector: $vector) {
            let target: &mut [i16; $lanes] = &mut block.vectors_mut()[index];
            // SAFETY: as for `load`.
            unsafe { $store(target.as_mut_ptr().cast(), vector) }
        }
    };
}
pub(super) use kernels;
