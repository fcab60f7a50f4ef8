//! What ends a search for a move: the clock, or nodes that count as time.

use std::time::{Duration, Instant};

use super::Machine;
use crate::clock::allot;
use crate::messages::Limits;

impl Machine {
    /// What ends the search for a move that was asked for at `started`.
    pub(super) fn limits(&self, started: Instant) -> Limits {
        let clock = &self.clocks.engine;
        let share = |overhead: Duration, lag: Duration| {
            let remaining = clock.remaining(started);
            let opponent = self.clocks.opponent.remaining(started);
            allot(
                clock.control(),
                remaining,
                clock.moves_to_go(),
                opponent,
                overhead,
                lag,
            )
        };
        match self.node_rate {
            None => Limits {
                depth: self.depth_limit,
                nodes: None,
                budget: Some(share(self.config.move_overhead, self.lag.estimate())),
            },
            // Time is counted in nodes: no pipe and no scheduler can add to it.
            Some(rate) => Limits {
                depth: self.depth_limit,
                nodes: Some(nodes_in(share(Duration::ZERO, Duration::ZERO).soft, rate)),
                budget: None,
            },
        }
    }
}

/// How many nodes are this much time at `rate` nodes per second; at least one.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    let nodes = time.as_millis().saturating_mul(u128::from(rate)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
