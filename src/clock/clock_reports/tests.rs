//! Tests of the conclusions from clock times reported with a move.

use proptest::prelude::*;

use super::*;

fn seconds(n: f64) -> Duration {
    Duration::from_secs_f64(n)
}

/// A game on a server after a move of the engine.
struct ServerGame {
    clock_reports: ClockReports,
    start: Instant,
    then: TakebackTimes,
    /// Time of the opponent, reported with its last move.
    opponent: f64,
    think: f64,
}

impl ServerGame {
    /// Creates a game in which the opponent's move changed its clock from `before` to `opponent`, and the engine moved
    /// after `think` seconds.
    fn new(engine: f64, before: f64, opponent: f64, think: f64, increment: f64) -> ServerGame {
        let start = Instant::now();
        let mut clock_reports = ClockReports::default();
        // An earlier move without delay.
        clock_reports.on_engine_move(start, 7);
        let (one, none) = (seconds(1.0), Duration::ZERO);
        clock_reports.record_opponent_time(seconds(opponent), seconds(opponent), none, start + one);
        clock_reports.on_opponent_move(start);
        clock_reports.on_engine_move(start, 9);
        ServerGame {
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

    /// Reports these times `waited` seconds after the engine's move.
    fn report(mut self, waited: f64, engine: f64, opponent: f64) -> ServerGame {
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
fn a_regained_thinking_time_shows_a_takeback() {
    // The engine has regained eight seconds of thinking.
    let back = ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0).report(6.0, 300.0, 295.0);
    assert!(back.is_takeback());
    // An ordinary move: it has not.
    let ordinary = ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0).report(6.0, 291.0, 284.0);
    assert!(!ordinary.is_takeback());
    // The engine was given fifteen seconds.
    let gift = ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0).report(6.0, 307.0, 284.0);
    assert!(!gift.is_takeback());
}

#[test]
fn clocks_that_ran_on_exclude_a_takeback() {
    let is_excluded = |game: &ServerGame| {
        game.clock_reports.assess_takeback(game.then) == Some(Takeback::Excluded)
    };
    let game = || ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0);
    assert!(is_excluded(&game().report(6.0, 291.0, 284.0)));
    assert!(!is_excluded(&game().report(6.0, 300.0, 295.0)));
    assert!(!is_excluded(&game()));
}

#[test]
fn the_opponents_clock_cannot_gain_more_than_the_increment() {
    let back = ServerGame::new(300.0, 298.0, 280.0, 0.3, 0.0).report(4.0, 300.0, 297.0);
    assert!(back.is_takeback());
    // With time given to the opponent, its clock shows more than it can have had.
    let gift = ServerGame::new(300.0, 298.0, 280.0, 0.3, 0.0).report(4.0, 300.0, 336.0);
    assert!(!gift.is_takeback());
}

#[test]
fn a_revoked_increment_shows_a_takeback() {
    // 2 12: the opponent had 125 s, used 2 s, got 12 and had 135 s; taken back, and 3 s used again.
    let back = ServerGame::new(140.0, 125.0, 135.0, 12.2, 12.0).report(6.0, 140.0, 134.0);
    assert!(back.is_takeback());
    let ordinary = ServerGame::new(140.0, 125.0, 135.0, 12.2, 12.0).report(6.0, 139.0, 141.0);
    assert!(!ordinary.is_takeback());
}

#[test]
fn uncharged_time_within_the_tolerance_is_no_evidence() {
    // The engine's clock shows the same time, but rounding explains the short thinking time.
    let quick = ServerGame::new(299.0, 298.0, 298.0, 0.3, 0.0).report(3.0, 299.0, 297.0);
    assert!(!quick.is_takeback());
    let slow = ServerGame::new(299.0, 298.0, 298.0, 1.5, 0.0).report(3.0, 299.0, 297.0);
    assert!(slow.is_takeback());
}

#[test]
fn an_uncharged_move_is_no_takeback() {
    let evidence = |game: ServerGame| game.clock_reports.assess_takeback(game.then);
    // The engine thought for nine seconds without being charged; the opponent's clock has run on.
    let free = || ServerGame::new(292.0, 299.0, 299.0, 9.0, 0.0);
    assert_eq!(
        evidence(free().report(0.0, 292.0, 299.0)),
        Some(Takeback::Possible)
    );
    assert_eq!(
        evidence(free().report(4.0, 292.0, 295.0)),
        Some(Takeback::Possible)
    );
    // The opponent has not been charged, either.
    assert_eq!(
        evidence(free().report(4.0, 292.0, 299.0)),
        Some(Takeback::Possible)
    );
    // The opponent's clock has run for one second of eight.
    assert_eq!(
        evidence(free().report(8.0, 292.0, 298.0)),
        Some(Takeback::Likely)
    );
    // With an increment that neither side received.
    let start = ServerGame::new(300.0, 300.0, 300.0, 9.0, 2.0).report(1.0, 300.0, 300.0);
    assert_eq!(evidence(start), Some(Takeback::Possible));
}

