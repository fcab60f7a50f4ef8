//! All loops in terms of a vector of 16-bit numbers, and what an instruction set has for it.

/// The kernels of an instruction set.
///
/// `$lanes` numbers go into a `$vector`, and the sums of their products into a `$sum`. The registers of a tile of eight
/// vectors stay where they are while all rows go by.
macro_rules! kernels {
    (
        features $features:literal, vector $vector:ty, lanes $lanes:literal, load $load:ident, store $store:ident,
        add $add:ident, sub $sub:ident, mul $mul:ident,
        sum $sum:ty, zero $zero:ident, add_sums $add_sums:ident
    ) => {
        pub(super) const KERNELS: Kernels = Kernels {
            plain,
            capture,
            update,
            forward,
        };

        const TILE: usize = 8;
        const _: () = assert!(WIDTH.is_multiple_of($lanes * TILE));

        fn plain(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 1]) {
            // SAFETY: `Isa::kernels` gives this function only to processors that have these features.
            unsafe { change_here(target, source, added, removed) }
        }

        fn capture(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 2]) {
            // SAFETY: as above.
            unsafe { change_here(target, source, added, removed) }
        }

        fn update(target: &mut Row, source: &Row, added: &[&Row], removed: &[&Row]) {
            // SAFETY: as above.
            unsafe { update_here(target, source, added, removed) }
        }

        fn forward(sides: [&Row; 2], weights: &[Row; 2]) -> i32 {
            // SAFETY: as above.
            unsafe { forward_here(sides, weights) }
        }

        /// With numbers of rows that the compiler knows, so that no loop over them is left.
        #[inline]
        #[target_feature(enable = $features)]
        fn change_here<const ADDED: usize, const REMOVED: usize>(
            target: &mut Row,
            source: &Row,
            added: [&Row; ADDED],
            removed: [&Row; REMOVED],
        ) {
            for place in 0..WIDTH / $lanes {
                let mut sum = load(&source.vectors()[place]);
                for row in added {
                    sum = $add(sum, load(&row.vectors()[place]));
                }
                for row in removed {
                    sum = $sub(sum, load(&row.vectors()[place]));
                }
                store(&mut target.vectors_mut()[place], sum);
            }
        }

        #[target_feature(enable = $features)]
        fn update_here(target: &mut Row, source: &Row, added: &[&Row], removed: &[&Row]) {
            for tile in 0..WIDTH / ($lanes * TILE) {
                let mut sums: [$vector; TILE] = source.tiles()[tile].each_ref().map(|v| load(v));
                for row in added {
                    for (sum, numbers) in sums.iter_mut().zip(&row.tiles::<$lanes, TILE>()[tile]) {
                        *sum = $add(*sum, load(numbers));
                    }
                }
                for row in removed {
                    for (sum, numbers) in sums.iter_mut().zip(&row.tiles::<$lanes, TILE>()[tile]) {
                        *sum = $sub(*sum, load(numbers));
                    }
                }
                for (place, sum) in target.tiles_mut::<$lanes, TILE>()[tile]
                    .iter_mut()
                    .zip(sums)
                {
                    store(place, sum);
                }
            }
        }

        #[target_feature(enable = $features)]
        fn forward_here(sides: [&Row; 2], weights: &[Row; 2]) -> i32 {
            let mut sums: [$sum; 4] = [$zero(); 4];
            for (side, weights) in sides.into_iter().zip(weights) {
                let (side, weights) = (side.vectors::<$lanes>(), weights.vectors::<$lanes>());
                for (number, (values, weights)) in side.iter().zip(weights).enumerate() {
                    let clipped = clip(load(values));
                    let weighed = $mul(clipped, load(weights));
                    let sum = &mut sums[number % 4];
                    *sum = add_products(*sum, weighed, clipped);
                }
            }
            let [a, b, c, d] = sums;
            total($add_sums($add_sums(a, b), $add_sums(c, d)))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(numbers: &[i16; $lanes]) -> $vector {
            // SAFETY: so many numbers are there to be read, and nothing is asked of their alignment.
            unsafe { $load(numbers.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store(place: &mut [i16; $lanes], vector: $vector) {
            // SAFETY: there is room for so many numbers, and nothing is asked of its alignment.
            unsafe { $store(place.as_mut_ptr().cast(), vector) }
        }
    };
}
pub(super) use kernels;
