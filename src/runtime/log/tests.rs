//! The log with real files.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

const TIMEOUT: Duration = Duration::from_secs(20);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Stands for the settings of the engine.
const SUMMARY: &str = "Config { all settings }";

/// Settings for a log in a folder that does not exist yet.
fn config(folder: &TempDir) -> LogSettings {
    LogSettings {
        folder: folder.path().join("logs"),
        ..LogSettings::default()
    }
}

/// The texts of all logs, sorted by name.
fn logs(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("logs")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path| fs::read_to_string(path).expect("a readable log");
    paths.iter().map(read).collect()
}

#[test]
fn traffic_is_logged_with_its_time() {
    let folder = folder();
    let began = Instant::now();
    let (log, failures) = Log::start(began).expect("a thread");
    log.received("before", began);
    log.configure(&config(&folder), SUMMARY);
    log.received("usermove e2e4", began + Duration::from_millis(1234));
    log.received("name \u{1b}[1m\r", began + Duration::from_secs(100_000));
    log.received("name \u{202e}gpj.\u{2066}\u{200b}\u{e9}", began);
    log.received(&"x".repeat(5000), began);
    log.sent("move e7e5\npong 1\n");
    log.configure(&LogSettings::default(), SUMMARY);
    log.received("after", began);
    log.flush(Instant::now() + TIMEOUT);
    let logs = logs(&folder);
    let [text] = &logs[..] else {
        panic!("one log: {logs:?}")
    };
    assert!(text.starts_with(concat!("# Gaur ", env!("CARGO_PKG_VERSION"), " on ")));
    assert!(text.contains(&format!("\n# {SUMMARY}\n")));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[0], "     1234 > usermove e2e4");
    assert_eq!(lines[1], r"100000000 > name \u{1b}[1m\r");
    // Times of arrival, independent of the order in which lines are handled.
    assert_eq!(
        lines[2],
        "        0 > name \\u{202e}gpj.\\u{2066}\\u{200b}\u{e9}"
    );
    assert!(lines[3].starts_with("        0 > xxx"));
    assert!(lines[3].ends_with("xxx ... (1000 characters more)"));
    assert!(lines[4].ends_with(" < move e7e5"));
    assert!(lines[5].ends_with(" < pong 1"));
    assert!(lines[6].ends_with(" # the option LogFolder is empty: end of the log"));
    assert_eq!(lines.len(), 7);
    assert!(failures.is_empty());
}

#[test]
fn a_full_log_continues_in_another_file_and_the_oldest_is_removed() {
    let folder = folder();
    let (log, _failures) = Log::start(Instant::now()).expect("a thread");
    let config = LogSettings {
        max_megabytes: 1,
        ..config(&folder)
    };
    fs::create_dir(&config.folder).expect("a folder");
    let other_file = config.folder.join("notes.log");
    fs::write(&other_file, "not a log").expect("a writable folder");
    log.configure(&config, SUMMARY);
    let line = "x".repeat(4000);
    for _ in 0..25 {
        for _ in 0..300 {
            log.received(&line, Instant::now());
        }
        log.flush(Instant::now() + TIMEOUT);
    }
    fs::remove_file(&other_file).expect("a file that is not a log stays");
    let logs = logs(&folder);
    assert_eq!(logs.len(), 20);
    let max_bytes = (1 << 20) + 2 * WRITE_BYTES;
    assert!(
        logs.iter()
            .all(|log| log.starts_with("# Gaur ") && log.len() < max_bytes)
    );
}

