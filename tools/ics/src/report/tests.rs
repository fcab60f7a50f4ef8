//! Tests of log, status line and JSON lines.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::rotation::RotatingFile;
use super::*;

/// An output whose text can be read while something writes to it. It fails if `failing` is set.
#[derive(Clone, Default)]
struct Output {
    text: Arc<Mutex<Vec<u8>>>,
    failing: bool,
}

impl Output {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.text.lock().unwrap())).unwrap()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.lock().unwrap().extend(bytes);
        if self.failing {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// Returns the lines of a log without their times, which must be complete.
fn lines(file: &Path) -> Vec<String> {
    read(file)
        .lines()
        .map(|line| {
            let (time, text) = line.split_once(' ').unwrap();
            assert_eq!(time.len(), "2026-11-25T23:27:40.123Z".len(), "{line}");
            humantime::parse_rfc3339(time).unwrap();
            text.to_owned()
        })
        .collect()
}

fn write(log: &mut Log, level: Level, text: &str) {
    log.write(level, text, SystemTime::now());
}

#[test]
fn log_marks_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.log");
    let mut log = Log::open(&file, 1, 2, true).unwrap();
    write(&mut log, Level::Info, "started");
    write(&mut log, Level::Notice, "game 7: won");
    write(&mut log, Level::Warning, "odd");
    write(&mut log, Level::Error, "two\nlines");
    write(&mut log, Level::FromServer, "fics% ");
    write(&mut log, Level::ToServer, "accept");
    write(&mut log, Level::FromEngine, "move e2e4");
    write(&mut log, Level::ToEngine, "");
    let expected = [
        "info: started",
        "info: game 7: won",
        "warning: odd",
        "error: two",
        "error: lines",
        "server > fics% ",
        "server < accept",
        "engine > move e2e4",
        "engine < ",
    ];
    assert_eq!(lines(&file), expected);
    // A second start continues the file.
    let mut log = Log::open(&file, 1, 2, true).unwrap();
    write(&mut log, Level::Info, "again");
    assert_eq!(lines(&file).len(), expected.len() + 1);
}

#[test]
fn traffic_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.log");
    let mut log = Log::open(&file, 1, 1, false).unwrap();
    write(&mut log, Level::FromServer, "text");
    write(&mut log, Level::ToEngine, "text");
    write(&mut log, Level::Info, "text");
    assert_eq!(lines(&file), ["info: text"]);
}

#[test]
fn log_never_contains_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.log");
    let mut log = Log::open(&file, 1, 1, true).unwrap();
    log.hide("");
    log.hide("hunter2");
    write(&mut log, Level::ToServer, "hunter2");
    write(&mut log, Level::Error, "wrong: xhunter2y\nhunter2");
    assert!(!read(&file).contains("hunter2"));
    assert_eq!(lines(&file)[0], "server < ********");
}

#[test]
fn text_of_others_cannot_imitate_lines_or_control_terminals() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.log");
    let mut log = Log::open(&file, 1, 1, true).unwrap();
    write(&mut log, Level::FromServer, "a\u{7}b\x1b[2Jc\rd\te\u{9b}");
    assert_eq!(lines(&file), ["server > a\\u{7}b\\u{1b}[2Jc\\rd\te\\u{9b}"]);
}

#[test]
fn log_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Log::open(folder.path(), 1, 1, true).unwrap_err();
    assert_eq!(error.file, folder.path());
    assert!(error.to_string().starts_with('/'), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_does_not_end_the_program() {
    let mut log = Log::open(Path::new("/dev/full"), 1, 1, true).unwrap();
    write(&mut log, Level::Info, "lost");
    write(&mut log, Level::Info, "lost, too");
}

#[test]
fn full_files_are_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.log");
    let numbered = |number: u32| folder.path().join(format!("a.log.{number}"));
    let mut rotating = RotatingFile::open(&file, 10, 3).unwrap();
    for text in ["aaaaa\n", "bbb\n", "ccccccccccccccc\n", "d\n", "e\n"] {
        rotating.write(text).unwrap();
    }
    assert_eq!(read(&file), "d\ne\n");
    assert_eq!(read(&numbered(1)), "ccccccccccccccc\n");
    assert_eq!(read(&numbered(2)), "aaaaa\nbbb\n");
    rotating.write("ffffffff\n").unwrap();
    assert_eq!(read(&numbered(2)), "ccccccccccccccc\n");
    assert!(!numbered(3).exists());
    // The size of an existing file counts.
    let mut rotating = RotatingFile::open(&file, 10, 3).unwrap();
    rotating.write("gg\n").unwrap();
    assert_eq!(read(&file), "gg\n");
    let mut single = RotatingFile::open(&file, 4, 1).unwrap();
    single.write("hhh\n").unwrap();
    assert_eq!(read(&file), "hhh\n");
}

