//! Likelihood of an expected score, given the results of game pairs.
//!
//! Many distributions of results have the same expected score. The likelihood of the score is that of the most likely
//! one among them, which is known exactly. (Michel Van den Bergh; `LLRcalc.py` of the fishtest project.)

use std::array::from_fn;

/// Number of pairs assumed where the count is 0. Without it, a result that has not occurred would be impossible.
const UNSEEN: f64 = 1e-3;

/// Distance of expected scores from 0 and 1, at which some results would be impossible.
pub(super) const MARGIN: f64 = 1e-6;

/// Number of halvings of an interval. It then has about the precision of the numbers.
const HALVINGS: u32 = 60;

/// Numbers of pairs by half points, 0 to 4, as the weights of a distribution without zeros.
pub(super) struct Likelihood([f64; 5]);

impl Likelihood {
    /// Creates the likelihood for these numbers of pairs.
    pub fn new(counts: &[u64; 5]) -> Likelihood {
        Likelihood(counts.map(|count| (count as f64).max(UNSEEN)))
    }

    /// Returns the most likely expected score per game, the mean of the results.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.0.iter().sum();
        let points: f64 = (0..5).map(|half| self.0[half] * score(half)).sum();
        points / sum
    }

    /// Returns the logarithm of the ratio of two likelihoods: of an expected score per game, and of the mean. It is 0
    /// at the mean and negative elsewhere.
    ///
    /// The distribution with the largest likelihood has the probabilities `count / (N (1 + x d))`, where `N` is the sum
    /// of the counts, `d` the distance of a result from `expected`, and `x` the number with which the mean of `d` is 0.
    pub fn log_ratio(&self, expected: f64) -> f64 {
        let expected = expected.clamp(MARGIN, 1.0 - MARGIN);
        let distances: [f64; 5] = from_fn(|half| score(half) - expected);
        let terms = || self.0.into_iter().zip(distances);
        // Probabilities are positive between these limits, where the mean falls from infinity to minus infinity.
        let is_mean_positive =
            |x: f64| terms().map(|(n, d)| n * d / (1.0 + x * d)).sum::<f64>() > 0.0;
        let x = boundary(-1.0 / (1.0 - expected), 1.0 / expected, is_mean_positive);
        -terms().map(|(n, d)| n * (x * d).ln_1p()).sum::<f64>()
    }

    /// Returns the smallest and the largest expected score per game for which [`Likelihood::log_ratio`] is at least
    /// `least`, a negative number.
    pub fn interval(&self, least: f64) -> (f64, f64) {
        let mean = self.mean();
        let is_likely = |expected: f64| self.log_ratio(expected) >= least;
        let end = |limit: f64| boundary(mean, limit, is_likely);
        (end(MARGIN), end(1.0 - MARGIN))
    }
}

/// Returns the score per game of a pair with this number of half points.
fn score(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// Returns the number between `inside` and `outside` up to which `is_inside` returns `true`.
fn boundary(mut inside: f64, mut outside: f64, is_inside: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = (inside + outside) / 2.0;
        match is_inside(middle) {
            true => inside = middle,
            false => outside = middle,
        }
    }
    (inside + outside) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_has_the_largest_likelihood() {
        let likelihood = Likelihood::new(&[2, 10, 40, 12, 3]);
        let mean = likelihood.mean();
        assert!((mean - 138.0 / 268.0).abs() < 1e-9, "{mean}");
        assert!(likelihood.log_ratio(mean).abs() < 1e-9);
        let ratios = [0.0, 0.1, 0.4, mean, 0.6, 0.9, 1.0].map(|s| likelihood.log_ratio(s));
        assert!(ratios[..4].is_sorted(), "{ratios:?}");
        assert!(ratios[3..].iter().rev().is_sorted(), "{ratios:?}");
        assert!(ratios.iter().all(|ratio| ratio.is_finite()), "{ratios:?}");
    }

    /// With two kinds of results, an expected score determines the distribution.
    #[test]
    fn the_ratio_of_two_outcomes_is_that_of_the_binomial_distribution() {
        let likelihood = Likelihood::new(&[30, 0, 0, 0, 70]);
        let binomial = |s: f64| 70.0 * (s / 0.7).ln() + 30.0 * ((1.0 - s) / 0.3).ln();
        for expected in [0.6, 0.65, 0.75, 0.8] {
            let ratio = likelihood.log_ratio(expected);
            assert!(
                (ratio - binomial(expected)).abs() < 0.01,
                "{expected}: {ratio}"
            );
        }
    }

    #[test]
    fn the_ends_of_an_interval_have_the_ratio_asked_for() {
        for counts in [[0, 0, 1, 0, 0], [2, 10, 40, 12, 3], [0, 0, 0, 0, 30]] {
            let likelihood = Likelihood::new(&counts);
            let (low, high) = likelihood.interval(-2.0);
            assert!(low < likelihood.mean() && likelihood.mean() < high);
            assert!((likelihood.log_ratio(low) + 2.0).abs() < 1e-6, "{counts:?}");
            let ratio = likelihood.log_ratio(high);
            assert!((ratio + 2.0).abs() < 1e-6 || high > 0.9999, "{counts:?}");
        }
    }
}
