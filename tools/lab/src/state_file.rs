//! Files that a long run replaces as it goes on: how far it is, or the best found so far.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::LabError;

/// What the file holds; `None` if there is none yet.
///
/// # Errors
/// If it is there and cannot be read.
pub(super) fn read(path: &Path) -> Result<Option<String>, LabError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LabError::Unreadable {
            path: path.to_owned(),
            error,
        }),
    }
}

/// Replaces the file; a crash leaves the old one or the new one.
///
/// # Errors
/// If it cannot be written.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), LabError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, path))
        .map_err(|error| LabError::Unwritable {
            path: path.to_owned(),
            error,
        })
}
