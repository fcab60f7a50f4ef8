//! Reasons why a tool cannot do its work.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use gaur::config::OptionError;
use gaur::tools::ToolError;
use thiserror::Error;

use crate::game_file::DataError;
use crate::interrupt::Interrupt;
use crate::sample_file::SampleError;

/// A reason why a tool gives up, shown to the user. The exit status is 1 for [`LabError::UnsoundFiles`], otherwise 2.
#[derive(Debug, Error)]
pub enum LabError {
    /// An option or search parameter of a player cannot be set.
    #[error(transparent)]
    Setting(#[from] ToolError),
    /// A search parameter to be tuned does not exist, or its step is not a positive number.
    #[error("cannot tune {0}: {1}")]
    Tuned(String, #[source] OptionError),
    /// A file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the operating system.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {}", reason_not_written(error))]
    Unwritable {
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
    /// A book contains no position.
    #[error("{0} holds no position, one EPD record is expected per line")]
    NoPositions(PathBuf),
    /// A file of opening lines contains none.
    #[error("{0} holds no opening line, moves in SAN are expected in each line")]
    NoOpenings(PathBuf),
    /// Ctrl-C or SIGTERM has ended a run that writes nothing before its end.
    #[error("interrupted with {left} positions left; the same command continues the run")]
    Interrupted {
        /// Number of positions of the current round that have no analysis.
        left: usize,
    },
    /// Ctrl-C or SIGTERM has ended the generation of games before the file had all of them.
    #[error("interrupted with {games} of {of} games; the same command continues the run")]
    GamesLacking {
        /// Number of games in the file.
        games: u64,
        /// Number of games that it is to have.
        of: u32,
    },
    /// Ctrl-C or SIGTERM has ended a run before all its game pairs were played. The result so far has been printed.
    #[error("interrupted after {pairs} of {of} pairs; the same command {repetition}")]
    PairsLacking {
        /// Number of pairs in the result.
        pairs: u64,
        /// Number of pairs that it is to have.
        of: u64,
        /// Effect of the same command: `continues the run` or `starts again`.
        repetition: &'static str,
    },
    /// Ctrl-C or SIGTERM has ended the writing of a file, which does not exist.
    #[error("interrupted; {0} was not written, the same command starts again")]
    Cancelled(PathBuf),
    /// The games contain no positions that can be samples.
    #[error("{0} was not written: the games contain no quiet positions for it; add games")]
    NoSamples(PathBuf),
    /// All positions that can be samples are from validation games.
    #[error(
        "{0} was not written: all positions are from games for validation; choose a smaller --validation-share"
    )]
    NoTrainingSamples(PathBuf),
    /// The search parameters of this build are constants.
    #[error(
        "the search parameters of this build are fixed; build gaur-lab with `--features tuning`"
    )]
    FixedParameters,
    /// Two changes that are to be compared set the same parameter.
    #[error("two changes set {0}; give a parameter to one of them only")]
    TwoChanges(String),
    /// The second player's evaluation finds too few openings balanced.
    #[error(
        "the evaluation of the second player ({evaluation}) finds none of {attempts} openings balanced; give it another one"
    )]
    NoBalancedOpening {
        /// Description of the evaluation.
        evaluation: String,
        /// Number of openings drawn.
        attempts: usize,
    },
    /// The state file of an earlier run does not fit this run.
    #[error("{path}: {reason}; name another file or remove it")]
    BadState {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// A game file cannot be used.
    #[error("{0}: {1}")]
    Data(PathBuf, #[source] DataError),
    /// A sample file cannot be used.
    #[error("{0}: {1}")]
    Samples(PathBuf, #[source] SampleError),
    /// A game of a file is wrong.
    #[error("{path} game {number}: {reason}")]
    BadGame {
        /// Path of the file.
        path: PathBuf,
        /// Number of the game in the file, from 1.
        number: usize,
        /// Reason.
        reason: String,
    },
    /// Arguments of the command line do not fit together.
    #[error("{0}")]
    Arguments(String),
    /// Another process generates games into a folder.
    #[error(
        "process {process} generates games into {path} already; end it first or name another folder"
    )]
    FolderInUse {
        /// Path of the folder.
        path: PathBuf,
        /// Process id from the lock file of the folder.
        process: String,
    },
    /// Game files are damaged or incomplete. The details have been printed.
    #[error("{unsound} of {files} files are damaged or incomplete")]
    UnsoundFiles {
        /// Number of files with damage.
        unsound: usize,
        /// Number of files read.
        files: usize,
    },
    /// The games do not suffice for a training set and a validation set.
    #[error("too few games for a training set and a validation set")]
    TooFewGames,
    /// Signals cannot be watched.
    #[error("Ctrl-C cannot be watched for: {0}")]
    Signals(#[source] io::Error),
    /// The results cannot be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

/// Describes why a file could not be written, with the remedy if it exists already.
fn reason_not_written(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            "the file exists already; name another file or remove it".to_owned()
        }
        ErrorKind::WouldBlock => {
            "another process is writing the file; wait for its end or name another file".to_owned()
        }
        ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded | ErrorKind::StorageFull => {
            format!("{error}; make room and repeat the command")
        }
        _ => error.to_string(),
    }
}

impl LabError {
    /// Returns the error for a file that cannot be written.
    pub(crate) fn unwritable(path: &Path, error: io::Error) -> LabError {
        LabError::Unwritable {
            path: path.to_owned(),
            error,
        }
    }

    /// Returns [`LabError::PairsLacking`] for a run that the same command continues, if pairs are lacking.
    pub(crate) fn if_pairs_lack(pairs: u64, of: u64) -> Result<(), LabError> {
        let repetition = "continues the run";
        match pairs < of {
            true => Err(LabError::PairsLacking {
                pairs,
                of,
                repetition,
            }),
            false => Ok(()),
        }
    }

    /// Returns [`LabError::Cancelled`] for the new file at `path` if a signal requests the end of the work.
    pub(crate) fn if_interrupted(interrupt: &Interrupt, path: &Path) -> Result<(), LabError> {
        match interrupt.is_set() {
            true => Err(LabError::Cancelled(path.to_owned())),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_file_and_remedy() {
        let unwritable = |kind: ErrorKind| LabError::Unwritable {
            path: PathBuf::from("out.games"),
            error: io::Error::from(kind),
        };
        assert_eq!(
            unwritable(ErrorKind::AlreadyExists).to_string(),
            "cannot write out.games: the file exists already; name another file or remove it"
        );
        let denied = unwritable(ErrorKind::PermissionDenied).to_string();
        assert!(
            denied.starts_with("cannot write out.games: permission denied"),
            "{denied}"
        );
    }

    #[test]
    fn a_signal_cancels_the_work() {
        let interrupt = Interrupt::default();
        let path = Path::new("out.games");
        assert!(LabError::if_interrupted(&interrupt, path).is_ok());
        interrupt.set();
        let error = LabError::if_interrupted(&interrupt, path).unwrap_err();
        assert_eq!(
            error.to_string(),
            "interrupted; out.games was not written, the same command starts again"
        );
    }
}
