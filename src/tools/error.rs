//! Reasons why a tool cannot do its work.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::SetupError;
use crate::book::BookFileError;
use crate::config::OptionError;
use crate::notation::{FenError, MoveError};
use crate::runtime::NetworkFileError;

use super::counted::counted;

/// A reason why a tool gives up, shown to the user. The exit status is 1 for [`ToolError::FaultyBook`], otherwise 2.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The text given as a position is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The position cannot occur in a game.
    #[error("this position is not possible: {0}")]
    Position(#[from] SetupError),
    /// A file cannot be read.
    #[error("{}", unreadable(.path, .error))]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the operating system.
        #[source]
        error: io::Error,
    },
    /// A line of a file is wrong.
    #[error("{path} line {number}: {reason}")]
    BadLine {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from 1.
        number: usize,
        /// Reason.
        reason: String,
    },
    /// A file contains no position.
    #[error("{0} holds no position, one EPD record is expected per line")]
    NoPositions(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Unwritable {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the operating system.
        #[source]
        error: io::Error,
    },
    /// A file is no opening book.
    #[error("{path} {error}")]
    Book {
        /// Path of the file.
        path: PathBuf,
        /// Reason, in words that follow the path.
        #[source]
        error: BookFileError,
    },
    /// A book has faults, which have been printed.
    #[error("the book has {}", counted(*.0, "fault"))]
    FaultyBook(u64),
    /// No move remains for a book.
    #[error("no move is left for the book; {0}")]
    EmptyBook(&'static str),
    /// A move given on the command line is not legal.
    #[error("the move {text}: {error}")]
    Move {
        /// The move as the user has written it.
        text: String,
        /// Reason.
        #[source]
        error: MoveError,
    },
    /// Signals cannot be watched.
    #[error("Ctrl-C cannot be watched for: {0}")]
    Signals(#[source] io::Error),
    /// Ctrl-C or SIGTERM has ended the work.
    #[error("interrupted; no file has been written")]
    Interrupted,
    /// An option or search parameter given on the command line cannot be set.
    #[error("cannot set {}: {}", .0, reason_not_set(.1))]
    Setting(String, #[source] OptionError),
    /// An option given on the command line has no effect on this tool.
    #[error("{0} changes nothing here; leave it out")]
    NoEffect(String),
    /// The file given as the network cannot be used.
    #[error(transparent)]
    Network(NetworkFileError),
    /// The system does not provide a transposition table of this many mebibytes, in these pages.
    #[error("the system provides no memory for a table of {0} MB in {1} pages")]
    NoTable(u64, &'static str),
    /// The system grants no thread to the search.
    #[error("the search cannot be started: {0}")]
    Search(#[source] io::Error),
    /// The program to measure cannot be started, or is no xboard engine.
    #[error("cannot measure {path}: {error}; name an xboard engine")]
    Engine {
        /// Path of the program.
        path: PathBuf,
        /// Reason.
        #[source]
        error: io::Error,
    },
    /// The engine cannot be started in a process of its own, or has ended too early.
    #[error("cannot communicate with the engine: {0}")]
    Child(#[source] io::Error),
    /// The system grants no thread that keeps a processor busy.
    #[error("cannot start so many busy threads, choose a smaller number: {0}")]
    Busy(#[source] io::Error),
    /// The results cannot be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

/// Describes why a setting was rejected.
fn reason_not_set(error: &OptionError) -> String {
    match error {
        OptionError::UnknownName => format!(
            "{error}; search parameters can be set in a build with `--features tuning` only"
        ),
        _ => error.to_string(),
    }
}

/// Describes a file that cannot be read, as [`BookFileError`] does.
fn unreadable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        ErrorKind::NotFound => format!("{path} does not exist"),
        ErrorKind::PermissionDenied => format!("{path} may not be read"),
        _ => format!("cannot read {path}: {error}"),
    }
}
