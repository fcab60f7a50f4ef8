//! What the results of game pairs say about strength.
//!
//! Pairs are counted by the points made in them, because the two games of an opening are not independent. (Pentanomial
//! statistics and the generalised SPRT: Michel Van den Bergh.)

/// Pairs by half points of the first player, 0 to 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs(pub [u64; 5]);

/// Chance of each kind of error that a test may have.
const ERROR: f64 = 0.05;

/// Of fewer pairs the variance is not known well enough.
const LEAST_PAIRS: u64 = 30;

/// What has not been seen counts as this part of a pair, so that nothing is infinite.
const UNSEEN: f64 = 1e-3;

impl Pairs {
    /// A pair with so many half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.0.iter().sum::<u64>() * 2
    }

    /// Points of the first player.
    pub fn points(&self) -> f64 {
        let half_points = self.0.iter().enumerate();
        half_points
            .map(|(half, &count)| half as f64 * count as f64)
            .sum::<f64>()
            / 2.0
    }

    /// Mean and variance of the points of a game, as of pairs.
    fn moments(&self) -> (f64, f64) {
        let counts = self.0.map(|count| (count as f64).max(UNSEEN));
        let all: f64 = counts.iter().sum();
        let score = |half: usize| half as f64 / 4.0;
        let mean = (0..5).map(|half| counts[half] * score(half)).sum::<f64>() / all;
        let variance = (0..5)
            .map(|half| counts[half] * (score(half) - mean).powi(2))
            .sum::<f64>()
            / all;
        (mean, variance)
    }

    /// Elo of the first player above the second, and half the width of the 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.moments();
        let pairs = (self.games() / 2).max(1) as f64;
        let error = 1.96 * (variance / pairs).sqrt();
        let (low, high) = (elo_of(mean - error), elo_of(mean + error));
        (elo_of(mean), (high - low) / 2.0)
    }

    /// The logarithm of how much likelier the results are with `elo1` than with `elo0`.
    fn log_likelihood_ratio(&self, (elo0, elo1): (f64, f64)) -> f64 {
        let (mean, variance) = self.moments();
        let pairs = (self.games() / 2) as f64;
        let (low, high) = (score_of(elo0), score_of(elo1));
        pairs * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(1e-9))
    }

    /// How the test between these bounds has ended: whether the first player is the better one; `None` while it is
    /// open.
    pub fn verdict(&self, bounds: (f64, f64)) -> Option<bool> {
        let limit = ((1.0 - ERROR) / ERROR).ln();
        let ratio = self.log_likelihood_ratio(bounds);
        let is_over = self.games() / 2 >= LEAST_PAIRS && ratio.abs() >= limit;
        is_over.then_some(ratio > 0.0)
    }

    /// In one line.
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
            text += match self.verdict(bounds) {
                Some(true) => " accepted",
                Some(false) => " rejected",
                None => "",
            };
        }
        text
    }
}

/// The Elo difference that a share of the points means.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The share of the points that an Elo difference promises.
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
    fn clear_results_decide_and_even_ones_say_no_better() {
        let mut winning = Pairs([5, 20, 100, 60, 15]);
        assert!(winning.elo().0 > 20.0 && winning.verdict((0.0, 10.0)) == Some(true));
        assert!(winning.log_likelihood_ratio((0.0, 5.0)) > 0.0);
        winning.0.reverse();
        assert!(winning.log_likelihood_ratio((0.0, 5.0)) < 0.0);
        assert_eq!(winning.verdict((0.0, 10.0)), Some(false));
        assert!(winning.summary(Some((0.0, 10.0))).ends_with("rejected"));
        let few = Pairs([0, 1, 3, 1, 0]);
        assert!(few.verdict((0.0, 5.0)).is_none());
        let lucky = Pairs([0, 0, 0, 1, 0]);
        assert_eq!(lucky.verdict((0.0, 5.0)), None, "one pair says nothing");
        assert_eq!((few.games(), few.points()), (10, 5.0));
    }
}
