//! Tests of the commands with small books.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::*;
use crate::book::{Entry, encode_move, polyglot_key};
use crate::notation::parse_move;
use crate::rules::Position;

/// A command line that consists of the arguments after `gaur book`.
#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: BookCommand,
}

/// Carries out a command; `{}` in its arguments stands for the folder.
fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let folder = folder.display().to_string();
    let arguments = arguments.iter().map(|text| text.replace("{}", &folder));
    let line = CommandLine::try_parse_from(["book".to_owned()].into_iter().chain(arguments))
        .map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let result = run_book(&line.command, &mut out);
    let text = String::from_utf8(out).unwrap();
    match result {
        Ok(()) => Ok(text),
        Err(error) => Err(format!("{text}{error}")),
    }
}

/// Writes a book with moves after lines from the start position, and their weights.
fn write_book(path: PathBuf, moves: &[(&str, &str, u16)]) {
    let mut entries: Vec<Entry> = moves
        .iter()
        .map(|&(line, mv, weight)| {
            let (mut position, mut last) = (Position::standard(), None);
            for text in line.split_whitespace() {
                let mv = parse_move(&position, text).unwrap();
                let _ = position.play(mv);
                last = Some(mv);
            }
            Entry {
                key: polyglot_key(position.board(), last),
                // A text that is no move stands for an illegal one.
                mv: parse_move(&position, mv).map_or(0, encode_move),
                weight,
                learn: 0,
            }
        })
        .collect();
    entries.sort_by_key(|entry| entry.key);
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    fs::write(path, bytes).unwrap();
}

/// A folder with two books.
fn books() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_book(
        folder.path().join("a.bin"),
        &[
            ("", "e4", 30),
            ("", "d4", 10),
            ("e4", "e5", 5),
            ("e4 e5", "Nf3", 1),
        ],
    );
    write_book(
        folder.path().join("b.bin"),
        &[
            ("", "e4", 1),
            ("", "c4", 9),
            ("d4", "d5", 4),
            ("e4 a5", "d4", 2),
        ],
    );
    folder
}

const GAMES: &str = "\
[White \"A\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 {best} Nc6 1-0

