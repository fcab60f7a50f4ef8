//! Tests of the thread with outputs that take no text.

use std::io::Write;
use std::path::Path;

use super::*;

/// Longest wait. Only a failure takes so long.
const TIMEOUT: Duration = Duration::from_secs(20);

/// An output that takes text only after the other end of its channel is dropped, and passes it on.
struct Stopped(Receiver<()>, Sender<String>);

impl Write for Stopped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        let _ = self.1.send(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts a thread with a log file, and JSON lines that wait until the returned sender is dropped.
fn start(file: &Path) -> (ReportThread, Sender<()>, Receiver<String>) {
    let log = Log::open(file, 100, 1, true).expect("a file");
    let (stopped, waits) = bounded(0);
    let (sender, written) = unbounded();
    let json = JsonLines::to(Box::new(Stopped(waits, sender)), "Gaur");
    let thread = ReportThread::start(log, json, StatusLine::new(false)).expect("a thread");
    (thread, stopped, written)
}

fn connected(port: u16) -> Event {
    let host = "localhost".to_owned();
    Event::Connected { host, port }
}

#[test]
fn an_output_that_takes_nothing_delays_no_report_and_fills_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.log");
    let (thread, stopped, written) = start(&file);
    let reports = thread.reports().clone();
    reports.event(connected(0));
    let padding = "x".repeat(1000);
    for number in 0..20_000 {
        reports.log(Level::FromServer, &format!("line {number} {padding}"));
    }
    let (waiting, dropped) = {
        let queue = lock(&reports.queue);
        (queue.waiting, queue.dropped)
    };
    assert!(waiting <= MEMORY, "{waiting} bytes wait");
    assert!(dropped > 10_000, "{dropped} lines are dropped");
    drop(stopped);
    // As soon as the queue is shorter, the next line follows a note.
    let until = std::time::Instant::now() + TIMEOUT;
    while lock(&reports.queue).waiting > MEMORY / 2 {
        assert!(std::time::Instant::now() < until, "nothing is written");
        thread::sleep(Duration::from_millis(1));
    }
    reports.log(Level::FromServer, "after");
    assert!(thread.finish(TIMEOUT));
    // The event, and the note as an event.
    assert_eq!(written.try_iter().count(), 2);
    let text = std::fs::read_to_string(&file).expect("a log");
    let lines: Vec<&str> = text.lines().collect();
    let kept = lines.len() - 2;
    assert_eq!(kept, 20_000 - usize::try_from(dropped).expect("a number"));
    for (number, line) in lines[..kept].iter().enumerate() {
        assert!(line.contains(&format!(" line {number} x")), "{line}");
    }
    assert!(
        lines[kept].contains(&format!("warning: {dropped} lines of the log")),
        "{}",
        lines[kept]
    );
    assert!(lines[kept + 1].ends_with("server > after"));
}

#[test]
fn what_is_dropped_last_is_noted_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.log");
    let (thread, stopped, _written) = start(&file);
    thread.reports().event(connected(0));
    for _ in 0..20 {
        let text = "x".repeat(1 << 20);
        thread.reports().log(Level::Info, &text);
    }
    drop(stopped);
    assert!(thread.finish(TIMEOUT));
    let text = std::fs::read_to_string(&file).expect("a log");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.contains(" lines of the log and events are lost"));
}

#[test]
fn the_end_does_not_wait_for_an_output_that_takes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (thread, stopped, _written) = start(&folder.path().join("a.log"));
    thread.reports().event(connected(0));
    assert!(!thread.finish(Duration::from_millis(50)));
    drop(stopped);
}

#[test]
fn times_are_those_of_the_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.log");
    let (thread, stopped, written) = start(&file);
    thread.reports().event(connected(0));
    thread.reports().event(connected(1));
    thread.reports().log(Level::Info, "a line");
    thread::sleep(Duration::from_millis(20));
    let later = SystemTime::now();
    drop(stopped);
    assert!(thread.finish(TIMEOUT));
    let text = std::fs::read_to_string(&file).expect("a log");
    let time = text.split(' ').next().unwrap_or_default();
    assert!(humantime::parse_rfc3339(time).expect("a time") < later);
    for line in written.try_iter() {
        let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let time = value["time"].as_str().expect("a text");
        assert!(humantime::parse_rfc3339(time).expect("a time") < later);
    }
}

#[test]
fn warnings_and_errors_are_events_without_secrets() {
    let mut log = Log::to_stderr();
    log.hide("hunter2");
    let (stopped, waits) = bounded::<()>(0);
    drop(stopped);
    let (sender, written) = unbounded();
    let json = JsonLines::to(Box::new(Stopped(waits, sender)), "Gaur");
    let thread = ReportThread::start(log, json, StatusLine::new(false)).expect("a thread");
    for level in [Level::Error, Level::Warning, Level::Notice, Level::Info] {
        thread.reports().log(level, "hunter2 is refused");
    }
    assert!(thread.finish(TIMEOUT));
    let events: Vec<(String, String)> = written
        .try_iter()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let text = |key: &str| value[key].as_str().expect("a text").to_owned();
            (text("event"), text("text"))
        })
        .collect();
    let expected =
        ["error", "warning"].map(|event| (event.to_owned(), "******** is refused".to_owned()));
    assert_eq!(events, expected);
}

#[test]
fn only_the_newest_status_waits() {
    let (stopped, waits) = bounded(0);
    let (sender, written) = unbounded();
    let status = StatusLine::to(Some(Box::new(Stopped(waits, sender))), 80);
    let thread =
        ReportThread::start(Log::to_stderr(), JsonLines::none(), status).expect("a thread");
    assert!(thread.reports().has_status());
    for number in 0..1000 {
        let account = format!("Gaur{number}");
        thread.reports().status(StatusView {
            account,
            ..StatusView::default()
        });
    }
    drop(stopped);
    assert!(thread.finish(TIMEOUT));
    let shown: Vec<String> = written
        .try_iter()
        .filter(|text| text.contains("Gaur"))
        .collect();
    assert!(shown.len() <= 2, "{shown:?}");
    assert!(shown.last().is_some_and(|text| text.contains("Gaur999")));
}
