//! Pauses between attempts to connect.

use std::time::{Duration, Instant};

/// Time after which a session counts as one that lasts. A server that ends each session soon after its login must not
/// be asked again and again.
const LASTING: Duration = Duration::from_secs(60);

/// Pauses that double with every failure.
#[derive(Clone, Debug)]
pub(super) struct BackOff {
    first: Duration,
    longest: Duration,
    failures: u32,
    /// Time of the login.
    session: Option<Instant>,
}

impl BackOff {
    /// Creates pauses from `first` to `longest`. If `longest` is zero, there is no second attempt.
    pub(super) fn new(first: Duration, longest: Duration) -> BackOff {
        BackOff {
            first,
            longest,
            failures: 0,
            session: None,
        }
    }

    /// Records a login.
    pub(super) fn session_begins(&mut self, now: Instant) {
        self.session = Some(now);
    }

    /// Records a failure, or the end of a session, and returns the pause before the next attempt, or `None` if there is
    /// none. After a session that has lasted a minute, it is the shortest one.
    pub(super) fn next_pause(&mut self, now: Instant) -> Option<Duration> {
        let session = self.session.take();
        if session.is_some_and(|begin| now.saturating_duration_since(begin) >= LASTING) {
            self.reset();
        }
        let pause = self
            .first
            .saturating_mul(2_u32.saturating_pow(self.failures));
        self.failures = self.failures.saturating_add(1);
        (!self.longest.is_zero()).then(|| pause.min(self.longest))
    }

    /// Begins again with the shortest pause, because a game begins.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let now = Instant::now();
        let mut back_off = BackOff::new(Duration::from_secs(5), Duration::from_secs(300));
        let pauses: Vec<u64> = (0..8)
            .filter_map(|_| back_off.next_pause(now))
            .map(|pause| pause.as_secs())
            .collect();
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 300, 300]);
        back_off.reset();
        assert_eq!(back_off.next_pause(now), Some(Duration::from_secs(5)));
    }

    #[test]
    fn only_a_session_that_lasts_begins_again_with_the_shortest_pause() {
        let mut now = Instant::now();
        let mut back_off = BackOff::new(Duration::from_secs(5), Duration::from_secs(300));
        let mut pauses = Vec::new();
        for seconds in [0, 59, 60, 0] {
            back_off.session_begins(now);
            now += Duration::from_secs(seconds);
            pauses.extend(back_off.next_pause(now).map(|pause| pause.as_secs()));
        }
        assert_eq!(pauses, [5, 10, 5, 10]);
    }

    #[test]
    fn without_a_longest_pause_there_is_no_second_attempt() {
        let mut back_off = BackOff::new(Duration::from_secs(5), Duration::ZERO);
        assert_eq!(back_off.next_pause(Instant::now()), None);
    }
}
