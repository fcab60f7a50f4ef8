//! The number of nodes between two polls of the stop signal, adapted so that about half a millisecond passes at most.

use std::time::{Duration, Instant};

/// Number of nodes before the first poll of a job.
const FIRST_NODES: u64 = 16;

/// Largest number of nodes between two polls.
const MAX_NODES: u64 = 256;

/// Intended time between two polls.
const MAX_TIME: Duration = Duration::from_micros(500);

/// The number of nodes between two polls, adapted to the time per node.
///
/// Positions with many queens, and table memory that the system has yet to provide, make nodes up to a hundred times
/// slower.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollInterval {
    nodes: u64,
    last: Instant,
}

impl PollInterval {
    /// Creates the interval for a job that begins now.
    pub fn new() -> PollInterval {
        PollInterval {
            nodes: FIRST_NODES,
            last: Instant::now(),
        }
    }

    /// Returns the number of nodes until the next poll, from 1 to 256.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Records a poll at `now` and returns the number of nodes until the next one: twice as many if the poll was early,
    /// and proportionally fewer if it was late.
    pub fn after_poll(&mut self, now: Instant) -> u64 {
        let elapsed = now.saturating_duration_since(self.last);
        self.last = now;
        if elapsed > MAX_TIME {
            let fraction = MAX_TIME.as_secs_f64() / elapsed.as_secs_f64();
            self.nodes = ((self.nodes as f64 * fraction) as u64).max(1);
        } else if elapsed < MAX_TIME / 2 {
            self.nodes = (self.nodes * 2).min(MAX_NODES);
        }
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_adapts_to_the_time_per_node() {
        let mut interval = PollInterval::new();
        let mut now = interval.last;
        for _ in 0..10 {
            now += Duration::from_micros(interval.nodes());
            interval.after_poll(now);
        }
        assert_eq!(interval.nodes(), MAX_NODES, "a microsecond each");
        for _ in 0..10 {
            now += Duration::from_micros(100) * interval.nodes() as u32;
            interval.after_poll(now);
        }
        assert_eq!(interval.nodes(), 5, "a tenth of a millisecond each");
        now += Duration::from_secs(1);
        assert_eq!(interval.after_poll(now), 1);
        now += Duration::from_micros(1);
        assert_eq!(interval.after_poll(now), 2, "and up again");
    }
}
