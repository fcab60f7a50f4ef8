//! The controller with real workers: answers, limits, pauses and settings.

use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

mod costs;
mod lines;
mod memory;
mod network;
mod strength;
mod tablebases;
mod threads;
mod time;

use super::*;
use crate::clock::TimeBudget;
use crate::messages::{Bound, Limits, Purpose, SearchId, SearchRequest, TimeSource};
use crate::rules::Position;
use crate::search::test_support::position;
use crate::types::{Color, Move};

const LONG: Duration = Duration::from_secs(20);

/// Returns an event handler that sends the events to a channel, and the receiver of the channel.
fn event_channel() -> (EventHandler, Receiver<SearchEvent>) {
    let (sender, events) = unbounded();
    let on_event = move |event| sender.send(event).unwrap_or_default();
    (Box::new(on_event), events)
}

/// Returns a controller without a thread. It receives no orders.
fn idle_controller(settings: SearchSettings, on_event: EventHandler) -> Controller {
    let (_, orders) = unbounded();
    let immediate = ImmediateMoves::default();
    Controller::new(settings, Network::embedded(), orders, on_event, immediate)
}

struct Engine {
    handle: SearchHandle,
    events: Receiver<SearchEvent>,
    next_id: u64,
}

impl Engine {
    fn new() -> Engine {
        let config = SearchSettings {
            hash_megabytes: 1,
            ..SearchSettings::default()
        };
        Engine::with(config)
    }

    fn with(settings: SearchSettings) -> Engine {
        let (on_event, events) = event_channel();
        Engine {
            handle: start(settings, Network::embedded(), on_event).expect("a thread"),
            events,
            next_id: 0,
        }
    }

    fn order(&self, order: SearchOrder) {
        self.handle
            .orders
            .send(order)
            .expect("the controller is running");
    }

    fn go(&mut self, purpose: Purpose, limits: Limits) -> SearchId {
        self.go_from(Position::standard(), purpose, limits)
    }

    fn go_from(&mut self, position: Position, purpose: Purpose, limits: Limits) -> SearchId {
        self.go_without(position, Vec::new(), purpose, limits)
    }

    /// Starts a search that excludes these root moves.
    fn go_without(
        &mut self,
        position: Position,
        excluded: Vec<Move>,
        purpose: Purpose,
        limits: Limits,
    ) -> SearchId {
        self.next_id += 1;
        let id = SearchId(self.next_id);
        let request = SearchRequest {
            id,
            position,
            purpose,
            limits,
            excluded,
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        };
        self.order(SearchOrder::Start(Box::new(request)));
        id
    }

    /// Returns the next event that is not a thinking line, or `None` after `timeout`.
    fn event(&self, timeout: Duration) -> Option<SearchEvent> {
        let until = Instant::now() + timeout;
        loop {
            match self.events.recv_deadline(until) {
                Ok(SearchEvent::Info(..)) => {}
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn best(&self, timeout: Duration) -> Option<(SearchId, Move)> {
        match self.event(timeout) {
            Some(SearchEvent::Best {
                id,
                best: Some(best),
                ..
            }) => Some((id, best)),
            _ => None,
        }
    }
}

fn budget(milliseconds: u64) -> Limits {
    let time = Duration::from_millis(milliseconds);
    Limits {
        budget: Some(TimeBudget {
            soft: time,
            hard: time,
        }),
        ..Limits::default()
    }
}

fn depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn a_depth_limit_is_answered_once() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Play, depth(4));
    let (answered, best) = engine.best(LONG).expect("a move");
    assert_eq!(answered, id);
    assert!(Position::standard().is_legal(best));
    assert_eq!(engine.event(Duration::from_millis(50)), None);
}

#[test]
fn the_hard_limit_ends_a_search() {
    let mut engine = Engine::new();
    let start_time = Instant::now();
    let limits = Limits {
        budget: Some(TimeBudget {
            soft: Duration::MAX,
            hard: Duration::from_millis(100),
        }),
        ..Limits::default()
    };
    engine.go(Purpose::Play, limits);
    assert!(engine.best(LONG).is_some());
    let used = start_time.elapsed();
    assert!(
        used >= Duration::from_millis(100) && used < Duration::from_secs(5),
        "{used:?}"
    );
}

#[test]
fn orders_apply_to_a_search_that_waits_for_its_turn() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        engine.go(Purpose::Analyse, Limits::default());
        let id = engine.go(Purpose::Ponder, Limits::default());
        engine.order(SearchOrder::PonderHit {
            id,
            limits: budget(20),
            started: Instant::now(),
        });
        assert_eq!(
            engine.best(LONG).map(|(answered, _)| answered),
            Some(id),
            "a hit"
        );
        engine.go(Purpose::Analyse, Limits::default());
        let id = engine.go(Purpose::Play, Limits::default());
        engine.order(SearchOrder::MoveNow(id));
        assert_eq!(
            engine.best(LONG).map(|(answered, _)| answered),
            Some(id),
            "a move now"
        );
        engine.go(Purpose::Analyse, Limits::default());
        let id = engine.go(Purpose::Analyse, Limits::default());
        engine.order(SearchOrder::ReportStatus(id));
        let status = engine.event(LONG);
        assert!(matches!(status, Some(SearchEvent::Status(answered, _)) if answered == id));
    }
    engine.go(Purpose::Analyse, Limits::default());
    let id = engine.go(Purpose::Play, budget(50));
    engine.order(SearchOrder::Pause(id));
    assert_eq!(engine.event(Duration::from_millis(300)), None, "a pause");
    engine.order(SearchOrder::Resume(id));
    assert!(engine.best(LONG).is_some());
}

