//! Reading and writing of files in threads of their own, with a time limit.
//!
//! A file may block forever: a network drive that is gone, or a device such as `/proc/kmsg`. No thread can be ended
//! from outside, so the thread of such a file is left behind. Its result is ignored, and the end of the program ends
//! it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, after, bounded, select, unbounded};

use super::book_files;
use super::files;
use super::game_file;
use super::network_file::{self, NetworkFileError, NetworkResult};
use super::tablebase_files::{self, TablebaseFiles};
use crate::book::{Learned, LearnedMove};
use crate::eval::Network;
use crate::protocol::machine::{BookReport, FileProblem, SettingsEvent};
use crate::terminal::Saved;

/// Time that the system may take to read or write a file, unless [`FileWork::limit`] shortens it.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Largest number of files that may be in work, including those that gave no answer in time.
const MAX_THREADS: usize = 8;

/// Time between two checks whether all files have been written.
const RECHECK_INTERVAL: Duration = Duration::from_millis(2);

/// A file to be read or written.
#[derive(Clone, Debug)]
pub enum Work {
    /// Read the network file with this path; an empty one stands for the embedded network.
    ReadNetwork(PathBuf),
    /// Look for tablebases in the directories of this path.
    ReadTablebases(String),
    /// Open a book file.
    ReadBook {
        /// Name of the file; empty for the built-in book.
        file: String,
        /// Set if the results that were learned are to be read, too.
        learns: bool,
    },
    /// Add the result of a game to the results that were learned for a book.
    LearnBook {
        /// Name of the book file; empty for the built-in book.
        file: String,
        /// Moves of the game with its result.
        moves: Vec<LearnedMove>,
    },
    /// Read a settings file.
    ReadSettings(String),
    /// Write a settings file.
    WriteSettings {
        /// Name of the file.
        path: String,
        /// Content of the file.
        text: String,
        /// Set if an existing file may be replaced.
        may_replace: bool,
    },
    /// Add a game to a PGN file.
    AddGame {
        /// Name of the file.
        path: String,
        /// The game.
        text: String,
    },
}

/// The result of a [`Work`].
#[derive(Debug)]
pub enum FileResult {
    /// A network, or the reason why it cannot be used.
    Network(NetworkResult),
    /// Tablebases, or the reason why there are none.
    Tablebases(TablebaseFiles),
    /// A book, or the reason why it cannot be used.
    Book(BookReport),
    /// All results that were learned, or the reason why the file cannot be written.
    Learned(Result<Learned, String>),
    /// The result for a settings file.
    Settings(SettingsEvent),
    /// Name of the file to which a game was to be added, and the reason if that failed, in words that follow the name.
    Game(String, Result<Saved, String>),
}

impl Work {
    /// Accesses the file. The function returned needs no more access and returns the result. `begin_writing` is called
    /// just before the file is written; if it returns `false`, the file must not be written any more.
    fn access(&self, begin_writing: &dyn Fn() -> bool) -> Box<dyn FnOnce() -> FileResult + Send> {
        match self {
            Work::ReadNetwork(path) => {
                let (path, bytes) = (path.clone(), network_file::read_bytes(path));
                Box::new(move || {
                    FileResult::Network(
                        bytes.and_then(|bytes| network_file::from_bytes(&path, &bytes)),
                    )
                })
            }
            Work::ReadTablebases(path) => {
                let tablebases = tablebase_files::load(path);
                Box::new(move || FileResult::Tablebases(tablebases))
            }
            Work::ReadBook { file, learns } => {
                let report = book_files::load(file, *learns);
                Box::new(move || FileResult::Book(report))
            }
            Work::LearnBook { file, moves } => {
                let learned = book_files::learn(file, moves, begin_writing);
                Box::new(move || FileResult::Learned(learned))
            }
            Work::ReadSettings(path) => {
                let event = SettingsEvent::Read(path.clone(), files::read_text(path));
                Box::new(move || FileResult::Settings(event))
            }
            Work::WriteSettings {
                path,
                text,
                may_replace,
            } => {
                let result =
                    files::write_text(path, text, *may_replace, files::MAX_BYTES, begin_writing);
                let event = SettingsEvent::Written(path.clone(), result);
                Box::new(move || FileResult::Settings(event))
            }
            Work::AddGame { path, text } => {
                let result = game_file::add_game(path, text, begin_writing);
                let path = path.clone();
                Box::new(move || FileResult::Game(path, result))
            }
        }
    }

