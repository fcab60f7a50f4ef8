//! Supervision of the engine: it must move in time, and it must not end too often.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::engine::{Features, Variant};

/// Time for a move after the order to move at once.
const MOVE_NOW: Duration = Duration::from_secs(5);

/// Own clock, in milliseconds, at which the engine is ordered to move at once.
const LAST_TIME: i64 = -1000;

/// Ends of the engine that are allowed within [`PERIOD`].
const MOST_ENDS: usize = 5;

/// Period of [`MOST_ENDS`].
const PERIOD: Duration = Duration::from_secs(600);

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// The engine may think on.
    Fine,
    /// The engine must be ordered to move at once.
    Ask,
    /// The engine must be started again.
    Restart,
}

/// The engine has ended too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooOften;

/// Times of the engine's output and failures.
#[derive(Clone, Debug)]
pub(super) struct EngineWatch {
    stall_timeout: Duration,
    /// Features that the engine has announced; `None` while it starts.
    features: Option<Features>,
    /// The engine has been ready for a game.
    has_started: bool,
    on_output: Option<Instant>,
    thinking_since: Option<Instant>,
    asked: Option<Instant>,
    ends: VecDeque<Instant>,
}

impl EngineWatch {
    /// Creates a watch. An engine that prints nothing for `stall_timeout` while it thinks is suspected to hang; with
    /// zero, it never is.
    pub(super) fn new(stall_timeout: Duration) -> EngineWatch {
        EngineWatch {
            stall_timeout,
            features: None,
            has_started: false,
            on_output: None,
            thinking_since: None,
            asked: None,
            ends: VecDeque::new(),
        }
    }

    /// Records what the engine has announced. A game that waits for its start begins now.
    pub(super) fn is_ready(&mut self, features: &Features, now: Instant) {
        self.has_started = true;
        if self.features.replace(features.clone()).is_none() && self.thinking_since.is_some() {
            self.thinking_since = Some(now);
        }
    }

    /// Returns the name that the engine has announced.
    pub(super) fn name(&self) -> Option<&str> {
        self.features.as_ref()?.myname.as_deref()
    }

    /// Returns `true` if the engine plays the variant, or `None` while it starts.
    pub(super) fn plays(&self, variant: &Variant) -> Option<bool> {
        self.features
            .as_ref()
            .map(|features| features.plays(variant))
    }

    /// Returns the command that sets an option of the engine, or the reason why there is none.
    pub(super) fn option_command(&self, name: &str, value: &str) -> Result<String, String> {
        match &self.features {
            Some(features) => features.option_command(name, value),
            None => Err("the engine is starting; try again in a moment".into()),
        }
    }

    /// Returns `true` if the engine has been ready for a game.
    pub(super) fn has_started(&self) -> bool {
        self.has_started
    }

    /// Records a line of the engine.
    pub(super) fn on_output(&mut self, now: Instant) {
        self.on_output = Some(now);
    }

    /// Records that the engine must move, or need not.
    pub(super) fn thinks(&mut self, must_move: bool, now: Instant) {
        self.thinking_since = must_move.then_some(now);
        self.asked = None;
    }

    /// Records a move of the engine.
    pub(super) fn has_moved(&mut self) {
        self.thinking_since = None;
        self.asked = None;
    }

    /// Checks whether the engine is late. `own_clock` is the rest of its time in milliseconds; `None` without clocks.
    ///
    /// The start of the engine has a limit of its own.
    pub(super) fn check(&mut self, own_clock: Option<i64>, now: Instant) -> Check {
        let (Some(since), Some(_)) = (self.thinking_since, &self.features) else {
            return Check::Fine;
        };
        if let Some(asked) = self.asked {
            if now >= asked + MOVE_NOW {
                return Check::Restart;
            }
            return Check::Fine;
        }
        let silent_since = self
            .on_output
            .map_or(since, |on_output| on_output.max(since));
        let is_silent = !self.stall_timeout.is_zero() && now >= silent_since + self.stall_timeout;
        let is_over = own_clock.is_some_and(|clock| clock < LAST_TIME);
        if is_silent || is_over && now >= since + Duration::from_secs(1) {
            self.asked = Some(now);
            return Check::Ask;
        }
        Check::Fine
    }

