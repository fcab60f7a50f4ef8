//! The engine's own log, as an operator meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, PATIENCE, program, program_after};

/// An empty folder in the folder that Cargo keeps for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("log-{name}"));
    // It may be left from an earlier run, or not be there.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// The texts of the logs in a folder.
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

/// The lines of a log without their times.
fn traffic(log: &str) -> Vec<&str> {
    log.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.trim_start().split_once(' '))
        .map(|(_, line)| line)
        .collect()
}

#[test]
fn everything_from_the_first_line_to_quit_is_there() {
    let folder = folder("whole");
    let mut engine = Engine::start(logging_to(&folder));
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\neasy\nsd 2\nusermove e2e4\n");
    let played = engine.line_with("move ");
    engine.send("option LogNote=the clock jumped\n");
    engine.ping(7);
    engine.leaves_quietly();
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
fn a_kill_loses_nothing_that_was_said() {
    let folder = folder("kill");
    let mut engine = Engine::start(logging_to(&folder));
    for number in 0..1000 {
        engine.ping(number);
    }
    // The log may be a moment behind.
    let begun = Instant::now();
    while !logs(&folder).concat().ends_with(" < pong 999\n") && begun.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(10));
    }
    engine.child.kill().expect("a child");
    engine.exit_within(PATIENCE);
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
    engine.leaves_quietly();
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
        engine.leaves_quietly();
    }
    let logs = logs(&folder);
    assert_eq!(logs.len(), 2);
    for log in logs {
        assert_eq!(log.matches("> ping ").count(), 100);
        assert_eq!(log.matches("< pong ").count(), 100);
    }
}

/// The engine says once that there is no log, not before its features, and plays on.
fn plays_on_without(mut engine: Engine, reason: &str) {
    engine.send("xboard\n");
    thread::sleep(Duration::from_millis(200));
    engine.send("protover 2\nping 1\n");
    assert!(engine.line().starts_with("feature "));
    let mut complaints = Vec::new();
    let mut see = |line: String| {
        if line.starts_with("tellusererror ") {
            complaints.push(line);
        }
    };
    loop {
        match engine.line() {
            line if line == "pong 1" => break,
            line => see(line),
        }
    }
    engine.send("new\nsd 2\nusermove e2e4\nping 2\n");
    loop {
        match engine.line() {
            line if line == "pong 2" => break,
            line => see(line),
        }
    }
    let [complaint] = &complaints[..] else {
        panic!("one complaint: {complaints:?}")
    };
    assert!(complaint.contains(reason), "{complaint}");
    engine.leaves_quietly();
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

    // Nobody may put files there, not even the superuser.
    plays_on_without(
        Engine::start(logging_to(Path::new("/dev/pts"))),
        "must not be written to",
    );
}

#[test]
fn it_plays_on_when_the_disk_is_full() {
    let folder = folder("limit");
    // Half a megabyte per file, then writing fails as on a full disk.
    let mut command = program_after("trap '' XFSZ; ulimit -f 512");
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
        complaint.starts_with("tellusererror no log is written to "),
        "{complaint}"
    );
    engine.send("sd 2\nusermove e2e4\ngo\n");
    engine.line_with("move ");
    engine.leaves_quietly();
}

#[test]
fn a_folder_that_vanishes_comes_back_with_the_next_file() {
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
    engine.leaves_quietly();
    let log = logs(&folder).concat();
    assert!(log.starts_with("# Gaur ") && log.contains("< pong 499\n"));
}

#[test]
fn it_does_not_slow_the_engine_down() {
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
    // They take turns on a machine that has other things to do: what is looked for is a wait for the disk.
    assert!(
        with < without * 5 + Duration::from_secs(2),
        "{with:?} with a log, {without:?} without"
    );
}
