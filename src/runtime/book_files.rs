//! Book files, and the files of results that belong to them.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

use super::files;
use crate::book::{
    BookFile, BookSource, Entry, FoundEntries, Learned, LearnedMove, MAX_LOOK_UP_TIME,
};
use crate::protocol::machine::{BookReport, FileProblem};

/// Number of look-ups in succession that a large file may answer too late before it is not used any more. Those that
/// are not begun because an earlier one has no answer yet do not count.
const MAX_LATE: u32 = 5;

/// Time that a look-up may remain without an answer before the file is not used any more. A disk at rest needs up to
/// 10 s.
const MAX_SILENCE: Duration = Duration::from_secs(30);

/// Reason why a file is not used any more.
const NO_ANSWER: &str = "does not answer in time; check the file and its drive";

/// Time for which another program may lock a file of results.
const MAX_LOCK_TIME: Duration = Duration::from_secs(3);

/// Time between two attempts to lock a file of results.
const LOCK_INTERVAL: Duration = Duration::from_millis(2);

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

/// Adds the result of a game to the file of results that belongs to a book, and returns all results. Meanwhile no other
/// Gaur changes the file.
///
/// # Errors
/// Returns a message to the user if the file cannot be written. It is then unchanged.
pub fn learn(
    file: &str,
    moves: &[LearnedMove],
    begin_writing: &dyn Fn() -> bool,
) -> Result<Learned, String> {
    let path = learned_path(file).ok_or_else(|| not_learned(file, NO_FOLDER))?;
    let failed =
        |problem: String| format!("{} {problem}; the result was not learned", path.display());
    if let Some(folder) = path.parent().filter(|_| file.is_empty()) {
        fs::create_dir_all(folder)
            .map_err(|error| failed(format!("cannot be written: {error}")))?;
    }
    let _lock = lock(&path).map_err(failed)?;
    let mut learned =
        read_learned(file).map_err(|reason| format!("{reason}; the result was not learned"))?;
    learned.add(moves);
    files::write_text(
        &path.to_string_lossy(),
        &learned.text(),
        true,
        MAX_LEARNED,
        begin_writing,
    )
    .map_err(|problem| match problem {
        FileProblem::Missing => failed("lies in a folder that does not exist".to_owned()),
        FileProblem::Other(problem) => failed(problem),
    })?;
    Ok(learned)
}

/// Locks the file of results against other programs until the value returned is dropped. The lock belongs to another
/// file beside it, because the file of results itself is replaced. Returns `None` if there can be no lock.
///
/// # Errors
/// Returns the reason, in words that follow the name of the file, if another program holds the lock for too long.
fn lock(path: &Path) -> Result<Option<File>, String> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    // If the folder cannot be written, the error follows from the file of results, unless that can be overwritten.
    let Ok(file) = File::options().create(true).append(true).open(name) else {
        return Ok(None);
    };
    let end = Instant::now() + MAX_LOCK_TIME;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(LOCK_INTERVAL),
            Err(TryLockError::WouldBlock) => {
                return Err("is in use by another program; end it".to_owned());
            }
            // Some network drives have no locks.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
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
    let book = LargeBook::start(Box::new(book), MAX_SILENCE);
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
    answer: Sender<Answer>,
}

/// The entries of a position, or the reason why the book cannot be used any more.
type Answer = Result<Vec<Entry>, String>;

/// A book file that is read in a thread of its own, so that a disk that does not answer delays no move for long.
#[derive(Debug)]
struct LargeBook {
    requests: Sender<Request>,
    state: Mutex<LargeBookState>,
    /// Time that one look-up may remain without an answer.
    max_silence: Duration,
}

/// The look-ups that a book file has not answered in time.
#[derive(Debug, Default)]
struct LargeBookState {
    /// The answer to the last look-up, which is still to come, and the time of the look-up.
    pending: Option<(Receiver<Answer>, Instant)>,
    /// Number of look-ups in succession that had all their time and no answer.
    late: u32,
}

impl LargeBook {
    /// Starts the thread, which ends with the book.
    fn start(book: Box<dyn BookSource>, max_silence: Duration) -> std::io::Result<LargeBook> {
        let (requests, receiver) = bounded::<Request>(1);
        Builder::new().name("book".into()).spawn(move || {
            for Request { key, answer } in receiver {
                let found = book.entries(key, Duration::MAX);
                // There is no receiver if the book is not used any more.
                answer
                    .send(found.map(|found| found.entries))
                    .unwrap_or_default();
            }
        })?;
        Ok(LargeBook {
            requests,
            state: Mutex::default(),
            max_silence,
        })
    }
}

impl BookSource for LargeBook {
    fn entries(&self, key: u64, limit: Duration) -> Result<FoundEntries, String> {
        let started = Instant::now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((answers, since)) = state.pending.take() {
            match answers.try_recv() {
                // It comes too late for its move.
                Ok(answer) => drop(answer?),
                Err(TryRecvError::Empty) if since.elapsed() < self.max_silence => {
                    state.pending = Some((answers, since));
                    return Ok(FoundEntries::default());
                }
                Err(_) => return Err(NO_ANSWER.to_owned()),
            }
        }
        let (answer, answers) = bounded(1);
        let is_sent = self.requests.try_send(Request { key, answer }).is_ok();
        match answers.recv_timeout(limit) {
            Ok(entries) => {
                state.late = 0;
                Ok(FoundEntries {
                    entries: entries?,
                    time: started.elapsed(),
                })
            }
            Err(_) => {
                state.pending = Some((answers, started));
                // With less time, no disk might have answered.
                state.late += u32::from(limit >= MAX_LOOK_UP_TIME);
                if !is_sent || state.late >= MAX_LATE {
                    return Err(NO_ANSWER.to_owned());
                }
                Ok(FoundEntries {
                    entries: Vec::new(),
                    time: started.elapsed(),
                })
            }
        }
    }

    fn is_in_memory(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