proptest! {
    #[test]
    fn rotation_keeps_the_newest_lines(
        sizes in prop::collection::vec(0usize..30, 1..40), limit in 1u64..60, count in 1u32..5,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.log");
        let mut rotating = RotatingFile::open(&file, limit, count).unwrap();
        let mut all = String::new();
        for (index, size) in sizes.iter().enumerate() {
            let line = format!("{index}{}\n", "x".repeat(*size));
            rotating.write(&line).unwrap();
            all.push_str(&line);
        }
        let mut found = String::new();
        for number in (1..count).rev() {
            found.push_str(&std::fs::read_to_string(folder.path().join(format!("a.log.{number}"))).unwrap_or_default());
        }
        let newest = read(&file);
        prop_assert!(newest.len() as u64 <= limit || newest.lines().count() == 1);
        found.push_str(&newest);
        prop_assert!(all.ends_with(&found) && !newest.is_empty());
        prop_assert!(std::fs::read_dir(folder.path()).unwrap().count() <= count as usize);
    }
}

fn time() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(1_500)
}

#[test]
fn events_are_json_lines() {
    let output = Output::default();
    let mut json = JsonLines::to(Box::new(output.clone()), "GaurBot");
    let event = Event::GameEnded {
        game: 5,
        white: "GaurBot".to_owned(),
        black: "Rabbit".to_owned(),
        result: "1-0".to_owned(),
        reason: "Rabbit \"resigns\"\n".to_owned(),
        half_moves: 60,
        own_colour: "white",
        own_result: "won",
    };
    json.write(&event, time()).unwrap();
    assert_eq!(
        output.take(),
        "{\"time\":\"1970-01-01T00:00:01.500Z\",\"account\":\"GaurBot\",\"event\":\"game_ended\",\"game\":5,\
         \"white\":\"GaurBot\",\"black\":\"Rabbit\",\"result\":\"1-0\",\"reason\":\"Rabbit \\\"resigns\\\"\\n\",\
         \"half_moves\":60,\"own_colour\":\"white\",\"own_result\":\"won\"}\n"
    );
    let event = Event::LoggedIn {
        name: "GuestABCD".to_owned(),
    };
    json.write(&event, time()).unwrap();
    output.take();
    let event = Event::Disconnected {
        reason: "end".to_owned(),
        retry_seconds: None,
    };
    json.write(&event, time()).unwrap();
    let value: serde_json::Value = serde_json::from_str(&output.take()).unwrap();
    assert_eq!(value["account"], "GuestABCD");
    assert_eq!(value["event"], "disconnected");
    assert!(value["retry_seconds"].is_null());
}

#[test]
fn the_documentation_has_all_events_and_fields() {
    let page = include_str!("../../../../docs/ics-json.md");
    let text = || "x".to_owned();
    let events = [
        Event::Connected {
            host: text(),
            port: 1,
        },
        Event::LoggedIn { name: text() },
        Event::Disconnected {
            reason: text(),
            retry_seconds: None,
        },
        Event::Challenge {
            opponent: text(),
            terms: text(),
            accepted: true,
            reason: text(),
        },
        Event::ChallengeSent {
            opponent: text(),
            purpose: "rematch",
        },
        Event::GameStarted {
            game: 1,
            white: text(),
            black: text(),
            terms: text(),
            resumed: true,
        },
        Event::GameEnded {
            game: 1,
            white: text(),
            black: text(),
            result: text(),
            reason: text(),
            half_moves: 1,
            own_colour: "white",
            own_result: "won",
        },
        Event::EngineStarted { name: text() },
        Event::EngineFailed { reason: text() },
        Event::Stopping { reason: text() },
        Event::Warning { text: text() },
        Event::Error { text: text() },
        stopped(),
    ];
    for event in &events {
        let value = serde_json::to_value(event).unwrap();
        let name = value["event"].as_str().unwrap();
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")))
            .unwrap_or_else(|| panic!("{name}"));
        for field in value.as_object().unwrap().keys() {
            assert!(
                field == "event" || row.contains(&format!("`{field}`")),
                "{name}: {field}"
            );
        }
    }
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), events.len() + 3);
}