#[test]
fn settings_and_a_new_game_restart_an_analysis_that_has_ended() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Analyse, depth(2));
    let lines = |engine: &Engine| {
        let mut count = 0;
        while let Ok(SearchEvent::Info(answered, _)) =
            engine.events.recv_timeout(Duration::from_millis(300))
        {
            count += usize::from(answered == id);
        }
        count
    };
    assert!(lines(&engine) > 0);
    engine.order(SearchOrder::NewGame);
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    assert!(lines(&engine) > 0);
    let config = SearchSettings {
        hash_megabytes: 1,
        multi_pv: 2,
        ..SearchSettings::default()
    };
    engine.order(SearchOrder::Configure(Box::new(config)));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    assert!(lines(&engine) > 0);
}

#[test]
fn a_search_without_time_finds_a_move() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        let id = engine.go(Purpose::Play, budget(0));
        assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
    }
}

#[test]
fn move_now_answers_and_abandon_does_not() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::MoveNow(id));
    assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::Abandon(id));
    assert_eq!(engine.event(Duration::from_millis(100)), None);
}

#[test]
fn a_new_search_replaces_the_old_one() {
    let mut engine = Engine::new();
    for _ in 0..50 {
        engine.go(Purpose::Play, Limits::default());
    }
    let last = engine.go(Purpose::Play, depth(2));
    assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(last));
    assert_eq!(engine.event(Duration::from_millis(50)), None);
}

#[test]
fn a_ponder_search_waits_for_its_hit() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Ponder, depth(3));
    assert_eq!(
        engine.event(Duration::from_millis(150)),
        None,
        "finished, but the opponent has not moved"
    );
    engine.order(SearchOrder::PonderHit {
        id,
        limits: budget(50),
        started: Instant::now(),
    });
    assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
    let id = engine.go(Purpose::Ponder, Limits::default());
    engine.order(SearchOrder::PonderHit {
        id,
        limits: budget(50),
        started: Instant::now(),
    });
    assert_eq!(
        engine.best(LONG).map(|(answered, _)| answered),
        Some(id),
        "still searching at the hit"
    );
}

#[test]
fn a_paused_search_visits_no_nodes() {
    let mut engine = Engine::new();
    let id = engine.go(Purpose::Play, budget(300));
    engine.order(SearchOrder::Pause(id));
    assert_eq!(
        engine.event(Duration::from_millis(600)),
        None,
        "time does not pass in a pause"
    );
    engine.order(SearchOrder::ReportStatus(id));
    let nodes = |event| match event {
        Some(SearchEvent::Status(_, status)) => status.nodes,
        other => panic!("{other:?}"),
    };
    let before = nodes(engine.event(LONG));
    std::thread::sleep(Duration::from_millis(100));
    engine.order(SearchOrder::ReportStatus(id));
    assert_eq!(nodes(engine.event(LONG)), before);
    engine.order(SearchOrder::Resume(id));
    assert!(engine.best(LONG).is_some());
}

