//! The rate of thinking lines: deferred lines are sent when they are due, and before the move.

use super::*;
use crate::messages::{LineRate, SearchInfo};

/// A rate at which the first line waits for this time, and no other follows it.
fn one_line_after(first_line_delay: Duration) -> LineRate {
    LineRate {
        first_line_delay,
        burst: 1,
        interval: LONG * 8,
        sends_last_line: true,
    }
}

/// Returns the lines up to the answer, and the move.
fn lines_and_move(engine: &Engine) -> (Vec<SearchInfo>, Option<Move>) {
    let mut lines = Vec::new();
    loop {
        match engine.events.recv_timeout(LONG) {
            Ok(SearchEvent::Info(_, info)) => lines.push(info),
            Ok(SearchEvent::Best { best, .. }) => return (lines, best),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_search_of_milliseconds_sends_its_last_line_only() {
    let mut engine = Engine::new();
    for (sends_last_line, depths) in [(true, vec![6]), (false, vec![])] {
        let line_rate = LineRate {
            sends_last_line,
            ..one_line_after(LONG)
        };
        engine.go(
            Purpose::Play,
            Limits {
                line_rate,
                ..depth(6)
            },
        );
        let (lines, best) = lines_and_move(&engine);
        let sent: Vec<_> = lines.iter().map(|info| info.depth).collect();
        assert_eq!(sent, depths);
        assert!(lines.iter().all(|info| info.pv.first() == best.as_ref()));
    }
}

#[test]
fn a_deferred_line_is_sent_while_the_search_continues() {
    let mut engine = Engine::new();
    for purpose in [Purpose::Play, Purpose::Ponder, Purpose::Analyse] {
        // The positions end after some iterations or none.
        for depth in [8, 40] {
            let started = Instant::now();
            let limits = Limits {
                depth: Some(depth),
                line_rate: one_line_after(Duration::from_millis(100)),
                ..Limits::default()
            };
            let id = engine.go(purpose, limits);
            let line = engine.events.recv_timeout(LONG);
            let Ok(SearchEvent::Info(answered, info)) = line else {
                panic!("{line:?}")
            };
            assert_eq!(answered, id);
            let is_last = purpose == Purpose::Play && info.depth == depth;
            assert!(is_last || started.elapsed() >= Duration::from_millis(100));
            assert!(info.depth > 2, "the newest line: {info:?}");
            engine.order(SearchOrder::Abandon(id));
            while engine
                .events
                .recv_timeout(Duration::from_millis(100))
                .is_ok()
            {}
        }
    }
}

#[test]
fn a_ponder_hit_changes_the_rate() {
    let mut engine = Engine::new();
    let limits = Limits {
        line_rate: one_line_after(LONG),
        ..Limits::default()
    };
    let id = engine.go(Purpose::Ponder, limits);
    let pondered = engine.events.recv_timeout(Duration::from_millis(300));
    assert_eq!(pondered, Err(RecvTimeoutError::Timeout));
    engine.order(SearchOrder::PonderHit {
        id,
        limits: budget(1000),
        started: Instant::now(),
    });
    let (lines, _) = lines_and_move(&engine);
    assert!(
        lines.first().is_some_and(|info| info.depth > 2),
        "{lines:?}"
    );
}

#[test]
fn other_limits_change_the_rate() {
    let mut engine = Engine::new();
    let line_rate = one_line_after(LONG);
    let id = engine.go(
        Purpose::Play,
        Limits {
            line_rate,
            ..Limits::default()
        },
    );
    let early = engine.events.recv_timeout(Duration::from_millis(200));
    assert_eq!(early, Err(RecvTimeoutError::Timeout));
    engine.order(SearchOrder::SetLimits {
        id,
        limits: Limits::default(),
    });
    let line = engine.events.recv_timeout(LONG);
    assert!(matches!(line, Ok(SearchEvent::Info(..))), "{line:?}");
}
