//! Estimate of the communication delay per move, from the clock times that the host reports.
//!
//! The next `time` report after a move of the engine shows how much time its move has really cost. The difference from
//! Gaur's own clock was lost in pipes, in the network, or by a server that rounds to seconds. With the sample
//! `s = expected - reported`, the estimate `L` is updated as
//!
//! ```text
//! L := L + (s - L) / n        n = 2, 3, 4, ... up to 8, and 8 from then on
//! ```
//!
//! It starts at zero, and is a mean of the first samples and a moving mean later. The mean is used instead of the
//! largest sample, because rounding to whole seconds makes single samples wrong by up to a second, and these errors
//! cancel out. Samples that no delay explains are ignored, for example after `moretime` or a change of the clocks in
//! the GUI. The estimate has an upper limit.

use std::time::Duration;

/// Number of samples of the moving mean.
const SAMPLES: i64 = 8;

/// Limits of samples and estimate, in microseconds.
#[derive(Clone, Copy, Debug)]
struct LagLimits {
    /// Lowest sample that counts.
    min_sample: i64,
    /// Highest sample that counts.
    max_sample: i64,
    /// Upper limit of the estimate.
    max_estimate: i64,
}

/// Limits on a chess server, with a network and clocks in whole seconds.
const SERVER: LagLimits = LagLimits {
    min_sample: -1_500_000,
    max_sample: 6_000_000,
    max_estimate: 2_000_000,
};

/// Limits on the local machine, with pipes and a scheduler.
const LOCAL: LagLimits = LagLimits {
    min_sample: -50_000,
    max_sample: 200_000,
    max_estimate: 50_000,
};

/// Estimated communication delay per move.
///
/// ```
/// use gaur::clock::LagEstimate;
/// use std::time::Duration;
/// let mut lag = LagEstimate::default();
/// for _ in 0..40 {
///     lag.add_sample(300_000, true); // 0.3 s less than expected after each move
/// }
/// assert!(lag.per_move() > Duration::from_millis(290));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LagEstimate {
    /// Moving mean in microseconds. It can be negative because of rounding.
    mean: i64,
    /// Number of samples, at most [`SAMPLES`].
    samples: i64,
}

impl LagEstimate {
    /// Adds the sample of one move: the expected minus the reported time of the engine, in microseconds. `on_server`
    /// must be `true` if the host is a chess server.
    pub fn add_sample(&mut self, missing: i64, on_server: bool) {
        let limits = if on_server { SERVER } else { LOCAL };
        if !(limits.min_sample..=limits.max_sample).contains(&missing) {
            return;
        }
        self.samples = (self.samples + 1).min(SAMPLES);
        let weight = (self.samples + 1).min(SAMPLES);
        self.mean = (self.mean + (missing - self.mean) / weight).min(limits.max_estimate);
    }

    /// Returns the expected delay per move: zero without samples, at most 2 s on a server and 50 ms elsewhere.
    pub fn per_move(&self) -> Duration {
        Duration::from_micros(self.mean.max(0).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: i64 = 1_000_000;

    fn after(samples: &[i64], on_server: bool) -> Duration {
        let mut lag = LagEstimate::default();
        samples.iter().for_each(|&s| lag.add_sample(s, on_server));
        lag.per_move()
    }

    /// Returns the estimate after each move on a server that rounds down to whole seconds and where each move costs
    /// `think` and `lag` microseconds.
    fn coarse_server(lag: i64, think: i64, moves: usize) -> Vec<Duration> {
        let (mut left, mut reported) = (300 * SECOND + 400_000, 300 * SECOND);
        let mut estimate = LagEstimate::default();
        (0..moves)
            .map(|_| {
                let expected = reported - think;
                left -= think + lag;
                reported = left / SECOND * SECOND;
                estimate.add_sample(expected - reported, true);
                estimate.per_move()
            })
            .collect()
    }

    #[test]
    fn the_estimate_starts_at_zero() {
        assert_eq!(LagEstimate::default().per_move(), Duration::ZERO);
        assert!(after(&[SECOND], true) <= Duration::from_millis(500));
    }

    #[test]
    fn a_steady_delay_is_found_through_whole_seconds() {
        for lag in [0, 50_000, 300_000, 1_200_000] {
            let estimates = coarse_server(lag, 700_000, 60);
            let mean: i64 = estimates[20..]
                .iter()
                .map(|estimate| estimate.as_micros() as i64)
                .sum::<i64>()
                / 40;
            assert!((mean - lag).abs() < 100_000, "{lag}: {mean}");
        }
    }

    #[test]
    fn one_late_move_has_a_short_effect() {
        let mut samples = vec![100_000; 20];
        samples.push(3 * SECOND);
        assert!(after(&samples, true) < Duration::from_millis(600));
        samples.extend([100_000; 16]);
        assert!(after(&samples, true) < Duration::from_millis(200));
    }

    #[test]
    fn samples_that_no_delay_explains_are_ignored() {
        let usual = [200_000; 20];
        let mut disturbed = usual.to_vec();
        disturbed.extend([-15 * SECOND, 3600 * SECOND, i64::MIN, i64::MAX]);
        assert_eq!(after(&usual, true), after(&disturbed, true));
    }

    #[test]
    fn the_estimate_has_an_upper_limit() {
        assert_eq!(after(&[5 * SECOND; 30], true), Duration::from_secs(2));
        assert_eq!(after(&[150_000; 30], false), Duration::from_millis(50));
    }

    #[test]
    fn local_samples_of_seconds_are_ignored() {
        let few = after(&[3_000; 40], false);
        assert!(few > Duration::from_millis(2) && few <= Duration::from_millis(3));
        assert_eq!(after(&[SECOND; 40], false), Duration::ZERO);
    }

    #[test]
    fn the_estimate_returns_to_zero_without_delay() {
        let mut samples = vec![2 * SECOND; 20];
        samples.extend([0; 40]);
        assert!(after(&samples, true) < Duration::from_millis(20));
    }

    proptest! {
        #[test]
        fn any_samples_keep_the_estimate_within_its_limits(
            samples in prop::collection::vec((any::<i64>(), any::<bool>()), 0..100),
            more in prop::collection::vec((-3_000_000i64..9_000_000, any::<bool>()), 0..100),
        ) {
            let mut lag = LagEstimate::default();
            for (missing, on_server) in samples.into_iter().chain(more) {
                lag.add_sample(missing, on_server);
                prop_assert!(lag.per_move() <= Duration::from_secs(2));
            }
        }
    }
}
