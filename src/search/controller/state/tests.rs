//! The transitions of the state, without threads.

use std::time::Instant;

use super::*;
use crate::messages::{Contempt, Limits, ScoreOverrides, SearchRequest, TimeSource};
use crate::rules::Position;
use crate::search::stop::RunId;
use crate::search::table::Table;

const ID: SearchId = SearchId(1);

fn task(purpose: Purpose) -> SearchTask {
    SearchTask::new(Box::new(SearchRequest {
        id: ID,
        position: Position::standard(),
        purpose,
        limits: Limits::default(),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now(),
    }))
}

fn search(purpose: Purpose) -> Box<RunningSearch> {
    Box::new(RunningSearch::new(task(purpose), RunId(7), Vec::new()))
}

/// A state of each kind, with this purpose.
fn states(purpose: Purpose) -> Vec<State> {
    vec![
        State::Idle,
        State::Next(task(purpose)),
        State::Searching(search(purpose)),
        State::Finished(search(purpose)),
        State::Ended,
    ]
}

#[test]
fn only_a_search_that_runs_or_has_finished_can_be_changed() {
    for (mut state, has_search) in states(Purpose::Play)
        .into_iter()
        .zip([false, false, true, true, false])
    {
        assert_eq!(state.search().is_some(), has_search);
        assert_eq!(state.search_with(ID).is_some(), has_search);
        assert!(state.search_with(SearchId(2)).is_none(), "another one");
    }
}

#[test]
fn the_result_of_worker_0_finishes_only_a_search() {
    for mut state in states(Purpose::Play) {
        let is_searching = state.is_searching();
        let is_finished = matches!(state, State::Finished(_));
        state.finish(RunResult::unsearched(None));
        assert_eq!(
            matches!(state, State::Finished(_)),
            is_searching || is_finished
        );
        let results = state.search().map_or(0, |search| search.results.len());
        assert_eq!(results, usize::from(is_searching));
    }
}

#[test]
fn a_finished_search_is_answered_only_if_a_move_is_due() {
    let mut state = State::Finished(search(Purpose::Play));
    assert!(state.take_answer().is_some());
    assert!(matches!(state, State::Idle));
    for purpose in [Purpose::Ponder, Purpose::Analyse] {
        let mut state = State::Finished(search(purpose));
        assert!(state.take_answer().is_none());
        assert!(matches!(state, State::Finished(_)), "{purpose:?}");
    }
    let mut paused = State::Finished(search(Purpose::Play));
    paused.search_with(ID).expect("a search").task.paused = Some(Instant::now());
    assert!(paused.take_answer().is_none());
    let mut searching = State::Searching(search(Purpose::Play));
    assert!(searching.take_answer().is_none());
    assert!(searching.is_searching());
}

#[test]
fn the_next_search_is_taken_once() {
    let mut state = State::Next(task(Purpose::Play));
    assert!(state.take_next().is_some_and(|task| task.request.id == ID));
    assert!(matches!(state, State::Idle) && state.take_next().is_none());
    let mut finished = State::Finished(search(Purpose::Ponder));
    assert!(finished.take_next().is_none());
    assert!(finished.search_with(ID).is_some());
}

#[test]
fn a_search_restarts_while_it_runs_and_an_analysis_also_afterwards() {
    let shared = Shared::new(Table::new(0), 1);
    let restarts = |mut state: State| {
        state.restart(&shared);
        state.take_next().is_some()
    };
    for (purpose, restarts_after_its_end) in [
        (Purpose::Play, false),
        (Purpose::Ponder, false),
        (Purpose::Analyse, true),
    ] {
        assert!(restarts(State::Searching(search(purpose))), "{purpose:?}");
        let finished = restarts(State::Finished(search(purpose)));
        assert_eq!(finished, restarts_after_its_end, "{purpose:?}");
    }
    assert!(!restarts(State::Idle) && !restarts(State::Ended));
}

#[test]
fn only_a_search_for_a_move_postpones_settings() {
    for purpose in [Purpose::Play, Purpose::Ponder, Purpose::Analyse] {
        for state in states(purpose) {
            let postpones = state.is_searching() && purpose == Purpose::Play;
            assert_eq!(state.is_searching_for_move(), postpones);
        }
    }
}