#[test]
fn the_usual_delay_of_the_network_is_no_evidence() {
    let evidence = |usual_delay| {
        let mut game = ServerGame::new(292.0, 299.0, 299.0, 9.0, 0.0);
        game.clock_reports.usual_delay = usual_delay;
        let game = game.report(8.0, 292.0, 294.0);
        game.clock_reports.assess_takeback(game.then)
    };
    assert_eq!(evidence(Some(0)), Some(Takeback::Likely));
    assert_eq!(evidence(Some(3 * SECOND)), Some(Takeback::Possible));
    // The delay is unknown before the first move.
    assert_eq!(evidence(None), Some(Takeback::Possible));
}

#[test]
fn times_reported_before_the_engines_move_are_kept() {
    let mut clock_reports = ClockReports::default();
    clock_reports.on_opponent_move(Instant::now());
    clock_reports.record_engine_time(seconds(10.0), seconds(300.0));
    assert_eq!(clock_reports.reported_times(), (Some(seconds(10.0)), None));
}

#[test]
fn exact_clocks_show_a_revoked_second() {
    // 0 1: the engine's move cost 1.03 s and earned a second. Both are revoked, and so is the opponent's second.
    let game = || ServerGame::new(10.13, 13.98, 14.98, 1.03, 1.0);
    assert!(game().report(0.13, 10.13, 14.98).is_takeback());
    // An ordinary move: the opponent has received another second.
    assert!(!game().report(0.13, 10.09, 15.97).is_takeback());
    // The same if the engine's clock happens to show the same time, even if the opponent thought for long.
    let even = || ServerGame::new(10.13, 13.98, 14.98, 0.95, 1.0);
    assert!(!even().report(0.13, 10.13, 15.97).is_takeback());
    assert!(!even().report(1.1, 10.13, 14.94).is_takeback());
}

#[test]
fn a_move_that_came_too_late_did_not_stop_the_opponents_clock() {
    // 0 1: the move was taken back while the engine thought for 1.1 s. The next one came 3 s after it.
    let game = || ServerGame::new(10.02, 14.0, 15.0, 1.1, 1.0);
    let mut late = game();
    late.clock_reports.thinking_time = seconds(1.1);
    assert!(late.report(1.9, 10.02, 12.0).is_takeback());
    assert!(!game().report(1.9, 10.02, 12.0).is_takeback());
}

#[test]
fn without_reports_there_is_no_conclusion() {
    let mut game = ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0);
    assert!(!game.is_takeback());
    game.clock_reports.discard();
    assert!(!game.report(6.0, 300.0, 295.0).is_takeback());
}

#[test]
fn only_the_first_report_counts() {
    let mut game = ServerGame::new(300.0, 298.0, 290.0, 8.0, 0.0).report(6.0, 291.0, 284.0);
    game.clock_reports
        .record_engine_time(seconds(300.0), seconds(292.0));
    let sample = game.clock_reports.lag_sample(10);
    assert_eq!(sample.map(|sample| sample.missing), Some(1_000_000));
    assert_eq!(game.clock_reports.lag_sample(11), None);
    assert_eq!(
        game.clock_reports.reported_times(),
        (Some(seconds(291.0)), Some(seconds(284.0)))
    );
}

prop_compose! {
    /// Generates an increment and a thinking time, often one after which the engine's clock shows the same time again.
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

    /// No ordinary move is mistaken for a takeback, with any network delay, charged or not. The server reports whole
    /// seconds or hundredths. Times in milliseconds.
    #[test]
    fn an_ordinary_move_is_never_mistaken_for_a_takeback(
        is_coarse in any::<bool>(),
        // Enough for the whole test: clocks that have run out cannot be compared.
        own in 50_000i64..400_000,
        before in 120_000i64..400_000,
        first_reply in prop_oneof![0i64..3000, 0i64..30_000],
        (increment, think) in increment_and_thinking(),
        // Delay to the server, charged to the engine or not.
        out in 0i64..8000,
        is_charged in any::<bool>(),
        reply in prop_oneof![0i64..3000, 0i64..60_000],
        // Delay from the server before each of the engine's two turns.
        ways_back in (0i64..8000, 0i64..8000),
    ) {
        let unit = if is_coarse { 1000 } else { 10 };
        let cut = |ms: i64| (ms.max(0) / unit * unit) as f64 / 1000.0;
        let opponent = before - first_reply + increment;
        let mut game = ServerGame::new(
            cut(own),
            cut(before),
            cut(opponent),
            think as f64 / 1000.0,
            increment as f64 / 1000.0,
        );
        game.clock_reports.thinking_time = seconds(think as f64 / 1000.0);
        let charged = if is_charged { out + ways_back.0 } else { 0 };
        let later = game.report(
            (out + reply + ways_back.1) as f64 / 1000.0,
            cut(own - think - charged + increment),
            cut(opponent - reply + increment),
        );
        prop_assert!(!later.is_takeback());
    }
}
