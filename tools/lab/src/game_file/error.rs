//! Reasons why a game file cannot be read, written or continued.

use std::fmt;
use std::io;

use thiserror::Error;

use super::header::{Header, VERSION};

/// A reason why a game file, or a part of it, cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// The operating system refused to read or write.
    #[error("{}", describe(.0))]
    Io(#[from] io::Error),
    /// The file does not begin as a game file.
    #[error("not a game file; name one that `gaur-lab datagen` or `gaur-lab harvest` has written")]
    NotGames,
    /// The file begins as a sample file.
    #[error(
        "a sample file, not a game file; `gaur-lab data verify` and `gaur-lab data convert --to bulletformat` accept it"
    )]
    Samples,
    /// The file has an unknown version of the format.
    #[error(
        "format version {0}, but only versions 1 to {VERSION} are known; use the version of Gaur that wrote the file, \
         or, if its header is damaged, `gaur-lab data repair`"
    )]
    Version(u16),
    /// The checksum of the header is wrong.
    #[error(
        "the header, from byte 0 on, is damaged or incomplete; `gaur-lab data repair` copies the games into a new file"
    )]
    DamagedHeader,
    /// A part of the file contains no readable game. Reading continues after it where the format allows it.
    #[error("damaged at {0}")]
    Damaged(Region),
    /// The file ends inside a game. No game follows.
    #[error("incomplete game at {0}")]
    Incomplete(Region),
    /// The file is damaged before its end, so that a run must not be continued in it.
    #[error(
        "damaged at {0}; `gaur-lab data repair` copies all other games into a new file, in which the \
         run can be continued"
    )]
    NeedsRepair(Region),
    /// The file has the older format, in which a run cannot be continued.
    #[error("format version 1 can be read but not continued; name another file")]
    OldVersion,
    /// The file belongs to a run with other settings.
    #[error(
        "the file belongs to a run with other settings or of another version of Gaur: {0}; \
         repeat these settings or name another file"
    )]
    OtherRun(Box<Header>),
    /// The file contains games of several runs.
    #[error(
        "the file holds games of several or unknown runs and cannot be continued; name another file"
    )]
    NoRun,
    /// Another process is writing to the file.
    #[error("another process is writing to the file; wait for its end or name another file")]
    Busy,
}

/// A contiguous part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Offset of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub length: u64,
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} ({} bytes)", self.start, self.length)
    }
}

/// Describes an error of the operating system, with a remedy where there is one.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AlreadyExists => "the file exists already; name another one".to_owned(),
        _ if is_full(error) => format!("{error}; make room and repeat the command"),
        _ => error.to_string(),
    }
}

/// Returns `true` if there is no room for more bytes.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}
