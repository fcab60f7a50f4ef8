//! Tests of the conclusions from clocks that are told with a move.

use proptest::prelude::*;

use super::*;

fn seconds(n: f64) -> Duration {
    Duration::from_secs_f64(n)
}

/// A game on a server, after a move of the engine's.
struct Table {
    clock_reports: ClockReports,
    start: Instant,
    then: TakebackTimes,
    /// Told with the opponent's last move.
    opponent: f64,
    think: f64,
}

impl Table {
    /// The opponent had `before`, moved and had `opponent` then, and the engine answered after `think`.
    fn new(engine: f64, before: f64, opponent: f64, think: f64, increment: f64) -> Table {
        let start = Instant::now();
        let mut clock_reports = ClockReports::default();
        // An earlier move without a delay.
        clock_reports.on_engine_move(start, 7);
        let (one, none) = (seconds(1.0), Duration::ZERO);
        clock_reports.record_opponent_time(seconds(opponent), seconds(opponent), none, start + one);
        clock_reports.on_opponent_move(start);
        clock_reports.on_engine_move(start, 9);
        Table {
            clock_reports,
            start,
            then: TakebackTimes {
                engine: seconds(engine),
                opponent: seconds(before),
                increment: seconds(increment),
            },
            opponent,
            think,
        }
    }

    /// These clocks come `waited` seconds after the engine's move.
    fn told(mut self, waited: f64, engine: f64, opponent: f64) -> Table {
        let now = self.start + seconds(waited);
        let increment = self.then.increment.as_secs_f64();
        let own = self.then.engine.as_secs_f64() - self.think + increment;
        self.clock_reports
            .record_engine_time(seconds(engine), seconds(own));
        let left = seconds((self.opponent - waited).max(0.0));
        self.clock_reports
            .record_opponent_time(seconds(opponent), left, self.then.increment, now);
        self
    }

    fn is_takeback(&self) -> bool {
        self.clock_reports.assess_takeback(self.then) == Some(Takeback::Likely)
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
    let against =
        |table: &Table| table.clock_reports.assess_takeback(table.then) == Some(Takeback::Excluded);
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
    // Our clock shows the same again, but we thinking_time for so little that rounding explains it.
    let quick = Table::new(299.0, 298.0, 298.0, 0.3, 0.0).told(3.0, 299.0, 297.0);
    assert!(!quick.is_takeback());
    let slow = Table::new(299.0, 298.0, 298.0, 1.5, 0.0).told(3.0, 299.0, 297.0);
    assert!(slow.is_takeback());
}

#[test]
fn a_move_that_was_not_charged_is_no_takeback() {
    let evidence = |table: Table| table.clock_reports.assess_takeback(table.then);
    // We thinking_time for nine seconds and have lost none; the opponent's clock has run on.
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
        table.clock_reports.usual_delay = usual_delay;
        let table = table.told(8.0, 292.0, 294.0);
        table.clock_reports.assess_takeback(table.then)
    };
    assert_eq!(evidence(Some(0)), Some(Takeback::Likely));
    assert_eq!(evidence(Some(3 * SECOND)), Some(Takeback::Possible));
    // Nothing is known about it before the first move.
    assert_eq!(evidence(None), Some(Takeback::Possible));
}

#[test]
fn clocks_told_out_of_turn_are_kept() {
    let mut clock_reports = ClockReports::default();
    clock_reports.on_opponent_move(Instant::now());
    clock_reports.record_engine_time(seconds(10.0), seconds(300.0));
    assert_eq!(clock_reports.reported_times(), (Some(seconds(10.0)), None));
}

#[test]
fn exact_clocks_show_a_second_that_was_taken_away() {
    // 0 1: our move cost 1.03 s, and the second for it came; both are gone again, and so is the opponent's second.
    let table = || Table::new(10.13, 13.98, 14.98, 1.03, 1.0);
    assert!(table().told(0.13, 10.13, 14.98).is_takeback());
    // An ordinary move: the opponent has got another second.
    assert!(!table().told(0.13, 10.09, 15.97).is_takeback());
    // Also when our clock happens to show the same, and even if the opponent thinking_time for long.
    let even = || Table::new(10.13, 13.98, 14.98, 0.95, 1.0);
    assert!(!even().told(0.13, 10.13, 15.97).is_takeback());
    assert!(!even().told(1.1, 10.13, 14.94).is_takeback());
}

#[test]
fn an_answer_that_came_too_late_did_not_stop_the_opponents_clock() {
    // 0 1: the move was taken back while we thinking_time 1.1 s about it; the next one came 3 s after it.
    let table = || Table::new(10.02, 14.0, 15.0, 1.1, 1.0);
    let mut late = table();
    late.clock_reports.thinking_time = seconds(1.1);
    assert!(late.told(1.9, 10.02, 12.0).is_takeback());
    assert!(!table().told(1.9, 10.02, 12.0).is_takeback());
}

#[test]
fn nothing_told_is_no_witness() {
    let mut table = Table::new(300.0, 298.0, 290.0, 8.0, 0.0);
    assert!(!table.is_takeback());
    table.clock_reports.discard();
    assert!(!table.told(6.0, 300.0, 295.0).is_takeback());
}

#[test]
fn only_the_first_word_counts() {
    let mut table = Table::new(300.0, 298.0, 290.0, 8.0, 0.0).told(6.0, 291.0, 284.0);
    table
        .clock_reports
        .record_engine_time(seconds(300.0), seconds(292.0));
    assert_eq!(table.clock_reports.lag_sample(10), Some(1_000_000));
    assert_eq!(table.clock_reports.lag_sample(11), None);
    assert_eq!(
        table.clock_reports.reported_times(),
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

    /// No ordinary move is taken for another one, whatever the network does and whoever is charged for that. The
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
        table.clock_reports.thinking_time = seconds(think as f64 / 1000.0);
        let charged = if is_charged { out + ways_back.0 } else { 0 };
        let later = table.told(
            (out + reply + ways_back.1) as f64 / 1000.0,
            cut(own - think - charged + increment),
            cut(opponent - reply + increment),
        );
        prop_assert!(!later.is_takeback());
    }
}
