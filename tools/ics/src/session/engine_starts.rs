//! Pauses between the end of an engine and its next start.

use std::time::{Duration, Instant};

/// Time after which an engine counts as one that runs: its end is the first one again.
const LASTING: Duration = Duration::from_secs(60);

/// Longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Times of the starts. An engine that ends is started at once, so that it does not lose the game on time. If it ends
/// soon again, the pauses are 1 s, 2 s, 4 s and so on.
#[derive(Debug, Default)]
pub(super) struct EngineStarts {
    last: Option<Instant>,
    /// Number of starts after an end, each soon after the one before.
    repeated: u32,
}

impl EngineStarts {
    /// Returns the time of the next start: the first one, or one after the end of the engine.
    pub(super) fn next(&mut self, now: Instant) -> Instant {
        let is_soon = |last: Instant| now.saturating_duration_since(last) < LASTING;
        self.repeated = match self.last {
            None => 0,
            Some(last) if is_soon(last) => self.repeated.saturating_add(1),
            Some(_) => 1,
        };
        let pause = match self.repeated {
            0 | 1 => Duration::ZERO,
            repeated => Duration::from_secs(2_u64.saturating_pow(repeated - 2)).min(MAX_PAUSE),
        };
        let due = now + pause;
        self.last = Some(due);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pauses in seconds if the engine ends this time after each start.
    fn pauses(running: Duration, count: usize) -> Vec<u64> {
        let mut starts = EngineStarts::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..count {
            let due = starts.next(now);
            pauses.push((due - now).as_secs());
            now = due + running;
        }
        pauses
    }

    #[test]
    fn pauses_double_while_the_engine_ends_soon() {
        let soon = Duration::from_millis(10);
        assert_eq!(pauses(soon, 10), [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pauses(LASTING, 4), [0; 4]);
    }

    #[test]
    fn an_engine_that_runs_for_a_minute_begins_again_without_a_pause() {
        let mut starts = EngineStarts::default();
        let mut now = Instant::now();
        for _ in 0..4 {
            now = starts.next(now);
        }
        now += LASTING;
        assert_eq!(starts.next(now), now);
        assert_eq!(starts.next(now), now + Duration::from_secs(1));
    }
}
