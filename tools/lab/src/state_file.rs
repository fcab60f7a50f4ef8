//! Files in which a long run saves its progress or its best result so far.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::LabError;
use crate::new_file::NewFile;

/// Protection of a state file against other processes. It ends when the value is dropped, or with the process.
pub(crate) struct Lock {
    /// A file beside the state file, which is locked and then removed.
    _file: NewFile,
}

impl Lock {
    /// Locks a state file for this process.
    ///
    /// # Errors
    /// If another process has locked it, or its folder cannot be written.
    pub fn new(path: &Path) -> Result<Lock, LabError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let file = NewFile::create(beside.as_ref());
        let file = file.map_err(|error| LabError::unwritable(path, error))?;
        Ok(Lock { _file: file })
    }
}

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

/// Replaces the file. A crash or power failure leaves the old or the new contents.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn replace(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), LabError> {
    NewFile::create(path)
        .and_then(|mut file| {
            file.write_all(contents.as_ref())?;
            file.replace(path)
        })
        .map_err(|error| LabError::unwritable(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_file_is_written_by_one_process_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let lock = Lock::new(&path).unwrap();
        let error = Lock::new(&path).err().unwrap().to_string();
        assert!(
            error.ends_with(
                "state: another process is writing the file; wait for its end or name another file"
            ),
            "{error}"
        );
        replace(&path, "first").unwrap();
        replace(&path, "second").unwrap();
        drop(lock);
        drop(Lock::new(&path).unwrap());
        assert_eq!(read(&path).unwrap().as_deref(), Some("second"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
