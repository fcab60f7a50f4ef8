//! The number of nodes between two polls, kept so small that a poll comes at least every half millisecond or so.

use std::time::{Duration, Instant};

/// Nodes after which a job polls first.
const FIRST_NODES: u64 = 16;

/// Most nodes between two polls.
const MAX_NODES: u64 = 256;

/// Time aimed at between two polls.
const MAX_TIME: Duration = Duration::from_micros(500);

/// A number of nodes that follows the time which they take: positions with many queens and memory that the system has
/// still to provide make nodes a hundred times as slow as others.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollInterval {
    nodes: u64,
    last: Instant,
}

impl PollInterval {
    /// The interval at the start of a job, which begins now.
    pub fn new() -> PollInterval {
        PollInterval {
            nodes: FIRST_NODES,
            last: Instant::now(),
        }
    }

    /// Nodes until the next poll, from 1 to 256.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Takes note of a poll at `now` and returns the nodes until the next: twice as many if the last came early, fewer
    /// in proportion if they took too long.
    pub fn after_poll(&mut self, now: Instant) -> u64 {
        let took = now.saturating_duration_since(self.last);
        self.last = now;
        if took > MAX_TIME {
            let share = MAX_TIME.as_secs_f64() / took.as_secs_f64();
            self.nodes = ((self.nodes as f64 * share) as u64).max(1);
        } else if took < MAX_TIME / 2 {
            self.nodes = (self.nodes * 2).min(MAX_NODES);
        }
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_follow_the_time_that_nodes_take() {
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
