//! When a search has thought enough: what counts as thought, and for whom.

use super::*;
use crate::clock::TimeBudget;
use crate::messages::{Limits, ScoreOverrides, SearchId};
use crate::rules::Position;

/// In seconds.
fn budget(soft: u64, hard: u64) -> Limits {
    Limits {
        budget: Some(TimeBudget {
            soft: Duration::from_secs(soft),
            hard: Duration::from_secs(hard),
        }),
        ..Limits::default()
    }
}

/// A search from the start position that owes its move since now, was begun `pondered` seconds before, and has ended an
/// iteration `iteration` seconds after its beginning.
fn search(limits: Limits, pondered: u64, iteration: u64) -> Active {
    let started = Instant::now() + Duration::from_secs(1000);
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits,
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        time_source: TimeSource::Wall,
        started,
    };
    let wanted = Wanted {
        began: started - Duration::from_secs(pondered),
        ..Wanted::new(request)
    };
    Active {
        root_moves: wanted.root_moves(),
        wanted,
        run: RunId(1),
        running: 1,
        results: Vec::new(),
        votes_until: None,
        abandoned: false,
        restarting: false,
        has_new_limits: false,
        line_depth: 0,
        completed_depth: 0,
        last_iteration: Some((Duration::from_secs(iteration), Effort::ORDINARY)),
        last_line: None,
        lines: 0,
        held_line: None,
    }
}

#[test]
fn the_soft_limit_ends_a_search_between_iterations() {
    assert!(search(budget(10, 60), 0, 12).has_thought_enough());
    assert!(!search(budget(10, 60), 0, 8).has_thought_enough());
    let mut before_the_first = search(budget(10, 60), 0, 12);
    before_the_first.last_iteration = None;
    assert!(!before_the_first.has_thought_enough());
}

#[test]
fn hard_moves_are_thought_about_for_longer() {
    let mut hard = search(budget(10, 60), 0, 12);
    let effort = Effort {
        unchanged: 0,
        drop: 40,
        ..Effort::ORDINARY
    };
    hard.last_iteration = Some((Duration::from_secs(12), effort));
    assert!(!hard.has_thought_enough());
}

#[test]
fn thought_on_the_opponents_time_counts() {
    assert!(search(budget(10, 60), 30, 12).has_thought_enough());
    assert!(!search(budget(10, 60), 30, 8).has_thought_enough());
    let mut by_processor = search(budget(10, 60), 0, 12);
    by_processor.wanted.request.time_source = TimeSource::Processor;
    by_processor.wanted.spent_before.processor_time = Duration::from_secs(11);
    assert!(by_processor.has_thought_enough());
}

#[test]
fn thought_of_a_run_that_was_begun_again_does_not() {
    let mut restarted = search(budget(10, 60), 30, 35);
    restarted.wanted.lost = Duration::from_secs(30);
    assert!(!restarted.has_thought_enough());
    restarted.last_iteration = Some((Duration::from_secs(42), Effort::ORDINARY));
    assert!(restarted.has_thought_enough());
}

#[test]
fn seconds_per_move_are_used_after_a_ponder_hit_too() {
    assert!(!search(budget(10, 10), 30, 35).has_thought_enough());
    assert!(search(budget(10, 10), 30, 41).has_thought_enough());
}

#[test]
fn a_forced_reply_needs_no_thought() {
    let mut forced = search(budget(10, 10), 0, 0);
    forced.root_moves.truncate(1);
    assert!(forced.has_thought_enough());
    forced.last_iteration = None;
    assert!(forced.has_thought_enough(), "at a ponder hit");
    forced.wanted.request.limits.budget = None;
    assert!(
        !forced.has_thought_enough(),
        "a depth is wanted, not a move in time"
    );
}

#[test]
fn only_a_move_that_is_owed_has_a_limit() {
    for purpose in [Purpose::Ponder, Purpose::Analyse] {
        let mut search = search(budget(10, 60), 0, 1000);
        search.wanted.request.purpose = purpose;
        assert!(!search.has_thought_enough(), "{purpose:?}");
        search.root_moves.truncate(1);
        assert!(!search.has_thought_enough(), "{purpose:?}");
    }
}
