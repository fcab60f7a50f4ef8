//! What the host says of the clocks with a move of the opponent, held against what our own clocks show.
//!
//! It serves two purposes. What our clock lacks is a sample for the [`Lag`](super::Lag). And where a host does not
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
//! opponent's clock run for less than the time that passed, because servers charge nobody for the way to us.
//!
//! That our own clock shows none of the time we thought (`T = T'`) is no evidence as long as the opponent's clock fits
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
const ROUNDING: i64 = 1_250_000;

/// The same where clocks are told in hundredths of a second.
const FINE_ROUNDING: i64 = 100_000;

/// The rounding of a server, in microseconds.
const SECOND: i64 = 1_000_000;

/// Delay of a network that counts as usual on every connection, both ways together, in microseconds.
const UNNOTICED_DELAY: i64 = 700_000;

/// Usual variation of the delay from one move to the next, in microseconds.
const JITTER: i64 = 400_000;

/// Upper limit of the usual delay, in microseconds.
const LONGEST_USUAL_DELAY: i64 = 6_000_000;

/// One clock as it was told.
#[derive(Clone, Copy, Debug)]
struct Said {
    value: Duration,
    /// Told minus expected, in microseconds.
    surprise: i64,
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
pub struct Heard {
    /// When the engine moved; `None`: our clocks are no measure for what is told.
    since: Option<Instant>,
    /// When it became the engine's turn by a move of the opponent.
    turn: Option<Instant>,
    /// How long the engine thought about its move.
    thought: Duration,
    /// Half-moves in the game then.
    length: usize,
    engine: Option<Said>,
    opponent: Option<Said>,
    /// The engine's and the opponent's clock as told while ours are no measure.
    unmeasured: (Option<Duration>, Option<Duration>),
    standstill: Option<Standstill>,
    /// From the engine's move to the last word on the opponent's clock.
    waited: Duration,
    /// Greatest recent difference between the time that passed and what the opponent was charged, in microseconds;
    /// `None` before the first. It outlasts the engine's moves.
    usual_delay: Option<i64>,
}

/// What the clocks showed when a move was made that might have been taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhenTakenBack {
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

impl Heard {
    /// The engine has moved, which makes it so many half-moves, and from now on the opponent's clock runs.
    pub fn engine_moved(&mut self, now: Instant, length: usize) {
        let thought = self
            .turn
            .map_or(Duration::ZERO, |turn| now.saturating_duration_since(turn));
        self.forget();
        self.since = Some(now);
        self.thought = thought;
        self.length = length;
    }

    /// `time`, where we expected another value. Only the first after the engine's move counts.
    pub fn engine_clock(&mut self, value: Duration, expected: Duration) {
        if self.since.is_none() {
            self.unmeasured.0 = Some(value);
        } else if self.engine.is_none() {
            let surprise = difference(value, expected);
            self.engine = Some(Said { value, surprise });
        }
    }

    /// `otim`, where our clock shows `left` and the move has earned `increment`. Only the first after the engine's move
    /// counts.
    pub fn opponent_clock(
        &mut self,
        value: Duration,
        left: Duration,
        increment: Duration,
        now: Instant,
    ) {
        let Some(since) = self.since else {
            self.unmeasured.1 = Some(value);
            return;
        };
        if self.opponent.is_none() {
            let surprise = difference(value, left.saturating_add(increment));
            self.opponent = Some(Said { value, surprise });
            self.waited = now.saturating_duration_since(since);
            let before = left.saturating_add(self.waited);
            self.standstill = if value == before.saturating_add(increment) {
                Some(Standstill::Credited)
            } else {
                (value == before).then_some(Standstill::Uncredited)
            };
        }
    }

    /// What the engine's clock was told to lack, in microseconds, if after `length` half-moves it is the same side's
    /// turn again.
    pub fn missing(&self, length: usize) -> Option<i64> {
        self.engine
            .filter(|_| length == self.length + 1)
            .map(|said| -said.surprise)
    }

    /// Both clocks as they were told since the last move.
    pub fn told(&self) -> (Option<Duration>, Option<Duration>) {
        let value = |said: Said| said.value;
        (
            self.engine.map(value).or(self.unmeasured.0),
            self.opponent.map(value).or(self.unmeasured.1),
        )
    }

