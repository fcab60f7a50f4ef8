//! Book files, and the files of results that belong to them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::Builder;
use std::time::Duration;

use crossbeam_channel::{Sender, bounded};

use super::files;
use crate::book::{BookFile, BookSource, Entry, Learned, LearnedResult};
use crate::protocol::machine::{BookReport, FileProblem};

/// Time that a large file may take for the entries of a position. A search begins if it takes longer.
const LOOK_UP_TIMEOUT: Duration = Duration::from_millis(300);

/// Number of positions in succession that a large file may fail to answer in time before it is not used any more.
const MAX_TIMEOUTS: u32 = 3;

/// Extension of the file of results that belongs to a book.
const LEARNED: &str = "learned";

/// Largest size of a file of results in bytes.
const MAX_LEARNED: u64 = 64 << 20;

/// Opens a book file, and reads the results that were learned for it if the engine `learns`. An empty name stands for
/// the built-in book.
pub fn load(file: &str, learns: bool) -> BookReport {
    let book = match file {
        "" => Ok(Arc::new(BookFile::built_in()) as Arc<dyn BookSource>),
        file => open(file).map_err(|reason| format!("{file} {reason}")),
    };
    let (learned, problem) = match learns.then(|| read_learned(file)) {
        None => (None, None),
        Some(Ok(learned)) => {
            let problem = (learned.unreadable() > 0).then(|| {
                format!(
                    "{}: {} line(s) cannot be read. Gaur keeps them as comments.",
                    learned_name(file),
                    learned.unreadable()
                )
            });
            (Some(learned), problem)
        }
        Some(Err(reason)) => (None, Some(format!("{reason}. Gaur learns nothing."))),
    };
    BookReport {
        book,
        learned,
        problem,
    }
}

/// Returns the report for a book that has not been opened for this reason.
pub(super) fn unreadable(file: &str, reason: &str) -> BookReport {
    let name = match file {
        "" => learned_name(file),
        file => file.to_owned(),
    };
    let problem = format!("{name} cannot be read: {reason}");
    // The built-in book needs no file.
    let (book, problem) = match file {
        "" => (
            Ok(Arc::new(BookFile::built_in()) as Arc<dyn BookSource>),
            Some(format!("{problem}. Gaur learns nothing.")),
        ),
        _ => (Err(problem), None),
    };
    BookReport {
        book,
        learned: None,
        problem,
    }
}

/// Adds the result of a game to the file of results that belongs to a book, and returns all results.
///
/// # Errors
/// Returns a message to the user if the file cannot be written. It is then unchanged.
pub fn learn(
    file: &str,
    moves: &[(u64, u16)],
    result: LearnedResult,
    begin_writing: &dyn Fn() -> bool,
) -> Result<Learned, String> {
    // Another Gaur may have learned meanwhile.
    let mut learned =
        read_learned(file).map_err(|reason| format!("{reason}; the result was not learned"))?;
    learned.add(moves, result);
    let path = learned_path(file).ok_or_else(|| not_learned(file, NO_FOLDER))?;
    let write = || {
        if let Some(folder) = path.parent().filter(|_| file.is_empty()) {
            fs::create_dir_all(folder).map_err(|error| format!("cannot be written: {error}"))?;
        }
        files::write_text(
            &path.to_string_lossy(),
            &learned.text(),
            true,
            begin_writing,
        )
        .map_err(|problem| match problem {
            FileProblem::Missing => "lies in a folder that does not exist".to_owned(),
            FileProblem::Other(problem) => problem,
        })
    };
    match write() {
        Ok(()) => Ok(learned),
        Err(problem) => Err(format!(
            "{} {problem}; the result was not learned",
            path.display()
        )),
    }
}

/// Returns the message that a result was not learned for this reason.
pub(super) fn not_learned(file: &str, reason: &str) -> String {
    format!(
        "{} cannot be written: {reason}; the result was not learned",
        learned_name(file)
    )
}

/// Reason why there is no file of results for the built-in book.
const NO_FOLDER: &str = "the system names no folder for data of programs";

/// Opens a book file.
fn open(file: &str) -> Result<Arc<dyn BookSource>, String> {
    let book = BookFile::open(Path::new(file)).map_err(|error| error.to_string())?;
    if book.is_in_memory() {
        return Ok(Arc::new(book));
    }
    let book = LargeBook::start(Box::new(book), LOOK_UP_TIMEOUT);
    Ok(Arc::new(book.map_err(|error| {
        format!("cannot be read: there is no thread for it: {error}")
    })?))
}

/// Reads the results that were learned for a book. If there is no file, there are none.
fn read_learned(file: &str) -> Result<Learned, String> {
    let Some(path) = learned_path(file) else {
        return Err(format!("The built-in book cannot learn: {NO_FOLDER}"));
    };
    let name = path.to_string_lossy();
    match files::read_text_of(&name, MAX_LEARNED) {
        Ok(text) => Learned::parse(&text).map_err(|error| format!("{name} {error}")),
        Err(FileProblem::Missing) => Ok(Learned::default()),
        Err(FileProblem::Other(problem)) => Err(format!("{name} {problem}")),
    }
}

/// Returns the path of the file of results: beside the book, or in the user's folder for data of programs for the
/// built-in book.
fn learned_path(file: &str) -> Option<PathBuf> {
    if !file.is_empty() {
        return Some(PathBuf::from(format!("{file}.{LEARNED}")));
    }
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    let folder = if cfg!(windows) {
        PathBuf::from(variable("APPDATA")?)
    } else {
        let data = variable("XDG_DATA_HOME").map(PathBuf::from);
        data.filter(|path| path.is_absolute())
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local/share")))?
    };
    Some(folder.join("gaur").join(format!("book.{LEARNED}")))
}

/// Returns the name of the file of results for messages.
fn learned_name(file: &str) -> String {
    match learned_path(file) {
        Some(path) => path.display().to_string(),
        None => format!("book.{LEARNED}"),
    }
}

/// A request for the entries of a position.
struct Request {
    key: u64,
    answer: Sender<Result<Vec<Entry>, String>>,
}

/// A book file that is read in a thread of its own, so that a disk that does not answer delays no move for long.
#[derive(Debug)]
struct LargeBook {
    requests: Sender<Request>,
    timeout: Duration,
    /// Number of positions in succession without an answer in time.
    timeouts: AtomicU32,
}

impl LargeBook {
    /// Starts the thread, which ends with the book.
    fn start(book: Box<dyn BookSource>, timeout: Duration) -> std::io::Result<LargeBook> {
        let (requests, receiver) = bounded::<Request>(1);
        Builder::new().name("book".into()).spawn(move || {
            for Request { key, answer } in receiver {
                // There is no receiver after the time limit.
                answer.send(book.entries(key)).unwrap_or_default();
            }
        })?;
        Ok(LargeBook {
            requests,
            timeout,
            timeouts: AtomicU32::new(0),
        })
    }
}

impl BookSource for LargeBook {
    fn entries(&self, key: u64) -> Result<Vec<Entry>, String> {
        let (answer, answers) = bounded(1);
        // A full channel means that an earlier request has no answer yet.
        let is_sent = self.requests.try_send(Request { key, answer }).is_ok();
        let result = if is_sent {
            answers.recv_timeout(self.timeout).ok()
        } else {
            None
        };
        match result {
            Some(result) => {
                self.timeouts.store(0, Ordering::Relaxed);
                result
            }
            None if self.timeouts.fetch_add(1, Ordering::Relaxed) + 1 < MAX_TIMEOUTS => {
                Ok(Vec::new())
            }
            None => Err("does not answer in time; check the file and its drive".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
