//! Reasons why a game file cannot be read, written or continued.

use std::error::Error;
use std::fmt;
use std::io;

use super::header::{Header, VERSION};

/// A reason why a game file, or a part of it, cannot be used.
#[derive(Debug)]
pub enum DataError {
    /// The operating system refused to read or write.
    Io(io::Error),
    /// The file does not begin as a game file.
    NotGames,
    /// The file has an unknown version of the format.
    Version(u16),
    /// The checksum of the header is wrong.
    DamagedHeader,
    /// A part of the file contains no readable game. Reading continues after it where the format allows it.
    Damaged(Region),
    /// The file ends inside a game. Nothing follows.
    Incomplete(Region),
    /// The file is damaged before its end, so that a run must not be continued in it.
    NeedsRepair(Region),
    /// The file has the older format, in which a run cannot be continued.
    OldVersion,
    /// The file belongs to a run with other settings.
    OtherRun(Box<Header>),
    /// The file holds games of several runs.
    NoRun,
    /// Another process is writing to the file.
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

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                f.write_str("the file exists already; name another one")
            }
            DataError::Io(error) if is_full(error) => {
                write!(f, "{error}; make room and repeat the command")
            }
            DataError::Io(error) => error.fmt(f),
            DataError::NotGames => f.write_str("not a game file"),
            DataError::Version(version) => write!(
                f,
                "format version {version}, but only versions 1 to {VERSION} are known"
            ),
            DataError::DamagedHeader => f.write_str(
                "the header is damaged or incomplete; `gaur-lab data repair` copies the games into a new file",
            ),
            DataError::Damaged(region) => write!(f, "damaged at {region}"),
            DataError::Incomplete(region) => write!(f, "incomplete game at {region}"),
            DataError::NeedsRepair(region) => write!(
                f,
                "damaged at {region}; `gaur-lab data repair` copies all other games into a new file, \
                 in which the run can be continued"
            ),
            DataError::OldVersion => {
                f.write_str("format version 1 can be read but not continued; name another file")
            }
            DataError::OtherRun(header) => write!(
                f,
                "the file belongs to a run with other settings or of another version of Gaur: {header}; \
                 repeat these settings or name another file"
            ),
            DataError::NoRun => f.write_str(
                "the file holds games of several or unknown runs and cannot be continued; name another file",
            ),
            DataError::Busy => f.write_str("another process is writing to the file"),
        }
    }
}

/// Returns `true` if there is no room for more bytes.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

impl Error for DataError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            DataError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> DataError {
        DataError::Io(error)
    }
}
