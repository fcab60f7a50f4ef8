//! The soft limit: when it is reached, and which time counts. Draws by tablebase.

use std::path::Path;

use shakmaty_syzygy::filesystem::OsFilesystem;

use super::*;
use crate::clock::TimeBudget;
use crate::messages::{Contempt, Limits, ScoreOverrides, SearchId};
use crate::notation::parse_fen;
use crate::rules::{Position, Variant};
use crate::search::table::Table;
use crate::types::Color;

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
        strength: None,
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

/// Returns `true` if the soft limit is reached with the default parameters.
fn is_over(search: &RunningSearch) -> bool {
    search.soft_limit_reached(&Parameters::default())
}

#[test]
fn the_soft_limit_ends_a_search_between_iterations() {
    assert!(is_over(&search(budget(10, 60), 0, 12)));
    assert!(!is_over(&search(budget(10, 60), 0, 8)));
    let mut before_the_first = search(budget(10, 60), 0, 12);
    before_the_first.last_iteration = None;
    assert!(!is_over(&before_the_first));
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
    assert!(!is_over(&hard));
}

#[test]
fn pondering_counts_towards_the_soft_limit() {
    assert!(is_over(&search(budget(10, 60), 30, 12)));
    assert!(!is_over(&search(budget(10, 60), 30, 8)));
    let mut by_processor = search(budget(10, 60), 0, 12);
    by_processor.task.request.time_source = TimeSource::Processor;
    by_processor.task.ponder_cost.processor_time = Duration::from_secs(11);
    assert!(is_over(&by_processor));
}

#[test]
fn time_before_a_restart_does_not_count() {
    let mut restarted = search(budget(10, 60), 30, 35);
    restarted.task.restart_overhead = Duration::from_secs(30);
    assert!(!is_over(&restarted));
    restarted.last_iteration = Some((Duration::from_secs(42), IterationStats::AVERAGE));
    assert!(is_over(&restarted));
}

#[test]
fn a_fixed_time_per_move_is_used_after_a_ponder_hit() {
    assert!(!is_over(&search(budget(10, 10), 30, 35)));
    assert!(is_over(&search(budget(10, 10), 30, 41)));
}

#[test]
fn a_single_legal_move_reaches_the_soft_limit_at_once() {
    let mut forced = search(budget(10, 10), 0, 0);
    forced.root_moves.truncate(1);
    assert!(is_over(&forced));
    forced.last_iteration = None;
    assert!(is_over(&forced), "at a ponder hit");
    forced.task.request.limits.budget = None;
    assert!(!is_over(&forced), "a search to a depth has no time limit");
}

#[test]
fn pondering_and_analysis_have_no_soft_limit() {
    for purpose in [Purpose::Ponder, Purpose::Analyse] {
        let mut search = search(budget(10, 60), 0, 1000);
        search.task.request.purpose = purpose;
        assert!(!is_over(&search), "{purpose:?}");
        search.root_moves.truncate(1);
        assert!(!is_over(&search), "{purpose:?}");
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

/// Returns a search of a position that tablebases of three men contain.
fn ranked_search(fen: &str) -> RunningSearch {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata");
    let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
    for name in ["KPvK.rtbw", "KPvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        tables.add(&folder.join(name)).expect("a table");
    }
    let setup = parse_fen(fen).expect("a FEN");
    let mut search = search(Limits::default(), 0, 0);
    search.task.request.position = Position::from_setup(&setup, Variant::Standard).expect("legal");
    search.root_moves = search.task.root_moves();
    search.ranking = search.task.rank(&tables, &search.root_moves);
    assert!(search.ranking.is_some());
    search
}

#[test]
fn probes_for_the_ranking_count_once_after_the_workers_have_been_replaced() {
    let mut search = ranked_search("8/8/8/8/8/2k5/8/R3K3 w - - 0 1");
    let workers = Shared::new(Table::new(0), 1);
    workers.begin_counting(0, search.run);
    workers.publish_tablebase_hits(0, 1000);
    let hits = search.cost(&workers).tablebase_hits;
    assert!(hits > 1000, "{hits}");
    search.on_pool_end(&workers);
    let replaced = Shared::new(Table::new(0), 1);
    assert_eq!(search.cost(&replaced).tablebase_hits, hits);
}

/// Returns `true` if the answer of a search is reported as a draw by tablebase, where the workers have found this
/// score.
fn is_reported_as_draw(fen: &str, score: i32, contempt: i32) -> bool {
    let mut search = ranked_search(fen);
    let request = &mut search.task.request;
    request.contempt = Contempt::new(request.position.side_to_move(), contempt);
    search.results.push(RunResult {
        score: Score(score),
        ..RunResult::unsearched(search.root_moves.first().copied())
    });
    let shared = Shared::new(Table::new(1), 1);
    let events = search.final_events(&shared);
    matches!(
        events.last(),
        Some(SearchEvent::Best {
            is_tablebase_draw: true,
            ..
        })
    )
}

#[test]
fn a_draw_is_reported_only_to_the_side_without_winning_chances() {
    let drawn = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1";
    assert!(is_reported_as_draw(drawn, 20, 0));
    assert!(!is_reported_as_draw(drawn, 21, 0), "White can try to win");
    assert!(is_reported_as_draw(drawn, 0, 20));
    assert!(!is_reported_as_draw(drawn, 1, 20));
    // The fifty-move rule saves Black, in which case White may still hope.
    let cursed = |side| format!("8/8/8/8/8/2k5/8/R3K3 {side} - - 90 60");
    assert!(is_reported_as_draw(&cursed('b'), -500, 0));
    assert!(!is_reported_as_draw(&cursed('w'), 0, 0));
    assert!(!is_reported_as_draw("8/8/8/8/8/2k5/8/R3K3 b - - 0 1", 0, 0));
}

#[test]
fn a_draw_by_tablebase_scores_as_every_draw() {
    let mut search = search(Limits::default(), 0, 0);
    search.task.request.contempt = Contempt::new(Color::White, 20);
    assert_eq!(search.draw_score(), Score(-20));
}

#[test]
fn an_answer_that_waits_is_due_until_it_is_sent() {
    let mut search = search(Limits::default(), 0, 1);
    assert_eq!(search.answer_due(), None, "without delay");
    search.task.request.started = Instant::now();
    search.answer_delay = Duration::from_nanos(1);
    std::thread::sleep(Duration::from_millis(1));
    assert!(search.answer_due().is_some_and(|due| due < Instant::now()));
    search.task.paused = Some(Instant::now());
    assert_eq!(search.answer_due(), None, "during a pause");
}

/// The move of a limited strength has been found, and the time of its answer ends the search for the reply.
#[test]
fn an_answer_that_is_due_ends_the_search() {
    let shared = Shared::new(Table::new(0), 1);
    let mut search = search(Limits::default(), 0, 1);
    search.task.request.started = Instant::now() - Duration::from_secs(1);
    assert!(!search.has_reached_limit(&shared));
    search.answer_delay = Duration::from_secs(3600);
    assert!(!search.has_reached_limit(&shared));
    search.answer_delay = Duration::from_millis(1);
    assert!(search.has_reached_limit(&shared));
    search.task.paused = Some(Instant::now());
    assert!(!search.has_reached_limit(&shared));
}
