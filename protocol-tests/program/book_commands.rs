//! The commands `gaur book`: damaged input, missing files, a full disk, and an interruption.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::engine::{program_after, program_with};

/// Returns an empty folder in Cargo's folder for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    // It may exist from an earlier run.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// Runs `gaur book` in a folder.
fn run(folder: &Path, arguments: &str) -> Output {
    program_with(["book"].into_iter().chain(arguments.split(' ')))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program can be started")
}

/// Runs a command that succeeds, and returns its output.
fn output(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command that fails, and returns its exit status and error.
fn error(folder: &Path, arguments: &str) -> (i32, String) {
    let output = run(folder, arguments);
    let status = output.status.code().expect("an exit status");
    assert!(status != 0, "{arguments}: {output:?}");
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(error.starts_with("gaur: "), "{arguments}: {error}");
    (status, error)
}

/// Returns the names of the files in a folder, in alphabetical order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

/// Games with 400 different openings, each twice.
fn games() -> String {
    let replies = ["a6", "a5", "b6", "b5", "c6", "c5", "d6", "d5", "e6", "e5"];
    let firsts = ["g3", "a4", "b3", "b4", "g4", "c4", "d3", "d4", "e3", "e4"];
    let mut text = String::new();
    for first in firsts {
        for reply in replies {
            for third in ["Nf3", "Nh3", "Nc3", "Na3"] {
                for result in ["1-0", "1/2-1/2"] {
                    text += &format!(
                        "[Result \"{result}\"]\n\n1. {first} {reply} 2. {third} {result}\n\n"
                    );
                }
            }
        }
    }
    text
}

/// A folder with games and two books of them.
fn with_books(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("games.pgn"), games()).expect("written");
    for (book, limits) in [("all.bin", ""), ("short.bin", " --plies 1")] {
        let made = output(
            &folder,
            &format!("make games.pgn --out {book} --min-games 2{limits}"),
        );
        assert!(made.starts_with("800 games used\n"), "{made}");
    }
    folder
}

#[test]
fn every_command_reads_what_make_has_written() {
    let folder = with_books("commands");
    let check = output(&folder, "check all.bin");
    assert!(
        check.starts_with("510 moves in 111 positions are reached"),
        "{check}"
    );
    assert_eq!(output(&folder, "dump all.bin").lines().count(), 111);
    assert_eq!(
        output(&folder, "dump all.bin --plies 1").lines().count(),
        11
    );
    let show = output(&folder, "show all.bin --moves e4 e5");
    assert!(show.contains("Nf3      25.0 %  weight 3\n"), "{show}");
    let pruned = output(&folder, "prune all.bin --out pruned.bin --max-moves 1");
    assert_eq!(pruned, "111 of 510 moves kept\n");
    let merged = output(
        &folder,
        "merge pruned.bin all.bin short.bin --out merged.bin",
    );
    assert_eq!(merged, "111 moves in 111 positions\n");
    // The result may replace a source, also through a link.
    std::os::unix::fs::symlink("all.bin", folder.join("link.bin")).expect("a link");
    output(&folder, "prune link.bin --out link.bin --plies 0");
    assert_eq!(output(&folder, "dump all.bin").lines().count(), 1);
    assert!(folder.join("link.bin").is_symlink());
    let built_in = output(&folder, "show");
    assert!(built_in.contains("score +"), "{built_in}");
}

#[test]
fn missing_and_damaged_files_are_named() {
    let folder = with_books("damaged");
    fs::write(folder.join("text.bin"), "no book at all, but some text").expect("written");
    fs::write(folder.join("empty.bin"), "").expect("written");
    let all = fs::read(folder.join("all.bin")).expect("a book");
    fs::write(folder.join("cut.bin"), &all[..all.len() - 3]).expect("written");
    fs::write(
        folder.join("unsorted.bin"),
        [&all[16..], &all[..16]].concat(),
    )
    .expect("written");
    let before = names(&folder);
    for command in [
        "show NAME",
        "dump NAME",
        "prune NAME --out new.bin",
        "merge all.bin NAME --out new.bin",
    ] {
        for (name, reason) in [
            ("missing.bin", "missing.bin does not exist"),
            ("text.bin", "text.bin is not a Polyglot book"),
            ("empty.bin", "empty.bin is empty"),
            (
                "cut.bin",
                "cut.bin is not a Polyglot book or is damaged: its size",
            ),
            ("unsorted.bin", "is not in order"),
            (".", ". is not an ordinary file"),
            ("/dev/zero", "/dev/zero is not an ordinary file"),
        ] {
            let (status, error) = error(&folder, &command.replace("NAME", name));
            assert!(
                status == 2 && error.contains(reason),
                "{command}, {name}: {error}"
            );
        }
    }
    for name in ["cut.bin", "unsorted.bin", "text.bin"] {
        let (status, error) = error(&folder, &format!("check {name}"));
        assert!(status == 1 && error.contains("fault"), "{name}: {error}");
    }
    assert_eq!(error(&folder, "check missing.bin").0, 2);
    let (_, missing) = error(&folder, "make games.pgn missing.pgn --out new.bin");
    assert!(missing.contains("missing.pgn does not exist"), "{missing}");
    assert_eq!(names(&folder), before);
}