#[test]
fn settings_are_confirmed_in_every_state() {
    let mut engine = Engine::new();
    let config = SearchSettings {
        hash_megabytes: 2,
        threads: 2,
        ..SearchSettings::default()
    };
    engine.order(SearchOrder::Configure(Box::new(config.clone())));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 1,
        ..config.clone()
    })));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    engine.order(SearchOrder::MoveNow(id));
    assert!(
        engine.best(LONG).is_some(),
        "the search for a move continues"
    );
    let id = engine.go(Purpose::Analyse, Limits::default());
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 3,
        ..config
    })));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    engine.order(SearchOrder::ReportStatus(id));
    assert!(matches!(engine.event(LONG), Some(SearchEvent::Status(answered, _)) if answered == id));
    engine.order(SearchOrder::Abandon(id));
    assert_eq!(engine.event(Duration::from_millis(100)), None);
}

#[test]
fn analysis_sends_the_configured_number_of_lines_best_first() {
    let mut engine = Engine::new();
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 1,
        multi_pv: 3,
        ..SearchSettings::default()
    })));
    let id = engine.go(Purpose::Analyse, depth(5));
    let mut last = Vec::new();
    let until = Instant::now() + LONG;
    while last.len() < 3 && Instant::now() < until {
        if let Ok(SearchEvent::Info(answered, info)) = engine.events.recv_timeout(LONG)
            && answered == id
            && info.depth == 5
            && info.bound == Bound::Exact
        {
            last.push(info);
        }
    }
    assert!(
        last.windows(2)
            .all(|pair| pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0])
    );
    assert_eq!(last.len(), 3);
}

#[test]
fn lines_are_limited_when_iterations_end_at_once() {
    for purpose in [Purpose::Play, Purpose::Analyse] {
        let mut engine = Engine::new();
        let position = position(Color::White, "Ka1 ka8", 0);
        let started = Instant::now();
        let last_depth = 120;
        let id = engine.go_from(position, purpose, depth(last_depth));
        let mut lines = 0;
        let mut best = Vec::new();
        let last = loop {
            match engine.events.recv_timeout(LONG) {
                Ok(SearchEvent::Info(answered, info)) if answered == id => {
                    lines += 1;
                    best.push(info.pv[0]);
                    if info.depth == last_depth {
                        break info;
                    }
                }
                other => panic!("{other:?}"),
            }
        };
        // A line with another move is always sent, and so is the last line.
        let changes = best.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let intervals = (started.elapsed().as_millis() / 50) as usize;
        assert!(lines <= 42 + intervals + changes, "{lines} lines");
        if purpose == Purpose::Play {
            assert_eq!(engine.best(LONG), Some((id, last.pv[0])));
        }
    }
}

#[test]
fn excluded_moves_are_not_played() {
    let mut engine = Engine::new();
    let position = Position::standard();
    let excluded: Vec<Move> = position.legal_moves().into_iter().skip(1).collect();
    let only = position.legal_moves().first().copied();
    let request = SearchRequest {
        id: SearchId(99),
        position,
        purpose: Purpose::Play,
        limits: depth(5),
        excluded,
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now(),
    };
    engine.order(SearchOrder::Start(Box::new(request)));
    engine.next_id = 99;
    assert_eq!(engine.best(LONG).map(|(_, best)| best), only);
}

#[test]
fn pondering_continues_when_only_a_setting_of_analysis_changes() {
    let mut engine = Engine::new();
    engine.go(Purpose::Ponder, Limits::default());
    std::thread::sleep(Duration::from_millis(300));
    let three_lines = SearchSettings {
        hash_megabytes: 1,
        multi_pv: 3,
        ..SearchSettings::default()
    };
    engine.order(SearchOrder::Configure(Box::new(three_lines)));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    let until = Instant::now() + Duration::from_millis(300);
    while let Ok(event) = engine.events.recv_deadline(until) {
        let again = matches!(&event, SearchEvent::Info(_, info) if info.depth == 1);
        assert!(!again, "it has restarted: {event:?}");
    }
}

#[test]
fn quit_ends_the_threads() {
    let mut engine = Engine::new();
    engine.go(Purpose::Analyse, Limits::default());
    engine.order(SearchOrder::Quit);
    assert!(engine.handle.thread.join().is_ok());
}
