//! Searches with several threads: the answer, and the lines sent before it.

use super::*;
use crate::search::controller::state::{Run, State, VOTING_TIME};
use crate::search::job::RunResult;
use crate::search::pool::Report;
use crate::search::running_search::{RunningSearch, SearchTask};
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
        time_source: TimeSource::Wall,
        started: Instant::now(),
    };
    let task = SearchTask::new(Box::new(request));
    let root_moves = task.root_moves();
    let mut search = Box::new(RunningSearch::new(task, root_moves));
    if let Some(result) = results.iter().find(|result| result.worker_id == 0) {
        let info = crate::messages::SearchInfo {
            depth: result.depth,
            selective_depth: 0,
            score: result.score,
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 0,
            rank: 0,
            pv: result.line.to_vec(),
        };
        assert!(search.lines.filter(info, true, Instant::now()).is_some());
    }
    search.results = results;
    search
}

/// A controller in this state and the receiver of its events.
fn controller(state: State) -> (Controller, Receiver<SearchEvent>) {
    let (on_event, received) = event_channel();
    let mut controller =
        Controller::new(two_threads(), Network::embedded(), unbounded().1, on_event);
    controller.state = state;
    (controller, received)
}

/// The events after all workers have finished with these results.
fn answers(results: Vec<RunResult>) -> Vec<SearchEvent> {
    let (mut controller, received) = controller(State::Finished(search(results)));
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

#[test]
fn the_answer_does_not_wait_for_a_late_worker() {
    let moves = Position::standard().legal_moves();
    let (mut controller, received) = controller(State::Searching {
        search: search(Vec::new()),
        run: Run {
            id: RunId(1),
            workers: 2,
        },
    });
    // Worker 0 stops the others when it finishes.
    controller.pool.shared.gate.stop_through(RunId(1));
    let finished = |worker, best| Report::Finished(RunId(1), Box::new(result(worker, best, 10)));
    controller.handle_report(finished(0, moves[2]));
    assert!(received.try_recv().is_err(), "the other may still vote");
    assert!(
        controller
            .deadline()
            .is_some_and(|at| at <= Instant::now() + VOTING_TIME)
    );
    controller.check_deadline();
    let events: Vec<_> = received.try_iter().collect();
    match events.as_slice() {
        [SearchEvent::Info(_, info), SearchEvent::Best { best, .. }] => {
            assert_eq!((info.pv.as_slice(), *best), (&moves[2..3], Some(moves[2])));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(controller.deadline(), None);
    assert!(
        matches!(controller.state, State::Draining { .. }),
        "the other worker has not finished"
    );
    controller.handle_report(finished(1, moves[5]));
    assert!(received.try_recv().is_err());
    assert!(matches!(controller.state, State::Idle));
}
