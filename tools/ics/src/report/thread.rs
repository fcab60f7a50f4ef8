//! The thread that writes reports. A slow disk, a full pipe and a terminal that is stopped delay this thread only.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::json::{Event, JsonLines};
use super::log::{Filter, Level, Log};
use super::status::{StatusLine, StatusView};

/// Memory, in bytes, of the reports that wait. Further ones are dropped.
const MEMORY: usize = 8 << 20;

/// Memory that an event is taken to need, in bytes. Events contain parts of lines of the server.
const EVENT: usize = 4096;

/// Report for the thread.
#[derive(Debug)]
enum Report {
    Log(Level, String, SystemTime),
    Event(Event, SystemTime),
    /// The status has changed.
    Status,
    End,
}

impl Report {
    /// Returns its memory in bytes.
    fn size(&self) -> usize {
        match self {
            Report::Log(_, text, _) => size_of::<Report>() + text.len(),
            Report::Event(..) => EVENT,
            // At most one of each waits.
            Report::Status | Report::End => 0,
        }
    }
}

/// State of the queue.
#[derive(Debug, Default)]
struct Queue {
    /// Memory of the reports that wait, in bytes.
    waiting: usize,
    /// Number of dropped reports that no line of the log states yet.
    dropped: u64,
    /// Status that is not shown yet.
    status: Option<StatusView>,
}

impl Queue {
    /// Returns a text about dropped reports, once.
    fn note(&mut self) -> Option<String> {
        let dropped = std::mem::take(&mut self.dropped);
        (dropped > 0).then(|| {
            format!("{dropped} lines of the log and events are lost: an output has taken no text for too long")
        })
    }
}

/// Sender of reports, which never waits. Clones send to the same thread.
#[derive(Clone, Debug)]
pub struct Reports {
    reports: Sender<Report>,
    queue: Arc<Mutex<Queue>>,
    filter: Filter,
    has_events: bool,
    has_status: bool,
}

impl Reports {
    /// Adds a line to the log.
    pub fn log(&self, level: Level, text: &str) {
        if self.filter.keeps(level) {
            self.send(Report::Log(level, text.to_owned(), SystemTime::now()));
        }
    }

    /// Reports an event to programs that supervise the account.
    pub fn event(&self, event: Event) {
        if self.has_events {
            self.send(Report::Event(event, SystemTime::now()));
        }
    }

    /// Returns `true` if a terminal shows the status line.
    pub fn has_status(&self) -> bool {
        self.has_status
    }

    /// Shows the status. One that is not shown yet is replaced.
    pub fn status(&self, view: StatusView) {
        if self.has_status && lock(&self.queue).status.replace(view).is_none() {
            self.send(Report::Status);
        }
    }

    fn send(&self, report: Report) {
        let mut queue = lock(&self.queue);
        let size = report.size();
        let waiting = queue.waiting.saturating_add(size);
        if size > 0 && waiting > MEMORY {
            queue.dropped += 1;
            return;
        }
        queue.waiting = waiting;
        // While the queue is locked, the order cannot change. After the end of the thread, nothing is written.
        if let Some(note) = queue.note() {
            let note = Report::Log(Level::Warning, note, SystemTime::now());
            queue.waiting = queue.waiting.saturating_add(note.size());
            let _ = self.reports.send(note);
        }
        let _ = self.reports.send(report);
    }
}

/// The thread, with a sender for it.
#[derive(Debug)]
pub struct ReportThread {
    reports: Reports,
    done: Receiver<()>,
}

impl ReportThread {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if there is no thread.
    pub fn start(mut log: Log, json: JsonLines, status: StatusLine) -> io::Result<ReportThread> {
        log.has_status_line(status.is_shown());
        let (sender, reports) = unbounded();
        let (writing, done) = bounded(0);
        let queue = Arc::new(Mutex::new(Queue::default()));
        let reports_of_all = Reports {
            reports: sender,
            queue: Arc::clone(&queue),
            filter: log.filter(),
            has_events: json.is_written(),
            has_status: status.is_shown(),
        };
        let writer = Writer {
            log,
            json,
            status,
            queue,
        };
        thread::Builder::new()
            .name("reports".into())
            .spawn(move || {
                writer.run(&reports);
                drop(writing);
            })?;
        Ok(ReportThread {
            reports: reports_of_all,
            done,
        })
    }

    /// Returns the sender of reports.
    pub fn reports(&self) -> &Reports {
        &self.reports
    }

    /// Ends the thread after the reports so far. Returns `false` if they are not written within this time.
    pub fn finish(self, wait: Duration) -> bool {
        self.reports.send(Report::End);
        self.done.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected)
    }
}

/// Outputs of the thread.
struct Writer {
    log: Log,
    json: JsonLines,
    status: StatusLine,
    queue: Arc<Mutex<Queue>>,
}

impl Writer {
    fn run(mut self, reports: &Receiver<Report>) {
        for report in reports {
            let size = report.size();
            match report {
                Report::Log(level, text, time) => self.log(level, &text, time),
                Report::Event(event, time) => self.event(&event, time),
                Report::Status => {
                    let view = lock(&self.queue).status.take();
                    if let Some(view) = view {
                        self.status.show(&view);
                    }
                }
                Report::End => {
                    self.note_if_empty(0);
                    return;
                }
            }
            self.note_if_empty(size);
        }
    }

    /// Records that a report is written. If it was the last one, what was dropped after it is noted.
    fn note_if_empty(&mut self, written: usize) {
        let note = {
            let mut queue = lock(&self.queue);
            queue.waiting = queue.waiting.saturating_sub(written);
            (queue.waiting == 0).then(|| queue.note()).flatten()
        };
        if let Some(note) = note {
            self.log(Level::Warning, &note, SystemTime::now());
        }
    }

    fn log(&mut self, level: Level, text: &str, time: SystemTime) {
        if !level.is_traffic() {
            self.status.clear();
        }
        self.log.write(level, text, time);
        let text = self.log.hidden(text);
        match level {
            Level::Error => self.event(&Event::Error { text }, time),
            Level::Warning => self.event(&Event::Warning { text }, time),
            _ => {}
        }
    }

    /// Writes an event. If this is not possible, the log contains the reason once.
    fn event(&mut self, event: &Event, time: SystemTime) {
        if let Err(error) = self.json.write(event, time) {
            self.log(
                Level::Error,
                &format!("JSON lines cannot be written and end here: {error}"),
                time,
            );
        }
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "thread_tests.rs"]
mod tests;
