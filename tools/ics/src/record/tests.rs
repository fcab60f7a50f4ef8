//! Tests of PGN text and of the archive.

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use super::archive::separator_after;
use super::*;

fn game() -> GameRecord {
    GameRecord {
        event: "rated blitz match".to_owned(),
        site: "freechess.org".to_owned(),
        date: "2026.11.25".to_owned(),
        utc_time: "23:59:59".to_owned(),
        white: "GaurBot".to_owned(),
        black: "Rabbit".to_owned(),
        result: "1-0".to_owned(),
        white_elo: Some(2000),
        black_elo: None,
        time_control: "300+5".to_owned(),
        termination: "Rabbit resigns".to_owned(),
        moves: vec![
            MoveRecord {
                san: "e4".to_owned(),
                clock: Some(Duration::from_millis(299_850)),
                spent: Some(Duration::from_millis(1_240)),
                score: Some(35),
                depth: Some(18),
            },
            MoveRecord {
                san: "e5".to_owned(),
                clock: Some(Duration::from_millis(3_725_000)),
                spent: Some(Duration::from_secs(2)),
                ..MoveRecord::default()
            },
            MoveRecord {
                san: "Nf3".to_owned(),
                ..MoveRecord::default()
            },
            MoveRecord {
                san: "Nc6".to_owned(),
                score: Some(-40),
                ..MoveRecord::default()
            },
        ],
        ..GameRecord::default()
    }
}

#[test]
fn games_have_tags_and_comments() {
    let expected = "[Event \"rated blitz match\"]\n[Site \"freechess.org\"]\n[Date \"2026.11.25\"]\n[Round \"-\"]\n\
        [White \"GaurBot\"]\n[Black \"Rabbit\"]\n[Result \"1-0\"]\n[UTCDate \"2026.11.25\"]\n[UTCTime \"23:59:59\"]\n[WhiteElo \"2000\"]\n\
        [TimeControl \"300+5\"]\n[Termination \"normal\"]\n\
        [TerminationDetails \"Rabbit resigns\"]\n\n\
        1. e4 {[%clk 0:04:59.8] [%eval 0.35] +0.35/18 1.2s} 1... e5 {[%clk 1:02:05.0]\n\
        2.0s} 2. Nf3 Nc6 {[%eval 0.40] -0.40} 1-0\n\n";
    assert_eq!(game().to_pgn(), expected);
}

#[test]
fn empty_record_has_the_required_tags() {
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n[White \"?\"]\n[Black \"?\"]\n\
        [Result \"*\"]\n\n*\n\n";
    assert_eq!(GameRecord::default().to_pgn(), expected);
    let odd = GameRecord {
        result: "2-0".to_owned(),
        ..GameRecord::default()
    };
    assert_eq!(odd.to_pgn(), expected);
}

#[test]
fn start_positions_set_numbers_and_tags() {
    let record = GameRecord {
        variant: "Chess960".to_owned(),
        fen: Some("4k3/8/8/8/8/8/8/4K2R b K - 3 17".to_owned()),
        result: "1/2-1/2".to_owned(),
        moves: ["Kd7", "O-O", "Kc6"]
            .map(|san| MoveRecord {
                san: san.to_owned(),
                ..MoveRecord::default()
            })
            .to_vec(),
        ..GameRecord::default()
    };
    let text = record.to_pgn();
    assert!(
        text.contains(
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"]\n"
        ),
        "{text}"
    );
    assert!(
        text.ends_with("\n\n17... Kd7 18. O-O Kc6 1/2-1/2\n\n"),
        "{text}"
    );
    let odd = GameRecord {
        fen: Some("x".to_owned()),
        ..record
    };
    assert!(odd.to_pgn().contains("\n1. Kd7 O-O 2. Kc6 "));
}

#[test]
fn mates_have_their_own_form() {
    let comment = |score, index: usize| {
        let mut moves = vec![MoveRecord::default(); index + 1];
        moves[index] = MoveRecord {
            san: "Qh5".to_owned(),
            score: Some(score),
            depth: Some(9),
            ..MoveRecord::default()
        };
        GameRecord {
            moves,
            ..GameRecord::default()
        }
        .to_pgn()
    };
    assert!(comment(100_005, 0).contains("{[%eval #5] +M5/9}"));
    assert!(comment(-100_003, 0).contains("{[%eval #-3] -M3/9}"));
    assert!(comment(100_005, 1).contains("{[%eval #-5] +M5/9}"));
    assert!(comment(99_999, 0).contains("{[%eval 999.99] +999.99/9}"));
    for score in [i32::MIN, i32::MAX] {
        assert!(comment(score, 1).contains("[%eval "));
    }
}

#[test]
fn tags_are_escaped() {
    let record = GameRecord {
        event: "a \"b\" \\ c\nd\r[Result \"0-1\"]".to_owned(),
        ..GameRecord::default()
    };
    let text = record.to_pgn();
    assert!(
        text.starts_with("[Event \"a \\\"b\\\" \\\\ c d [Result \\\"0-1\\\"]\"]\n"),
        "{text}"
    );
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn games_are_appended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.pgn");
    let mut archive = Archive::open(&file).unwrap();
    // The file exists from the start.
    assert_eq!(read(&file), "");
    archive.append(&game()).unwrap();
    archive.append(&game()).unwrap();
    assert_eq!(read(&file), game().to_pgn().repeat(2));
    assert_eq!(archive.waiting(), 0);
}

#[test]
fn file_that_cannot_be_written_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Archive::open(folder.path()).is_err());
    // A misspelled folder is not created.
    let missing = folder.path().join("gmaes");
    assert!(Archive::open(missing.join("a.pgn")).is_err());
    assert!(!missing.exists());
}

