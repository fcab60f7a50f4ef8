//! The opening book: files that change during the game, and results that are learned.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use gaur::board::Board;
use gaur::book::{Entry, polyglot_key};

use crate::engine::{Engine, TIMEOUT, program_with};

/// The move e2e4 as a book has it.
const E4: u16 = 12 << 6 | 28;

/// Size of a book that is not read into memory.
const LARGE: u64 = 65 << 20;

/// Returns the entry of a move of White in the start position.
fn entry(mv: u16) -> [u8; 16] {
    let entry = Entry {
        key: polyglot_key(&Board::standard(), None),
        mv,
        weight: 1,
        learn: 0,
    };
    entry.to_bytes()
}

/// Starts the program with options.
fn start<'a>(options: impl IntoIterator<Item = &'a str>) -> Engine {
    let arguments = options.into_iter().flat_map(|option| ["--set", option]);
    let mut engine = Engine::start(program_with(arguments));
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine
}

/// Starts the program with the built-in book and learning, and a folder for its data.
fn start_learning(data: &Path) -> Engine {
    let mut command = program_with(["--set", "BookLearning=1", "--set", "BookVariety=0"]);
    command.env("XDG_DATA_HOME", data).env("APPDATA", data);
    let mut engine = Engine::start(command);
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine
}

#[test]
fn the_built_in_book_gives_variety_without_any_setting() {
    let mut engine = start([]);
    let mut first_moves = HashSet::new();
    for _ in 0..60 {
        engine.send("new\nforce\ngo\n");
        first_moves.insert(engine.line_with("move "));
    }
    assert!(first_moves.len() > 1, "{first_moves:?}");
    engine.exits_cleanly();
}

#[test]
fn a_large_book_that_becomes_shorter_is_reported_and_not_used_any_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.bin");
    let mut file = File::create(&path).expect("created");
    // A hole: entries with key 0.
    file.set_len(LARGE).expect("a sparse file");
    file.seek(SeekFrom::Start(LARGE - 16)).expect("sought");
    file.write_all(&entry(E4)).expect("written");
    let mut engine = start([format!("BookFile={}", path.display()).as_str()]);
    engine.send("force\ngo\n");
    assert_eq!(engine.line_with("move "), "move e2e4");
    file.set_len(16).expect("truncated");
    engine.send("new\nforce\nsd 1\ngo\n");
    let error = engine.line_with("tellusererror ");
    assert!(error.contains("large.bin has become shorter"), "{error}");
    engine.line_with("move ");
    engine.send("bk\n");
    assert_eq!(engine.line(), " Gaur plays without an opening book.");
    engine.exits_cleanly();
}

#[test]
fn a_book_that_is_removed_during_the_game_is_still_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    fs::write(&path, entry(E4)).expect("written");
    let mut engine = start([format!("BookFile={}", path.display()).as_str()]);
    engine.ping(1);
    fs::remove_file(&path).expect("removed");
    engine.send("force\ngo\n");
    assert_eq!(engine.line_with("move "), "move e2e4");
    engine.exits_cleanly();
}

#[test]
fn an_error_of_a_book_at_the_start_is_shown() {
    let mut engine = start(["BookFile=/nowhere/book.bin"]);
    let error = engine.line_with("tellusererror ");
    assert!(
        error.contains("/nowhere/book.bin does not exist. Gaur plays on without a book."),
        "{error}"
    );
    engine.send("quit\n");
    assert!(engine.exit_within(TIMEOUT).success());
    let errors = engine.errors();
    assert_eq!(errors.matches("/nowhere/book.bin").count(), 1, "{errors}");
}

#[test]
fn results_for_the_built_in_book_are_kept_in_the_folder_for_data() {
    let folder = tempfile::tempdir().expect("a folder");
    // The folder is created.
    let data = folder.path().join("data");
    let mut shares = Vec::new();
    for game in 0..3 {
        let mut engine = start_learning(&data);
        engine.send("force\nbk\n");
        shares.push(engine.line());
        engine.send("go\n");
        let mv = engine.line_with("move ");
        assert!(game > 0 || shares[0].starts_with(' '), "{mv}");
        // The end of the program waits for the file.
        engine.send("result 0-1 {White resigns}\n");
        engine.exits_cleanly();
    }
    let text = fs::read_to_string(data.join("gaur/book.learned")).expect("a file");
    let results = |line: &str| -> u32 {
        let fields: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(fields[2..4], ["0", "0"], "{text}");
        fields[4].parse().expect("a number")
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.map(results).sum::<u32>(), 3, "{text}");
    assert_ne!(shares[0], shares[2], "the shares have changed");
}

#[test]
fn two_programs_learn_in_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    fs::write(&path, entry(E4)).expect("written");
    let option = format!("BookFile={}", path.display());
    let mut engines = [0, 1].map(|_| start([option.as_str(), "BookLearning=1"]));
    // Both write at the same time, again and again.
    for game in 0..30 {
        for engine in &mut engines {
            engine.send("new\nforce\ngo\n");
            engine.line_with("move ");
        }
        for (engine, result) in engines.iter_mut().zip(["1-0", "1/2-1/2"]) {
            engine.send(format!("force\nresult {result} {{end}}\n"));
        }
        for engine in &mut engines {
            engine.ping(game);
        }
    }
    for engine in engines {
        engine.exits_cleanly();
    }
    let text = fs::read_to_string(folder.path().join("book.bin.learned")).expect("a file");
    assert!(text.ends_with(" e2e4 30 30 0\n"), "{text}");
    let leftovers = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(
        leftovers, 3,
        "the book, the results and their lock: no temporary file is left"
    );
}
