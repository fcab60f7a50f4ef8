//! Tests with the three-men tables in `testdata/`.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::notation::{parse_fen, parse_move, write_fen};
use crate::rules::{Position, Variant};
use crate::types::{Move, Ply, Score};
use shakmaty_syzygy::filesystem::OsFilesystem;

/// A king and a rook against a king; White wins after 25 half-moves.
const ROOK_ENDING: &str = "8/8/8/8/8/2k5/8/R3K3 w - - 0 1";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata")
}

/// Returns the tables of a folder whose names pass `filter`.
fn tables_in(folder: &Path, filter: impl Fn(&str) -> bool) -> Tablebases {
    let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        if Tablebases::is_table(&path) && filter(name.expect("a name")) {
            tables.add(&path).expect("a table");
        }
    }
    tables
}

fn all_tables() -> Tablebases {
    tables_in(&folder(), |_| true)
}

fn position(fen: &str) -> Position {
    Position::from_setup(&parse_fen(fen).expect("a FEN"), Variant::Standard).expect("legal")
}

fn moves(position: &Position, texts: &str) -> Vec<Move> {
    let parse = |text| parse_move(position, text).expect("a move");
    texts.split(' ').map(parse).collect()
}

/// Plays moves, and returns the position.
fn after(fen: &str, texts: &str) -> Position {
    let mut position = position(fen);
    for text in texts.split(' ') {
        let mv = parse_move(&position, text).expect("a move");
        let _ = position.play(mv);
    }
    position
}

fn ranking(tables: &Tablebases, position: &Position) -> RootRanking {
    tables
        .rank_root_moves(position, &position.legal_moves(), || true)
        .expect("a known position")
}

#[test]
fn tables_are_counted() {
    let counts = all_tables().counts();
    let expected = TableCounts {
        men: 3,
        wdl: 5,
        dtz: 5,
    };
    assert_eq!(counts, expected);
    let distances = tables_in(&folder(), |name| name.ends_with("rtbz"));
    assert_eq!((distances.max_men(), distances.counts().dtz), (0, 5));
}

#[test]
fn results_are_those_of_the_side_to_move() {
    let tables = all_tables();
    for (fen, expected) in [
        (ROOK_ENDING, Some(Wdl::Win)),
        ("8/8/8/8/8/2k5/8/R3K3 b - - 0 1", Some(Wdl::Loss)),
        ("8/8/8/8/8/8/1k6/R3K3 b - - 0 1", Some(Wdl::Draw)),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", Some(Wdl::Draw)),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", Some(Wdl::Draw)),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(Wdl::Win)),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Some(Wdl::Draw)),
        // Black is stalemated.
        ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", Some(Wdl::Draw)),
        // Castling is no part of the tables.
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", None),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", None),
    ] {
        assert_eq!(tables.wdl(position(fen).board()), expected, "{fen}");
    }
    assert_eq!(tables.take_problem(), None);
}

#[test]
fn moves_that_surely_win_are_equal() {
    let tables = all_tables();
    let root = position(ROOK_ENDING);
    let ranking = ranking(&tables, &root);
    assert_eq!(ranking.result(), Wdl::Win);
    assert!(!ranking.needs_probes());
    assert_eq!(ranking.probes(), root.legal_moves().len() as u64);
    let best = ranking.best(1);
    let losing = moves(&root, "Ra3 Rc1 Rd1+");
    assert!(best.contains(&losing[2]) && best.contains(&losing[0]));
    assert!(ranking.best(100).len() == root.legal_moves().len());
    for mv in best {
        let mut position = root.clone();
        let _ = position.play(mv);
        assert_eq!(tables.wdl(position.board()), Some(Wdl::Loss));
    }
}

#[test]
fn moves_of_equal_rank_form_groups() {
    let tables = all_tables();
    // Black has four moves, and one of them takes the rook.
    let ranking = ranking(&tables, &position("8/8/8/8/8/8/1k6/R3K3 b - - 0 1"));
    assert_eq!(ranking.group_sizes(1), [1]);
    assert_eq!(ranking.group_sizes(2), [1, 3]);
    assert_eq!(ranking.group_sizes(100), [1, 3]);
    assert_eq!((ranking.best(1).len(), ranking.best(2).len()), (1, 4));
}

#[test]
fn a_near_limit_of_the_fifty_move_rule_makes_the_distance_decide() {
    let tables = all_tables();
    let with_clock = |clock| {
        let fen = ROOK_ENDING.replace("- 0 1", &format!("- {clock} 60"));
        ranking(&tables, &position(&fen))
    };
    assert!(with_clock(40).best(1).len() > 1, "every move wins in time");
    let near = with_clock(75);
    assert_eq!(near.result(), Wdl::Win);
    assert!(near.best(1).len() < with_clock(40).best(1).len());
    let best = near.best(1)[0];
    assert_eq!(
        near.score(best, Score(500), Score::DRAW),
        Score::tablebase_win_in(Ply::ROOT)
    );
    assert_eq!(
        near.score(best, Score::mate_in(Ply(21)), Score::DRAW),
        Score::mate_in(Ply(21))
    );
    let too_near = with_clock(90);
    assert_eq!(too_near.result(), Wdl::CursedWin);
    let score = too_near.score(too_near.best(1)[0], Score(500), Score::DRAW);
    assert!((1..50).contains(&score.0), "{score:?}");
}

