//! Files in which a long run saves its progress or its best result so far.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::LabError;

/// Returns the text of the file; `None` if it does not exist.
///
/// # Errors
/// If it exists and cannot be read.
pub(crate) fn read(path: &Path) -> Result<Option<String>, LabError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LabError::Unreadable {
            path: path.to_owned(),
            error,
        }),
    }
}

/// Replaces the file. A crash leaves the old or the new contents.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn replace(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), LabError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, contents)
        .and_then(|()| fs::rename(&new, path))
        .map_err(|error| LabError::Unwritable {
            path: path.to_owned(),
            error,
        })
}
