//! Settings and network files that block, have appeared, or cannot be written.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, TIMEOUT, program, program_after};

/// Returns an empty folder in Cargo's folder for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    // It may exist from an earlier run.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// Starts an engine with the handshake done.
fn engine(command: Command) -> Engine {
    let mut engine = Engine::start(command);
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\neasy\n");
    engine
}

/// Sends a line and returns the lines before the pong of the ping that follows.
fn lines_after(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(format!("{line}\nping 77\n"));
    let mut lines = Vec::new();
    loop {
        match engine.line() {
            line if line == "pong 77" => return lines,
            line => lines.push(line),
        }
    }
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Returns the number of files in a folder, temporary ones included.
fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn a_settings_file_that_has_appeared_is_not_replaced() {
    let folder = folder("appeared");
    let path = folder.join("settings");
    let name = path.display();
    let mut engine = engine(program());
    let replies = lines_after(&mut engine, &format!("option SettingsFile={name}"));
    assert!(
        replies.len() == 1 && replies[0].starts_with("telluser "),
        "{replies:?}"
    );
    fs::write(&path, "MultiPV=5\n").expect("written");
    let replies = lines_after(&mut engine, "option SaveSettings");
    assert!(
        replies.len() == 1 && replies[0].contains("by another program"),
        "{replies:?}"
    );
    assert_eq!(content(&path), "MultiPV=5\n");
    // Once it has been read, it may be replaced.
    assert_eq!(
        lines_after(&mut engine, &format!("option SettingsFile={name}")),
        [""; 0]
    );
    assert_eq!(lines_after(&mut engine, "option SaveSettings"), [""; 0]);
    assert!(content(&path).contains("\nMultiPV=5\n"));
    assert_eq!(count(&folder), 1);
    engine.exits_cleanly();
}

#[test]
fn a_name_that_is_not_utf_8_writes_no_other_file() {
    let folder = folder("utf-8");
    let mut command = program();
    command.current_dir(&folder);
    let mut engine = engine(command);
    for option in ["SettingsFile", "EvalFile", "LogFolder"] {
        engine.send(format!("option {option}="));
        engine.send(b"caf\xe9\noption SaveSettings\nping 1\n");
        let line = engine.line();
        assert!(
            line.starts_with("tellusererror ") && line.contains("not UTF-8"),
            "{line}"
        );
        assert!(engine.line().contains("first name a file"));
        assert_eq!(engine.line(), "pong 1");
    }
    engine.exits_cleanly();
    assert_eq!(count(&folder), 0);
}

#[test]
fn settings_saved_before_quit_are_written() {
    let folder = folder("quit");
    for number in 0..20 {
        let path = folder.join(format!("settings {number}"));
        let mut engine = engine(program());
        engine.send(format!("option SettingsFile={}\n", path.display()));
        engine.send("option MultiPV=9\noption SaveSettings\n");
        engine.exits_cleanly();
        assert!(content(&path).contains("\nMultiPV=9\n"));
    }
    assert_eq!(count(&folder), 20);
}

#[test]
fn a_limit_on_the_size_of_files_keeps_the_old_settings() {
    let folder = folder("limit");
    let (path, link) = (folder.join("settings"), folder.join("link"));
    for has_link in [false, true] {
        fs::write(&path, "MultiPV=5\n").expect("written");
        if has_link {
            fs::hard_link(&path, &link).expect("a link");
        }
        // Whole and partial writes fail; the system also sends SIGXFSZ.
        for limit in ["ulimit -f 0", "ulimit -f 1"] {
            let mut engine = engine(program_after(limit));
            let load = format!("option SettingsFile={}", path.display());
            assert_eq!(lines_after(&mut engine, &load), [""; 0]);
            let replies = lines_after(&mut engine, "option SaveSettings");
            assert!(
                replies.len() == 1 && replies[0].ends_with("the settings were not saved"),
                "{replies:?}"
            );
            assert_eq!(content(&path), "MultiPV=5\n");
            engine.exits_cleanly();
        }
        assert_eq!(count(&folder), 1 + usize::from(has_link));
    }
    // Without the limit, both names keep the same file.
    let inode = |path: &Path| fs::metadata(path).expect("a file").ino();
    let before = inode(&path);
    let mut engine = engine(program());
    engine.send(format!("option SettingsFile={}\n", path.display()));
    assert_eq!(lines_after(&mut engine, "option SaveSettings"), [""; 0]);
    assert_eq!((inode(&path), inode(&link)), (before, before));
    assert!(content(&link).starts_with("# Settings of Gaur"));
    engine.exits_cleanly();
}

#[test]
fn a_pipe_is_refused_at_once() {
    let folder = folder("pipe");
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be run").success());
    let mut engine = engine(program());
    for option in ["SettingsFile", "EvalFile"] {
        let replies = lines_after(&mut engine, &format!("option {option}={}", pipe.display()));
        assert!(replies[0].contains("not an ordinary file"), "{replies:?}");
    }
    engine.exits_cleanly();
}

/// Replaces the functions of the C library that open files: a file whose name begins with `blocks` is never opened, one
/// whose name begins with `slow` after 0.6 s.
const BLOCKING_OPEN: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list arguments; \
        va_start(arguments, flags); \
        int mode = va_arg(arguments, int); \
        va_end(arguments); \
        while (strstr(path, "/blocks")) pause(); \
        if (strstr(path, "/slow")) usleep(600000); \
        int (*original)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return original(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
"#;

/// Returns a command for the program, where files that are called `blocks` or `slow` in the folder behave so.
fn with_blocking_files(folder: &Path) -> Command {
    let (source, library) = (folder.join("open.c"), folder.join("open.so"));
    fs::write(&source, BLOCKING_OPEN).expect("written");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl");
    assert!(compiler.status().expect("Rust needs cc, too").success());
    let mut command = program();
    command.env("LD_PRELOAD", library);
    command
}

#[test]
fn a_file_that_blocks_delays_neither_moves_nor_the_end() {
    let folder = folder("blocks");
    let path = folder.join("blocks");
    fs::write(&path, "MultiPV=5\n").expect("written");
    for option in ["SettingsFile", "EvalFile"] {
        let load = format!("option {option}={}\n", path.display());
        println!("{load}");
        let mut playing = engine(with_blocking_files(&folder));
        playing.send("st 600\nusermove e2e4\n");
        playing.send(&load);
        playing.send("?\n");
        // The move comes before the error.
        assert!(playing.line().starts_with("move "));
        playing.send("st 1\nusermove d2d4\nping 1\n");
        let error = playing.line();
        assert!(error.contains("has not answered within"), "{error}");
        playing.line_with("move ");
        assert_eq!(playing.line(), "pong 1");
        playing.exits_cleanly();

        // Without an urgent command, the limit is several seconds.
        let mut idle = engine(with_blocking_files(&folder));
        let replies = lines_after(&mut idle, load.trim_end());
        assert!(
            replies.len() == 1 && replies[0].contains("has not answered within"),
            "{replies:?}"
        );
        idle.exits_cleanly();

        let mut quitting = engine(with_blocking_files(&folder));
        quitting.send(&load);
        let started = Instant::now();
        quitting.exits_cleanly();
        assert!(
            started.elapsed() < Duration::from_secs(4),
            "{:?}",
            started.elapsed()
        );
    }
}

/// Starts an engine that has written its settings to a file of this name. A later save opens the file first, which
/// blocks or is slow.
fn engine_with_saved_settings(folder: &Path, path: &Path) -> Engine {
    let mut engine = engine(with_blocking_files(folder));
    engine.send(format!("option SettingsFile={}\n", path.display()));
    // There is no file yet, so that none is opened.
    engine.line_with("telluser ");
    assert_eq!(lines_after(&mut engine, "option SaveSettings"), [""; 0]);
    engine
}

#[test]
fn a_settings_file_that_blocks_when_it_is_written_does_not_delay_moves() {
    let folder = folder("write");
    let path = folder.join("blocks");
    let mut engine = engine_with_saved_settings(&folder, &path);
    let before = content(&path);
    // The existing file is opened before it is replaced.
    engine.send("option MultiPV=3\noption SaveSettings\nst 1\nusermove e2e4\n");
    assert!(engine.line().starts_with("move "));
    let replies = lines_after(&mut engine, "go");
    assert!(
        replies
            .iter()
            .any(|line| line.contains("the settings were not saved")),
        "{replies:?}"
    );
    engine.exits_cleanly();
    assert_eq!(content(&path), before);
}

#[test]
fn replies_about_a_slow_save_precede_the_end() {
    let folder = folder("slow-quit");
    let path = folder.join("slow");
    let mut engine = engine_with_saved_settings(&folder, &path);
    engine.send("option MultiPV=3\noption SaveSettings\nping 5\nquit\n");
    engine.line_with("pong 5");
    engine.exits_cleanly();
    assert!(content(&path).contains("MultiPV=3"), "{}", content(&path));
}

/// The process would end 0.4 s after the signal if no file were being written.
#[test]
fn a_signal_does_not_interrupt_a_slow_save() {
    for quit in ["", "quit\n"] {
        signal_during_save(quit);
    }
}

fn signal_during_save(quit: &str) {
    let folder = folder("slow");
    let path = folder.join("slow");
    let mut engine = engine_with_saved_settings(&folder, &path);
    // The existing file is opened before it is replaced. The last line is answered meanwhile.
    engine.send("option MultiPV=3\noption SaveSettings\nnonsense\n");
    engine.line_with("Error ");
    engine.send(quit);
    let process = engine.child.id().to_string();
    let signal = Command::new("kill").args(["-TERM", &process]).status();
    assert!(signal.expect("kill can be run").success());
    engine.exit_within(TIMEOUT);
    assert!(content(&path).contains("MultiPV=3"), "{}", content(&path));
}

#[test]
fn many_files_that_block_leave_few_threads() {
    let folder = folder("threads");
    let path = folder.join("blocks");
    fs::write(&path, "MultiPV=5\n").expect("written");
    let mut engine = engine(with_blocking_files(&folder));
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/network/gaur.net");
    let replies = lines_after(&mut engine, &format!("option EvalFile={network}"));
    assert_eq!(replies, [""; 0]);
    let before = engine.threads();
    for _ in 0..12 {
        engine.send(format!("option EvalFile={}\nforce\n", path.display()));
        engine.line_with("tellusererror ");
    }
    thread::sleep(Duration::from_millis(100));
    assert!(
        engine.threads() <= before + 9,
        "{} threads",
        engine.threads()
    );
    // The built-in network needs no thread.
    assert_eq!(lines_after(&mut engine, "option EvalFile="), [""; 0]);
    engine.send("st 1\ngo\n");
    engine.line_with("move ");
    engine.exits_cleanly();
}
