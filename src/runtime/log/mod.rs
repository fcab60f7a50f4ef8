//! The log of all traffic, for bug reports. `docs/log.md` describes the files.
//!
//! A thread writes it, so that no other thread waits for the disk. If the disk is so slow that the queue is full, lines
//! are dropped and counted. The thread writes queued lines at once, so that few are missing after a crash.

mod entry;
mod file;

#[cfg(test)]
mod tests;

use std::panic;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::config::LogSettings;

use entry::{Direction, Entry};
use file::LogFile;

/// Environment variable with the folder for logs.
pub const VARIABLE: &str = "GAUR_LOG";

/// Capacity of the queue in lines. A game has some thousand lines; a disk in standby starts within seconds.
const QUEUE_CAPACITY: usize = 1 << 13;

/// Number of bytes from which queued lines are written together.
const WRITE_BYTES: usize = 1 << 16;

/// Longest time that a panic waits until its place is on the disk.
const PANIC_TIMEOUT: Duration = Duration::from_millis(500);

/// A handle to the log. Clones refer to the same log; calls cost almost nothing while no log is open.
#[derive(Clone)]
pub struct Log {
    queue: Sender<Entry>,
    open: Arc<OpenLog>,
    /// Number of lines dropped since the last queued one.
    lost: Arc<AtomicU64>,
    failures: Sender<LogFailure>,
}

/// The settings whose log is open, if any.
#[derive(Debug, Default)]
struct OpenLog {
    /// Number of settings so far.
    newest: AtomicU64,
    /// Number of the settings whose log is open, which are the newest ones; 0: none is open.
    open: AtomicU64,
}

impl OpenLog {
    /// Returns `true` if lines are to be logged.
    fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) != 0
    }

    /// Opens or closes the log for new settings, and returns their number. Only one thread may call this.
    fn renew(&self, is_open: bool) -> u64 {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        self.open
            .store(if is_open { number } else { 0 }, Ordering::Release);
        number
    }

    /// Closes the log of the settings with this number. Returns `false` if it is closed or newer settings apply.
    fn close(&self, number: u64) -> bool {
        let closed = self
            .open
            .compare_exchange(number, 0, Ordering::AcqRel, Ordering::Acquire);
        closed.is_ok()
    }
}

/// A failure that ended a log.
#[derive(Debug, PartialEq, Eq)]
pub struct LogFailure {
    /// Folder of the log; the user may have selected another one since.
    pub folder: PathBuf,
    /// Reason, as text for the user.
    pub reason: String,
}