#[test]
fn dropped_lines_are_counted() {
    let (log, writer, failures) = Log::with_capacity(2, Instant::now());
    let entries = writer.entries;
    log.open.renew(true);
    for number in 1..=5 {
        log.received(&format!("ping {number}"), Instant::now());
    }
    let mut text = String::new();
    entries
        .try_iter()
        .for_each(|entry| entry.write_line(Instant::now(), &mut text));
    log.received("ping 6", Instant::now());
    entries
        .try_iter()
        .for_each(|entry| entry.write_line(Instant::now(), &mut text));
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
    // A change of settings does not wait, either. The first one adds a line.
    for _ in 0..2 {
        log.configure(&LogSettings::default(), SUMMARY);
    }
    assert_eq!(failures.try_iter().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_unusable_folder_is_reported_once() {
    let (log, failures) = Log::start(Instant::now()).expect("a thread");
    let unusable = LogSettings {
        folder: "/dev/null".into(),
        ..LogSettings::default()
    };
    log.configure(&unusable, SUMMARY);
    log.received("ping 1", Instant::now());
    log.flush(Instant::now() + TIMEOUT);
    let reported: Vec<LogFailure> = failures.try_iter().collect();
    let expected = LogFailure {
        folder: "/dev/null".into(),
        reason: "no log is written to /dev/null: that is no folder".to_owned(),
    };
    assert_eq!(reported, [expected]);
    log.received("ping 2", Instant::now());
    log.flush(Instant::now() + TIMEOUT);
    assert!(failures.is_empty());

    let folder = folder();
    log.configure(&config(&folder), SUMMARY);
    log.received("ping 3", Instant::now());
    log.flush(Instant::now() + TIMEOUT);
    assert!(logs(&folder)[0].ends_with(" > ping 3\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_once() {
    let folder = folder();
    let (log, mut writer, failures) = Log::with_capacity(10, Instant::now());
    log.configure(&config(&folder), SUMMARY);
    writer.handle_waiting();
    let file = writer.file.as_mut().expect("a writable folder");
    file.redirect("/dev/full");
    for _ in 0..2 {
        log.received("ping 1", Instant::now());
        writer.handle_waiting();
    }
    let reported: Vec<LogFailure> = failures.try_iter().collect();
    let [failure] = &reported[..] else {
        panic!("once: {reported:?}")
    };
    assert!(
        failure.reason.ends_with(": the disk is full"),
        "{failure:?}"
    );
    assert!(!log.open.is_open());
}

#[test]
fn a_log_that_is_switched_off_at_once_is_closed() {
    let folder = folder();
    let (log, mut writer, _failures) = Log::with_capacity(10, Instant::now());
    log.configure(&config(&folder), SUMMARY);
    log.received("ping 1", Instant::now());
    log.configure(&LogSettings::default(), SUMMARY);
    writer.handle_waiting();
    assert!(!log.open.is_open() && writer.file.is_none());
    assert!(logs(&folder)[0].contains(" > ping 1\n"));
}

#[cfg(unix)]
#[test]
fn a_failure_does_not_close_the_log_of_newer_settings() {
    let folder = folder();
    let (log, mut writer, failures) = Log::with_capacity(10, Instant::now());
    let unusable = LogSettings {
        folder: "/dev/null".into(),
        ..LogSettings::default()
    };
    log.configure(&unusable, SUMMARY);
    log.configure(&config(&folder), SUMMARY);
    log.received("ping 1", Instant::now());
    writer.handle_waiting();
    assert!(log.open.is_open() && failures.is_empty());
    assert!(logs(&folder)[0].ends_with(" > ping 1\n"));
}

#[test]
fn a_log_that_has_been_given_up_stays_closed() {
    let folder = folder();
    let (log, mut writer, failures) = Log::with_capacity(1, Instant::now());
    log.configure(&config(&folder), SUMMARY);
    let other = LogSettings {
        folder: folder.path().join("other"),
        ..LogSettings::default()
    };
    log.configure(&other, SUMMARY);
    let reported: Vec<PathBuf> = failures.try_iter().map(|failure| failure.folder).collect();
    assert_eq!(reported, [other.folder]);
    // The disk has recovered.
    writer.handle_waiting();
    assert!(!log.open.is_open());
}

#[test]
fn a_panic_is_logged_with_its_place() {
    let folder = folder();
    let (log, _failures) = Log::start(Instant::now()).expect("a thread");
    log.configure(&config(&folder), SUMMARY);
    log.log_panics();
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
