//! Searches with several threads: the answer, and the lines sent before it.

use super::*;
use crate::search::job::RunResult;
use crate::search::running_search::RunningSearch;
use crate::search::stop::RunId;
use crate::types::Score;

fn two_threads() -> SearchSettings {
    SearchSettings {
        hash_megabytes: 1,
        threads: 2,
        ..SearchSettings::default()
    }
}

/// Every answer is legal and begins the last line sent; the ponder move is legal after it.
#[test]
fn the_last_line_begins_with_the_best_move() {
    let mut engine = Engine::with(two_threads());
    let mut position = Position::standard();
    for number in 0..40 {
        let id = engine.go_from(position.clone(), Purpose::Play, budget(5 + number));
        let mut last = None;
        let (best, ponder) = loop {
            match engine.events.recv_timeout(LONG).expect("an event") {
                SearchEvent::Info(answered, info) => {
                    assert_eq!(answered, id);
                    last = info.pv.first().copied();
                }
                SearchEvent::Best {
                    best: Some(best),
                    ponder,
                    ..
                } => break (best, ponder),
                other => panic!("{other:?}"),
            }
        };
        assert!(position.is_legal(best));
        assert_eq!(last, Some(best));
        let _ = position.play(best);
        if let Some(reply) = ponder {
            assert!(position.is_legal(reply));
        }
        if position.outcome().is_some() {
            break;
        }
    }
}

/// A search with these results that has sent the line of worker 0.
fn search(results: Vec<RunResult>) -> Box<RunningSearch> {
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: budget(10),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now(),
    };
    let task = SearchTask::new(Box::new(request));
    let root_moves = task.root_moves();
    let mut search = Box::new(RunningSearch::new(task, RunId(1), root_moves));
    if let Some(result) = results.iter().find(|result| result.worker_id == 0) {
        let info = crate::messages::SearchInfo {
            depth: result.depth,
            selective_depth: 0,
            score: result.score,
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 0,
            tablebase_hits: 0,
            rank: 0,
            pv: result.line.to_vec(),
        };
        assert!(search.lines.filter(info, true, Instant::now()).is_some());
    }
    search.results = results;
    search
}

/// A controller with a finished search and the receiver of its events.
fn controller(search: Box<RunningSearch>) -> (Controller, Receiver<SearchEvent>) {
    let (on_event, received) = event_channel();
    let mut controller = idle_controller(two_threads(), on_event);
    controller.state = State::Finished(search);
    (controller, received)
}

/// The events after all workers have finished with these results.
fn answers(results: Vec<RunResult>) -> Vec<SearchEvent> {
    let (mut controller, received) = controller(search(results));
    controller.finish_search();
    received.try_iter().collect()
}

fn result(worker: usize, best: Move, score: i32) -> RunResult {
    RunResult {
        worker_id: worker,
        score: Score(score),
        depth: 10,
        ..RunResult::unsearched(Some(best))
    }
}

#[test]
fn the_move_of_another_worker_has_its_own_line_and_score() {
    let moves = Position::standard().legal_moves();
    let results = vec![result(1, moves[5], 60), result(0, moves[2], 10)];
    match answers(results).as_slice() {
        [
            SearchEvent::Info(_, info),
            SearchEvent::Best { best, score, .. },
        ] => {
            assert_eq!((info.pv.as_slice(), info.score), (&moves[5..6], Score(60)));
            assert_eq!((*best, *score), (Some(moves[5]), Score(60)));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_line_of_the_first_worker_is_not_sent_twice() {
    let moves = Position::standard().legal_moves();
    let results = vec![result(0, moves[2], 10), result(1, moves[5], 10)];
    match answers(results).as_slice() {
        [SearchEvent::Best { best, score, .. }] => {
            assert_eq!((*best, *score), (Some(moves[2]), Score(10)));
        }
        other => panic!("{other:?}"),
    }
}

/// The answer of a search with this hard limit in milliseconds, after worker 0 and with two helpers. The first of them
/// has sent a better move in run `run` of two; the other sends nothing.
fn answer_with_a_late_helper(run: u64, hard: u64) -> Option<Move> {
    let moves = Position::standard().legal_moves();
    let mut search = search(vec![result(0, moves[2], 10)]);
    search.task.request.limits = budget(hard);
    (search.run, search.helpers) = (RunId(2), 2);
    let (mut controller, received) = controller(search);
    // The pool sends results of helpers to this channel.
    let (sender, results) = unbounded();
    controller.pool.results = results;
    let sent = sender.send((RunId(run), Box::new(result(1, moves[5], 60))));
    sent.expect("there is a receiver");
    let started = Instant::now();
    controller.finish_search();
    assert!(started.elapsed() < LONG / 2, "it waits for a helper");
    match received.try_iter().last() {
        Some(SearchEvent::Best { best, .. }) => best,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_answer_does_not_wait_for_a_late_helper() {
    let moves = Position::standard().legal_moves();
    for hard in [0, 10, 1000, 1_000_000] {
        assert_eq!(answer_with_a_late_helper(2, hard), Some(moves[5]));
        let answer = answer_with_a_late_helper(1, hard);
        assert_eq!(answer, Some(moves[2]), "a vote of the run before");
    }
}

/// A search follows another one whose helper may not have ended.
#[test]
fn helpers_follow_from_one_search_to_the_next() {
    let mut engine = Engine::with(two_threads());
    for number in 0..100 {
        engine.go(Purpose::Ponder, Limits::default());
        if number % 2 == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let id = engine.go(Purpose::Play, budget(if number % 3 == 0 { 30 } else { 0 }));
        assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
    }
    assert_eq!(engine.event(Duration::from_millis(50)), None);
}

/// Each order takes longer to handle than to send, so that the queue is never empty.
#[test]
fn a_flood_of_orders_does_not_delay_the_answer() {
    let (sender, answers) = unbounded();
    let on_event = move |event| match event {
        SearchEvent::Status(..) => {
            let started = Instant::now();
            while started.elapsed() < Duration::from_micros(20) {}
        }
        SearchEvent::Best { .. } => sender.send(()).unwrap_or_default(),
        _ => {}
    };
    let settings = SearchSettings {
        hash_megabytes: 1,
        ..SearchSettings::default()
    };
    let search = start(settings, Network::embedded(), Box::new(on_event)).expect("a thread");
    let mut engine = Engine {
        handle: search,
        events: unbounded().1,
        next_id: 0,
    };
    let id = engine.go(Purpose::Play, budget(100));
    let until = Instant::now() + LONG;
    while answers.is_empty() {
        assert!(Instant::now() < until, "no answer");
        while engine.handle.orders.len() < 1000 {
            engine.order(SearchOrder::ReportStatus(id));
        }
    }
}

/// The helpers are not woken for five milliseconds, but for a minute.
#[test]
fn helpers_join_when_the_time_is_extended() {
    let (on_event, _events) = event_channel();
    let mut controller = idle_controller(two_threads(), on_event);
    let request = |hard| SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: budget(hard),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now(),
    };
    let helpers = |controller: &Controller| controller.state.search().map(|search| search.helpers);
    controller.launch(SearchTask::new(Box::new(request(5))));
    assert_eq!(helpers(&controller), Some(0));
    controller.set_limits(SearchId(1), budget(6));
    assert_eq!(helpers(&controller), Some(0));
    controller.set_limits(SearchId(1), budget(60_000));
    let most = controller.pool.resources(&controller.settings).threads - 1;
    assert_eq!(helpers(&controller), Some(most));
    controller.set_limits(SearchId(1), budget(70_000));
    assert_eq!(helpers(&controller), Some(most), "they have the job");
}
