//! Why a tool cannot do what it was asked.

use std::error::Error;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::{fmt, io};

use crate::board::SetupError;
use crate::config::OptionError;
use crate::data::DataError;
use crate::notation::FenError;
use crate::search::NetworkFileError;

/// Why a tool gives up. Shown to the user. The exit code is 1 for unsound files, else 2.
#[derive(Debug)]
pub enum ToolError {
    /// The text given as a position is no FEN.
    Fen(FenError),
    /// The position cannot occur.
    Position(SetupError),
    /// A file cannot be read.
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file cannot be written.
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of a file is wrong.
    BadLine {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// A file holds no position at all.
    NoPositions(PathBuf),
    /// A search parameter given on the command line cannot be set.
    Setting(String, OptionError),
    /// An option given on the command line is not accepted by this tool.
    NoEffect(String),
    /// The file named as the network is none.
    Network(NetworkFileError),
    /// This build's search parameters are fixed.
    NotLab,
    /// Two changes that are to be compared set the same parameter.
    TwoChanges(String),
    /// The state of an earlier run does not fit this one.
    BadState {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The search has no thread to run in.
    Search(io::Error),
    /// The engine in a process of its own cannot be started, or has left too early.
    Child(io::Error),
    /// A file of games cannot be used.
    Data(PathBuf, DataError),
    /// A game of a file is wrong.
    BadGame {
        /// Which file.
        path: PathBuf,
        /// Which game, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// Arguments of the command line do not fit together.
    Arguments(String),
    /// Another process generates games into a folder.
    FolderInUse {
        /// The folder.
        path: PathBuf,
        /// Number of the process, as its lock file says.
        process: String,
    },
    /// Game files are damaged or incomplete; the details have been printed.
    UnsoundFiles {
        /// Number of files with damage.
        unsound: usize,
        /// Number of files read.
        files: usize,
    },
    /// The games do not suffice to learn from some and check with others.
    TooFewGames,
    /// Signals cannot be watched.
    Signals(io::Error),
    /// The results cannot be written.
    Output(io::Error),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Fen(error) => error.fmt(f),
            ToolError::Position(error) => write!(f, "this position is not possible: {error}"),
            ToolError::Unreadable { path, error } => {
                write!(f, "cannot read {}: {error}", path.display())
            }
            ToolError::Unwritable { path, error } if error.kind() == ErrorKind::AlreadyExists => {
                write!(
                    f,
                    "cannot write {}: it is there already; name another file or remove it",
                    path.display()
                )
            }
            ToolError::Unwritable { path, error } => {
                write!(f, "cannot write {}: {error}", path.display())
            }
            ToolError::BadLine {
                path,
                number,
                reason,
            } => {
                write!(f, "{} line {number}: {reason}", path.display())
            }
            ToolError::NoPositions(path) => {
                write!(
                    f,
                    "{} holds no position, one EPD record is expected per line",
                    path.display()
                )
            }
            ToolError::Setting(setting, error) => {
                write!(
                    f,
                    "cannot set {setting}: {error}; search parameters need a build with --features lab"
                )
            }
            ToolError::NoEffect(name) => write!(f, "{name} changes nothing here; leave it out"),
            ToolError::Network(error) => write!(f, "{error}"),
            ToolError::NotLab => f.write_str(
                "the search parameters of this build are fixed, build with --features lab",
            ),
            ToolError::TwoChanges(name) => write!(
                f,
                "two changes set {name}; give a parameter to one of them only"
            ),
            ToolError::BadState { path, reason } => {
                write!(
                    f,
                    "{}: {reason}; name another file or remove it",
                    path.display()
                )
            }
            ToolError::Search(error) => write!(f, "the search cannot be started: {error}"),
            ToolError::Child(error) => write!(f, "cannot talk to the engine: {error}"),
            ToolError::Data(path, error) => write!(f, "{}: {error}", path.display()),
            ToolError::BadGame {
                path,
                number,
                reason,
            } => {
                write!(f, "{} game {number}: {reason}", path.display())
            }
            ToolError::FolderInUse { path, process } => write!(
                f,
                "process {process} generates games into {} already; end it first or name another folder",
                path.display()
            ),
            ToolError::Arguments(reason) => f.write_str(reason),
            ToolError::UnsoundFiles { unsound, files } => {
                write!(f, "{unsound} of {files} files are damaged or incomplete")
            }
            ToolError::TooFewGames => {
                f.write_str("too few games to learn from some and check with others")
            }
            ToolError::Signals(error) => write!(f, "Ctrl-C cannot be watched for: {error}"),
            ToolError::Output(error) => write!(f, "cannot write the results: {error}"),
        }
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ToolError::Fen(error) => Some(error),
            ToolError::Position(error) => Some(error),
            ToolError::Setting(_, error) => Some(error),
            ToolError::Data(_, error) => Some(error),
            ToolError::Network(error) => Some(error),
            ToolError::Unreadable { error, .. }
            | ToolError::Unwritable { error, .. }
            | ToolError::Search(error)
            | ToolError::Child(error)
            | ToolError::Signals(error)
            | ToolError::Output(error) => Some(error),
            ToolError::BadLine { .. }
            | ToolError::TwoChanges(_)
            | ToolError::Arguments(_)
            | ToolError::FolderInUse { .. }
            | ToolError::UnsoundFiles { .. }
            | ToolError::BadState { .. }
            | ToolError::NotLab
            | ToolError::NoEffect(_)
            | ToolError::BadGame { .. }
            | ToolError::TooFewGames
            | ToolError::NoPositions(_) => None,
        }
    }
}

impl From<FenError> for ToolError {
    fn from(error: FenError) -> ToolError {
        ToolError::Fen(error)
    }
}

impl From<SetupError> for ToolError {
    fn from(error: SetupError) -> ToolError {
        ToolError::Position(error)
    }
}

impl From<io::Error> for ToolError {
    fn from(error: io::Error) -> ToolError {
        ToolError::Output(error)
    }
}