[Result \"1/2-1/2\"]

1. e4 (1. d4 d5) e5 2. Nc3 1/2-1/2

[Result \"0-1\"]

1. e4 c5 0-1

[Result \"*\"]

1. e4 e5 *

[Result \"1-0\"]

1. e4 e5 2. Nh8 1-0

[Variant \"Chess960\"]

1. e4 1-0
";

#[test]
fn a_book_of_games_has_weights_by_results() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let make = |more: &[&str]| {
        let arguments = ["make", "{}/games.pgn", "--out", "{}/book.bin"];
        let arguments: Vec<&str> = arguments.iter().chain(more).copied().collect();
        run(folder.path(), &arguments)
    };
    let text = make(&["--min-games", "1"]).unwrap();
    assert_eq!(
        text,
        "3 games used\n1 game not used: wrong\n1 game not used: without a result\n\
         1 game not used: of another variant\n5 moves in 3 positions\n"
    );
    let show = |moves: &[&str]| {
        let arguments = [&["show", "{}/book.bin"], moves].concat();
        let text = run(folder.path(), &arguments).unwrap();
        text.lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(show(&[]), "e4      100.0 %  weight 3");
    assert_eq!(
        show(&["--moves", "1. e4"]),
        "c5       66.7 %  weight 2\ne5       33.3 %  weight 1"
    );
    assert_eq!(
        show(&["--moves", "e4", "e5"]),
        "Nf3      66.7 %  weight 2\nNc3      33.3 %  weight 1"
    );
    assert_eq!(show(&["--moves", "e4 e5 Nf3"]), "the book has no move here");
    make(&["--min-games", "2", "--uniform", "--plies", "2"]).unwrap();
    assert_eq!(show(&["--moves", "e4"]), "e5      100.0 %  weight 1");
    let error = make(&["--min-games", "9"]).unwrap_err();
    assert!(error.contains("no move is left for the book"), "{error}");
    let missing = run(
        folder.path(),
        &["make", "{}/none.pgn", "--out", "{}/new.bin"],
    );
    assert!(missing.unwrap_err().ends_with("none.pgn does not exist"));
    let unwritable = run(
        folder.path(),
        &[
            "make",
            "{}/games.pgn",
            "--min-games",
            "1",
            "--out",
            "{}/none/new.bin",
        ],
    );
    let error = unwritable.unwrap_err();
    assert!(
        error.ends_with("none/new.bin: its folder does not exist; create it or choose another one"),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn merging_keeps_or_adds_moves() {
    let folder = books();
    let dump = |more: &[&str]| {
        let arguments = [
            &["merge", "{}/a.bin", "{}/b.bin", "--out", "{}/c.bin"],
            more,
        ]
        .concat();
        run(folder.path(), &arguments).unwrap();
        run(folder.path(), &["dump", "{}/c.bin"]).unwrap()
    };
    assert_eq!(
        dump(&[]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"e4 30, d4 10\";\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - c0 \"d5 4\";\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 \"e5 5\";\n\
         rnbqkbnr/1ppppppp/8/p7/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0 \"d4 2\";\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0 \"Nf3 1\";\n"
    );
    let added = dump(&["--add"]);
    assert!(added.contains("c0 \"e4 31, d4 10, c4 9\";\n"), "{added}");
    let one = run(folder.path(), &["merge", "{}/a.bin", "--out", "{}/c.bin"]);
    assert!(one.is_err());
}

#[test]
fn pruning_removes_moves_below_each_limit() {
    let folder = books();
    let pruned = |limits: &[&str]| {
        let arguments = [&["prune", "{}/a.bin", "--out", "{}/c.bin"], limits].concat();
        run(folder.path(), &arguments)
    };
    for (limits, expected) in [
        (&["--min-weight", "6"][..], "2 of 4 moves kept\n"),
        (&["--min-share", "30"], "3 of 4 moves kept\n"),
        (&["--max-moves", "1"], "3 of 4 moves kept\n"),
        (&["--plies", "1"], "3 of 4 moves kept\n"),
        (&["--plies", "0"], "2 of 4 moves kept\n"),
        (&[], "4 of 4 moves kept\n"),
    ] {
        assert_eq!(pruned(limits).unwrap(), expected, "{limits:?}");
    }
    let error = pruned(&["--min-weight", "31"]).unwrap_err();
    assert!(error.contains("choose smaller limits"), "{error}");
    for wrong in ["-1", "101", "x", "NaN"] {
        assert!(
            pruned(&[&format!("--min-share={wrong}")]).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn faults_of_a_book_are_found() {
    let folder = books();
    let path = folder.path().join("a.bin");
    let check = || run(folder.path(), &["check", "{}/a.bin"]);
    assert_eq!(
        check().unwrap(),
        "4 moves in 3 positions are reached from the start position, the last after 2 half-moves\n"
    );
    let good = fs::read(&path).unwrap();
    // A position that no line leads to.
    let mut bytes = good.clone();
    bytes.extend([0xff; 16]);
    fs::write(&path, &bytes).unwrap();
    let text = check().unwrap();
    assert!(text.contains("1 move is in another position"), "{text}");
    bytes = [&good[16..], &good[..16]].concat();
    fs::write(&path, &bytes).unwrap();
    let text = check().unwrap_err();
    assert!(
        text.contains("entry 3: its key") && text.ends_with("has 1 fault"),
        "{text}"
    );
    bytes = [&good[..], &good[good.len() - 16..], &[0; 15]].concat();
    fs::write(&path, &bytes).unwrap();
    let text = check().unwrap_err();
    assert!(text.contains("its size of 95 bytes"), "{text}");
    assert!(
        text.contains("occurs twice") && text.ends_with("has 2 faults"),
        "{text}"
    );
    for size in [1130, 1120] {
        // A text, which is no book.
        let text: String = (0..size)
            .map(|index| ["d", "a", "z"][index / 16 % 3])
            .collect();
        fs::write(&path, text).unwrap();
        let text = check().unwrap_err();
        let is_short = text.lines().count() == 2 && text.ends_with("has 1 fault");
        assert!(
            text.contains("is not a Polyglot book") && is_short,
            "{text}"
        );
    }
    write_book(path.clone(), &[("", "e4", 1), ("e4", "none", 1)]);
    let text = check().unwrap_err();
    assert!(
        text.contains("the move 0000 is not legal in rnbq"),
        "{text}"
    );
    fs::write(&path, []).unwrap();
    assert!(check().unwrap_err().contains("is empty"));
}

/// The positions after a reply of the user's own are nearer than those after two moves of the book.
#[test]
fn the_nearest_positions_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let moves = [
        ("", "e4", 1),
        ("e4", "e5", 1),
        ("e4 e5", "Nf3", 1),
        ("e4 e5 Nf3", "Nc6", 1),
        ("d4", "d5", 1),
        ("d4 d5", "c4", 1),
    ];
    write_book(folder.path().join("a.bin"), &moves);
    let text = run(folder.path(), &["dump", "{}/a.bin"]).unwrap();
    let position_of = |moves: &str| {
        text.find(moves)
            .unwrap_or_else(|| panic!("{moves}: {text}"))
    };
    assert!(position_of("c4 1") < position_of("Nc6 1"), "{text}");
    let text = run(folder.path(), &["check", "{}/a.bin"]).unwrap();
    assert!(text.ends_with("the last after 3 half-moves\n"), "{text}");
}

#[test]
fn the_built_in_book_is_shown_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), &["show"]).unwrap();
    assert!(text.contains("key 463b96181691fc9c\n"), "{text}");
    assert!(text.contains("e4 ") && text.contains("score "), "{text}");
    let text = run(folder.path(), &["dump", "--plies", "1"]).unwrap();
    assert!(text.lines().count() > 10, "{text}");
    let error = run(folder.path(), &["show", "--moves", "e5"]).unwrap_err();
    assert!(error.starts_with("the move e5: "), "{error}");
    let error = run(folder.path(), &["show", "--fen", "8/8"]).unwrap_err();
    assert!(!error.is_empty());
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let text = run(folder.path(), &["show", "--fen", fen]).unwrap();
    assert!(text.ends_with("the book has no move here\n"), "{text}");
}
