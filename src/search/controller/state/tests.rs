//! The transitions of the controller's state, without threads.

use super::*;
use crate::messages::{Limits, ScoreOverrides, SearchRequest, TimeSource};
use crate::rules::Position;

const ID: SearchId = SearchId(1);
const OTHER_ID: SearchId = SearchId(2);
const RUN: RunId = RunId(7);

fn task(id: SearchId, purpose: Purpose) -> SearchTask {
    SearchTask::new(Box::new(SearchRequest {
        id,
        position: Position::standard(),
        purpose,
        limits: Limits::default(),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        time_source: TimeSource::Wall,
        started: Instant::now(),
    }))
}

fn search(purpose: Purpose) -> Box<RunningSearch> {
    Box::new(RunningSearch::new(task(ID, purpose), Vec::new()))
}

fn run(workers: usize) -> Run {
    Run { id: RUN, workers }
}

fn searching(purpose: Purpose, workers: usize) -> State {
    State::Searching {
        search: search(purpose),
        run: run(workers),
    }
}

fn voting(purpose: Purpose) -> State {
    State::Voting {
        search: search(purpose),
        run: run(1),
        until: Instant::now(),
    }
}

fn restarting() -> State {
    State::Restarting {
        search: search(Purpose::Ponder),
        run: run(1),
    }
}

fn draining(next: Option<SearchTask>) -> State {
    State::Draining { run: run(1), next }
}

/// A state of each kind that has a search.
fn states_with_a_search() -> Vec<State> {
    vec![
        searching(Purpose::Play, 2),
        voting(Purpose::Play),
        State::Finished(search(Purpose::Analyse)),
        restarting(),
    ]
}

fn result(worker: usize) -> RunResult {
    RunResult {
        worker_id: worker,
        ..RunResult::unsearched(None)
    }
}

#[test]
fn the_first_worker_begins_a_vote_that_the_last_one_ends() {
    let mut state = searching(Purpose::Play, 3);
    let now = Instant::now();
    assert!(!state.worker_finished(RUN, result(2), now));
    assert!(matches!(state, State::Searching { .. }));
    assert!(!state.worker_finished(RUN, result(0), now));
    let State::Voting { until, run, .. } = &state else {
        panic!("no vote")
    };
    assert_eq!((*until, run.workers), (now + VOTING_TIME, 1));
    assert!(state.worker_finished(RUN, result(1), now));
    let State::Finished(search) = state else {
        panic!("not finished")
    };
    let workers: Vec<_> = search
        .results
        .iter()
        .map(|result| result.worker_id)
        .collect();
    assert_eq!(workers, [2, 0, 1]);
}

#[test]
fn a_single_worker_needs_no_vote() {
    let mut state = searching(Purpose::Play, 1);
    assert!(state.worker_finished(RUN, result(0), Instant::now()));
    assert!(matches!(state, State::Finished(_)));
}

#[test]
fn workers_of_another_run_do_not_count() {
    for mut state in states_with_a_search() {
        let run = state.run();
        assert!(!state.worker_finished(RunId(6), result(0), Instant::now()));
        assert_eq!(state.run(), run);
    }
    assert!(!State::Idle.worker_finished(RUN, result(0), Instant::now()));
}

#[test]
fn a_vote_ends_with_an_answer_only_if_a_move_is_due() {
    let mut state = voting(Purpose::Play);
    state.end_vote();
    assert!(matches!(&state, State::Draining { next: None, .. }));
    assert_eq!(state.run(), Some(run(1)));
    for purpose in [Purpose::Ponder, Purpose::Analyse] {
        let mut state = voting(purpose);
        state.end_vote();
        assert!(matches!(state, State::Searching { .. }), "{purpose:?}");
    }
    let mut paused = voting(Purpose::Play);
    paused.task_with(ID).expect("a task").paused = Some(Instant::now());
    paused.end_vote();
    assert!(matches!(paused, State::Searching { .. }), "paused");
}

#[test]
fn a_finished_search_ends_only_if_a_move_is_due() {
    let mut state = State::Finished(search(Purpose::Play));
    state.end_finished();
    assert!(matches!(state, State::Idle));
    let mut state = State::Finished(search(Purpose::Ponder));
    state.end_finished();
    assert!(matches!(state, State::Finished(_)));
    let mut state = searching(Purpose::Play, 1);
    state.end_finished();
    assert!(matches!(state, State::Searching { .. }));
}