    /// Returns the result if there is none for this reason.
    fn failed(&self, reason: &str) -> FileResult {
        match self {
            Work::ReadNetwork(path) => FileResult::Network(Err(NetworkFileError::Unreadable(
                path.clone(),
                std::io::Error::other(reason.to_owned()),
            ))),
            Work::ReadTablebases(path) => FileResult::Tablebases(TablebaseFiles {
                problem: Some(format!("{path} cannot be read: {reason}")),
                ..TablebaseFiles::default()
            }),
            Work::ReadBook { file, .. } => FileResult::Book(book_files::unreadable(file, reason)),
            Work::LearnBook { file, .. } => {
                FileResult::Learned(Err(book_files::not_learned(file, reason)))
            }
            Work::ReadSettings(path) => {
                let problem = FileProblem::Other(format!("cannot be read: {reason}"));
                FileResult::Settings(SettingsEvent::Read(path.clone(), Err(problem)))
            }
            Work::WriteSettings { path, .. } => {
                let problem = FileProblem::Other(format!("cannot be written: {reason}"));
                FileResult::Settings(SettingsEvent::Written(path.clone(), Err(problem)))
            }
            Work::AddGame { path, .. } => {
                let problem = format!("cannot be written: {reason}.");
                FileResult::Game(path.clone(), Err(problem))
            }
        }
    }
}

/// The threads that read and write files. Clones have the same results; only one of them may start works.
#[derive(Clone)]
pub struct FileWork {
    results_sender: Sender<FileResult>,
    /// Receives one result per [`FileWork::start`].
    pub results: Receiver<FileResult>,
    /// Shortens the time of the last work.
    limits: Sender<Duration>,
    /// Number of threads that have not finished their file.
    threads: Arc<AtomicUsize>,
    /// Number of files that are being written within their time.
    writes: Arc<AtomicUsize>,
}

impl FileWork {
    /// Creates the data without threads.
    pub fn new() -> FileWork {
        let (results_sender, results) = unbounded();
        FileWork {
            results_sender,
            results,
            limits: bounded(0).0,
            threads: Arc::default(),
            writes: Arc::default(),
        }
    }

    /// Starts to read or write a file. Within its time, one result is sent to [`FileWork::results`].
    ///
    /// The embedded network needs no file, so it is available even if no thread is.
    pub fn start(&mut self, work: Work) {
        if let Work::ReadNetwork(path) = &work
            && network_file::is_embedded(path)
        {
            let network = FileResult::Network(Ok(Network::embedded()));
            return self.results_sender.send(network).unwrap_or_default();
        }
        let accessed = work.clone();
        self.start_with(work, move |begin_writing| accessed.access(begin_writing));
    }

    /// Starts a work that this function carries out.
    fn start_with<F>(&mut self, work: Work, access: F)
    where
        F: FnOnce(&dyn Fn() -> bool) -> Box<dyn FnOnce() -> FileResult + Send> + Send + 'static,
    {
        let (limit_sender, limits) = unbounded();
        self.limits = limit_sender;
        let writing = match work {
            Work::WriteSettings { .. } | Work::AddGame { .. } | Work::LearnBook { .. } => {
                Some(Counted::new(&self.writes))
            }
            Work::ReadNetwork(_)
            | Work::ReadTablebases(_)
            | Work::ReadBook { .. }
            | Work::ReadSettings(_) => None,
        };
        let (results, failed) = (self.results_sender.clone(), work.clone());
        let threads = Arc::clone(&self.threads);
        let supervisor = Builder::new().name("file limit".into()).spawn(move || {
            let result = supervise(&work, access, &limits, &threads);
            // There is no receiver only while the program ends.
            results.send(result).unwrap_or_default();
            drop(writing);
        });
        if let Err(error) = supervisor {
            let result = failed.failed(&format!("there is no thread for it: {error}"));
            self.results_sender.send(result).unwrap_or_default();
        }
    }

