//! Time limits: forced moves, proven mates, ponder hits and new limits.

use super::*;
use crate::messages::SearchInfo;
use crate::search::test_support::BACK_RANK_MATE;

/// Limits with this soft limit and a hard limit that no test reaches.
fn with_soft_limit(soft: Duration) -> Limits {
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
        let id = engine.go_from(forced(), Purpose::Play, with_soft_limit(soft));
        let (answered, best) = engine.best(LONG).expect("a move");
        assert_eq!((answered, Some(best)), (id, only));
    }
    let id = engine.go_from(forced(), Purpose::Ponder, Limits::default());
    assert_eq!(engine.event(Duration::from_millis(50)), None);
    engine.order(SearchOrder::PonderHit {
        id,
        limits: with_soft_limit(LONG * 8),
        started: Instant::now(),
    });
    assert_eq!(engine.best(LONG).map(|(_, best)| best), only);
}

#[test]
fn a_proven_mate_is_played_at_once() {
    let mut engine = Engine::new();
    let mate_in_two = position(Color::White, "Kf6 Ra1 kh8", 0);
    engine.go_from(mate_in_two, Purpose::Play, with_soft_limit(LONG * 8));
    let Some(SearchEvent::Best { score, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert_eq!(score.mate_distance(), Some(3));
}

#[test]
fn a_ponder_hit_after_the_soft_limit_is_answered_at_once() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Ponder, Limits::default());
    let mut depth = 0;
    let until = Instant::now() + LONG;
    while depth < 9 && Instant::now() < until {
        if let Ok(SearchEvent::Info(_, info)) = engine.events.recv_timeout(LONG) {
            depth = info.depth;
        }
    }
    engine.order(SearchOrder::PonderHit {
        id,
        limits: with_soft_limit(Duration::from_micros(10)),
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
    engine.go(Purpose::Analyse, with_soft_limit(Duration::ZERO));
    assert_eq!(engine.event(Duration::from_millis(200)), None);
    engine.go_from(forced(), Purpose::Analyse, with_soft_limit(Duration::ZERO));
    let until = Instant::now() + LONG;
    let mut depth = 0;
    while depth < 6 && Instant::now() < until {
        match engine.events.recv_timeout(LONG) {
            Ok(SearchEvent::Info(_, info)) => depth = info.depth,
            other => panic!("{other:?}"),
        }
    }
    assert!(depth >= 6, "a forced reply is analysed, too");
}

/// Sets limits during a search without any, and returns its answer.
fn answer_after(engine: &mut Engine, limits: Limits) -> SearchEvent {
    let id = engine.go(Purpose::Play, Limits::default());
    assert_eq!(engine.event(Duration::from_millis(200)), None);
    engine.order(SearchOrder::SetLimits { id, limits });
    engine.event(LONG).expect("an answer")
}

#[test]
fn limits_set_while_thinking_end_the_search() {
    let mut engine = Engine::new();
    let hard = Limits {
        budget: Some(TimeBudget {
            soft: LONG * 8,
            hard: Duration::from_millis(500),
        }),
        ..Limits::default()
    };
    let nodes = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    for limits in [budget(0), hard, nodes, depth(1)] {
        let answer = answer_after(&mut engine, limits);
        let SearchEvent::Best { time, .. } = answer else {
            panic!("{answer:?}")
        };
        let least = if limits == hard { 500 } else { 200 };
        assert!(time >= Duration::from_millis(least), "{limits:?}: {time:?}");
        assert!(time < LONG / 2, "{limits:?}: {time:?}");
    }
}

#[test]
fn nodes_and_depth_set_while_thinking_are_reached() {
    let mut engine = Engine::new();
    let limits = Limits {
        nodes: Some(200_000),
        ..Limits::default()
    };
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::SetLimits { id, limits });
    let Some(SearchEvent::Best { nodes, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(nodes >= 200_000, "{nodes}");

    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::SetLimits {
        id,
        limits: depth(16),
    });
    // The order comes long before this depth is reached.
    let mut deepest = 0;
    loop {
        match engine.events.recv_timeout(LONG) {
            Ok(SearchEvent::Info(_, info)) => deepest = deepest.max(info.depth),
            Ok(SearchEvent::Best { .. }) => break,
            event => panic!("{event:?}"),
        }
    }
    assert_eq!(deepest, 16);
}

#[test]
fn limits_set_while_thinking_may_be_longer() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Play, budget(2000));
    engine.order(SearchOrder::SetLimits {
        id,
        limits: budget(2500),
    });
    let Some(SearchEvent::Best { time, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(time >= Duration::from_millis(2500), "{time:?}");
}

#[test]
fn limits_set_in_a_pause_hold_after_it() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::Pause(id));
    let limits = budget(50);
    engine.order(SearchOrder::SetLimits { id, limits });
    assert_eq!(engine.event(Duration::from_millis(300)), None);
    engine.order(SearchOrder::Resume(id));
    let Some(SearchEvent::Best { time, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(time < LONG / 2, "{time:?}");

    // Of a search that still waits for its turn, too.
    engine.go(Purpose::Analyse, Limits::default());
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::SetLimits { id, limits });
    assert!(engine.best(LONG).is_some());
}

/// Ponders without limits for a while, and returns the lines and the answer after a hit with these limits.
fn answer_after_hit(engine: &mut Engine, limits: Limits) -> (Vec<SearchInfo>, SearchEvent) {
    let id = engine.go(Purpose::Ponder, Limits::default());
    std::thread::sleep(Duration::from_millis(200));
    engine.events.try_iter().for_each(drop);
    engine.order(SearchOrder::PonderHit {
        id,
        limits,
        started: Instant::now(),
    });
    let mut lines = Vec::new();
    loop {
        match engine.events.recv_timeout(LONG) {
            Ok(SearchEvent::Info(_, info)) => lines.push(info),
            Ok(answer @ SearchEvent::Best { .. }) => return (lines, answer),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_ponder_hit_with_a_depth_or_nodes_restarts_the_search() {
    let mut engine = Engine::new();
    let (lines, _) = answer_after_hit(&mut engine, depth(3));
    assert_eq!(lines.last().map(|info| info.depth), Some(3), "{lines:?}");
    let limits = Limits {
        nodes: Some(2000),
        ..Limits::default()
    };
    let (lines, answer) = answer_after_hit(&mut engine, limits);
    assert!(lines.iter().any(|info| info.depth == 1), "{lines:?}");
    let SearchEvent::Best { nodes, .. } = answer else {
        panic!("{answer:?}")
    };
    // Some nodes of the first run may follow the hit.
    assert!((1..100_000).contains(&nodes), "{nodes}");
}

#[test]
fn a_search_that_restarts_can_be_abandoned_and_replaced() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        let id = engine.go(Purpose::Ponder, Limits::default());
        engine.order(SearchOrder::NewGame);
        engine.order(SearchOrder::Abandon(id));
        engine.go(Purpose::Analyse, Limits::default());
        engine.order(SearchOrder::NewGame);
        let id = engine.go(Purpose::Play, depth(2));
        let mut confirmed = 0;
        loop {
            match engine.event(LONG) {
                Some(SearchEvent::Configured) => confirmed += 1,
                Some(SearchEvent::Best { id: answered, .. }) => {
                    assert_eq!(answered, id);
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
        for _ in confirmed..2 {
            assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
        }
    }
}

#[test]
fn a_restarting_search_keeps_its_orders() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        let id = engine.go(Purpose::Ponder, Limits::default());
        engine.order(SearchOrder::NewGame);
        engine.order(SearchOrder::PonderHit {
            id,
            limits: Limits::default(),
            started: Instant::now(),
        });
        engine.order(SearchOrder::MoveNow(id));
        let answer = std::iter::repeat_with(|| engine.event(LONG))
            .find(|event| *event != Some(SearchEvent::Configured));
        let answered = match answer {
            Some(Some(SearchEvent::Best { id, .. })) => id,
            other => panic!("{other:?}"),
        };
        assert_eq!(answered, id);
    }
}

/// Returns the nodes and the move of the answer.
fn answer(engine: &Engine) -> (u64, Option<Move>) {
    match engine.event(LONG) {
        Some(SearchEvent::Best { best, nodes, .. }) => (nodes, best),
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_time_the_move_of_the_table_is_played() {
    let mut engine = Engine::new();
    engine.go(Purpose::Play, depth(8));
    let (_, table_move) = answer(&engine);
    engine.go(Purpose::Play, budget(0));
    assert_eq!(answer(&engine), (0, table_move));
    let mut excluded = Position::standard().legal_moves().to_vec();
    excluded.retain(|&mv| Some(mv) == table_move);
    engine.next_id += 1;
    engine.order(SearchOrder::Start(Box::new(SearchRequest {
        id: SearchId(engine.next_id),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: budget(0),
        excluded,
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now(),
    })));
    let (nodes, best) = answer(&engine);
    assert!(
        nodes > 0 && best.is_some() && best != table_move,
        "{best:?}"
    );
}

#[test]
fn without_time_a_mate_in_one_is_played() {
    let mut engine = Engine::new();
    let position = position(Color::White, BACK_RANK_MATE, 0);
    engine.go_from(position, Purpose::Play, budget(0));
    let Some(SearchEvent::Best { score, nodes, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert_eq!((score.mate_distance(), nodes), (Some(1), 0));
}

/// The orders that follow one which ends a search are those of the next one.
#[test]
fn orders_keep_their_sequence_across_searches() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        let first = engine.go(Purpose::Analyse, Limits::default());
        engine.order(SearchOrder::Abandon(first));
        engine.order(SearchOrder::NewGame);
        let id = engine.go(Purpose::Ponder, Limits::default());
        engine.order(SearchOrder::Pause(id));
        engine.order(SearchOrder::PonderHit {
            id,
            limits: budget(60_000),
            started: Instant::now(),
        });
        engine.order(SearchOrder::Abandon(first));
        engine.order(SearchOrder::Resume(id));
        engine.order(SearchOrder::ReportStatus(id));
        engine.order(SearchOrder::MoveNow(id));
        let events = std::array::from_fn(|_| engine.event(LONG));
        assert!(
            matches!(
                &events,
                [
                    Some(SearchEvent::Configured),
                    Some(SearchEvent::Status(reported, _)),
                    Some(SearchEvent::Best { id: answered, .. }),
                ] if *reported == id && *answered == id
            ),
            "{events:?}"
        );
    }
}

#[test]
fn the_search_ends_when_nobody_can_send_orders() {
    for purpose in [Purpose::Analyse, Purpose::Play] {
        let mut engine = Engine::new();
        let id = engine.go(purpose, Limits::default());
        engine.order(SearchOrder::Pause(id));
        let SearchHandle { orders, thread, .. } = engine.handle;
        drop(orders);
        assert!(thread.join().is_ok());
    }
}
