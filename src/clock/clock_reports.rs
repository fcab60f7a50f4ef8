//! What the host says of the clocks with a move of the opponent, held against what our own clocks show.
//!
//! It serves two purposes. What our clock lacks is a sample for the [`LagEstimate`](super::LagEstimate). And where a host does not
//! say that moves were taken back, the clocks bear witness: chess servers put them back, too, to what they
//! showed when the retracted move was about to be made. (So does the free server of FICS, function `backup_move`.)
//!
//! With `T` and `O` as told with the present move, `T'` told with the move that might have been taken back, `O'` told
//! with the opponent's move before that, `i` the increment and `w` the time since our last move or (if that came too
//! late) since the opponent's, a takeback has to show
//!
//! ```text
//! T = T'      and      O' + i - w - 1 s <= O <= O' + i
//! ```
//!
//! That alone proves nothing. An ordinary move is ruled out when the opponent's clock has gained more than the
//! increment, or has lost more than has passed. A second is granted for rounding, or a tenth where the clocks are told
//! more exactly (as xboard gets them from FICS, `iset ms 1`). The network can do neither of these. It can only make the
//! opponent's clock run for less than the time that passed, because servers charge nobody for the delay of the
//! lines that they send.
//!
//! That our own clock shows none of the time we thinking_time (`T = T'`) is no evidence as long as the opponent's clock fits
//! the game: there are servers that do not charge the first move after a resumption, move 2 in Fischer Random, or now
//! and then another one. It is evidence together with an opponent's clock that has run for much less than has passed:
//! a takeback puts that clock back, and those who ask for it and agree to it need time that nobody is charged for.
//! Earlier moves show how much of that the network explains. An opponent's clock that has not run at all is explained
//! by a move that the server did not charge.
//!
//! Two things can still be mistaken for a takeback: a delay far beyond the usual one that coincides with a move
//! of ours that is not charged, and time given to the opponent (`moretime`) after a quick move of ours.

use std::time::{Duration, Instant};

/// What a server's rounding to seconds can make of a clock, and a little more, in microseconds.
const WHOLE_SECOND_TOLERANCE: i64 = 1_250_000;

/// Rounding of clocks that are told in hundredths of a second, in microseconds.
const CENTISECOND_TOLERANCE: i64 = 100_000;

/// The rounding of a server, in microseconds.
const SECOND: i64 = 1_000_000;

/// Delay of a network that counts as usual on every connection, both ways together, in microseconds.
const UNNOTICED_DELAY: i64 = 700_000;

/// Usual variation of the delay from one move to the next, both ways together, in microseconds.
const JITTER: i64 = 400_000;

/// Upper limit of the usual delay, in microseconds.
const LONGEST_USUAL_DELAY: i64 = 6_000_000;

/// One clock as it was told.
#[derive(Clone, Copy, Debug)]
struct ClockReport {
    reported: Duration,
    /// Told minus expected, in microseconds.
    deviation: i64,
}

/// A move of the opponent that the server did not charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standstill {
    /// The clock shows what it showed before, and the increment.
    Credited,
    /// The clock shows what it showed before.
    Uncredited,
}

/// What was told since the engine's last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockReports {
    /// When the engine moved; `None`: our clocks are no measure for what is told.
    moved_at: Option<Instant>,
    /// When it became the engine's turn by a move of the opponent.
    turn_started: Option<Instant>,
    /// How long the engine thinking_time about its move.
    thinking_time: Duration,
    /// Half-moves in the game then.
    game_length: usize,
    engine: Option<ClockReport>,
    opponent: Option<ClockReport>,
    /// The engine's and the opponent's clock as told while ours are no measure.
    unmeasured: (Option<Duration>, Option<Duration>),
    standstill: Option<Standstill>,
    /// From the engine's move to the last word on the opponent's clock.
    opponent_elapsed: Duration,
    /// Greatest recent difference between the time that passed and what the opponent was charged, in microseconds;
    /// `None` before the first. It outlasts the engine's moves.
    usual_delay: Option<i64>,
}

/// What the clocks showed when a move was made that might have been taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakebackTimes {
    /// The engine's clock, told with that move.
    pub engine: Duration,
    /// The opponent's clock, told with the opponent's move before that.
    pub opponent: Duration,
    /// What the opponent gets for each move.
    pub increment: Duration,
}

/// Conclusion from the clocks about a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeback {
    /// The clocks do not show what a takeback puts them back to.
    Excluded,
    /// The clocks fit a takeback and an ordinary move.
    Possible,
    /// The clocks fit a takeback only, unless two rare causes coincide.
    Likely,
}

