//! Pauses between attempts to connect.

use std::time::Duration;

/// Pauses that double with every failure.
#[derive(Clone, Debug)]
pub(super) struct BackOff {
    first: Duration,
    longest: Duration,
    failures: u32,
}

impl BackOff {
    /// Creates pauses from `first` to `longest`. If `longest` is zero, there is no second attempt.
    pub(super) fn new(first: Duration, longest: Duration) -> BackOff {
        BackOff {
            first,
            longest,
            failures: 0,
        }
    }

    /// Records a failure and returns the pause before the next attempt, or `None` if there is none.
    pub(super) fn next_pause(&mut self) -> Option<Duration> {
        let pause = self
            .first
            .saturating_mul(2_u32.saturating_pow(self.failures));
        self.failures = self.failures.saturating_add(1);
        (!self.longest.is_zero()).then(|| pause.min(self.longest))
    }

    /// Begins again with the shortest pause, after a login.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut back_off = BackOff::new(Duration::from_secs(5), Duration::from_secs(300));
        let pauses: Vec<u64> = (0..8)
            .filter_map(|_| back_off.next_pause())
            .map(|pause| pause.as_secs())
            .collect();
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 300, 300]);
        back_off.reset();
        assert_eq!(back_off.next_pause(), Some(Duration::from_secs(5)));
    }

    #[test]
    fn without_a_longest_pause_there_is_no_second_attempt() {
        let mut back_off = BackOff::new(Duration::from_secs(5), Duration::ZERO);
        assert_eq!(back_off.next_pause(), None);
    }
}