impl Log {
    /// Starts the thread without opening a log, and returns a receiver of failures. The log shows times since
    /// `program_start`.
    ///
    /// # Errors
    /// Returns an error if the system cannot create the thread.
    pub fn start(program_start: Instant) -> std::io::Result<(Log, Receiver<LogFailure>)> {
        let (log, writer, failures) = Log::with_capacity(QUEUE_CAPACITY, program_start);
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || writer.run())?;
        Ok((log, failures))
    }

    /// Creates a log with a queue of this capacity, the state of its thread, and a receiver of failures.
    fn with_capacity(
        capacity: usize,
        program_start: Instant,
    ) -> (Log, Writer, Receiver<LogFailure>) {
        let (queue, entries) = bounded(capacity);
        let (failure_sender, failures) = unbounded();
        let log = Log {
            queue,
            open: Arc::default(),
            lost: Arc::default(),
            failures: failure_sender.clone(),
        };
        let writer = Writer {
            program_start,
            entries,
            open: Arc::clone(&log.open),
            failures: failure_sender,
            number: 0,
            file: None,
            text: String::new(),
        };
        (log, writer, failures)
    }

    /// Applies new settings. New files begin with `summary`, which lists all settings of the engine.
    ///
    /// Only one thread may call this.
    pub fn configure(&self, settings: &LogSettings, summary: &str) {
        let is_on = !settings.folder.as_os_str().is_empty();
        if !is_on {
            self.comment("the option LogFolder is empty: end of the log");
        }
        let number = self.open.renew(is_on);
        let entry = Entry::Settings {
            number,
            settings: settings.clone(),
            summary: summary.to_owned(),
        };
        // A move may be due, so this does not wait for the disk.
        if self.queue.try_send(entry).is_err() {
            self.open.close(number);
            // There is no receiver only while the program ends.
            let _ = self.failures.send(LogFailure {
                folder: settings.folder.clone(),
                reason: "no log is written: the disk is too slow".to_owned(),
            });
        }
    }

    /// Logs a line from the GUI.
    pub fn received(&self, line: &str, arrived: Instant) {
        self.log(Direction::Received, line, arrived);
    }

    /// Logs one or more lines to the GUI.
    pub fn sent(&self, lines: &str) {
        let now = Instant::now();
        for line in lines.lines() {
            self.log(Direction::Sent, line, now);
        }
    }

    /// Logs one or more lines that are not traffic.
    pub fn comment(&self, lines: &str) {
        let now = Instant::now();
        for line in lines.lines() {
            self.log(Direction::None, line, now);
        }
    }

    fn log(&self, direction: Direction, line: &str, at: Instant) {
        if !self.open.is_open() {
            return;
        }
        let lost = self.lost.swap(0, Ordering::Relaxed);
        if lost > 0 && self.queue.try_send(Entry::Lost(lost)).is_err() {
            self.lost.fetch_add(lost + 1, Ordering::Relaxed);
            return;
        }
        if self
            .queue
            .try_send(Entry::line(direction, line, at))
            .is_err()
        {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all queued lines are written, at most until `deadline`.
    pub fn flush(&self, deadline: Instant) {
        let (done, wait) = bounded(1);
        if self
            .queue
            .send_deadline(Entry::Flush(done), deadline)
            .is_ok()
        {
            // A slow disk must not delay the caller further.
            let _ = wait.recv_deadline(deadline);
        }
    }

    /// Installs a hook that logs the place of a panic, in any thread, before the panic continues.
    pub fn log_panics(&self) {
        let log = self.clone();
        let previous_hook = panic::take_hook();
        panic::set_hook(Box::new(move |information| {
            if log.open.is_open() {
                let thread = thread::current();
                let name = thread.name().unwrap_or("without a name");
                log.comment(&format!("thread {name} {information}"));
                log.flush(Instant::now() + PANIC_TIMEOUT);
            }
            previous_hook(information);
        }));
    }
}

/// The state of the log's thread.
struct Writer {
    program_start: Instant,
    entries: Receiver<Entry>,
    open: Arc<OpenLog>,
    failures: Sender<LogFailure>,
    /// Number of the settings in use.
    number: u64,
    file: Option<LogFile>,
    /// Lines to be written.
    text: String,
}

impl Writer {
    fn run(mut self) {
        while let Ok(first) = self.entries.recv() {
            self.handle(first);
            self.handle_waiting();
        }
    }

    /// Handles the entries that wait, and writes all lines.
    fn handle_waiting(&mut self) {
        while let Ok(entry) = self.entries.try_recv() {
            self.handle(entry);
        }
        self.write();
    }

    fn handle(&mut self, entry: Entry) {
        match entry {
            Entry::Settings {
                number,
                settings,
                summary,
            } => {
                self.write();
                self.number = number;
                self.configure(&settings, &summary);
            }
            Entry::Flush(done) => {
                self.write();
                // The caller may no longer wait.
                let _ = done.try_send(());
            }
            entry => {
                entry.write_line(self.program_start, &mut self.text);
                if self.text.len() >= WRITE_BYTES {
                    self.write();
                }
            }
        }
    }

    fn configure(&mut self, settings: &LogSettings, summary: &str) {
        if settings.folder.as_os_str().is_empty() {
            self.file = None;
            return;
        }
        match &mut self.file {
            Some(file) if file.folder() == settings.folder => file.configure(settings, summary),
            _ => match LogFile::open(settings, summary, self.program_start) {
                Ok(file) => self.file = Some(file),
                Err(error) => self.fail(settings.folder.clone(), &error),
            },
        }
    }

    fn write(&mut self) {
        if let Some(file) = &mut self.file
            && !self.text.is_empty()
            && let Err(error) = file.write(&self.text)
        {
            let folder = file.folder().to_owned();
            self.fail(folder, &error);
        }
        self.text.clear();
    }

    fn fail(&mut self, folder: PathBuf, error: &std::io::Error) {
        self.file = None;
        // Newer settings replace the log that has failed, so that the user need not know.
        if !self.open.close(self.number) {
            return;
        }
        // There is no receiver only while the program ends.
        let reason = format!(
            "no log is written to {}: {}",
            folder.display(),
            file::reason(error)
        );
        let _ = self.failures.send(LogFailure { folder, reason });
    }
}