impl ClockReports {
    /// The engine has moved, which makes it so many half-moves, and from now on the opponent's clock runs.
    pub fn on_engine_move(&mut self, now: Instant, length: usize) {
        let thinking_time = self
            .turn_started
            .map_or(Duration::ZERO, |turn| now.saturating_duration_since(turn));
        self.discard();
        self.moved_at = Some(now);
        self.thinking_time = thinking_time;
        self.game_length = length;
    }

    /// `time`, where we expected another value. Only the first after the engine's move counts.
    pub fn record_engine_time(&mut self, reported: Duration, expected: Duration) {
        if self.moved_at.is_none() {
            self.unmeasured.0 = Some(reported);
        } else if self.engine.is_none() {
            let deviation = difference(reported, expected);
            self.engine = Some(ClockReport {
                reported,
                deviation,
            });
        }
    }

    /// `otim`, where our clock shows `left` and the move has earned `increment`. Only the first after the engine's move
    /// counts.
    pub fn record_opponent_time(
        &mut self,
        reported: Duration,
        left: Duration,
        increment: Duration,
        now: Instant,
    ) {
        let Some(since) = self.moved_at else {
            self.unmeasured.1 = Some(reported);
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

    /// What the engine's clock was told to lack, in microseconds, if after `length` half-moves it is the same side's
    /// turn again.
    pub fn lag_sample(&self, length: usize) -> Option<i64> {
        self.engine
            .filter(|_| length == self.game_length + 1)
            .map(|said| -said.deviation)
    }

    /// Both clocks as they were told since the last move.
    pub fn reported_times(&self) -> (Option<Duration>, Option<Duration>) {
        let value = |report: ClockReport| report.reported;
        (
            self.engine.map(value).or(self.unmeasured.0),
            self.opponent.map(value).or(self.unmeasured.1),
        )
    }

    /// The opponent's move was an ordinary one; from now on it is the engine's turn.
    pub fn on_opponent_move(&mut self, now: Instant) {
        if let Some(delay) = self.delay() {
            let faded = self.usual_delay.unwrap_or_default() / 8 * 7;
            self.usual_delay = Some(delay.max(faded).min(LONGEST_USUAL_DELAY));
        }
        self.discard();
        self.turn_started = Some(now);
    }

    /// Something has happened after which our clocks are no measure, until the engine moves again.
    pub fn discard(&mut self) {
        *self = ClockReports {
            usual_delay: self.usual_delay,
            ..ClockReports::default()
        };
    }

    /// The conclusion from the clocks about a takeback; `None` where they were not told.
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

    /// Part of the time since the engine's move that the opponent was not charged for, in microseconds; `None` if
    /// that is not known, or if the opponent's clock stood still for longer than a delay explains.
    fn delay(&self) -> Option<i64> {
        let is_delay =
            self.standstill.is_none() || micros(self.opponent_elapsed) <= UNNOTICED_DELAY;
        self.opponent
            .filter(|_| is_delay)
            .map(|told| told.deviation)
    }

    fn fits_takeback(
        &self,
        engine: ClockReport,
        opponent: ClockReport,
        then: TakebackTimes,
    ) -> bool {
        let latest = then.opponent.saturating_add(then.increment);
        // If the engine was thinking when the move was taken back, its answer came too late to be played, and the
        // opponent's clock has run since then.
        let earliest = latest.saturating_sub(
            self.opponent_elapsed
                .saturating_add(self.thinking_time)
                .saturating_add(Duration::from_micros(SECOND.unsigned_abs())),
        );
        // Servers that tell hundredths put clocks back to a tenth only.
        let inexact = if are_whole_seconds(engine, opponent, then) {
            0
        } else {
            CENTISECOND_TOLERANCE
        };
        difference(engine.reported, then.engine).abs() <= inexact
            && (earliest..=latest).contains(&opponent.reported)
    }

    /// Returns `true` if both clocks can show this after an ordinary move, whether or not the server charges it.
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
            // Servers do this when a game begins or is resumed, and then with the move before, too.
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

fn are_whole_seconds(engine: ClockReport, opponent: ClockReport, then: TakebackTimes) -> bool {
    let told = [
        engine.reported,
        opponent.reported,
        then.engine,
        then.opponent,
    ];
    told.iter().all(|value| value.subsec_micros() == 0)
}

/// A duration in microseconds.
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// `a - b` in microseconds.
fn difference(a: Duration, b: Duration) -> i64 {
    micros(a) - micros(b)
}

#[cfg(test)]
mod tests;
