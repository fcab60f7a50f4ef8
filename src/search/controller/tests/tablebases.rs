//! Searches with the tablebases of three men.

use std::path::Path;

use super::*;
use crate::messages::SearchInfo;
use crate::notation::{parse_fen, parse_move};
use crate::rules::Variant;
use crate::tablebase::Tablebases;
use crate::types::{Ply, Score};
use shakmaty_syzygy::filesystem::OsFilesystem;

/// An ending in which White wins with the rook.
const ROOK_ENDING: &str = "8/8/8/8/8/2k5/8/R3K3 w - - 0 1";

/// An ending in which the rook takes the pawn. Positions with four men are not in the tables.
const ROOK_AGAINST_PAWN: &str = "8/8/8/8/8/2k5/p7/R3K3 w - - 0 1";

/// Returns the tables in a folder.
fn tables_in(folder: &Path) -> Arc<Tablebases> {
    let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if Tablebases::is_table(&path) {
            tables.add(&path).expect("a table");
        }
    }
    Arc::new(tables)
}

/// Returns the tables of three men.
pub(super) fn tables() -> Arc<Tablebases> {
    tables_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata"))
}

fn ending(fen: &str) -> Position {
    Position::from_setup(&parse_fen(fen).expect("a FEN"), Variant::Standard).expect("legal")
}

/// Starts a search of a position with these tables. Returns its identifier.
fn search(
    engine: &mut Engine,
    tables: &Arc<Tablebases>,
    position: Position,
    purpose: Purpose,
    limits: Limits,
) -> SearchId {
    engine.order(SearchOrder::UseTablebases(Some(Arc::clone(tables))));
    engine.go_from(position, purpose, limits)
}

/// Returns the lines of the running search and its answer.
fn answer(engine: &Engine) -> (Vec<SearchInfo>, SearchEvent) {
    let mut lines = Vec::new();
    loop {
        match engine.events.recv_timeout(LONG).expect("an event") {
            SearchEvent::Info(_, info) => lines.push(info),
            best @ SearchEvent::Best { .. } => return (lines, best),
            other => panic!("{other:?}"),
        }
    }
}

/// Searches for a move and returns the lines and the answer.
fn play(fen: &str, limits: Limits) -> (Vec<SearchInfo>, SearchEvent) {
    let mut engine = Engine::new();
    search(&mut engine, &tables(), ending(fen), Purpose::Play, limits);
    answer(&engine)
}

#[test]
fn a_won_root_has_the_score_of_the_tables_until_a_mate_is_found() {
    let (lines, best) = play(ROOK_ENDING, depth(4));
    let win = Score::tablebase_win_in(Ply::ROOT);
    assert!(lines.iter().all(|line| line.score == win), "{lines:?}");
    assert!(lines.iter().all(|line| line.tablebase_hits >= 10));
    assert!(
        matches!(best, SearchEvent::Best { score, is_tablebase_draw: false, .. } if score == win),
        "{best:?}"
    );
    let (lines, _) = play("7k/8/5K2/8/8/8/8/R7 w - - 0 1", depth(12));
    let last = lines.last().expect("a line");
    assert_eq!(last.score, Score::mate_in(Ply(3)));
}

#[test]
fn a_drawn_root_is_reported_as_a_draw() {
    // Black has the worse chances, and need not try to win.
    let (lines, best) = play("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", depth(6));
    assert!(lines.iter().all(|line| line.score == Score::DRAW));
    assert!(
        matches!(
            best,
            SearchEvent::Best {
                score: Score::DRAW,
                is_tablebase_draw: true,
                ..
            }
        ),
        "{best:?}"
    );
    // One move keeps the draw.
    let only = "8/8/8/3k4/8/3KP3/8/8 b - - 0 1";
    let (_, best) = play(only, depth(1));
    let position = ending(only);
    let SearchEvent::Best { best: Some(mv), .. } = best else {
        panic!("{best:?}")
    };
    let mut after = position.clone();
    let _ = after.play(mv);
    assert!(tables().wdl(after.board()) == Some(crate::tablebase::Wdl::Draw));
}

#[test]
fn the_search_finds_wins_below_the_root() {
    let (lines, _) = play(ROOK_AGAINST_PAWN, depth(6));
    let last = lines.last().expect("a line");
    assert!(last.score >= Score::TABLEBASE_BOUND, "{last:?}");
    assert!(last.tablebase_hits > 0);
}

#[test]
fn analysis_shows_as_many_lines_as_requested() {
    let settings = SearchSettings {
        hash_megabytes: 1,
        multi_pv: 4,
        ..SearchSettings::default()
    };
    let mut engine = Engine::with(settings);
    // Black has four moves, and one of them takes the rook.
    let position = ending("8/8/8/8/8/8/1k6/R3K3 b - - 0 1");
    search(
        &mut engine,
        &tables(),
        position.clone(),
        Purpose::Analyse,
        depth(3),
    );
    let mut lines = Vec::new();
    while lines.len() < 12 {
        match engine.events.recv_timeout(LONG).expect("an event") {
            SearchEvent::Info(_, info) => lines.push(info),
            other => panic!("{other:?}"),
        }
    }
    let take = parse_move(&position, "Kxa1").expect("a move");
    for depth in 1..=3 {
        let scores: Vec<_> = lines.iter().filter(|line| line.depth == depth).collect();
        assert_eq!(scores.len(), 4);
        assert_eq!((scores[0].pv[0], scores[0].score), (take, Score::DRAW));
        assert!(scores[1..].iter().all(|line| line.score < Score::DRAW));
    }
}

