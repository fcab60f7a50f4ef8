//! The log, written for real.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Settings that log into this folder, which is still to be created.
/// Stands for the settings of the engine.
const SUMMARY: &str = "Config { all settings }";

fn config(folder: &TempDir) -> LogSettings {
    LogSettings {
        folder: folder.path().join("logs"),
        ..LogSettings::default()
    }
}

/// The texts of all logs, by name.
fn logs(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("logs")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path| fs::read_to_string(path).expect("a readable log");
    paths.iter().map(read).collect()
}

#[test]
fn traffic_is_noted_with_its_time() {
    let folder = folder();
    let began = Instant::now();
    let (log, troubles) = Log::start(began).expect("a thread");
    log.received("before", began);
    log.configure(&config(&folder), SUMMARY);
    log.received("usermove e2e4", began + Duration::from_millis(1234));
    log.received("name \u{1b}[1m\r", began + Duration::from_secs(100_000));
    log.received(&"x".repeat(5000), began);
    log.sent("move e7e5\npong 1\n");
    log.configure(&LogSettings::default(), SUMMARY);
    log.received("after", began);
    log.flush(Instant::now() + PATIENCE);
    let logs = logs(&folder);
    let [text] = &logs[..] else {
        panic!("one log: {logs:?}")
    };
    assert!(text.starts_with(concat!("# Gaur ", env!("CARGO_PKG_VERSION"), " on ")));
    assert!(text.contains(&format!("\n# {SUMMARY}\n")));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[0], "     1234 > usermove e2e4");
    assert_eq!(lines[1], r"100000000 > name \u{1b}[1m\r");
    // The times are those of the arrival, in whatever order the lines are dealt with.
    assert!(lines[2].starts_with("        0 > xxx"));
    assert!(lines[2].ends_with("xxx ... (1000 characters more)"));
    assert!(lines[3].ends_with(" < move e7e5"));
    assert!(lines[4].ends_with(" < pong 1"));
    assert_eq!(lines.len(), 5);
    assert!(troubles.is_empty());
}

#[test]
fn a_full_log_goes_on_in_another_file_and_the_oldest_go() {
    let folder = folder();
    let (log, _troubles) = Log::start(Instant::now()).expect("a thread");
    let config = LogSettings {
        max_megabytes: 1,
        ..config(&folder)
    };
    fs::create_dir(&config.folder).expect("a folder");
    let stranger = config.folder.join("notes.log");
    fs::write(&stranger, "not ours").expect("a writable folder");
    log.configure(&config, SUMMARY);
    let line = "x".repeat(4000);
    for _ in 0..25 {
        for _ in 0..300 {
            log.received(&line, Instant::now());
        }
        log.flush(Instant::now() + PATIENCE);
    }
    fs::remove_file(&stranger).expect("a file that is not ours stays");
    let logs = logs(&folder);
    assert_eq!(logs.len(), 20);
    let most = (1 << 20) + 2 * BLOCK;
    assert!(
        logs.iter()
            .all(|log| log.starts_with("# Gaur ") && log.len() < most)
    );
}

#[test]
fn what_finds_no_room_is_counted() {
    let (queue, entries) = bounded(2);
    let (trouble, troubles) = unbounded();
    let log = Log {
        queue,
        open: Arc::new(AtomicBool::new(true)),
        lost: Arc::default(),
        trouble,
    };
    for number in 1..=5 {
        log.received(&format!("ping {number}"), Instant::now());
    }
    let mut text = String::new();
    entries
        .try_iter()
        .for_each(|entry| entry.spell(Instant::now(), &mut text));
    log.received("ping 6", Instant::now());
    entries
        .try_iter()
        .for_each(|entry| entry.spell(Instant::now(), &mut text));
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    assert_eq!(
        lines,
        [
            "0 > ping 1",
            "0 > ping 2",
            "# 3 lines lost: the disk was too slow",
            "0 > ping 6"
        ]
    );
    // Nor does a change of the settings wait.
    for _ in 0..3 {
        log.configure(&LogSettings::default(), SUMMARY);
    }
    assert_eq!(troubles.try_iter().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_none_is_told_once() {
    let (log, troubles) = Log::start(Instant::now()).expect("a thread");
    let unusable = LogSettings {
        folder: "/dev/null".into(),
        ..LogSettings::default()
    };
    log.configure(&unusable, SUMMARY);
    log.received("ping 1", Instant::now());
    log.flush(Instant::now() + PATIENCE);
    let told: Vec<LogTrouble> = troubles.try_iter().collect();
    let expected = LogTrouble {
        folder: "/dev/null".into(),
        reason: "no log is written to /dev/null: that is no folder".to_owned(),
    };
    assert_eq!(told, [expected]);
    log.received("ping 2", Instant::now());
    log.flush(Instant::now() + PATIENCE);
    assert!(troubles.is_empty());

    let folder = folder();
    log.configure(&config(&folder), SUMMARY);
    log.received("ping 3", Instant::now());
    log.flush(Instant::now() + PATIENCE);
    assert!(logs(&folder)[0].ends_with(" > ping 3\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_once() {
    let folder = folder();
    let (trouble, troubles) = unbounded();
    let mut file =
        LogFile::open(&config(&folder), SUMMARY, Instant::now()).expect("a writable folder");
    file.redirect("/dev/full");
    let mut writer = Writer {
        began: Instant::now(),
        open: Arc::new(AtomicBool::new(true)),
        trouble,
        file: Some(file),
        text: String::new(),
    };
    for _ in 0..2 {
        writer.take_in(Entry::line(Mark::Received, "ping 1", Instant::now()));
        writer.write();
    }
    let told: Vec<LogTrouble> = troubles.try_iter().collect();
    let [told] = &told[..] else {
        panic!("once: {told:?}")
    };
    assert!(told.reason.ends_with(": the disk is full"), "{told:?}");
    assert!(!writer.open.load(Ordering::Acquire));
}

#[test]
fn a_log_that_was_wanted_for_an_instant_is_closed() {
    let folder = folder();
    let (trouble, _troubles) = unbounded();
    let mut writer = Writer {
        began: Instant::now(),
        open: Arc::default(),
        trouble,
        file: None,
        text: String::new(),
    };
    for config in [config(&folder), LogSettings::default()] {
        writer.take_in(Entry::Settings(config, SUMMARY.to_owned()));
    }
    assert!(!writer.open.load(Ordering::Acquire));
}

#[test]
fn a_panic_is_noted_with_its_place() {
    let folder = folder();
    let (log, _troubles) = Log::start(Instant::now()).expect("a thread");
    log.configure(&config(&folder), SUMMARY);
    log.note_panics();
    let end = thread::Builder::new()
        .name("victim".to_owned())
        .spawn(|| panic!("for the log"))
        .expect("a thread")
        .join();
    assert!(end.is_err());
    let text = &logs(&folder)[0];
    assert!(
        text.contains("# thread victim panicked at src/runtime/log/tests.rs:"),
        "{text}"
    );
    assert!(text.contains("# for the log\n"));
}
