//! The commands of `gaur-lab data`, on files of three games.

use std::fs;
use std::path::Path;

use super::conditions::{Kind, Winner};
use super::*;
use crate::game_file::{
    Ending, GameReader, GameRecord, GameResult, GameWriter, Header, NodeLimit, Run, ScoredMove,
};
use crate::sample_file::{SampleKind, SampleWriter, Share};
use gaur::notation::parse_move;
use gaur::rules::{Position, Variant};
use gaur::types::Score;

fn game(moves: &[&str], result: GameResult, ending: Ending) -> GameRecord {
    let mut position = Position::standard();
    let start = position.board().to_setup();
    let moves = moves.iter().enumerate().map(|(ply, text)| {
        let mv = parse_move(&position, text).unwrap();
        let _ = position.play(mv);
        let score = Score(10 * (ply as i32 + 1));
        ScoredMove { mv, score }
    });
    GameRecord {
        variant: Variant::Standard,
        start,
        nodes: 250,
        moves: moves.collect(),
        result,
        ending,
    }
}

/// A folder with a file `games` of fool's mate, a short draw and a short win, by file name.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.games");
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let games = [
        game(&mate, GameResult::BlackWins, Ending::Mate),
        game(&["e2e4"], GameResult::Draw, Ending::AdjudicatedDraw),
        game(
            &["e2e4", "e7e5"],
            GameResult::WhiteWins,
            Ending::AdjudicatedWin,
        ),
    ];
    for (number, game) in (0..).zip(&games) {
        writer.write(number, game).unwrap();
    }
    writer.finish().unwrap();
    (folder, path)
}