#[test]
fn an_analysis_restarts_when_tablebases_arrive() {
    let mut engine = Engine::new();
    engine.go_from(ending(ROOK_ENDING), Purpose::Analyse, Limits::default());
    engine.order(SearchOrder::UseTablebases(Some(tables())));
    let until = Instant::now() + LONG;
    loop {
        match engine.events.recv_deadline(until).expect("a line in time") {
            SearchEvent::Info(_, info) if info.tablebase_hits > 0 => break,
            SearchEvent::Info(..) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn excluded_moves_are_not_played() {
    let mut engine = Engine::new();
    let position = ending("8/8/8/8/8/8/1k6/R3K3 b - - 0 1");
    let take = parse_move(&position, "Kxa1").expect("a move");
    engine.order(SearchOrder::UseTablebases(Some(tables())));
    engine.go_without(position, vec![take], Purpose::Play, depth(2));
    let (_, best) = answer(&engine);
    assert!(
        matches!(best, SearchEvent::Best { best: Some(mv), score, is_tablebase_draw: false, .. }
            if mv != take && score.is_decisive()),
        "{best:?}"
    );
}

#[test]
fn a_file_that_disappears_is_reported_once_and_the_search_continues() {
    let copy = tempfile::tempdir().expect("a folder");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, copy.path().join(name)).expect("copied");
    }
    let tables = tables_in(copy.path());
    drop(copy);
    let mut engine = Engine::new();
    let mut problems = 0;
    engine.order(SearchOrder::UseTablebases(Some(tables)));
    for _ in 0..3 {
        engine.go_from(ending(ROOK_ENDING), Purpose::Play, depth(5));
        loop {
            match engine.events.recv_timeout(LONG).expect("an event") {
                SearchEvent::Info(_, info) => assert_eq!(info.tablebase_hits, 0),
                SearchEvent::TablebasesFailed { is_replaced, .. } => {
                    assert!(!is_replaced);
                    problems += 1;
                }
                SearchEvent::Best { best, .. } => break assert!(best.is_some()),
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(problems, 1);
}

#[test]
fn a_file_of_replaced_tables_that_the_search_still_uses_is_reported() {
    let copy = tempfile::tempdir().expect("a folder");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata");
    let [from, to] = [folder.as_path(), copy.path()].map(|folder| folder.join("KRvK.rtbw"));
    std::fs::copy(from, to).expect("copied");
    let old = tables_in(copy.path());
    drop(copy);
    let mut engine = Engine::new();
    search(
        &mut engine,
        &old,
        ending(ROOK_AGAINST_PAWN),
        Purpose::Play,
        depth(8),
    );
    engine.order(SearchOrder::UseTablebases(Some(tables())));
    let mut problems = 0;
    loop {
        match engine.events.recv_timeout(LONG).expect("an event") {
            SearchEvent::Info(..) => {}
            SearchEvent::TablebasesFailed { .. } => problems += 1,
            SearchEvent::Best { .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(problems, 1);
    engine.go_from(ending(ROOK_ENDING), Purpose::Play, depth(2));
    let (lines, _) = answer(&engine);
    assert!(lines.iter().all(|line| line.tablebase_hits > 0));
}

#[test]
fn positions_with_more_men_than_the_setting_allows_are_not_looked_up() {
    for fen in [ROOK_ENDING, ROOK_AGAINST_PAWN] {
        for (men, has_hits) in [(2, false), (3, true)] {
            let mut settings = SearchSettings {
                hash_megabytes: 1,
                ..SearchSettings::default()
            };
            settings.probing.men = men;
            let mut engine = Engine::with(settings);
            search(&mut engine, &tables(), ending(fen), Purpose::Play, depth(6));
            let (lines, _) = answer(&engine);
            let last = lines.last().expect("a line");
            assert_eq!(last.tablebase_hits > 0, has_hits, "{fen} {men}");
        }
    }
}

#[test]
fn an_analysis_restarts_with_another_limit_of_men() {
    let mut engine = Engine::new();
    search(
        &mut engine,
        &tables(),
        ending(ROOK_ENDING),
        Purpose::Analyse,
        Limits::default(),
    );
    let mut settings = SearchSettings {
        hash_megabytes: 1,
        ..SearchSettings::default()
    };
    settings.probing.men = 0;
    engine.order(SearchOrder::Configure(Box::new(settings)));
    let until = Instant::now() + LONG;
    let mut is_configured = false;
    loop {
        match engine.events.recv_deadline(until).expect("a line in time") {
            SearchEvent::Configured => is_configured = true,
            SearchEvent::Info(_, info) if is_configured && !info.score.is_tablebase() => break,
            SearchEvent::Info(..) => {}
            other => panic!("{other:?}"),
        }
    }
}
