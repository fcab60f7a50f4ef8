//! Time and nodes: which search they count for, and since when.

use super::*;

#[test]
fn processor_time_ends_a_search_and_is_reported() {
    let engine = Engine::new();
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: budget(150),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Processor,
        started: Instant::now(),
    };
    let before = Instant::now();
    engine.order(SearchOrder::Start(Box::new(request)));
    let Some(SearchEvent::Best { time, nodes, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(time >= Duration::from_millis(150), "{time:?}");
    assert!(time <= before.elapsed(), "{time:?}");
    assert!(nodes > 1000, "{nodes}");
}

#[test]
fn time_and_nodes_before_a_ponder_hit_are_not_reported() {
    let engine = Engine::new();
    let id = SearchId(1);
    let request = SearchRequest {
        id,
        position: Position::standard(),
        purpose: Purpose::Ponder,
        limits: Limits::default(),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Processor,
        started: Instant::now(),
    };
    engine.order(SearchOrder::Start(Box::new(request)));
    std::thread::sleep(Duration::from_millis(300));
    engine.order(SearchOrder::ReportStatus(id));
    let Some(SearchEvent::Status(_, pondered)) = engine.event(LONG) else {
        panic!("no status")
    };
    engine.order(SearchOrder::PonderHit {
        id,
        limits: Limits::default(),
        started: Instant::now(),
    });
    engine.order(SearchOrder::MoveNow(id));
    let Some(SearchEvent::Best { time, nodes, .. }) = engine.event(LONG) else {
        panic!("no answer")
    };
    assert!(
        time < pondered.time && nodes < pondered.nodes,
        "{time:?} and {nodes} nodes after {pondered:?}"
    );
}

/// The workers, who count the nodes, are replaced between the end of the ponder search and the hit.
#[test]
fn new_memory_keeps_the_cost_of_a_finished_ponder_search() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Ponder, depth(5));
    let nodes = |engine: &Engine| {
        engine.order(SearchOrder::ReportStatus(id));
        match engine.event(LONG) {
            Some(SearchEvent::Status(_, status)) => status.nodes,
            other => panic!("{other:?}"),
        }
    };
    let until = Instant::now() + LONG;
    let mut before = nodes(&engine);
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = nodes(&engine);
        if now == before && now > 0 {
            break;
        }
        assert!(Instant::now() < until, "depth 5 takes too long");
        before = now;
    }
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 2,
        ..SearchSettings::default()
    })));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    assert_eq!(nodes(&engine), before);
}

/// The scheduler determines whether the new search has begun when its status is requested.
#[test]
fn excluded_moves_are_not_counted_while_a_search_waits_for_its_turn() {
    let mut engine = Engine::new();
    let position = Position::standard();
    let excluded: Vec<Move> = position.legal_moves().into_iter().take(3).collect();
    for _ in 0..20 {
        engine.go(Purpose::Analyse, Limits::default());
        engine.next_id += 1;
        let id = SearchId(engine.next_id);
        engine.order(SearchOrder::Start(Box::new(SearchRequest {
            id,
            position: position.clone(),
            purpose: Purpose::Analyse,
            limits: Limits::default(),
            excluded: excluded.clone(),
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        })));
        engine.order(SearchOrder::ReportStatus(id));
        match engine.event(LONG) {
            Some(SearchEvent::Status(answered, status)) => {
                assert_eq!((answered, status.moves_total), (id, 17));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Counts of the previous search must not appear in the next one, whose workers may begin at different times.
#[test]
fn nodes_begin_at_zero_and_never_decrease() {
    let two_threads = SearchSettings {
        hash_megabytes: 1,
        threads: 2,
        ..SearchSettings::default()
    };
    let mut engine = Engine::with(two_threads);
    for _ in 0..30 {
        engine.go(Purpose::Play, depth(7));
        let mut nodes = 0;
        loop {
            match engine.events.recv_timeout(LONG).expect("an event") {
                SearchEvent::Info(_, info) => {
                    assert!(info.nodes >= nodes, "{} after {nodes}", info.nodes);
                    nodes = info.nodes;
                }
                SearchEvent::Best { .. } => break,
                other => panic!("{other:?}"),
            }
        }
    }
}
