//! Clock times reported by the GUI, compared with Gaur's own clocks.
//!
//! The comparison has two uses. Time missing from the engine's clock is a sample for
//! [`LagEstimate`](super::LagEstimate). On chess servers it also detects takebacks that the GUI does not report: the
//! server sets the clocks back with the moves (on FICS, function `backup_move`).
//!
//! # Detecting a takeback
//!
//! `T` and `O` are the times of engine and opponent reported with the last move. `T'` is the engine's time reported
//! with the move that may have been taken back, and `O'` the opponent's time reported with the opponent's move before
//! it. `i` is the increment and `w` the time since the engine's last move, or, if that move came too late, since the
//! opponent's. After a takeback
//!
//! ```text
//! T = T'      and      O' + i - w - 1 s <= O <= O' + i
//! ```
//!
//! An ordinary move can produce the same times. It is excluded if one of these is true:
//!
//! 1. The opponent's clock has gained more than the increment.
//! 2. The opponent's clock has lost more time than has passed.
//!
//! The tolerance is one second, or a tenth of a second if the reports are more exact than seconds (FICS with `iset ms
//! 1`). The network cannot cause either case. It can only make the opponent's clock run for less time than has passed,
//! because servers do not charge the delay of the lines that they send.
//!
//! If the engine's clock shows no thinking time (`T = T'`), that alone is no evidence: some servers do not charge the
//! first move after a resumption, move 2 in Fischer Random, or occasionally another move. It is evidence if the
//! opponent's clock has also run for much less time than has passed. A takeback sets that clock back, and the players
//! need time to ask for it and to agree. Earlier moves show how much of the difference the network explains. If the
//! opponent's clock has not run at all, an uncharged move explains it.
//!
//! # Limits
//!
//! Two cases are mistaken for a takeback: a delay far above the usual one together with an uncharged move of the
//! engine, and time given to the opponent (`moretime`) after a quick move of the engine.

use std::time::{Duration, Instant};

use super::LagSample;

/// Tolerance for clocks reported in whole seconds, in microseconds.
const WHOLE_SECOND_TOLERANCE: i64 = 1_250_000;

/// Tolerance for clocks reported in hundredths of a second, in microseconds.
const CENTISECOND_TOLERANCE: i64 = 100_000;

/// One second in microseconds, the resolution of most servers' clocks.
const SECOND: i64 = 1_000_000;

/// Round-trip delay that counts as usual on every connection, in microseconds.
const UNNOTICED_DELAY: i64 = 700_000;

/// Usual variation of the round-trip delay between two moves, in microseconds.
const JITTER: i64 = 400_000;

/// Upper limit of the usual delay, in microseconds.
const LONGEST_USUAL_DELAY: i64 = 6_000_000;

/// One reported clock time.
#[derive(Clone, Copy, Debug)]
struct ClockReport {
    /// The time that the GUI reported.
    reported: Duration,
    /// Reported minus expected time, in microseconds.
    deviation: i64,
}

/// A move of the opponent that the server has not charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standstill {
    /// The clock shows the previous time plus the increment.
    Credited,
    /// The clock shows the previous time.
    Uncredited,
}

/// The clock times reported since the engine's last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockReports {
    /// Time of the engine's last move; `None` while reports cannot be compared with Gaur's clocks.
    moved_at: Option<Instant>,
    /// Arrival time of the opponent's last move.
    turn_started: Option<Instant>,
    /// Time that the engine spent on its last move.
    thinking_time: Duration,
    /// Half-moves in the game after the engine's move.
    game_length: usize,
    /// First `time` report since the engine's move.
    engine: Option<ClockReport>,
    /// First `otim` report since the engine's move.
    opponent: Option<ClockReport>,
    /// Times of engine and opponent reported while they cannot be compared with Gaur's clocks.
    uncompared: (Option<Duration>, Option<Duration>),
    /// Set if the opponent's clock has not run.
    standstill: Option<Standstill>,
    /// Time from the engine's move to the first `otim` report.
    opponent_elapsed: Duration,
    /// Largest recent difference between the time that passed and the time charged to the opponent, in microseconds;
    /// `None` before the first. [`ClockReports::discard`] keeps it.
    usual_delay: Option<i64>,
}

