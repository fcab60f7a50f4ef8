//! Random numbers that are functions of a position: a search that is repeated in the same game gets the same ones.

/// Returns a well-mixed hash of two numbers (SplitMix64).
#[inline]
pub(super) fn mix(seed: u64, value: u64) -> u64 {
    let mut mixed = seed ^ value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Returns a number from 0 to below 1 from a hash.
#[inline]
pub(super) fn uniform(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns a number with mean 0 and standard deviation 1 from a hash, between -3.5 and 3.5: the scaled sum of four
/// uniform numbers, which is nearly normal.
#[inline]
pub(super) fn nearly_normal(hash: u64) -> f64 {
    let sum: u64 = (0..4).map(|part| (hash >> (16 * part)) & 0xFFFF).sum();
    (sum as f64 / 65536.0 - 2.0) * 1.732
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_consecutive_numbers_look_random() {
        let count = 20_000;
        let hashes: Vec<u64> = (0..count).map(|value| mix(7, value)).collect();
        let mean = |number: fn(u64) -> f64| {
            hashes.iter().map(|&hash| number(hash)).sum::<f64>() / count as f64
        };
        assert!((mean(uniform) - 0.5).abs() < 0.01);
        assert!(mean(nearly_normal).abs() < 0.03);
        let variance = mean(|hash| nearly_normal(hash).powi(2));
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
        assert_ne!(mix(7, 1), mix(8, 1));
    }
}
