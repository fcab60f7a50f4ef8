//! The two clocks of a game, in milliseconds. They may fall below zero: a flag counts only once somebody calls it.

use std::time::Instant;

use shakmaty::{ByColor, Color};

/// What a server gives at the start when the base time is 0 minutes.
const ZERO_BASE: i64 = 10_000;

/// Two clocks of which at most one is running.
#[derive(Clone, Debug)]
pub struct Clocks {
    left: ByColor<i64>,
    increment: i64,
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Stopped clocks; the base in minutes, the increment in seconds, as servers count them.
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

    /// What a side has left now.
    pub fn left(&self, color: Color, now: Instant) -> i64 {
        match self.running {
            Some((running, since)) if running == color => {
                self.left[color] - milliseconds(since, now)
            }
            _ => self.left[color],
        }
    }

    /// Whether one of them is running.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Lets the clock of this side run, and stops the other one.
    pub fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops both; returns how long the running one had been running.
    pub fn stop(&mut self, now: Instant) -> i64 {
        let Some((color, since)) = self.running.take() else {
            return 0;
        };
        let spent = milliseconds(since, now);
        self.left[color] -= spent;
        spent
    }

    /// A side has moved: both stop, and it gets its increment. Returns what the move has cost.
    pub fn moved(&mut self, color: Color, now: Instant) -> i64 {
        let spent = self.stop(now);
        self.left[color] += self.increment;
        spent
    }

    /// What both had left when the running one was started.
    pub fn at_start(&self) -> ByColor<i64> {
        self.left
    }

    /// Stops both and sets them.
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
