//! The log of all traffic, for bug reports.
//!
//! A thread of its own writes it. Whoever has something to note puts it into a queue and goes on; when the disk is so
//! slow that the queue is full, lines are lost and counted, but nobody waits. Whatever is in the queue is written
//! at once, so that little is missing after a crash. `docs/log.md` describes the files.

mod entry;
mod file;

#[cfg(test)]
mod tests;

use std::panic;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::config::LogSettings;

use entry::{Entry, Mark};
use file::LogFile;

/// The environment variable that names a folder for logs.
pub const VARIABLE: &str = "GAUR_LOG";

/// Lines that may wait to be written. A game has some thousands; a disk that sleeps wakes up within seconds.
const LINES_WAITING: usize = 1 << 13;

/// Lines that wait are written together, about so many bytes at a time.
const BLOCK: usize = 1 << 16;

/// How long a change of the settings may wait for a disk that is behind.
const PATIENCE_AT_CHANGE: Duration = Duration::from_millis(20);

/// How long a panic may be held up to get its place onto the disk.
const PATIENCE_AT_PANIC: Duration = Duration::from_millis(500);

/// What everybody has who notes something. Cheap to clone, and almost free while no log is open.
#[derive(Clone)]
pub struct Log {
    queue: Sender<Entry>,
    open: Arc<AtomicBool>,
    /// Lines for which there was no room since the last that found some.
    lost: Arc<AtomicU64>,
    trouble: Sender<LogTrouble>,
}

/// A log had to be given up.
#[derive(Debug, PartialEq, Eq)]
pub struct LogTrouble {
    /// Where it was; the user may have chosen another folder since.
    pub folder: PathBuf,
    /// Why, in words for the user.
    pub reason: String,
}

impl Log {
    /// Starts the thread; no log is open yet. The receiver tells why a log had to be given up. Times count from
    /// `began`.
    ///
    /// # Errors
    /// If the system grants no thread.
    pub fn start(began: Instant) -> std::io::Result<(Log, Receiver<LogTrouble>)> {
        let (queue, entries) = bounded(LINES_WAITING);
        let (trouble, troubles) = unbounded();
        let open = Arc::new(AtomicBool::new(false));
        let log = Log {
            queue,
            open: Arc::clone(&open),
            lost: Arc::default(),
            trouble: trouble.clone(),
        };
        let writer = Writer {
            began,
            open,
            trouble,
            file: None,
            text: String::new(),
        };
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || writer.run(&entries))?;
        Ok((log, troubles))
    }

    /// Logs from now on as these settings say: into another folder, not at all, or into larger files. To be called
    /// from one thread only. New files begin with `summary`, which lists all settings of the engine.
    pub fn configure(&self, settings: &LogSettings, summary: &str) {
        let wanted = !settings.folder.as_os_str().is_empty();
        self.open.store(wanted, Ordering::Release);
        let entry = Entry::Settings(settings.clone(), summary.to_owned());
        if self.queue.send_timeout(entry, PATIENCE_AT_CHANGE).is_err() {
            self.open.store(false, Ordering::Release);
            // Nobody listens any more only when the program is ending.
            let _ = self.trouble.send(LogTrouble {
                folder: settings.folder.clone(),
                reason: "no log is written: the disk is too slow".to_owned(),
            });
        }
    }

    /// Notes a line from the GUI.
    pub fn received(&self, line: &str, arrived: Instant) {
        self.note(Mark::Received, line, arrived);
    }

    /// Notes what is written to the GUI: a line, or a few.
    pub fn sent(&self, lines: &str) {
        let now = Instant::now();
        for line in lines.lines() {
            self.note(Mark::Sent, line, now);
        }
    }

    /// Notes something that is no traffic.
    pub fn remark(&self, lines: &str) {
        let now = Instant::now();
        for line in lines.lines() {
            self.note(Mark::Remark, line, now);
        }
    }

    fn note(&self, mark: Mark, line: &str, at: Instant) {
        if !self.open.load(Ordering::Acquire) {
            return;
        }
        let lost = self.lost.swap(0, Ordering::Relaxed);
        if lost > 0 && self.queue.try_send(Entry::Lost(lost)).is_err() {
            self.lost.fetch_add(lost + 1, Ordering::Relaxed);
            return;
        }
        if self.queue.try_send(Entry::line(mark, line, at)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all that was noted has been written, but no longer than until then.
    pub fn flush(&self, deadline: Instant) {
        let (done, wait) = bounded(1);
        if self
            .queue
            .send_deadline(Entry::Flush(done), deadline)
            .is_ok()
        {
            // Late or never: then the disk is at fault.
            let _ = wait.recv_deadline(deadline);
        }
    }

    /// From now on a panic, wherever it is, is noted with its place before it takes its course.
    pub fn note_panics(&self) {
        let log = self.clone();
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |information| {
            if log.open.load(Ordering::Acquire) {
                let thread = thread::current();
                let name = thread.name().unwrap_or("without a name");
                log.remark(&format!("thread {name} {information}"));
                log.flush(Instant::now() + PATIENCE_AT_PANIC);
            }
            usual(information);
        }));
    }
}

/// The thread's side.
struct Writer {
    began: Instant,
    open: Arc<AtomicBool>,
    trouble: Sender<LogTrouble>,
    file: Option<LogFile>,
    /// What is to be written next.
    text: String,
}

impl Writer {
    fn run(mut self, entries: &Receiver<Entry>) {
        for first in entries {
            let mut next = Some(first);
            while let Some(entry) = next {
                self.take_in(entry);
                next = entries.try_recv().ok();
            }
            self.write();
        }
    }

    fn take_in(&mut self, entry: Entry) {
        match entry {
            Entry::Settings(settings, summary) => {
                self.write();
                self.settle(&settings, &summary);
            }
            Entry::Flush(done) => {
                self.write();
                // Whoever asked may have lost patience.
                let _ = done.try_send(());
            }
            entry => {
                entry.spell(self.began, &mut self.text);
                if self.text.len() >= BLOCK {
                    self.write();
                }
            }
        }
    }

    fn settle(&mut self, settings: &LogSettings, summary: &str) {
        if settings.folder.as_os_str().is_empty() {
            self.file = None;
            // The settings before these may have opened it again.
            self.open.store(false, Ordering::Release);
            return;
        }
        // A log that was given up on the way here may have closed it again.
        self.open.store(true, Ordering::Release);
        match &mut self.file {
            Some(file) if file.folder() == settings.folder => file.configure(settings, summary),
            _ => match LogFile::open(settings, summary, self.began) {
                Ok(file) => self.file = Some(file),
                Err(error) => self.give_up(settings.folder.clone(), &error),
            },
        }
    }

    fn write(&mut self) {
        if let Some(file) = &mut self.file
            && !self.text.is_empty()
            && let Err(error) = file.write(&self.text)
        {
            let folder = file.folder().to_owned();
            self.give_up(folder, &error);
        }
        self.text.clear();
    }

    fn give_up(&mut self, folder: PathBuf, error: &std::io::Error) {
        self.file = None;
        self.open.store(false, Ordering::Release);
        // Nobody listens any more only when the program is ending.
        let reason = format!(
            "no log is written to {}: {}",
            folder.display(),
            file::reason(error)
        );
        let _ = self.trouble.send(LogTrouble { folder, reason });
    }
}
