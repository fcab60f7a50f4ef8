//! How much of our time is lost on the way, estimated from what the host says of our clock.
//!
//! When the engine moves, its own clock shows what the host's ought to show, too. The next `time` shows what is
//! really left. The difference is what the way has cost: pipes, the network, a server that rounds to seconds. With the
//! sample `s = expected - told` the estimate `L` follows as
//!
//! ```text
//! L := L + (s - L) / n        n = 2, 3, 4, ... up to 8, and 8 from then on
//! ```
//!
//! so that it begins at zero, is a mean at first and a moving one later. It is the mean that counts, not the
//! largest sample: a server that cuts its clocks to whole seconds is wrong by up to a second each time, but what one
//! sample has too much the next has too little. Samples that no delay can explain (somebody was given time, a GUI
//! that changes the clocks as it likes) are left out, and the estimate is bounded.

use std::time::Duration;

/// Samples over which the mean moves.
const MEMORY: i64 = 8;

/// What can be believed, in microseconds.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Samples below this are no delay.
    least_sample: i64,
    /// Samples above this are no delay.
    greatest_sample: i64,
    /// The estimate never says more than this.
    most: i64,
}

/// On a server: whole seconds, and the network between.
const SERVER: Bounds = Bounds {
    least_sample: -1_500_000,
    greatest_sample: 6_000_000,
    most: 2_000_000,
};

/// On this machine: a pipe and a scheduler.
const LOCAL: Bounds = Bounds {
    least_sample: -50_000,
    greatest_sample: 200_000,
    most: 50_000,
};

/// A moving estimate of the time lost on the way at each move.
///
/// ```
/// use gaur::clock::LagEstimate;
/// use std::time::Duration;
/// let mut lag = LagEstimate::default();
/// for _ in 0..40 {
///     lag.add_sample(300_000, true); // each time 0.3 s less than expected
/// }
/// assert!(lag.per_move() > Duration::from_millis(290));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LagEstimate {
    /// The mean, in microseconds; may be below zero while rounding is all there is.
    mean: i64,
    /// Samples taken, up to [`MEMORY`].
    samples: i64,
}

impl LagEstimate {
    /// Takes note of one move: the engine's clock was this many microseconds lower than it expected itself (below
    /// zero: higher). `on_server`: the host is a chess server, whose clocks are coarse and far away.
    pub fn add_sample(&mut self, missing: i64, on_server: bool) {
        let bounds = if on_server { SERVER } else { LOCAL };
        if !(bounds.least_sample..=bounds.greatest_sample).contains(&missing) {
            return;
        }
        self.samples = (self.samples + 1).min(MEMORY);
        let weight = (self.samples + 1).min(MEMORY);
        self.mean = (self.mean + (missing - self.mean) / weight).min(bounds.most);
    }

    /// What to expect at the next move; zero without samples, at most 2 s on a server and 50 ms elsewhere.
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

    /// A server that cuts to whole seconds, on which each move costs `think` and `lag` microseconds: the estimate
    /// after each move.
    fn coarse_server(lag: i64, think: i64, moves: usize) -> Vec<Duration> {
        let (mut left, mut told) = (300 * SECOND + 400_000, 300 * SECOND);
        let mut estimate = LagEstimate::default();
        (0..moves)
            .map(|_| {
                let expected = told - think;
                left -= think + lag;
                told = left / SECOND * SECOND;
                estimate.add_sample(expected - told, true);
                estimate.per_move()
            })
            .collect()
    }

    #[test]
    fn nothing_is_assumed_before_it_was_seen() {
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
    fn one_late_move_is_soon_forgotten() {
        let mut samples = vec![100_000; 20];
        samples.push(3 * SECOND);
        assert!(after(&samples, true) < Duration::from_millis(600));
        samples.extend([100_000; 16]);
        assert!(after(&samples, true) < Duration::from_millis(200));
    }

    #[test]
    fn given_time_and_lost_hours_are_no_delay() {
        let usual = [200_000; 20];
        let mut disturbed = usual.to_vec();
        disturbed.extend([-15 * SECOND, 3600 * SECOND, i64::MIN, i64::MAX]);
        assert_eq!(after(&usual, true), after(&disturbed, true));
    }

    #[test]
    fn it_never_says_more_than_its_bound() {
        assert_eq!(after(&[5 * SECOND; 30], true), Duration::from_secs(2));
        assert_eq!(after(&[150_000; 30], false), Duration::from_millis(50));
    }

    #[test]
    fn on_this_machine_milliseconds_count_and_seconds_do_not() {
        let few = after(&[3_000; 40], false);
        assert!(few > Duration::from_millis(2) && few <= Duration::from_millis(3));
        assert_eq!(after(&[SECOND; 40], false), Duration::ZERO);
    }

    #[test]
    fn a_delay_that_has_gone_is_forgotten() {
        let mut samples = vec![2 * SECOND; 20];
        samples.extend([0; 40]);
        assert!(after(&samples, true) < Duration::from_millis(20));
    }

    proptest! {
        #[test]
        fn any_samples_keep_it_within_its_bounds(
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
