//! What ends a search for a move: the clock, or nodes that count as time.

use std::time::{Duration, Instant};

use super::{Machine, Mode};
use crate::clock::allocate_time;
use crate::messages::{Limits, SearchOrder, TimeSource};
use crate::types::Depth;

/// What the engine's time is (`nps`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// What the clock on the wall says.
    WallClock,
    /// Processor time.
    ProcessorTime,
    /// So many nodes are a second; at least one.
    Nodes(u64),
}

impl Measure {
    /// `nps N`.
    pub(super) fn at_rate(rate: u64) -> Measure {
        match rate {
            0 => Measure::ProcessorTime,
            rate => Measure::Nodes(rate),
        }
    }

    /// What the search counts its time by: whoever does not look at the wall is shown processor time.
    pub(super) fn time_source(self) -> TimeSource {
        match self {
            Measure::WallClock => TimeSource::Wall,
            Measure::ProcessorTime | Measure::Nodes(_) => TimeSource::Processor,
        }
    }
}

impl Machine {
    /// The limits, at `now`, of a search for a move that was asked for at `started`.
    ///
    /// They count from `started`, as if the engine's clock had shown then what it shows now and what has been used
    /// since.
    pub(super) fn limits(&self, started: Instant, now: Instant) -> Limits {
        let clock = &self.clocks.engine;
        let used = match self.measure {
            Measure::WallClock => now.saturating_duration_since(started),
            // Taken off the clock when the move has been found.
            Measure::ProcessorTime | Measure::Nodes(_) => Duration::ZERO,
        };
        let share = |overhead: Duration, lag: Duration| {
            let remaining = clock.remaining(now).saturating_add(used);
            let opponent = self.clocks.opponent.remaining(now);
            allocate_time(
                clock.control(),
                remaining,
                clock.moves_to_go(),
                opponent,
                overhead,
                lag,
            )
        };
        match self.measure {
            Measure::WallClock | Measure::ProcessorTime => Limits {
                depth: self.depth_limit,
                nodes: None,
                budget: Some(share(self.config.move_overhead, self.lag.per_move())),
            },
            // Time is counted in nodes: no pipe and no scheduler can add to it.
            Measure::Nodes(rate) => Limits {
                depth: self.depth_limit,
                nodes: Some(nodes_in(share(Duration::ZERO, Duration::ZERO).soft, rate)),
                budget: None,
            },
        }
    }

    /// Limits or clocks have been said at `now`: if a move is being thought about, they hold for it, too.
    pub(super) fn update_limits(&mut self, now: Instant) {
        let (mode, now) = match &self.mode {
            Mode::Paused { inner, since, .. } => (&**inner, *since),
            mode => (mode, now),
        };
        // A search that counts its time in another way than the next one keeps the limits that it has.
        if let Mode::Thinking { search, since, .. } = *mode
            && self.measure_of_search == self.measure
        {
            let limits = self.limits(since, now);
            self.order(SearchOrder::SetLimits { id: search, limits });
        }
    }

    /// `sd`: a depth limit on top of all others.
    pub(super) fn limit_depth(&mut self, depth: Depth, now: Instant) {
        self.depth_limit = Some(depth.max(1));
        self.update_limits(now);
    }

    /// `nps`: from now on the engine's time is measured like this.
    pub(super) fn measure_by(&mut self, measure: Measure, now: Instant) {
        self.measure = measure;
        let by_wall = measure == Measure::WallClock;
        self.clocks.use_wall_time(by_wall, now);
    }

    /// Takes what a move has cost off the engine's clock, where the clock on the wall does not.
    pub(super) fn charge(&mut self, processor_time: Duration, nodes: u64) {
        match self.measure {
            Measure::WallClock => {}
            Measure::ProcessorTime => self.clocks.charge_engine(processor_time),
            Measure::Nodes(rate) => self.clocks.charge_engine(time_of(nodes, rate)),
        }
    }
}

/// How long so many nodes take at `rate` nodes per second.
fn time_of(nodes: u64, rate: u64) -> Duration {
    let milliseconds = u128::from(nodes) * 1000 / u128::from(rate.max(1));
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX))
}

/// How many nodes are this much time at `rate` nodes per second; at least one.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    let nodes = time.as_millis().saturating_mul(u128::from(rate)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