/// Clock times of the position to which a takeback returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakebackTimes {
    /// The engine's time, reported with the move that may have been taken back.
    pub engine: Duration,
    /// The opponent's time, reported with the opponent's move before that.
    pub opponent: Duration,
    /// The opponent's increment per move.
    pub increment: Duration,
}

/// Conclusion from the clocks about a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeback {
    /// The clocks do not show the times after a takeback.
    Excluded,
    /// The clocks are consistent with a takeback and with an ordinary move.
    Possible,
    /// The clocks are consistent with a takeback only, unless two rare causes coincide.
    Likely,
}

impl ClockReports {
    /// Starts a new comparison after a move of the engine. `length` is the number of half-moves in the game, the
    /// engine's move included.
    pub fn on_engine_move(&mut self, now: Instant, length: usize) {
        let thinking_time = self
            .turn_started
            .map_or(Duration::ZERO, |turn| now.saturating_duration_since(turn));
        self.discard();
        self.moved_at = Some(now);
        self.thinking_time = thinking_time;
        self.game_length = length;
    }

    /// Records a `time` report. `expected` is the time on Gaur's clock. Only the first report after the engine's move
    /// counts.
    pub fn record_engine_time(&mut self, reported: Duration, expected: Duration) {
        if self.moved_at.is_none() {
            self.uncompared.0 = Some(reported);
        } else if self.engine.is_none() {
            let deviation = difference(reported, expected);
            self.engine = Some(ClockReport {
                reported,
                deviation,
            });
        }
    }

    /// Records an `otim` report. `left` is the time on Gaur's clock, without the `increment` for the opponent's move.
    /// Only the first report after the engine's move counts.
    pub fn record_opponent_time(
        &mut self,
        reported: Duration,
        left: Duration,
        increment: Duration,
        now: Instant,
    ) {
        let Some(since) = self.moved_at else {
            self.uncompared.1 = Some(reported);
            return;
        };
        if self.opponent.is_none() {
            let deviation = difference(reported, left.saturating_add(increment));
            self.opponent = Some(ClockReport {
                reported,
                deviation,
            });
            self.opponent_elapsed = now.saturating_duration_since(since);
            let before = left.saturating_add(self.opponent_elapsed);
            self.standstill = if reported == before.saturating_add(increment) {
                Some(Standstill::Credited)
            } else {
                (reported == before).then_some(Standstill::Uncredited)
            };
        }
    }

    /// Returns the time missing from the engine's clock. Returns `None` if the time was not reported, if the game has
    /// not grown by exactly one half-move, or if Gaur's own clock had run out, which hides the delay.
    pub fn lag_sample(&self, length: usize) -> Option<LagSample> {
        let report = self.engine.filter(|_| length == self.game_length + 1)?;
        let has_run_out = report.deviation >= micros(report.reported);
        (!has_run_out).then_some(LagSample {
            missing: report.deviation.saturating_neg(),
            reported: report.reported,
        })
    }

    /// Returns the times of engine and opponent reported since the last move.
    pub fn reported_times(&self) -> (Option<Duration>, Option<Duration>) {
        let value = |report: ClockReport| report.reported;
        (
            self.engine.map(value).or(self.uncompared.0),
            self.opponent.map(value).or(self.uncompared.1),
        )
    }

    /// Ends the comparison after an ordinary move of the opponent, at which the engine's turn begins.
    pub fn on_opponent_move(&mut self, now: Instant) {
        if let Some(delay) = self.delay() {
            let faded = self.usual_delay.unwrap_or_default() / 8 * 7;
            self.usual_delay = Some(delay.max(faded).min(LONGEST_USUAL_DELAY));
        }
        self.discard();
        self.turn_started = Some(now);
    }

