//! The log of the engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, TIMEOUT, program, program_after};

/// Returns an empty folder in Cargo's folder for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("log-{name}"));
    // It may exist from an earlier run.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// Returns the texts of the logs in a folder.
fn logs(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let read = |entry: fs::DirEntry| fs::read_to_string(entry.path()).expect("a readable log");
    entries.flatten().map(read).collect()
}

fn logging_to(folder: &Path) -> Command {
    let mut command = program();
    command.env("GAUR_LOG", folder);
    command
}

/// Returns the lines of a log without their times and without comments.
fn traffic(log: &str) -> Vec<&str> {
    log.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.trim_start().split_once(' '))
        .map(|(_, line)| line)
        .filter(|line| !line.starts_with('#'))
        .collect()
}

#[test]
fn the_log_is_complete_from_the_first_line_to_quit() {
    let folder = folder("whole");
    let mut engine = Engine::start(logging_to(&folder));
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\neasy\nsd 2\nusermove e2e4\n");
    let played = engine.line_with("move ");
    engine.send("option LogNote=the clock jumped\n");
    engine.ping(7);
    engine.exits_cleanly();
    let logs = logs(&folder);
    let [log] = &logs[..] else {
        panic!("one log: {logs:?}")
    };
    let traffic = traffic(log);
    assert_eq!(traffic[..2], ["> xboard", "> protover 2"]);
    assert!(traffic.contains(&"< feature done=1"));
    assert!(traffic.contains(&format!("< {played}").as_str()));
    let end = [
        "> option LogNote=the clock jumped",
        "> ping 7",
        "< pong 7",
        "> quit",
    ];
    assert_eq!(traffic[traffic.len() - 4..], end);
}

#[test]
fn a_kill_loses_no_logged_line() {
    let folder = folder("kill");
    let mut engine = Engine::start(logging_to(&folder));
    for number in 0..1000 {
        engine.ping(number);
    }
    // The log may be slightly late.
    let start_time = Instant::now();
    while !logs(&folder).concat().ends_with(" < pong 999\n") && start_time.elapsed() < TIMEOUT {
        thread::sleep(Duration::from_millis(10));
    }
    engine.child.kill().expect("a child");
    engine.exit_within(TIMEOUT);
    let log = logs(&folder).concat();
    assert!(log.ends_with(" < pong 999\n"));
    assert!(!log.contains("lost"));
}

#[test]
fn the_option_opens_and_closes_it() {
    let folder = folder("option");
    let inner = folder.join("made by the engine");
    let mut engine = Engine::start(program());
    engine.send("xboard\nprotover 2\nnew\n");
    engine.send(format!("option LogFolder={}\n", inner.display()));
    engine.ping(1);
    engine.send("option LogFolder=\n");
    engine.ping(2);
    engine.exits_cleanly();
    let log = logs(&inner).concat();
    assert!(log.contains("> ping 1\n") && log.contains("< pong 1\n"));
    assert!(!log.contains("ping 2"));
    assert!(log.contains("made by the engine"), "the settings are named");
}

#[test]
fn two_engines_share_a_folder() {
    let folder = folder("two");
    let mut engines = [(); 2].map(|()| Engine::start(logging_to(&folder)));
    for number in 0..100 {
        for engine in &mut engines {
            engine.ping(number);
        }
    }
    for engine in engines {
        engine.exits_cleanly();
    }
    let logs = logs(&folder);
    assert_eq!(logs.len(), 2);
    for log in logs {
        assert_eq!(log.matches("> ping ").count(), 100);
        assert_eq!(log.matches("< pong ").count(), 100);
    }
}

/// Checks that the engine reports the missing log once, after its features, and plays on.
fn plays_on_without(mut engine: Engine, reason: &str) {
    engine.send("xboard\n");
    thread::sleep(Duration::from_millis(200));
    engine.send("protover 2\nping 1\n");
    assert!(engine.line().starts_with("feature "));
    let mut complaints = Vec::new();
    let mut see_until = |engine: &mut Engine, end: &str| {
        loop {
            match engine.line() {
                line if line == end => return complaints.len(),
                line if line.starts_with("tellusererror ") => complaints.push(line),
                line => assert!(!line.is_empty(), "the engine left"),
            }
        }
    };
    // The thread of the log may be late.
    let start_time = Instant::now();
    while see_until(&mut engine, "pong 1") == 0 && start_time.elapsed() < TIMEOUT {
        thread::sleep(Duration::from_millis(10));
        engine.send("ping 1\n");
    }
    engine.send("new\nsd 2\nusermove e2e4\nping 2\n");
    see_until(&mut engine, "pong 2");
    let [complaint] = &complaints[..] else {
        panic!("one complaint: {complaints:?}")
    };
    assert!(complaint.contains(reason), "{complaint}");
    engine.exits_cleanly();
}