    /// Limits the time of the work that was started last to `time` from now on.
    pub fn limit(&self, time: Duration) {
        // There is no receiver if the work has finished.
        self.limits.send(time).unwrap_or_default();
    }

    /// Waits until files that are being written are complete, at most until `deadline`.
    pub fn finish_writing(&self, deadline: Instant) {
        while self.writes.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            thread::sleep(RECHECK_INTERVAL);
        }
    }
}

/// An entry in a counter, which is removed when it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(counter: &Arc<AtomicUsize>) -> Counted {
        counter.fetch_add(1, Ordering::AcqRel);
        Counted(Arc::clone(counter))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Carries out a work in another thread, and returns its result or an error after its time.
fn supervise<F>(
    work: &Work,
    access: F,
    limits: &Receiver<Duration>,
    threads: &Arc<AtomicUsize>,
) -> FileResult
where
    F: FnOnce(&dyn Fn() -> bool) -> Box<dyn FnOnce() -> FileResult + Send> + Send + 'static,
{
    if threads.load(Ordering::Acquire) >= MAX_THREADS {
        return work.failed("the system has not answered for other files; check the drive");
    }
    let counted = Counted::new(threads);
    // Set by the first of two: the thread that begins to write, and the end of the time. The error after that time can
    // therefore state whether the file may still change.
    let is_decided = Arc::new(AtomicBool::new(false));
    let of_thread = Arc::clone(&is_decided);
    let (done_sender, done) = bounded(1);
    let spawned = Builder::new().name("file".into()).spawn(move || {
        let result = access(&|| !of_thread.swap(true, Ordering::AcqRel));
        drop(counted);
        // There is no receiver after the time limit.
        done_sender.send(result).unwrap_or_default();
    });
    if let Err(error) = spawned {
        return work.failed(&format!("there is no thread for it: {error}"));
    }
    let started = Instant::now();
    match receive_within(&done, limits) {
        Ok(result) => result(),
        Err(RecvTimeoutError::Disconnected) => work.failed("an internal error; please report it"),
        Err(RecvTimeoutError::Timeout) => {
            let seconds = started.elapsed().as_secs_f64();
            let later = if is_decided.swap(true, Ordering::AcqRel) {
                "; it may still be written later"
            } else {
                ""
            };
            work.failed(&format!(
                "the system has not answered within {seconds:.1} s{later}; check the file and its drive"
            ))
        }
    }
}

/// Receives a message within [`MAX_TIME`], or within the limits that arrive meanwhile.
///
/// # Errors
/// Returns an error if there is no message within this time, or no sender.
fn receive_within<T>(
    messages: &Receiver<T>,
    limits: &Receiver<Duration>,
) -> Result<T, RecvTimeoutError> {
    let mut end = Instant::now() + MAX_TIME;
    let mut limits = limits.clone();
    loop {
        select! {
            recv(messages) -> message => return message.map_err(RecvTimeoutError::from),
            recv(limits) -> limit => match limit {
                Ok(limit) => end = end.min(Instant::now() + limit),
                Err(_) => limits = crossbeam_channel::never(),
            },
            recv(after(end.saturating_duration_since(Instant::now()))) -> _ => {
                // Of several channels that are ready, `select!` takes any.
                return messages.recv_timeout(Duration::ZERO);
            }
        }
    }
}

#[cfg(test)]
mod tests;
