//! The two clocks of a game, in milliseconds. They may be negative: a flag counts only once it is called.

use std::time::Instant;

use shakmaty::{ByColor, Color};

/// Time at the start, in milliseconds, if the base time is 0 minutes.
const ZERO_BASE: i64 = 10_000;

/// Two clocks of which at most one is running.
#[derive(Clone, Debug)]
pub struct Clocks {
    left: ByColor<i64>,
    increment: i64,
    running: Option<(Color, Instant)>,
}

/// Time of a move, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// Time that the clock lost.
    pub charged: i64,
    /// Time that passed for the server beyond `charged`.
    pub lag: i64,
}

impl Clocks {
    /// Returns stopped clocks; `base` is in minutes, `increment` in seconds, as on servers.
    pub fn new(base: u32, increment: u32) -> Clocks {
        let start = match base {
            0 => ZERO_BASE,
            minutes => i64::from(minutes) * 60_000,
        };
        Clocks {
            left: ByColor::new_with(|_| start),
            increment: i64::from(increment) * 1000,
            running: None,
        }
    }

    /// Returns the remaining time of a side.
    pub fn left(&self, color: Color, now: Instant) -> i64 {
        match self.running {
            Some((running, since)) if running == color => {
                self.left[color] - milliseconds(since, now)
            }
            _ => self.left[color],
        }
    }

    /// Returns `true` if a clock is running.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Starts the clock of this side and stops the other one.
    pub fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops both clocks and charges the running one.
    pub fn stop(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            self.left[color] -= milliseconds(since, now);
        }
    }

    /// Stops both clocks and gives the time since the last move back.
    pub fn roll_back(&mut self) {
        self.running = None;
    }

    /// Stops both clocks after a move and adds the increment. `measured` is the time of the move by the player's own
    /// clock, which replaces that of the server.
    pub fn moved(&mut self, color: Color, now: Instant, measured: Option<i64>) -> MoveTime {
        let passed = match self.running.take() {
            Some((_, since)) => milliseconds(since, now),
            None => {
                self.left[color] += self.increment;
                return MoveTime { charged: 0, lag: 0 };
            }
        };
        let charged = measured.unwrap_or(passed);
        self.left[color] += self.increment - charged;
        MoveTime {
            charged,
            lag: (passed - charged).max(0),
        }
    }

    /// Returns the times at which the running clock was started.
    pub fn at_start(&self) -> ByColor<i64> {
        self.left
    }

    /// Stops and sets both clocks.
    pub fn set(&mut self, left: ByColor<i64>) {
        self.left = left;
        self.running = None;
    }

    /// Gives a side more time.
    pub fn add(&mut self, color: Color, seconds: u32) {
        self.left[color] += i64::from(seconds) * 1000;
    }
}

fn milliseconds(since: Instant, now: Instant) -> i64 {
    i64::try_from(now.saturating_duration_since(since).as_millis()).unwrap_or(i64::MAX)
}
