//! Limited strength: when the move is sent, and what happens meanwhile.

use super::*;
use crate::messages::Strength;
use crate::types::Square;

/// The position of [`go_limited`], White to move.
const PIECES: &str = "Ke1 Qd1 Ra1 Pe2 Pd2 Nc3 ke8 qd8 ra8 pe7 pd7 nc6";

/// Time in which a move comes that does not wait. With [`long`] limits, hardly any move comes as early.
const SOON: Duration = Duration::from_secs(2);

/// Starts a search for a move with limited strength and returns its number.
fn go_limited(engine: &mut Engine, limits: Limits) -> SearchId {
    engine.next_id += 1;
    let id = SearchId(engine.next_id);
    engine.order(SearchOrder::Start(Box::new(SearchRequest {
        id,
        position: position(Color::White, PIECES, 0),
        purpose: Purpose::Play,
        limits,
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: Some(Strength::new(1200, None)),
        time_source: TimeSource::Wall,
        started: Instant::now(),
    })));
    id
}

/// Limits under which a person would think for many seconds.
fn long() -> Limits {
    Limits {
        budget: Some(TimeBudget {
            soft: LONG * 20,
            hard: LONG * 80,
        }),
        ..Limits::default()
    }
}

/// Waits until the engine has found its move and waits with it: it is then idle.
fn wait_for_the_search() {
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn the_move_is_sent_after_a_while() {
    let mut engine = Engine::new();
    let limits = Limits {
        budget: Some(TimeBudget {
            soft: Duration::from_secs(10),
            hard: Duration::from_secs(30),
        }),
        ..Limits::default()
    };
    let started = Instant::now();
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        let id = go_limited(&mut engine, limits);
        let before = Instant::now();
        assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
        longest = longest.max(before.elapsed());
        engine.order(SearchOrder::NewGame);
        assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    }
    assert!(longest > Duration::from_millis(150), "{longest:?}");
    assert!(started.elapsed() < Duration::from_secs(60), "{longest:?}");
}

#[test]
fn move_now_ends_the_wait() {
    let mut engine = Engine::new();
    let id = go_limited(&mut engine, long());
    wait_for_the_search();
    assert_eq!(engine.event(Duration::from_millis(50)), None, "too fast");
    engine.order(SearchOrder::MoveNow(id));
    assert!(engine.best(SOON).is_some());
    // Also before the move has been found.
    let id = go_limited(&mut engine, long());
    engine.order(SearchOrder::MoveNow(id));
    assert!(engine.best(SOON).is_some());
}

#[test]
fn orders_are_handled_during_the_wait() {
    let mut engine = Engine::new();
    let id = go_limited(&mut engine, long());
    wait_for_the_search();
    engine.order(SearchOrder::ReportStatus(id));
    let Some(SearchEvent::Status(_, status)) = engine.event(LONG) else {
        panic!("no status")
    };
    // White to move, not the opponent, whose reply was searched.
    let own = position(Color::White, PIECES, 0);
    let current = status.current.expect("a root move");
    assert!(own.is_legal(current), "{status:?}");
    engine.order(SearchOrder::Configure(Box::default()));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    engine.order(SearchOrder::Pause(id));
    engine.order(SearchOrder::SetLimits {
        id,
        limits: budget(100),
    });
    let paused = engine.event(Duration::from_millis(500));
    assert_eq!(paused, None, "the pause stops the wait");
    engine.order(SearchOrder::Resume(id));
    assert!(engine.best(SOON).is_some());
    let id = go_limited(&mut engine, long());
    engine.order(SearchOrder::Abandon(id));
    let full = engine.go(Purpose::Play, depth(2));
    assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(full));
}

#[test]
fn new_limits_shorten_the_wait() {
    let mut engine = Engine::new();
    let id = go_limited(&mut engine, long());
    wait_for_the_search();
    engine.order(SearchOrder::SetLimits {
        id,
        limits: budget(100),
    });
    assert!(engine.best(SOON).is_some());
}

#[test]
fn there_is_no_wait_without_a_clock() {
    let mut engine = Engine::new();
    go_limited(&mut engine, Limits::default());
    assert!(engine.best(LONG / 2).is_some());
    go_limited(&mut engine, budget(0));
    assert!(engine.best(LONG / 2).is_some(), "without time");
}

/// Returns the expected reply that a search with limited strength sends with its only move.
fn expected_reply(engine: &mut Engine, position: Position, elo: u32) -> Move {
    assert_eq!(position.legal_moves().len(), 1);
    engine.next_id += 1;
    let id = SearchId(engine.next_id);
    engine.order(SearchOrder::Start(Box::new(SearchRequest {
        id,
        position,
        purpose: Purpose::Play,
        limits: long(),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: Some(Strength::new(elo, None)),
        time_source: TimeSource::Wall,
        started: Instant::now(),
    })));
    wait_for_the_search();
    engine.order(SearchOrder::MoveNow(id));
    let Some(SearchEvent::Best {
        ponder: Some(ponder),
        ..
    }) = engine.event(LONG)
    else {
        panic!("no answer")
    };
    ponder
}

/// The only move is to h2. The best reply takes the queen.
#[test]
fn the_expected_reply_is_found_with_full_strength() {
    let forced = position(Color::White, "Kh1 Pg2 Pf2 Qf7 ra1 kb8 rf8", 0);
    let reply = expected_reply(&mut Engine::new(), forced, 600);
    assert_eq!(reply.to(), Square::from_name("f7").expect("a square"));
}

/// The only move is to g1, which the tablebases rank. The only reply that mates is to a1.
#[test]
fn a_ranking_of_the_moves_does_not_limit_the_reply() {
    let mut engine = Engine::new();
    engine.order(SearchOrder::UseTablebases(Some(tablebases::tables())));
    let forced = position(Color::White, "Kh1 kg3 ra2", 0);
    let reply = expected_reply(&mut engine, forced, 2400);
    assert_eq!(reply.to(), Square::from_name("a1").expect("a square"));
}