#[test]
fn a_blessed_loss_is_no_loss() {
    let tables = all_tables();
    let fen = |clock| format!("8/8/8/8/8/2k5/8/R3K3 b - - {clock} 60");
    for (clock, result) in [(0, Wdl::Loss), (40, Wdl::Loss), (90, Wdl::BlessedLoss)] {
        let ranking = ranking(&tables, &position(&fen(clock)));
        assert_eq!(ranking.result(), result, "{clock}");
        let score = ranking.score(ranking.best(1)[0], Score(-500), Score::DRAW);
        match result {
            Wdl::Loss => assert_eq!(score, -Score::tablebase_win_in(Ply::ROOT)),
            _ => assert!((-49..0).contains(&score.0), "{score:?}"),
        }
    }
}

#[test]
fn after_a_repetition_the_distance_decides() {
    let tables = all_tables();
    let once = after(ROOK_ENDING, "Ra8 Kb3 Ra1 Kc3 Ra8 Kb3");
    let repeated = ranking(&tables, &once);
    let fresh = ranking(
        &tables,
        &position(&write_fen(once.board(), Variant::Standard)),
    );
    assert!(repeated.best(1).len() < fresh.best(1).len());
    // The third occurrence is a draw.
    let back = moves(&once, "Ra1")[0];
    let twice = after(ROOK_ENDING, "Ra8 Kb3 Ra1 Kc3 Ra8 Kb3 Ra1 Kc3 Ra8 Kb3");
    let drawing = ranking(&tables, &twice);
    assert_eq!(drawing.score(back, Score(500), Score(-20)), Score(-20));
    assert_eq!(drawing.result(), Wdl::Win);
}

#[test]
fn results_alone_rank_moves_if_there_are_no_distances() {
    let tables = tables_in(&folder(), |name| name.ends_with("rtbw"));
    let won = ranking(&tables, &position(ROOK_ENDING));
    assert!(won.result() == Wdl::Win && won.needs_probes());
    let mate = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let first = ranking(&tables, &mate).best(1);
    assert!(first.contains(&moves(&mate, "Ra8#")[0]));
    let drawn = ranking(&tables, &position("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"));
    assert!(drawn.result() == Wdl::Draw && !drawn.needs_probes());
    assert_eq!(
        drawn.score(drawn.best(1)[0], Score(35), Score(-20)),
        Score(-20)
    );
    assert_eq!(tables.take_problem(), None, "missing tables are normal");
}

#[test]
fn ranking_ends_without_time() {
    let tables = all_tables();
    let root = position(ROOK_ENDING);
    let ranked = tables.rank_root_moves(&root, &root.legal_moves(), || false);
    assert_eq!(ranked, None);
}

/// Checks that the tables of a folder are disabled by the first use of the rook ending, and why.
fn check_failure(tables: &Tablebases, reason: &str) {
    let root = position(ROOK_ENDING);
    assert_eq!(tables.max_men(), 3);
    assert_eq!(tables.wdl(root.board()), None);
    assert_eq!(tables.wdl(root.board()), None);
    let problem = tables.take_problem().expect("a problem");
    assert_eq!(problem, format!("The tablebase file KRvK.rtbw {reason}"));
    assert_eq!(tables.take_problem(), None, "one message");
    assert_eq!(tables.max_men(), 0);
    let queen = position("8/8/8/8/8/2k5/Q7/4K3 w - - 0 1");
    assert_eq!(tables.wdl(queen.board()), None, "no other table either");
}

/// Returns a copy of the tables.
fn copied() -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        fs::copy(&path, copy.path().join(name)).expect("copied");
    }
    copy
}

#[test]
fn a_file_that_disappears_disables_the_tables_once() {
    let copy = copied();
    let tables = tables_in(copy.path(), |_| true);
    drop(copy);
    check_failure(&tables, "has disappeared");
}

#[test]
fn a_damaged_file_disables_the_tables_once() {
    let copy = copied();
    let tables = tables_in(copy.path(), |_| true);
    let file = copy.path().join("KRvK.rtbw");
    let mut bytes = fs::read(&file).expect("readable");
    bytes[0] ^= 1;
    fs::write(&file, bytes).expect("written");
    check_failure(&tables, "is damaged; copy it again");
}

#[test]
fn a_file_that_is_truncated_during_the_game_disables_the_tables_once() {
    let copy = copied();
    let tables = tables_in(copy.path(), |_| true);
    fs::write(copy.path().join("KRvK.rtbw"), b"").expect("written");
    check_failure(&tables, "is damaged; copy it again");
}

#[test]
fn files_that_cannot_be_tables_are_refused() {
    let copy = tempfile::tempdir().expect("a folder");
    let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
    let mut error = |name: &str| {
        let path = copy.path().join(name);
        tables.add(&path).expect_err("no table").kind()
    };
    fs::create_dir(copy.path().join("KQvK.rtbw")).expect("created");
    assert_eq!(error("KQvK.rtbw"), io::ErrorKind::InvalidInput);
    fs::write(copy.path().join("KRvK.rtbw"), b"short").expect("written");
    assert_eq!(error("KRvK.rtbw"), io::ErrorKind::InvalidData);
    fs::write(copy.path().join("KXvK.rtbw"), [0; 16]).expect("written");
    assert_eq!(error("KXvK.rtbw"), io::ErrorKind::InvalidInput);
    assert_eq!(error("KPvK.rtbw"), io::ErrorKind::NotFound);
    assert_eq!(tables.counts(), TableCounts::default());
}
