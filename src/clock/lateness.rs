//! Record of moves that were sent after their hard limit.
//!
//! A busy scheduler can delay a move. Gaur sees this delay on every host, also if the host reports no times: it is the
//! time between the planned end of the search and the moment when the move goes to the output. The delays of a busy
//! machine are rare and long, so that their mean alone does not protect a game. With the sample `s` of each move, zero
//! for a move in time, the record keeps
//!
//! ```text
//! b    := min(s, 2 peak, or 16 ms if that is more)
//! mean := mean + (b - mean) / 16
//! peak := max(b, 31/32 peak)
//! ```
//!
//! One long interruption (a suspended process) therefore costs later moves little time, while a second one soon after
//! it is believed. A sample counts as at most 100 ms. The record belongs to the machine: a new game keeps three
//! quarters of it.

use std::time::Duration;

/// Upper limit of a sample.
const MAX_SAMPLE: Duration = Duration::from_millis(100);

/// Limit of the peak after the first late moves. A scheduler that shares a processor among a few processes delays none
/// longer.
const MAX_FIRST_PEAK: Duration = Duration::from_millis(16);

/// Number of samples of the moving mean.
const SAMPLES: u32 = 16;

/// Number of moves after which the peak has decayed to about a third.
const DECAY: u32 = 32;

/// Delays between the planned end of a search and its move.
///
/// ```
/// use gaur::clock::Lateness;
/// use std::time::Duration;
/// let mut lateness = Lateness::default();
/// lateness.add_sample(Duration::from_millis(8));
/// assert_eq!(lateness.largest(), Duration::from_millis(16));
/// assert_eq!(lateness.mean(), Duration::from_micros(500));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    mean: Duration,
    peak: Duration,
}

impl Lateness {
    /// Adds the time by which a move exceeded its hard limit; zero for a move in time.
    pub fn add_sample(&mut self, late: Duration) {
        let believed = late
            .min(MAX_SAMPLE)
            .min((self.peak * 2).max(MAX_FIRST_PEAK));
        self.mean = self.mean - self.mean / SAMPLES + believed / SAMPLES;
        self.peak = believed.max(self.peak - self.peak / DECAY);
    }

    /// Keeps three quarters of the record for a new game.
    pub fn on_new_game(&mut self) {
        self.mean = self.mean * 3 / 4;
        self.peak = self.peak * 3 / 4;
    }

    /// Returns the mean delay per move.
    pub fn mean(&self) -> Duration {
        self.mean
    }

    /// Returns the delay that one move must survive: twice the peak, because a longer delay than any before is likely
    /// within a game, but at least three times the mean.
    pub fn largest(&self) -> Duration {
        (self.peak * 2).max(self.mean * 3)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn after(samples: impl IntoIterator<Item = u64>) -> Lateness {
        let mut lateness = Lateness::default();
        for sample in samples {
            lateness.add_sample(millis(sample));
        }
        lateness
    }

    #[test]
    fn one_late_move_is_remembered_for_many_moves() {
        let lateness = after([10].into_iter().chain([0; 20]));
        assert!(lateness.largest() > millis(10) && lateness.largest() < millis(20));
        let lateness = after([10].into_iter().chain([0; 200]));
        assert!(lateness.largest() < Duration::from_micros(100));
        assert!(lateness.mean() < Duration::from_micros(10));
    }

    #[test]
    fn a_steady_delay_becomes_the_mean() {
        let mean = after([6; 100]).mean();
        assert!(
            mean > Duration::from_micros(5900) && mean <= millis(6),
            "{mean:?}"
        );
    }

    #[test]
    fn one_suspension_counts_as_a_tenth_of_a_second() {
        assert_eq!(after([3_600_000]), after([100]));
        assert_eq!(after([3_600_000]).mean(), millis(1));
    }

    /// At 2 s + 20 ms, the first reserve is 64 ms of 2 s.
    #[test]
    fn the_first_interruption_is_believed_in_part() {
        assert_eq!(after([100]).largest(), millis(32));
        assert!(after([100, 0, 0, 100]).largest() > millis(55));
        assert!(after([100, 100, 100, 100]).largest() > millis(190));
    }

    #[test]
    fn a_new_game_keeps_most_of_the_record() {
        let mut lateness = after([8; 50]);
        let before = lateness;
        lateness.on_new_game();
        let fraction = |new: Duration, old: Duration| new.div_duration_f64(old);
        assert!((fraction(lateness.largest(), before.largest()) - 0.75).abs() < 0.01);
        assert!((fraction(lateness.mean(), before.mean()) - 0.75).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn any_samples_keep_the_record_within_its_limits(
            samples in prop::collection::vec(any::<u64>(), 0..300),
        ) {
            let mut lateness = Lateness::default();
            for sample in samples {
                let before = lateness;
                lateness.add_sample(Duration::from_nanos(sample));
                prop_assert!(lateness.mean() <= MAX_SAMPLE);
                prop_assert!(lateness.largest() <= MAX_SAMPLE * 3);
                if sample == 0 {
                    prop_assert!(lateness.largest() <= before.largest());
                    prop_assert!(lateness.mean() <= before.mean());
                }
            }
        }
    }
}
