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
//! That alone proves nothing. An ordinary move is ruled out when our clock has gained time (`T = T'` although we
//! thought, for longer than the increment), when the opponent's has gained more than the increment, or when it has
//! lost more than has passed; a second is granted for rounding, or a tenth where the clocks are told more exactly (as
//! xboard gets them from FICS, `iset ms 1`). The network can do none of that. It can only make the opponent's clock
//! run for less than the time that passed, because servers charge nobody for the way to us; so that is no evidence. A
//! takeback after quick moves without increment therefore stays unnoticed, which is the lesser evil: it needs
//! somebody's consent, while delays come by themselves.
//!
//! What is left to be mistaken for a takeback is a gift of time (`moretime`) of just what we have thought.

use std::time::{Duration, Instant};

/// What a server's rounding to seconds can make of a clock, and a little more, in microseconds.
const ROUNDING: i64 = 1_250_000;

/// The same where clocks are told in hundredths of a second.
const FINE_ROUNDING: i64 = 100_000;

/// The rounding of a server, in microseconds.
const SECOND: i64 = 1_000_000;

/// One clock as it was told.
#[derive(Clone, Copy, Debug)]
struct Said {
    value: Duration,
    /// Told minus expected, in microseconds.
    surprise: i64,
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
    /// From the engine's move to the last word on the opponent's clock.
    waited: Duration,
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

    /// `otim`, where we expected another value, increment included. Only the first after the engine's move counts.
    pub fn opponent_clock(&mut self, value: Duration, expected: Duration, now: Instant) {
        let Some(since) = self.since else {
            self.unmeasured.1 = Some(value);
            return;
        };
        if self.opponent.is_none() {
            let surprise = difference(value, expected);
            self.opponent = Some(Said { value, surprise });
            self.waited = now.saturating_duration_since(since);
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
        self.forget();
        self.turn = Some(now);
    }

    /// Something has happened after which our clocks are no measure, until the engine moves again.
    pub fn forget(&mut self) {
        *self = Heard::default();
    }

    /// Whether the clocks show that a move was taken back, rather than that the game just goes on.
    pub fn speaks_for_takeback(&self, then: WhenTakenBack) -> bool {
        self.both_told().is_some_and(|(engine, opponent)| {
            let rounding = if are_whole_seconds(engine, opponent, then) {
                ROUNDING
            } else {
                FINE_ROUNDING
            };
            self.fits_takeback(engine, opponent, then)
                && self.rules_out_ordinary(engine, opponent, rounding)
        })
    }

    /// Whether the clocks show that no move was taken back.
    pub fn speaks_against_takeback(&self, then: WhenTakenBack) -> bool {
        self.both_told()
            .is_some_and(|(engine, opponent)| !self.fits_takeback(engine, opponent, then))
    }

    fn both_told(&self) -> Option<(Said, Said)> {
        self.engine.zip(self.opponent)
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

    fn rules_out_ordinary(&self, engine: Said, opponent: Said, rounding: i64) -> bool {
        let passed = i64::try_from(self.waited.as_micros()).unwrap_or(i64::MAX);
        engine.surprise > rounding
            || opponent.surprise > passed.saturating_add(rounding / 2)
            || opponent.surprise < -rounding
    }
}

fn are_whole_seconds(engine: Said, opponent: Said, then: WhenTakenBack) -> bool {
    let told = [engine.value, opponent.value, then.engine, then.opponent];
    told.iter().all(|value| value.subsec_micros() == 0)
}

/// `a - b` in microseconds.
fn difference(a: Duration, b: Duration) -> i64 {
    let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
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
            let expected = seconds((self.opponent - waited).max(0.0) + increment);
            self.heard.opponent_clock(seconds(opponent), expected, now);
            self
        }

        fn is_takeback(&self) -> bool {
            self.heard.speaks_for_takeback(self.then)
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
        let against = |table: &Table| table.heard.speaks_against_takeback(table.then);
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