    /// The opponent's move was an ordinary one; from now on it is the engine's turn.
    pub fn ordinary_move(&mut self, now: Instant) {
        if let Some(delay) = self.delay() {
            let faded = self.usual_delay.unwrap_or_default() / 8 * 7;
            self.usual_delay = Some(delay.max(faded).min(LONGEST_USUAL_DELAY));
        }
        self.forget();
        self.turn = Some(now);
    }

    /// Something has happened after which our clocks are no measure, until the engine moves again.
    pub fn forget(&mut self) {
        *self = Heard {
            usual_delay: self.usual_delay,
            ..Heard::default()
        };
    }

    /// The conclusion from the clocks about a takeback; `None` where they were not told.
    pub fn takeback(&self, then: WhenTakenBack) -> Option<Takeback> {
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
        let is_delay = self.standstill.is_none() || micros(self.waited) <= UNNOTICED_DELAY;
        self.opponent.filter(|_| is_delay).map(|told| told.surprise)
    }

    fn fits_takeback(&self, engine: Said, opponent: Said, then: WhenTakenBack) -> bool {
        let latest = then.opponent.saturating_add(then.increment);
        // If the engine was thinking when the move was taken back, its answer came too late to be played, and the
        // opponent's clock has run since then.
        let earliest = latest.saturating_sub(
            self.waited
                .saturating_add(self.thought)
                .saturating_add(Duration::from_micros(SECOND.unsigned_abs())),
        );
        // Servers that tell hundredths put clocks back to a tenth only.
        let inexact = if are_whole_seconds(engine, opponent, then) {
            0
        } else {
            FINE_ROUNDING
        };
        difference(engine.value, then.engine).abs() <= inexact
            && (earliest..=latest).contains(&opponent.value)
    }