    /// Records an end of the engine.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine has ended more than five times in ten minutes.
    pub(super) fn ended(&mut self, now: Instant) -> Result<(), TooOften> {
        self.thinking_since = None;
        self.asked = None;
        self.features = None;
        self.ends
            .retain(|end| now.saturating_duration_since(*end) < PERIOD);
        self.ends.push_back(now);
        if self.ends.len() > MOST_ENDS {
            Err(TooOften)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALL: Duration = Duration::from_secs(30);

    fn ready(now: Instant) -> EngineWatch {
        let mut watch = EngineWatch::new(STALL);
        watch.is_ready(&Features::default(), now);
        watch
    }

    #[test]
    fn a_silent_engine_is_asked_and_then_restarted() {
        let now = Instant::now();
        let mut watch = ready(now);
        watch.thinks(true, now);
        assert_eq!(watch.check(Some(600_000), now + STALL / 2), Check::Fine);
        watch.on_output(now + STALL / 2);
        assert_eq!(watch.check(Some(600_000), now + STALL), Check::Fine);
        let silent = now + STALL / 2 + STALL;
        assert_eq!(watch.check(Some(600_000), silent), Check::Ask);
        assert_eq!(
            watch.check(Some(600_000), silent + Duration::from_secs(1)),
            Check::Fine
        );
        assert_eq!(
            watch.check(Some(600_000), silent + MOVE_NOW),
            Check::Restart
        );
    }

    #[test]
    fn an_engine_without_time_is_asked() {
        let now = Instant::now();
        let mut watch = ready(now);
        watch.thinks(true, now);
        assert_eq!(
            watch.check(Some(500), now + Duration::from_secs(2)),
            Check::Fine
        );
        assert_eq!(
            watch.check(Some(LAST_TIME - 1), now + Duration::from_secs(2)),
            Check::Ask
        );
    }

    #[test]
    fn the_time_of_a_slow_start_does_not_count() {
        let now = Instant::now();
        let mut watch = EngineWatch::new(STALL);
        watch.thinks(true, now);
        assert_eq!(watch.check(Some(-60_000), now + STALL * 2), Check::Fine);
        let started = now + STALL * 3;
        watch.is_ready(&Features::default(), started);
        assert_eq!(watch.check(None, started + STALL / 2), Check::Fine);
        assert_eq!(watch.check(None, started + STALL), Check::Ask);
    }

    #[test]
    fn without_clocks_only_silence_counts() {
        let now = Instant::now();
        let mut watch = ready(now);
        watch.thinks(true, now);
        assert_eq!(watch.check(None, now + STALL / 2), Check::Fine);
        assert_eq!(watch.check(None, now + STALL), Check::Ask);
    }

    #[test]
    fn an_engine_that_need_not_move_may_be_silent() {
        let now = Instant::now();
        let mut watch = ready(now);
        assert_eq!(watch.check(Some(-60_000), now + STALL * 9), Check::Fine);
        watch.thinks(true, now);
        watch.has_moved();
        assert_eq!(watch.check(Some(-60_000), now + STALL * 9), Check::Fine);
    }

    #[test]
    fn six_ends_in_ten_minutes_are_too_many() {
        let now = Instant::now();
        let mut watch = EngineWatch::new(STALL);
        for _ in 0..MOST_ENDS {
            assert_eq!(watch.ended(now), Ok(()));
        }
        assert_eq!(watch.ended(now), Err(TooOften));
        assert_eq!(watch.ended(now + PERIOD), Ok(()));
    }
}
