//! Moves that need no time take none, and pondering has its reward.

use super::*;

/// Plenty of time.
fn plenty(soft: Duration) -> Limits {
    Limits {
        budget: Some(TimeBudget {
            soft,
            hard: LONG * 8,
        }),
        ..Limits::default()
    }
}

/// A check with one reply: the king must step to h2.
fn forced() -> Position {
    let position = position(Color::White, "Kh1 Pg2 ra1 kb8 nd5 ba6", 0);
    assert_eq!(position.legal_moves().len(), 1);
    position
}

#[test]
fn a_forced_reply_is_played_at_once() {
    let mut engine = Engine::new();
    let only = forced().legal_moves().first().copied();
    for soft in [LONG * 2, LONG * 8] {
        let id = engine.go_from(forced(), Purpose::Play, plenty(soft));
        let (answered, best) = engine.best(LONG).expect("a move");
        assert_eq!((answered, Some(best)), (id, only));
    }
    let id = engine.go_from(forced(), Purpose::Ponder, Limits::default());
    assert_eq!(engine.event(Duration::from_millis(50)), None);
    engine.order(SearchOrder::PonderHit {
        id,
        limits: plenty(LONG * 8),
        started: Instant::now(),
    });
    assert_eq!(engine.best(LONG).map(|(_, best)| best), only);
}

#[test]
fn a_proven_mate_is_played_without_further_thought() {
    let mut engine = Engine::new();
    let mate_in_two = position(Color::White, "Kf6 Ra1 kh8", 0);
    engine.go_from(mate_in_two, Purpose::Play, plenty(LONG * 8));
    let Some(SearchEvent::Best { score, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert_eq!(score.mate_distance(), Some(3));
}

#[test]
fn who_has_pondered_long_enough_answers_at_the_hit() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Ponder, Limits::default());
    let mut depth = 0;
    let until = Instant::now() + LONG;
    while depth < 9 && Instant::now() < until {
        if let Ok(SearchEvent::Info(_, info)) = engine.handle.events.recv_timeout(LONG) {
            depth = info.depth;
        }
    }
    engine.order(SearchOrder::PonderHit {
        id,
        limits: plenty(Duration::from_micros(10)),
        started: Instant::now(),
    });
    let Some(SearchEvent::Best { time, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(time < LONG, "{time:?}");
}

#[test]
fn an_analysis_has_no_soft_limit() {
    let mut engine = Engine::new();
    engine.go(Purpose::Analyse, plenty(Duration::ZERO));
    assert_eq!(engine.event(Duration::from_millis(200)), None);
    engine.go_from(forced(), Purpose::Analyse, plenty(Duration::ZERO));
    let until = Instant::now() + LONG;
    let mut depth = 0;
    while depth < 6 && Instant::now() < until {
        match engine.handle.events.recv_timeout(LONG) {
            Ok(SearchEvent::Info(_, info)) => depth = info.depth,
            other => panic!("{other:?}"),
        }
    }
    assert!(depth >= 6, "a forced reply is analysed, too");
}