#[test]
fn torn_end_is_repaired() {
    let text = game().to_pgn();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    for length in 1..text.len() {
        std::fs::write(&file, &text[..length]).unwrap();
        Archive::new(&file).append(&game()).unwrap();
        let found = read(&file);
        let start = found.strip_suffix(&text).expect("the game is complete");
        assert!(start.ends_with("\n\n"), "{start:?}");
        // No comment of the torn game contains the new one.
        let moves = start.split_once("\n\n").map_or("", |(_, moves)| moves);
        assert_eq!(
            moves.matches('{').count(),
            moves.matches('}').count(),
            "{start:?}"
        );
    }
}

#[test]
fn ends_of_other_programs_are_kept() {
    for (tail, expected) in [
        ("1. e4 *\n\n", ""),
        ("1. e4 1-0\n", "\n"),
        ("1. e4 1-0", "\n\n"),
        ("1. e4 1-0\r\n\r\n", ""),
        ("1. e4 e", " *\n\n"),
        ("1. e4 {[%clk 0:", "} *\n\n"),
        ("1. e4 {a\n[%eval 0.3", "} *\n\n"),
        ("[White \"{", "\n\n"),
        ("\n", ""),
    ] {
        assert_eq!(separator_after(tail), expected, "{tail:?}");
    }
}

#[test]
fn games_wait_for_a_failing_disk() {
    let folder = tempfile::tempdir().unwrap();
    let blocker = folder.path().join("games");
    std::fs::write(&blocker, "").unwrap();
    let file = blocker.join("a.pgn");
    let mut archive = Archive::new(&file);
    let error = archive.append(&game()).unwrap_err();
    assert_eq!((error.waiting, archive.waiting()), (1, 1));
    assert!(error.to_string().contains("a.pgn"), "{error}");
    // One error is enough.
    archive.append(&game()).unwrap();
    archive.flush().unwrap();
    assert_eq!(archive.waiting(), 2);
    std::fs::remove_file(&blocker).unwrap();
    std::fs::create_dir(&blocker).unwrap();
    archive.append(&game()).unwrap();
    assert_eq!(archive.waiting(), 0);
    assert_eq!(read(&file), game().to_pgn().repeat(3));
    // A second failure is reported again.
    std::fs::remove_dir_all(&blocker).unwrap();
    std::fs::write(&blocker, "").unwrap();
    assert!(archive.append(&game()).is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_is_an_error() {
    let mut archive = Archive::new("/dev/full");
    assert!(archive.append(&game()).is_err());
    assert_eq!(archive.waiting(), 1);
}

#[test]
fn a_file_in_use_is_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    let other = std::fs::File::create(&file).unwrap();
    other.lock().unwrap();
    let mut archive = Archive::new(&file);
    std::thread::scope(|scope| {
        let appended = scope.spawn(|| archive.append(&game()));
        std::thread::sleep(Duration::from_millis(100));
        let before = read(&file);
        drop(other);
        appended.join().unwrap().unwrap();
        assert_eq!(before, "");
    });
    assert_eq!(read(&file), game().to_pgn());
}

prop_compose! {
    fn any_move()(
        san in "[KQRBN]?[a-h][1-8]", clock in any::<Option<u32>>(), spent in any::<Option<u32>>(),
        score in any::<Option<i32>>(), depth in any::<Option<u32>>(),
    ) -> MoveRecord {
        let time = |milliseconds: u32| Duration::from_millis(milliseconds.into());
        MoveRecord { san, clock: clock.map(time), spent: spent.map(time), score, depth }
    }
}

proptest! {
    #[test]
    fn lines_are_short_and_moves_complete(moves in prop::collection::vec(any_move(), 0..200), event in "\\PC{0,40}") {
        let record = GameRecord { moves, event, result: "0-1".to_owned(), ..GameRecord::default() };
        let text = record.to_pgn();
        let (tags, body) = text.split_once("\n\n").unwrap();
        prop_assert_eq!(tags.lines().count(), 7);
        prop_assert!(body.lines().all(|line| line.chars().count() < 80 && line.trim() == line));
        prop_assert!(body.ends_with("0-1\n\n"));
        let mut in_comment = false;
        let played: Vec<&str> = body
            .split_whitespace()
            .filter(|word| {
                let outside = !in_comment && !word.starts_with('{');
                in_comment = (in_comment || word.starts_with('{')) && !word.ends_with('}');
                outside && !word.ends_with('.')
            })
            .collect();
        let expected: Vec<&str> = record.moves.iter().map(|played| played.san.as_str()).chain(["0-1"]).collect();
        prop_assert_eq!(played, expected);
    }
}