fn answer(command: &DataCommand) -> Result<String, LabError> {
    let mut out = Vec::new();
    run_data(command, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn games(path: &Path) -> Vec<GameRecord> {
    GameReader::open(path)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn header() -> Header {
    Header::new(Some(Run {
        generator: 1,
        seed: 1,
        nodes: vec![NodeLimit {
            nodes: 250,
            permille: 1000,
        }],
        chess960_permille: 0,
        double_chess960_permille: 0,
        random_plies: 8,
        openings: None,
        network: None,
        fingerprint: String::new(),
    }))
}

/// Output of `gaur-lab data verify`, and its error.
fn verified(files: &[PathBuf]) -> (String, Option<String>) {
    let mut out = Vec::new();
    let files = files.to_vec();
    let result = run_data(&DataCommand::Verify { files }, &mut out);
    let text = String::from_utf8(out).unwrap();
    (text, result.err().map(|error| error.to_string()))
}

/// A row of the table of `gaur-lab data count`, without the spaces between its columns.
fn row(table: &str, name: &str) -> String {
    let line = table.lines().find(|line| line.starts_with(name));
    let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    words.join(" ")
}

#[test]
fn games_are_counted() {
    let (folder, path) = folder();
    for files in [vec![path], vec![folder.path().to_owned()]] {
        let table = answer(&DataCommand::Count { files }).unwrap();
        for expected in [
            "files 1",
            "damaged parts 0",
            "games 3",
            "positions 7",
            "positions per game 2.3",
            "White wins 1 33.3 %",
            "draws 1 33.3 %",
            "mate 1 33.3 %",
            "standard chess 3 100.0 %",
            "below 40 half-moves 3 100.0 %",
            "opening, 25 to 32 pieces 7 100.0 %",
            "250 7 100.0 %",
        ] {
            let name = expected.trim_end_matches(|letter: char| !letter.is_alphabetic());
            let name = if name.is_empty() { "250" } else { name };
            assert_eq!(row(&table, name), expected, "{table}");
        }
    }
}

#[test]
fn game_phases_follow_the_captures() {
    let mut counts = Counts::default();
    let mut few = game(
        &["e2e4", "d7d5", "e4d5", "d8d5"],
        GameResult::Draw,
        Ending::TooLong,
    );
    counts.add(&few);
    // Thirteen pieces, of which one is taken.
    few.start = gaur::notation::parse_fen("4k3/ppp5/3p4/4P3/8/8/PPPPPP2/4K3 w - - 0 1").unwrap();
    let position = few.start_position().unwrap();
    let moves = ["e5d6", "e8f8", "e1f1"].map(|text| ScoredMove {
        mv: parse_move(&position, "e5d6")
            .ok()
            .filter(|_| text == "e5d6")
            .unwrap_or(few.moves[0].mv),
        score: Score(0),
    });
    few.moves = moves.to_vec();
    counts.add(&few);
    let table = counts.to_string();
    assert_eq!(
        row(&table, "opening, "),
        "opening, 25 to 32 pieces 4 57.1 %"
    );
    assert_eq!(
        row(&table, "middlegame, "),
        "middlegame, 13 to 24 pieces 1 14.3 %"
    );
    assert_eq!(row(&table, "endgame, "), "endgame, 7 to 12 pieces 2 28.6 %");
}

#[test]
fn sound_games_are_verified_and_illegal_ones_found() {
    let (folder, path) = folder();
    let (text, error) = verified(std::slice::from_ref(&path));
    assert!(text.ends_with("games: 3 games, no defects\n"), "{text}");
    assert_eq!(error, None);

    let wrong = folder.path().join("wrong");
    let mut writer = GameWriter::create(&wrong, &header()).unwrap();
    let illegal = game(&["e2e4"], GameResult::Draw, Ending::Mate);
    writer.write(0, &illegal).unwrap();
    writer.finish().unwrap();
    let (text, error) = verified(&[wrong, path]);
    assert!(
        text.contains("wrong: game 1 in the order of the file: the result is not that"),
        "{text}"
    );
    assert!(text.contains("3 games, no defects"), "{text}");
    let error = error.unwrap();
    assert_eq!(error, "1 of 2 files are damaged or incomplete");
}

#[test]
fn damage_is_located_skipped_and_repaired() {
    let (folder, path) = folder();
    let sound = fs::read(&path).unwrap();
    let all = games(&path);
    // The second block: one move.
    let length = |moves: usize| 20 + 40 + 4 * moves;
    let second = sound.len() - length(2) - length(1);
    let mut damaged = sound.clone();
    damaged[second + 30] ^= 1;
    fs::write(&path, &damaged[..damaged.len() - 5]).unwrap();

    let (text, error) = verified(std::slice::from_ref(&path));
    for expected in [
        format!("damaged at byte {second} (64 bytes)"),
        format!("incomplete game at byte {} (63 bytes)", second + 64),
        "1 games, 2 defects".to_owned(),
    ] {
        assert!(text.contains(&expected), "{text}");
    }
    assert!(error.is_some());

    let table = answer(&DataCommand::Count {
        files: vec![path.clone()],
    })
    .unwrap();
    assert_eq!(row(&table, "damaged parts"), "damaged parts 1");
    assert_eq!(row(&table, "incomplete games"), "incomplete games 1");
    assert_eq!(row(&table, "games"), "games 1");

    fs::write(&path, &damaged).unwrap();
    let out = folder.path().join("repaired");
    let repair = DataCommand::Repair {
        file: path.clone(),
        out: out.clone(),
    };
    let text = answer(&repair).unwrap();
    assert!(
        text.contains("2 games copied, 1 damaged parts skipped"),
        "{text}"
    );
    assert!(text.contains("Repeat `gaur-lab datagen`"), "{text}");
    assert!(games(&out) == [all[0].clone(), all[2].clone()]);
    assert!(fs::read(&path).unwrap() == damaged, "the old file stays");
    let (_, contents) = GameWriter::resume(&out, &header()).unwrap();
    assert_eq!(contents.numbers, [0, 2]);
    assert!(answer(&repair).is_err(), "the new file existed already");

    // A file whose header is damaged loses its settings only. Version 1 instead of 2 is such damage, too.
    for (at, change) in [(30, 1), (8, 3), (8, 1), (0, 1)] {
        let mut headless = sound.clone();
        headless[at] ^= change;
        fs::write(&path, &headless).unwrap();
        let out = folder.path().join("recovered");
        let text = answer(&DataCommand::Repair {
            file: path.clone(),
            out: out.clone(),
        });
        let text = text.unwrap();
        assert!(text.contains("No run can be continued"), "{text}");
        assert!(games(&out) == all);
        let error = GameWriter::resume(&out, &header()).err();
        assert!(
            error
                .unwrap()
                .to_string()
                .contains("several or unknown runs")
        );
        fs::remove_file(out).unwrap();
    }

    fs::write(&path, "a diary").unwrap();
    let out = folder.path().join("nothing");
    let nothing = answer(&DataCommand::Repair {
        file: path,
        out: out.clone(),
    });
    assert!(nothing.is_err() && !out.exists());
}

#[test]
fn games_are_shuffled_and_filtered_into_new_files() {
    let (folder, path) = folder();
    let out = folder.path().join("shuffled");
    let copy = folder.path().join("copy");
    fs::copy(&path, &copy).unwrap();
    let shuffle = DataCommand::Shuffle {
        files: vec![path.clone(), copy],
        seed: 1,
        out: out.clone(),
    };
    assert_eq!(answer(&shuffle).unwrap(), "6 games\n");
    let (before, after) = (games(&path), games(&out));
    assert!(
        before
            .iter()
            .all(|game| after.iter().filter(|other| *other == game).count() == 2)
    );
    assert!(answer(&shuffle).is_err(), "the file existed already");

    let out = folder.path().join("filtered");
    let filter = DataCommand::Filter {
        files: vec![path],
        conditions: Conditions {
            at_least: Some(2),
            result: Some(Winner::White),
            variant: Some(Kind::Standard),
            ..Conditions::default()
        },
        out: out.clone(),
    };
    assert_eq!(answer(&filter).unwrap(), "1 of 3 games kept\n");
    assert!(games(&out) == before[2..]);
}

#[test]
fn games_become_text() {
    let (_folder, path) = folder();
    let text = |to| {
        answer(&DataCommand::Convert {
            files: vec![path.clone()],
            to,
            out: None,
        })
        .unwrap()
    };
    let lines = text(Form::Text);
    assert_eq!(
        lines.lines().nth(3),
        Some("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 | -40 | 0.0")
    );
    assert_eq!(
        text(Form::Epd).lines().nth(3),
        Some(
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; ce 40; c9 \"0-1\";"
        )
    );
    let pgn = text(Form::Pgn);
    assert!(pgn.contains("[Result \"0-1\"]\n"), "{pgn}");
    assert!(
        pgn.contains("1. f3 {+0.10} e5 {+0.20} 2. g4 {+0.30} Qh4# {+0.40} 0-1\n"),
        "{pgn}"
    );
}

#[test]
fn a_viriformat_file_contains_all_games() {
    let (_folder, path) = folder();
    let out = path.with_extension("viri");
    let convert = DataCommand::Convert {
        files: vec![path.clone()],
        to: Form::Viriformat,
        out: Some(out.clone()),
    };
    answer(&convert).unwrap();
    let bytes = fs::read(&out).unwrap();
    let mut left = &bytes[..];
    for game in games(&path) {
        let theirs =
            ::viriformat::dataformat::Game::deserialise_from(&mut left, Vec::new()).unwrap();
        let moves = theirs.moves().map(|mv| format!("{}{}", mv.from(), mv.to()));
        let expected = game
            .moves
            .iter()
            .map(|scored| format!("{}{}", scored.mv.from(), scored.mv.to()));
        assert_eq!(moves.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
    assert!(left.is_empty());
}

#[test]
fn an_answer_that_cannot_be_given_leaves_no_file() {
    let (folder, path) = folder();
    let [missing, out] = ["missing", "out"].map(|name| folder.path().join(name));
    for command in [
        DataCommand::Filter {
            files: vec![path.clone(), missing.clone()],
            conditions: Conditions::default(),
            out: out.clone(),
        },
        DataCommand::Shuffle {
            files: vec![path.clone(), missing.clone()],
            seed: 1,
            out: out.clone(),
        },
        DataCommand::Verify {
            files: vec![missing.clone()],
        },
        DataCommand::Count {
            files: vec![missing],
        },
    ] {
        let error = answer(&command).unwrap_err().to_string();
        assert!(error.contains("missing: "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    let empty = tempfile::tempdir().unwrap();
    let files = vec![empty.path().to_owned()];
    let error = answer(&DataCommand::Verify { files })
        .unwrap_err()
        .to_string();
    assert!(error.contains("contains no files *.games"), "{error}");
}

#[test]
fn sample_files_are_recognised_where_games_are_expected() {
    let (_folder, path) = folder();
    let samples = path.with_extension("samples");
    let share = Share::ALL;
    let writer = SampleWriter::create(&samples, SampleKind::Training, share, 0).unwrap();
    writer.finish(&samples).unwrap();
    for command in [
        DataCommand::Count {
            files: vec![samples.clone()],
        },
        DataCommand::Convert {
            files: vec![path, samples.clone()],
            to: Form::Viriformat,
            out: Some(samples.with_extension("viri")),
        },
    ] {
        let error = answer(&command).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "three.samples: a sample file, not a game file; `gaur-lab data verify` and \
                 `gaur-lab data convert --to bulletformat` accept it"
            ),
            "{error}"
        );
    }
}

#[test]
fn a_foreign_file_in_a_folder_is_not_counted() {
    let (folder, _) = folder();
    fs::write(folder.path().join("diary.games"), "dear diary").unwrap();
    let files = vec![folder.path().to_owned()];
    let table = answer(&DataCommand::Count { files }).unwrap();
    assert_eq!(row(&table, "files"), "files 1");
    assert_eq!(row(&table, "games"), "games 3");
}
