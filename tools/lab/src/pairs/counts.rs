//! Counts of game pairs by points, and the Elo difference and SPRT that follow from them.
//!
//! Pairs are counted instead of games, because the two games of an opening are not independent. (Pentanomial
//! statistics and the generalised SPRT: Michel Van den Bergh.)

use super::likelihood::{Likelihood, MARGIN};

/// Number of pairs by half points of the first player, 0 to 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts(pub [u64; 5]);

/// Probability of an error of either kind, false acceptance or false rejection, that an SPRT may have.
const ERROR: f64 = 0.05;

/// Number of pairs from which the distribution of the results is known well enough for an SPRT to end.
const MIN_PAIRS: u64 = 30;

/// Quantile of the normal distribution for a confidence interval of 95 %.
const QUANTILE: f64 = 1.96;

impl PairCounts {
    /// Adds a pair in which the first player has this number of half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.0.iter().sum::<u64>() * 2
    }

    /// Returns the points of the first player.
    pub fn points(&self) -> f64 {
        let half_points = self.0.iter().enumerate();
        half_points
            .map(|(half, &count)| half as f64 * count as f64)
            .sum::<f64>()
            / 2.0
    }

    /// Returns the Elo difference of the first player to the second, and half the width of its 95 % confidence
    /// interval.
    ///
    /// The interval consists of all differences that a likelihood ratio test does not reject. With many pairs it is
    /// that of the normal approximation. Unlike that one it is wide after few pairs, also if these have equal results:
    /// their variance would be 0.
    pub fn elo(&self) -> (f64, f64) {
        let likelihood = Likelihood::new(&self.0);
        let (low, high) = likelihood.interval(-QUANTILE * QUANTILE / 2.0);
        let error = (elo_of(high) - elo_of(low)) / 2.0;
        (elo_of(likelihood.mean()), error)
    }

    /// Returns the logarithm of the likelihood ratio of the results (LLR): with a difference of `elo1` to one of
    /// `elo0`.
    fn log_likelihood_ratio(&self, (elo0, elo1): (f64, f64)) -> f64 {
        let likelihood = Likelihood::new(&self.0);
        let [ratio0, ratio1] = [elo0, elo1].map(|elo| likelihood.log_ratio(score_of(elo)));
        ratio1 - ratio0
    }

    /// Returns the result of the SPRT between the hypotheses `elo0` and `elo1`: `true` if it accepts `elo1`; `None` if
    /// it has not ended.
    pub fn sprt_result(&self, bounds: (f64, f64)) -> Option<bool> {
        let limit = ((1.0 - ERROR) / ERROR).ln();
        let ratio = self.log_likelihood_ratio(bounds);
        let is_over = self.games() / 2 >= MIN_PAIRS && ratio.abs() >= limit;
        is_over.then_some(ratio > 0.0)
    }

    /// Describes the result in one line.
    pub fn summary(&self, sprt: Option<(f64, f64)>) -> String {
        let (elo, error) = self.elo();
        let share = 100.0 * self.points() / (self.games().max(1) as f64);
        let mut text = format!(
            "{} games {share:.1} % Elo {elo:+.1} ± {error:.1} pairs {:?}",
            self.games(),
            self.0
        );
        if let Some(bounds) = sprt {
            let ratio = self.log_likelihood_ratio(bounds);
            text += &format!(" LLR {ratio:.2} [{}, {}]", bounds.0, bounds.1);
            text += match self.sprt_result(bounds) {
                Some(true) => " accepted",
                Some(false) => " rejected",
                None => "",
            };
        }
        text
    }
}

