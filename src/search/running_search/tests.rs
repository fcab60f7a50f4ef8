//! The soft limit: when it is reached, and which time counts.

use super::*;
use crate::clock::TimeBudget;
use crate::messages::{Contempt, Limits, ScoreOverrides, SearchId};
use crate::rules::Position;

/// A time budget; limits in seconds.
fn budget(soft: u64, hard: u64) -> Limits {
    Limits {
        budget: Some(TimeBudget {
            soft: Duration::from_secs(soft),
            hard: Duration::from_secs(hard),
        }),
        ..Limits::default()
    }
}

/// A search for a move from the start position that began `pondered` seconds before its budget and completed an
/// iteration `iteration` seconds after its beginning.
fn search(limits: Limits, pondered: u64, iteration: u64) -> RunningSearch {
    let started = Instant::now() + Duration::from_secs(1000);
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits,
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        time_source: TimeSource::Wall,
        started,
    };
    let task = SearchTask {
        search_started: started - Duration::from_secs(pondered),
        ..SearchTask::new(Box::new(request))
    };
    let root_moves = task.root_moves();
    RunningSearch {
        last_iteration: Some((Duration::from_secs(iteration), IterationStats::AVERAGE)),
        ..RunningSearch::new(task, RunId(1), root_moves)
    }
}

#[test]
fn the_soft_limit_ends_a_search_between_iterations() {
    assert!(search(budget(10, 60), 0, 12).soft_limit_reached());
    assert!(!search(budget(10, 60), 0, 8).soft_limit_reached());
    let mut before_the_first = search(budget(10, 60), 0, 12);
    before_the_first.last_iteration = None;
    assert!(!before_the_first.soft_limit_reached());
}

#[test]
fn difficult_moves_get_more_time() {
    let mut hard = search(budget(10, 60), 0, 12);
    let effort = IterationStats {
        stable_iterations: 0,
        score_drop: 40,
        ..IterationStats::AVERAGE
    };
    hard.last_iteration = Some((Duration::from_secs(12), effort));
    assert!(!hard.soft_limit_reached());
}

#[test]
fn pondering_counts_towards_the_soft_limit() {
    assert!(search(budget(10, 60), 30, 12).soft_limit_reached());
    assert!(!search(budget(10, 60), 30, 8).soft_limit_reached());
    let mut by_processor = search(budget(10, 60), 0, 12);
    by_processor.task.request.time_source = TimeSource::Processor;
    by_processor.task.ponder_cost.processor_time = Duration::from_secs(11);
    assert!(by_processor.soft_limit_reached());
}

#[test]
fn time_before_a_restart_does_not_count() {
    let mut restarted = search(budget(10, 60), 30, 35);
    restarted.task.restart_overhead = Duration::from_secs(30);
    assert!(!restarted.soft_limit_reached());
    restarted.last_iteration = Some((Duration::from_secs(42), IterationStats::AVERAGE));
    assert!(restarted.soft_limit_reached());
}

#[test]
fn a_fixed_time_per_move_is_used_after_a_ponder_hit() {
    assert!(!search(budget(10, 10), 30, 35).soft_limit_reached());
    assert!(search(budget(10, 10), 30, 41).soft_limit_reached());
}

#[test]
fn a_single_legal_move_reaches_the_soft_limit_at_once() {
    let mut forced = search(budget(10, 10), 0, 0);
    forced.root_moves.truncate(1);
    assert!(forced.soft_limit_reached());
    forced.last_iteration = None;
    assert!(forced.soft_limit_reached(), "at a ponder hit");
    forced.task.request.limits.budget = None;
    assert!(
        !forced.soft_limit_reached(),
        "a search to a depth has no time limit"
    );
}

#[test]
fn pondering_and_analysis_have_no_soft_limit() {
    for purpose in [Purpose::Ponder, Purpose::Analyse] {
        let mut search = search(budget(10, 60), 0, 1000);
        search.task.request.purpose = purpose;
        assert!(!search.soft_limit_reached(), "{purpose:?}");
        search.root_moves.truncate(1);
        assert!(!search.soft_limit_reached(), "{purpose:?}");
    }
}

#[test]
fn the_hard_limit_includes_the_vote() {
    let mut search = search(budget(10, 60), 0, 12);
    assert_eq!(search.time_limit(), Some(Duration::from_secs(60)));
    search.helpers = 1;
    let used = search
        .time_limit()
        .map(|limit| limit + search.voting_time());
    assert_eq!(used, Some(Duration::from_secs(60)));
    assert!(search.voting_time() > Duration::ZERO);
    search.task.request.limits = Limits::default();
    assert_eq!(search.time_limit(), None);
    // Such limits can come with a ponder hit, while helpers search.
    let hard = LITTLE_TIME / 2;
    search.task.request.limits.budget = Some(TimeBudget { soft: hard, hard });
    assert_eq!(search.time_limit(), Some(hard));
}
