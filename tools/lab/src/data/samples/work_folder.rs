//! Folder for the temporary files of a conversion.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Name of the file by which a folder is recognised as one of this program. Its lock ends with the process.
const LOCK: &str = "gaur-lab.lock";

/// A folder beside the file that is being written. It is removed at the end, and after a crash by the next run.
pub(super) struct WorkFolder {
    path: PathBuf,
    /// Locked while the folder is in use.
    lock: Option<File>,
}

impl WorkFolder {
    /// Creates the folder `OUT.parts`, or empties the one that a killed run has left.
    ///
    /// # Errors
    /// If it cannot be created, another process uses it, or a foreign folder has this name.
    pub fn create(out: &Path) -> io::Result<WorkFolder> {
        let mut name = out.as_os_str().to_owned();
        name.push(".parts");
        let path = PathBuf::from(name);
        match fs::create_dir(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                remove_remains(&path)?;
                fs::create_dir(&path)?;
            }
            Err(error) => return Err(error),
        }
        let lock = lock(&path)?;
        Ok(WorkFolder {
            path,
            lock: Some(lock),
        })
    }

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // Some systems do not remove an open file.
        self.lock = None;
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folder of a killed run.
fn remove_remains(path: &Path) -> io::Result<()> {
    if !path.join(LOCK).is_file() {
        let reason = "there is something else of this name; remove it or choose another --out";
        return Err(io::Error::other(reason));
    }
    drop(lock(path)?);
    fs::remove_dir_all(path)
}

fn lock(path: &Path) -> io::Result<File> {
    let file = File::create(path.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::Error::other(
            "another process writes these samples; choose another --out",
        )),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remains_are_removed_and_foreign_folders_kept() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.samples");
        let parts = folder.path().join("x.samples.parts");
        let work = WorkFolder::create(&out).unwrap();
        let error = WorkFolder::create(&out).err().unwrap().to_string();
        assert!(error.contains("another process"), "{error}");
        drop(work);
        assert!(!parts.exists());

        // A killed run leaves its files, without a lock.
        fs::create_dir(&parts).unwrap();
        fs::write(parts.join(LOCK), "").unwrap();
        fs::write(parts.join("training-0"), "rest").unwrap();
        let work = WorkFolder::create(&out).unwrap();
        assert!(!work.file("training-0").exists());
        drop(work);

        fs::create_dir(&parts).unwrap();
        fs::write(parts.join("diary"), "dear diary").unwrap();
        let error = WorkFolder::create(&out).err().unwrap().to_string();
        assert!(error.contains("something else of this name"), "{error}");
        assert!(parts.join("diary").exists());
    }
}