/// Returns the Elo difference for an expected score per game, 0 to 1.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(MARGIN, 1.0 - MARGIN);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score per game, 0 to 1, for an Elo difference.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-300.0, -10.0, 0.0, 5.0, 120.0] {
            assert!((elo_of(score_of(elo)) - elo).abs() < 1e-6);
        }
        assert!((score_of(191.0) - 0.75).abs() < 0.001);
    }

    #[test]
    fn sprt_ends_with_clear_results_only() {
        let mut winning = PairCounts([5, 20, 100, 60, 15]);
        assert!(winning.elo().0 > 20.0 && winning.sprt_result((0.0, 10.0)) == Some(true));
        assert!(winning.log_likelihood_ratio((0.0, 5.0)) > 0.0);
        winning.0.reverse();
        assert!(winning.log_likelihood_ratio((0.0, 5.0)) < 0.0);
        assert_eq!(winning.sprt_result((0.0, 10.0)), Some(false));
        assert!(winning.summary(Some((0.0, 10.0))).ends_with("rejected"));
        let few = PairCounts([0, 1, 3, 1, 0]);
        assert!(few.sprt_result((0.0, 5.0)).is_none());
        let lucky = PairCounts([0, 0, 0, 1, 0]);
        assert_eq!(
            lucky.sprt_result((0.0, 5.0)),
            None,
            "one pair does not suffice"
        );
        assert_eq!((few.games(), few.points()), (10, 5.0));
    }

    #[test]
    fn equal_results_do_not_end_an_sprt_early() {
        let drawn = PairCounts([0, 0, 30, 0, 0]);
        for (bounds, expected) in [((-4.0, 1.0), 0.26), ((0.0, 5.0), -0.43)] {
            let ratio = drawn.log_likelihood_ratio(bounds);
            assert!((ratio - expected).abs() < 0.01, "{bounds:?}: {ratio}");
            assert_eq!(drawn.sprt_result(bounds), None);
        }
        // With one outcome only, no difference but 0 is likely in the end.
        let many = PairCounts([0, 0, 2000, 0, 0]);
        assert_eq!(many.sprt_result((-4.0, 1.0)), Some(true));
        assert_eq!(many.sprt_result((0.0, 5.0)), Some(false));
    }

    /// Returns mean and variance of the points per game.
    fn moments(counts: &PairCounts) -> (f64, f64) {
        let pairs = counts.games() as f64 / 2.0;
        let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
            let halves = counts.0.iter().enumerate();
            halves
                .map(|(half, &count)| count as f64 * term(half as f64 / 4.0))
                .sum()
        };
        let mean = sum(&|score| score) / pairs;
        (mean, sum(&|score| (score - mean).powi(2)) / pairs)
    }

    #[test]
    fn ordinary_results_agree_with_the_normal_approximation() {
        for counts in [
            [20, 120, 500, 130, 25],
            [30, 190, 500, 170, 20],
            [2, 10, 40, 12, 1],
        ] {
            let counts = PairCounts(counts);
            let (mean, variance) = moments(&counts);
            let pairs = counts.games() as f64 / 2.0;
            for bounds in [(-4.0, 1.0), (0.0, 5.0), (0.0, 10.0)] {
                let (low, high) = (score_of(bounds.0), score_of(bounds.1));
                let expected = pairs * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
                let ratio = counts.log_likelihood_ratio(bounds);
                assert!(
                    (ratio - expected).abs() < 0.03 * expected.abs(),
                    "{counts:?} {bounds:?}: {ratio}, {expected}"
                );
            }
            let error = 1.96 * (variance / pairs).sqrt();
            let expected = (elo_of(mean + error) - elo_of(mean - error)) / 2.0;
            let (elo, error) = counts.elo();
            assert!((elo - elo_of(mean)).abs() < 0.1, "{counts:?}: {elo}");
            assert!(
                (error - expected).abs() < 0.03 * expected,
                "{counts:?}: {error}, {expected}"
            );
        }
    }

    #[test]
    fn few_pairs_leave_a_large_error() {
        for (counts, least) in [([0, 0, 1, 0, 0], 400.0), ([0, 0, 30, 0, 0], 20.0)] {
            let (elo, error) = PairCounts(counts).elo();
            assert!(elo.abs() < 1e-6 && error > least, "{counts:?}: {error}");
        }
        let (elo, error) = PairCounts([0, 0, 0, 0, 30]).elo();
        assert!(elo > 1000.0 && error.is_finite());
    }
}