#[test]
fn an_abandoned_search_leaves_only_its_workers() {
    for mut state in states_with_a_search() {
        let run = state.run();
        state.abandon();
        assert_eq!(state.run(), run);
        assert!(matches!(
            (&state, run),
            (State::Draining { next: None, .. }, Some(_)) | (State::Idle, None)
        ));
        assert!(state.search().is_none() && state.search_with(ID).is_none());
        assert!(state.task_with(ID).is_none() && !state.is_searching_for_move());
    }
    let mut state = draining(Some(task(ID, Purpose::Play)));
    state.abandon();
    assert!(state.task_with(ID).is_some(), "the next search stays");
}

#[test]
fn a_search_waits_only_for_workers() {
    let mut state = State::Idle;
    assert!(state.enqueue(task(ID, Purpose::Play)).is_some());
    let mut state = draining(Some(task(ID, Purpose::Play)));
    assert!(state.enqueue(task(OTHER_ID, Purpose::Analyse)).is_none());
    assert!(state.task_with(ID).is_none(), "it is replaced");
    assert!(state.search_with(OTHER_ID).is_none(), "it does not run yet");
    state.remove_next(ID);
    assert!(state.task_with(OTHER_ID).is_some(), "another one");
    state.remove_next(OTHER_ID);
    assert!(matches!(state, State::Draining { next: None, .. }));
}

#[test]
fn the_next_search_starts_when_all_workers_have_finished() {
    let mut state = draining(Some(task(OTHER_ID, Purpose::Play)));
    assert!(state.take_next().is_none());
    assert!(state.task_with(OTHER_ID).is_some());
    assert!(state.worker_finished(RUN, result(0), Instant::now()));
    let Some(NextSearch::New(task)) = state.take_next() else {
        panic!("no search")
    };
    assert_eq!(task.request.id, OTHER_ID);
    assert!(matches!(state, State::Idle));

    let mut state = restarting();
    assert!(state.take_next().is_none());
    assert!(state.worker_finished(RUN, result(0), Instant::now()));
    assert!(matches!(state.take_next(), Some(NextSearch::Restarted(_))));
    assert!(matches!(state, State::Idle));

    let mut state = draining(None);
    assert!(state.worker_finished(RUN, result(0), Instant::now()));
    assert!(state.take_next().is_none());
    assert!(matches!(state, State::Idle));
}

#[test]
fn a_finished_search_stays_when_the_next_one_is_taken() {
    let mut state = State::Finished(search(Purpose::Ponder));
    assert!(state.take_next().is_none());
    assert!(state.search_with(ID).is_some());
}

#[test]
fn a_search_with_workers_restarts_after_its_run() {
    for mut state in [searching(Purpose::Ponder, 1), voting(Purpose::Ponder)] {
        assert!(matches!(state.restart(), Restart::AfterRun));
        assert!(matches!(state, State::Restarting { .. }));
        assert!(state.is_ending() && state.search_with(ID).is_some());
        assert!(matches!(state.restart(), Restart::None), "only once");
        assert!(matches!(state, State::Restarting { .. }));
    }
}

#[test]
fn of_finished_searches_only_an_analysis_restarts() {
    let mut state = State::Finished(search(Purpose::Analyse));
    assert!(matches!(state.restart(), Restart::Now(_)));
    assert!(matches!(state, State::Idle));
    let mut state = State::Finished(search(Purpose::Ponder));
    assert!(matches!(state.restart(), Restart::None));
    assert!(matches!(state, State::Finished(_)));
}

#[test]
fn nothing_else_restarts() {
    for mut state in [State::Idle, draining(Some(task(ID, Purpose::Analyse)))] {
        assert!(matches!(state.restart(), Restart::None));
        assert!(!matches!(state, State::Restarting { .. }));
    }
}

#[test]
fn only_workers_of_a_search_for_a_move_postpone_settings() {
    for (state, is_for_move) in [
        (searching(Purpose::Play, 1), true),
        (voting(Purpose::Play), true),
        (searching(Purpose::Ponder, 1), false),
        (searching(Purpose::Analyse, 1), false),
        (State::Finished(search(Purpose::Play)), false),
        (State::Idle, false),
        (draining(Some(task(ID, Purpose::Play))), false),
    ] {
        assert_eq!(state.is_searching_for_move(), is_for_move);
    }
}