#[test]
fn it_plays_on_when_the_folder_cannot_be_used() {
    let folder = folder("unusable");
    let file = folder.join("file");
    fs::write(&file, "").expect("a writable folder");
    plays_on_without(Engine::start(logging_to(&file)), "that is no folder");
    plays_on_without(
        Engine::start(logging_to(Path::new("/proc/no such folder"))),
        "Gaur plays on without a log",
    );

    // No user may create files there, not even the superuser.
    plays_on_without(
        Engine::start(logging_to(Path::new("/dev/pts"))),
        "must not be written to",
    );
}

#[test]
fn it_plays_on_when_the_log_reaches_the_largest_file_size() {
    // Half a megabyte per file, then writing fails. The system also sends SIGXFSZ, which ends other programs.
    for (name, limit) in [
        ("ignored", "trap '' XFSZ; ulimit -f 512"),
        ("default", "trap - XFSZ; ulimit -f 512"),
    ] {
        plays_on_when_its_log_is_limited(name, limit);
    }
}

fn plays_on_when_its_log_is_limited(name: &str, limit: &str) {
    let folder = folder(name);
    let mut command = program_after(limit);
    command.env("GAUR_LOG", &folder);
    let mut engine = Engine::start(command);
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\nforce\n");
    let mut complaints = Vec::new();
    for number in 0..40_000 {
        engine.send(format!("ping {number}\n"));
        loop {
            let line = engine.line();
            if line == format!("pong {number}") {
                break;
            }
            complaints.push(line);
        }
    }
    let [complaint] = &complaints[..] else {
        panic!("one complaint: {complaints:?}")
    };
    assert!(
        complaint.starts_with("tellusererror no log is written to ")
            && complaint.contains("largest size"),
        "{complaint}"
    );
    engine.send("sd 2\nusermove e2e4\ngo\n");
    engine.line_with("move ");
    engine.exits_cleanly();
}

#[test]
fn it_plays_on_when_no_log_of_any_length_can_be_written() {
    let folder = folder("none");
    for limit in ["ulimit -f 0", "ulimit -f 1"] {
        let mut command = program_after(limit);
        command.env("GAUR_LOG", &folder);
        plays_on_without(Engine::start(command), "largest size");
    }
}

#[test]
fn a_deleted_folder_is_created_again_with_the_next_file() {
    let folder = folder("vanishing");
    let mut engine = Engine::start(logging_to(&folder));
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\nforce\noption LogSize=1\n");
    engine.ping(1);
    fs::remove_dir_all(&folder).expect("our own folder");
    let remark = format!("option LogNote={}\n", "x".repeat(3000));
    for number in 0..500 {
        engine.send(&remark);
        engine.ping(number);
    }
    // The log may be slightly late.
    let is_written = || folder.exists() && logs(&folder).concat().contains("< pong 499\n");
    let start_time = Instant::now();
    while !is_written() && start_time.elapsed() < TIMEOUT {
        thread::sleep(Duration::from_millis(10));
    }
    engine.exits_cleanly();
    let log = logs(&folder).concat();
    assert!(log.starts_with("# Gaur ") && log.contains("< pong 499\n"));
}

#[test]
fn logging_does_not_slow_the_engine_down() {
    let folder = folder("speed");
    let time = |command: Command| {
        let mut engine = Engine::start(command);
        engine.send("new\nforce\n");
        engine.ping(0);
        let started = Instant::now();
        for number in 0..5000 {
            engine.ping(number);
        }
        started.elapsed()
    };
    let without = time(program());
    let with = time(logging_to(&folder));
    // The two alternate, because the machine may be busy. The test looks for a wait for the disk.
    assert!(
        with < without * 5 + Duration::from_secs(2),
        "{with:?} with a log, {without:?} without"
    );
}