#[test]
fn wrong_games_are_named_and_left_out() {
    let folder = folder("games");
    let text = games()
        + "[White \"\x1b[31m\"]\n\n1. e4 e5\n2. Ke3 1-0\n\n[FEN \"x\"]\n\n1. e4 *\n\0\u{fffd}\n";
    fs::write(folder.join("games.pgn"), text).expect("written");
    let output = run(&folder, "make games.pgn --out book.bin --min-games 2");
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8(output.stderr).expect("text");
    let line = "gaur: games.pgn line 3201, game 801: the move 2. Ke3: ";
    assert!(
        errors.starts_with(line) && errors.contains("game 802: the tag FEN: "),
        "{errors}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 games not used: wrong\n"));
    fs::write(folder.join("random.pgn"), (0..=255).collect::<Vec<u8>>()).expect("written");
    let (_, error) = error(&folder, "make random.pgn --out new.bin");
    assert!(error.contains("no move is left for the book"), "{error}");
    assert_eq!(names(&folder), ["book.bin", "games.pgn", "random.pgn"]);
}

#[test]
fn a_full_disk_leaves_no_incomplete_book() {
    let folder = with_books("full");
    let before = names(&folder);
    let old = fs::read(folder.join("short.bin")).expect("a book");
    // A file may have at most 1 KiB; the book has 8 KiB.
    for out in ["new.bin", "short.bin"] {
        let output = program_after(
            "ulimit -f 1; set -- book prune all.bin --out NAME; exec \"$0\" \"$@\""
                .replace("NAME", out)
                .as_str(),
        )
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program can be started");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(&format!("cannot write {out}: ")), "{error}");
    }
    assert_eq!(names(&folder), before);
    assert_eq!(fs::read(folder.join("short.bin")).expect("a book"), old);
    let (_, device) = error(&folder, "prune all.bin --out /dev/full");
    assert!(
        device.contains("cannot write /dev/full: it is not an ordinary file"),
        "{device}"
    );
    let (_, missing) = error(&folder, "prune all.bin --out none/new.bin");
    assert!(missing.contains("cannot write none/new.bin: "), "{missing}");
    for command in ["dump all.bin", "show all.bin", "check all.bin"] {
        let full = fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let output = program_with(["book"].into_iter().chain(command.split(' ')))
            .current_dir(&folder)
            .stdout(full)
            .output()
            .expect("the program can be started");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(
            error.contains("cannot write the results: "),
            "{command}: {error}"
        );
    }
}

#[test]
fn an_interruption_leaves_no_book() {
    let folder = folder("interrupted");
    let pipe = folder.join("games.pgn");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let program = program_with([
        "book",
        "make",
        "games.pgn",
        "--out",
        "book.bin",
        "--min-games",
        "1",
    ])
    .current_dir(&folder)
    .stdin(Stdio::null())
    .spawn()
    .expect("the program can be started");
    // Opening the pipe waits until the program reads it, after it has begun to watch signals.
    let mut input = fs::File::options().write(true).open(&pipe).expect("a pipe");
    input.write_all(games().as_bytes()).expect("written");
    let pid = Pid::from_child(&program);
    kill_process(pid, Signal::INT).expect("the program runs");
    // The program notices the signal with the next game.
    let _ = input.write_all(games().as_bytes());
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("interrupted; no file has been written"),
        "{error}"
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names(&folder), ["games.pgn"]);
}