fn stopped() -> Event {
    Event::Stopped {
        status: 0,
        reason: "stopped".to_owned(),
    }
}

#[test]
fn events_are_appended_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    for _ in 0..2 {
        let mut json = JsonLines::open(&file, "A").unwrap();
        json.write(&stopped(), time()).unwrap();
    }
    assert_eq!(read(&file).lines().count(), 2);
    assert!(JsonLines::open(folder.path(), "A").is_err());
    JsonLines::none().write(&stopped(), time()).unwrap();
}

#[test]
fn reader_that_is_gone_is_reported_once() {
    let output = Output {
        failing: true,
        ..Output::default()
    };
    let mut json = JsonLines::to(Box::new(output), "A");
    assert!(json.write(&stopped(), time()).is_err());
    assert!(json.write(&stopped(), time()).is_ok());
}

fn view() -> StatusView {
    StatusView {
        account: "GaurBot".to_owned(),
        state: "playing White".to_owned(),
        opponent: "Rabbit".to_owned(),
        clocks: Some((Duration::from_millis(299_900), Duration::from_secs(3_725))),
        score: Some(35),
        results: (5, 4, 3),
    }
}

#[test]
fn status_line_shows_the_game() {
    let output = Output::default();
    let mut line = StatusLine::to(Some(Box::new(output.clone())), 100);
    line.show(&view());
    let expected = "GaurBot  playing White  own 4:59  Rabbit 1:02:05  +0.35  games: 12 (+5 -4 =3)";
    assert_eq!(output.take(), format!("\r\x1b[K{expected}"));
    line.show(&view());
    assert_eq!(output.take(), "");
    line.clear();
    assert_eq!(output.take(), "\r\x1b[K");
    line.clear();
    assert_eq!(output.take(), "");
    line.show(&StatusView {
        state: "logging in".to_owned(),
        ..StatusView::default()
    });
    // A guest has no name yet.
    assert_eq!(output.take(), "\r\x1b[Klogging in  games: 0 (+0 -0 =0)");
    drop(line);
    assert_eq!(output.take(), "\r\x1b[K");
}

#[test]
fn status_line_fits_the_terminal() {
    let output = Output::default();
    for width in [0, 1, 2, 20, 60] {
        let mut line = StatusLine::to(Some(Box::new(output.clone())), width);
        let long = StatusView {
            opponent: "é".repeat(200),
            ..view()
        };
        line.show(&long);
        let shown = output.take();
        let text = shown.strip_prefix("\r\x1b[K").unwrap_or(&shown);
        assert_eq!(text.chars().count(), width.saturating_sub(1));
        drop(line);
        output.take();
    }
}

#[test]
fn a_narrow_terminal_shows_clocks_and_score() {
    let output = Output::default();
    for (width, expected) in [
        (
            72,
            "playing White  own 4:59  Rabbit 1:02:05  +0.35  games: 12 (+5 -4 =3)",
        ),
        (60, "playing White  own 4:59  Rabbit 1:02:05  +0.35"),
        (40, "own 4:59  Rabbit 1:02:05  +0.35"),
    ] {
        let mut line = StatusLine::to(Some(Box::new(output.clone())), width);
        line.show(&view());
        assert_eq!(output.take(), format!("\r\x1b[K{expected}"));
        drop(line);
        output.take();
    }
}

#[test]
fn names_cannot_control_the_terminal() {
    let view = StatusView {
        opponent: "a\x1b[2J\r\n".to_owned(),
        ..view()
    };
    assert!(!view.to_string().contains(char::is_control));
}

#[test]
fn output_that_is_no_terminal_gets_no_status_line() {
    let mut line = StatusLine::to(None, 80);
    line.show(&view());
    line.clear();
    let failing = Output {
        failing: true,
        ..Output::default()
    };
    let mut line = StatusLine::to(Some(Box::new(failing.clone())), 80);
    line.show(&view());
    failing.take();
    line.clear();
    assert_eq!(failing.take(), "");
}