    /// Discards all reports. Until the engine moves again, reports are not compared with Gaur's clocks.
    pub fn discard(&mut self) {
        *self = ClockReports {
            usual_delay: self.usual_delay,
            ..ClockReports::default()
        };
    }

    /// Returns the conclusion about a takeback to a position with the times `then`. Returns `None` without reports of
    /// both clocks.
    pub fn assess_takeback(&self, then: TakebackTimes) -> Option<Takeback> {
        let (engine, opponent) = self.engine.zip(self.opponent)?;
        Some(if !self.fits_takeback(engine, opponent, then) {
            Takeback::Excluded
        } else if self.fits_game(engine, opponent, then) {
            Takeback::Possible
        } else {
            Takeback::Likely
        })
    }

    /// Returns the time since the engine's move that was not charged to the opponent, in microseconds. Returns `None`
    /// if it is not known, or if the opponent's clock stood still for longer than a delay explains.
    fn delay(&self) -> Option<i64> {
        let is_delay =
            self.standstill.is_none() || micros(self.opponent_elapsed) <= UNNOTICED_DELAY;
        self.opponent
            .filter(|_| is_delay)
            .map(|report| report.deviation)
    }

    /// Returns `true` if both clocks can show these times after a takeback.
    fn fits_takeback(
        &self,
        engine: ClockReport,
        opponent: ClockReport,
        then: TakebackTimes,
    ) -> bool {
        let latest = then.opponent.saturating_add(then.increment);
        // If the move was taken back while the engine was thinking, its move came too late, and the opponent's clock
        // has run since the takeback.
        let earliest = latest.saturating_sub(
            self.opponent_elapsed
                .saturating_add(self.thinking_time)
                .saturating_add(Duration::from_micros(SECOND.unsigned_abs())),
        );
        // Servers that report hundredths of a second set the clocks back to tenths.
        let inexact = if are_whole_seconds(engine, opponent, then) {
            0
        } else {
            CENTISECOND_TOLERANCE
        };
        difference(engine.reported, then.engine).abs() <= inexact
            && (earliest..=latest).contains(&opponent.reported)
    }

    /// Returns `true` if both clocks can show these times after an ordinary move, charged or uncharged.
    fn fits_game(&self, engine: ClockReport, opponent: ClockReport, then: TakebackTimes) -> bool {
        let rounding = if are_whole_seconds(engine, opponent, then) {
            WHOLE_SECOND_TOLERANCE
        } else {
            CENTISECOND_TOLERANCE
        };
        let passed = micros(self.opponent_elapsed);
        let is_engine_charged = engine.deviation <= rounding;
        let stood_still = match self.standstill {
            Some(Standstill::Credited) => true,
            // Servers do this after the start or the resumption of a game, and then for the previous move, too.
            Some(Standstill::Uncredited) => opponent.reported == then.opponent,
            None => false,
        };
        let most = if is_engine_charged {
            passed.saturating_add(rounding / 2)
        } else {
            let longest_delay = self
                .usual_delay
                .map_or(passed, |usual| usual + JITTER + rounding)
                .max(UNNOTICED_DELAY + rounding);
            longest_delay.min(passed.saturating_add(rounding / 2))
        };
        stood_still || (-rounding..=most).contains(&opponent.deviation)
    }
}

/// Returns `true` if all times are whole seconds.
fn are_whole_seconds(engine: ClockReport, opponent: ClockReport, then: TakebackTimes) -> bool {
    let times = [
        engine.reported,
        opponent.reported,
        then.engine,
        then.opponent,
    ];
    times.iter().all(|value| value.subsec_micros() == 0)
}

/// Returns a duration in microseconds.
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// Returns `a - b` in microseconds.
fn difference(a: Duration, b: Duration) -> i64 {
    micros(a) - micros(b)
}

#[cfg(test)]
mod tests;
