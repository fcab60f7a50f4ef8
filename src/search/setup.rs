//! What a player thinks with: its knowledge, and the parameters of its search.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{EvaluationChoice, Parameters, SearchSettings};
use crate::eval::{Evaluation, Network, NetworkFormatError};

/// What a player thinks with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSetup {
    /// Of the search.
    pub parameters: Parameters,
    /// What positions are judged by.
    pub evaluation: Evaluation,
}

/// Why a file that was to be the network is none.
#[derive(Debug)]
pub enum NetworkFileError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It holds something else.
    Invalid(PathBuf, NetworkFormatError),
}

impl fmt::Display for NetworkFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Words of our own: those of the system make xboard believe that the engine could not be started.
            NetworkFileError::Unreadable(path, error) => {
                let path = path.display();
                match error.kind() {
                    ErrorKind::NotFound => write!(f, "{path} does not exist"),
                    ErrorKind::PermissionDenied => write!(f, "{path} may not be read"),
                    _ => write!(f, "{path} cannot be read: {error}"),
                }
            }
            NetworkFileError::Invalid(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for NetworkFileError {}

impl SearchSetup {
    /// Returns the setup for these settings.
    ///
    /// # Errors
    /// If it names a file that is no network.
    pub fn from_settings(settings: &SearchSettings) -> Result<SearchSetup, NetworkFileError> {
        Ok(SearchSetup {
            parameters: settings.parameters,
            evaluation: evaluation_of(&settings.evaluation)?,
        })
    }
}

fn evaluation_of(evaluation: &EvaluationChoice) -> Result<Evaluation, NetworkFileError> {
    // A wrong name is told when it is given, though the network may not be wanted yet.
    let network = match evaluation.eval_file.as_os_str().is_empty() {
        true => Network::embedded(),
        false => Arc::new(read_network(&evaluation.eval_file)?),
    };
    Ok(match evaluation.is_classical {
        true => Evaluation::Classical,
        false => Evaluation::network(network),
    })
}

fn read_network(path: &Path) -> Result<Network, NetworkFileError> {
    let bytes = read(path).map_err(|error| NetworkFileError::Unreadable(path.to_owned(), error))?;
    Network::from_bytes(&bytes).map_err(|error| NetworkFileError::Invalid(path.to_owned(), error))
}

/// The beginning of an ordinary file, as much of it as it takes to see whether it is a network: reading a pipe could
/// last for ever, and a large file too long beside a running clock.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(Network::BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