    /// Returns `true` if both clocks can show this after an ordinary move, whether or not the server charges it.
    fn fits_game(&self, engine: Said, opponent: Said, then: WhenTakenBack) -> bool {
        let rounding = if are_whole_seconds(engine, opponent, then) {
            ROUNDING
        } else {
            FINE_ROUNDING
        };
        let passed = micros(self.waited);
        let is_engine_charged = engine.surprise <= rounding;
        let stood_still = match self.standstill {
            Some(Standstill::Credited) => true,
            // Servers do this when a game begins or is resumed, and then with the move before, too.
            Some(Standstill::Uncredited) => opponent.value == then.opponent,
            None => false,
        };
        let most = if is_engine_charged {
            passed.saturating_add(rounding / 2)
        } else {
            let longest_delay = self
                .usual_delay
                .map_or(passed, |usual| usual + JITTER)
                .max(UNNOTICED_DELAY + rounding);
            longest_delay.min(passed.saturating_add(rounding / 2))
        };
        stood_still || (-rounding..=most).contains(&opponent.surprise)
    }
}

fn are_whole_seconds(engine: Said, opponent: Said, then: WhenTakenBack) -> bool {
    let told = [engine.value, opponent.value, then.engine, then.opponent];
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(n: f64) -> Duration {
        Duration::from_secs_f64(n)
    }

    /// A game on a server, after a move of the engine's.
    struct Table {
        heard: Heard,
        start: Instant,
        then: WhenTakenBack,
        /// Told with the opponent's last move.
        opponent: f64,
        think: f64,
    }

    impl Table {
        /// The opponent had `before`, moved and had `opponent` then, and the engine answered after `think`.
        fn new(engine: f64, before: f64, opponent: f64, think: f64, increment: f64) -> Table {
            let start = Instant::now();
            let mut heard = Heard::default();
            // An earlier move without a delay.
            heard.engine_moved(start, 7);
            let (one, none) = (seconds(1.0), Duration::ZERO);
            heard.opponent_clock(seconds(opponent), seconds(opponent), none, start + one);
            heard.ordinary_move(start);
            heard.engine_moved(start, 9);
            Table {
                heard,
                start,
                then: WhenTakenBack {
                    engine: seconds(engine),
                    opponent: seconds(before),
                    increment: seconds(increment),
                },
                opponent,
                think,
            }
        }

        /// So much later these clocks come.
        fn told(mut self, waited: f64, engine: f64, opponent: f64) -> Table {
            let now = self.start + seconds(waited);
            let increment = self.then.increment.as_secs_f64();
            let own = self.then.engine.as_secs_f64() - self.think + increment;
            self.heard.engine_clock(seconds(engine), seconds(own));
            let left = seconds((self.opponent - waited).max(0.0));
            self.heard
                .opponent_clock(seconds(opponent), left, self.then.increment, now);
            self
        }

        fn is_takeback(&self) -> bool {
            self.heard.takeback(self.then) == Some(Takeback::Likely)
        }
    }

    #[test]
    fn our_clock_cannot_gain() {
        // Eight seconds of thinking have come back.
        let back = Table::new(300.0, 298.0, 290.0, 8.0, 0.0).told(6.0, 300.0, 295.0);
        assert!(back.is_takeback());
        // An ordinary move: they have not.
        let ordinary = Table::new(300.0, 298.0, 290.0, 8.0, 0.0).told(6.0, 291.0, 284.0);
        assert!(!ordinary.is_takeback());
        // Somebody gave us fifteen seconds.
        let gift = Table::new(300.0, 298.0, 290.0, 8.0, 0.0).told(6.0, 307.0, 284.0);
        assert!(!gift.is_takeback());
    }

    #[test]
    fn clocks_that_ran_on_speak_against_a_takeback() {
        let against = |table: &Table| table.heard.takeback(table.then) == Some(Takeback::Excluded);
        let table = || Table::new(300.0, 298.0, 290.0, 8.0, 0.0);
        assert!(against(&table().told(6.0, 291.0, 284.0)));
        assert!(!against(&table().told(6.0, 300.0, 295.0)));
        assert!(!against(&table()));
    }

    #[test]
    fn the_opponents_clock_cannot_gain_more_than_the_increment() {
        let back = Table::new(300.0, 298.0, 280.0, 0.3, 0.0).told(4.0, 300.0, 297.0);
        assert!(back.is_takeback());
        // Given time, it would show more than it can have had.
        let gift = Table::new(300.0, 298.0, 280.0, 0.3, 0.0).told(4.0, 300.0, 336.0);
        assert!(!gift.is_takeback());
    }

    #[test]
    fn an_increment_that_was_taken_away_shows() {
        // 2 12: the opponent had 125 s, used 2 s, got 12 and had 135 s; taken back, and 3 s used again.
        let back = Table::new(140.0, 125.0, 135.0, 12.2, 12.0).told(6.0, 140.0, 134.0);
        assert!(back.is_takeback());
        let ordinary = Table::new(140.0, 125.0, 135.0, 12.2, 12.0).told(6.0, 139.0, 141.0);
        assert!(!ordinary.is_takeback());
    }

    #[test]
    fn time_that_nobody_was_charged_for_is_no_evidence() {
        // Our clock shows the same again, but we thought for so little that rounding explains it.
        let quick = Table::new(299.0, 298.0, 298.0, 0.3, 0.0).told(3.0, 299.0, 297.0);
        assert!(!quick.is_takeback());
        let slow = Table::new(299.0, 298.0, 298.0, 1.5, 0.0).told(3.0, 299.0, 297.0);
        assert!(slow.is_takeback());
    }

    #[test]
    fn a_move_that_was_not_charged_is_no_takeback() {
        let evidence = |table: Table| table.heard.takeback(table.then);
        // We thought for nine seconds and have lost none; the opponent's clock has run on.
        let free = || Table::new(292.0, 299.0, 299.0, 9.0, 0.0);
        assert_eq!(
            evidence(free().told(0.0, 292.0, 299.0)),
            Some(Takeback::Possible)
        );
        assert_eq!(
            evidence(free().told(4.0, 292.0, 295.0)),
            Some(Takeback::Possible)
        );
        // Nor has the opponent been charged.
        assert_eq!(
            evidence(free().told(4.0, 292.0, 299.0)),
            Some(Takeback::Possible)
        );
        // It has run for one second of eight.
        assert_eq!(
            evidence(free().told(8.0, 292.0, 298.0)),
            Some(Takeback::Likely)
        );
        // With an increment that neither side got.
        let start = Table::new(300.0, 300.0, 300.0, 9.0, 2.0).told(1.0, 300.0, 300.0);
        assert_eq!(evidence(start), Some(Takeback::Possible));
    }

    #[test]
    fn the_usual_delay_of_the_network_is_no_evidence() {
        let evidence = |usual_delay| {
            let mut table = Table::new(292.0, 299.0, 299.0, 9.0, 0.0);
            table.heard.usual_delay = usual_delay;
            let table = table.told(8.0, 292.0, 294.0);
            table.heard.takeback(table.then)
        };
        assert_eq!(evidence(Some(0)), Some(Takeback::Likely));
        assert_eq!(evidence(Some(3 * SECOND)), Some(Takeback::Possible));
        // Nothing is known about it before the first move.
        assert_eq!(evidence(None), Some(Takeback::Possible));
    }

    #[test]
    fn clocks_told_out_of_turn_are_kept() {
        let mut heard = Heard::default();
        heard.ordinary_move(Instant::now());
        heard.engine_clock(seconds(10.0), seconds(300.0));
        assert_eq!(heard.told(), (Some(seconds(10.0)), None));
    }

    #[test]
    fn exact_clocks_show_a_second_that_was_taken_away() {
        // 0 1: our move cost 1.03 s, and the second for it came; both are gone again, and so is the opponent's second.
        let table = || Table::new(10.13, 13.98, 14.98, 1.03, 1.0);
        assert!(table().told(0.13, 10.13, 14.98).is_takeback());
        // An ordinary move: the opponent has got another second.
        assert!(!table().told(0.13, 10.09, 15.97).is_takeback());
        // Also when our clock happens to show the same, and even if the opponent thought for long.
        let even = || Table::new(10.13, 13.98, 14.98, 0.95, 1.0);
        assert!(!even().told(0.13, 10.13, 15.97).is_takeback());
        assert!(!even().told(1.1, 10.13, 14.94).is_takeback());
    }

    #[test]
    fn an_answer_that_came_too_late_did_not_stop_the_opponents_clock() {
        // 0 1: the move was taken back while we thought 1.1 s about it; the next one came 3 s after it.
        let table = || Table::new(10.02, 14.0, 15.0, 1.1, 1.0);
        let mut late = table();
        late.heard.thought = seconds(1.1);
        assert!(late.told(1.9, 10.02, 12.0).is_takeback());
        assert!(!table().told(1.9, 10.02, 12.0).is_takeback());
    }

    #[test]
    fn nothing_told_is_no_witness() {
        let mut table = Table::new(300.0, 298.0, 290.0, 8.0, 0.0);
        assert!(!table.is_takeback());
        table.heard.forget();
        assert!(!table.told(6.0, 300.0, 295.0).is_takeback());
    }

    #[test]
    fn only_the_first_word_counts() {
        let mut table = Table::new(300.0, 298.0, 290.0, 8.0, 0.0).told(6.0, 291.0, 284.0);
        table.heard.engine_clock(seconds(300.0), seconds(292.0));
        assert_eq!(table.heard.missing(10), Some(1_000_000));
        assert_eq!(table.heard.missing(11), None);
        assert_eq!(
            table.heard.told(),
            (Some(seconds(291.0)), Some(seconds(284.0)))
        );
    }

    prop_compose! {
        /// An increment, and how long the engine thinks: often just so long that its clock shows the same again.
        fn increment_and_thinking()(
            increment in 0i64..15,
        )(
            think in prop_oneof![
                0i64..1000,
                (increment * 1000 - 1000).max(0)..increment * 1000 + 1000,
                0i64..30_000,
            ],
            increment in Just(increment * 1000),
        ) -> (i64, i64) {
            (increment, think)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        /// Whatever the network does, and whoever is charged for that, no ordinary move is taken for another one. The
        /// clocks are those of a server that tells whole seconds, or hundredths. Times in milliseconds.
        #[test]
        fn an_ordinary_move_is_never_misread(
            is_coarse in any::<bool>(),
            // Enough for all that follows: clocks that have run out are no measure.
            own in 50_000i64..400_000,
            before in 120_000i64..400_000,
            first_reply in prop_oneof![0i64..3000, 0i64..30_000],
            (increment, think) in increment_and_thinking(),
            // On the way to the server, which charges us for it or does not.
            out in 0i64..8000,
            is_charged in any::<bool>(),
            reply in prop_oneof![0i64..3000, 0i64..60_000],
            // On the way back, before both of our turns.
            ways_back in (0i64..8000, 0i64..8000),
        ) {
            let unit = if is_coarse { 1000 } else { 10 };
            let cut = |ms: i64| (ms.max(0) / unit * unit) as f64 / 1000.0;
            let opponent = before - first_reply + increment;
            let mut table = Table::new(
                cut(own),
                cut(before),
                cut(opponent),
                think as f64 / 1000.0,
                increment as f64 / 1000.0,
            );
            table.heard.thought = seconds(think as f64 / 1000.0);
            let charged = if is_charged { out + ways_back.0 } else { 0 };
            let later = table.told(
                (out + reply + ways_back.1) as f64 / 1000.0,
                cut(own - think - charged + increment),
                cut(opponent - reply + increment),
            );
            prop_assert!(!later.is_takeback());
        }
    }
}
