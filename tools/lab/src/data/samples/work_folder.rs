//! Folder for the temporary files of a conversion.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::new_file::is_file_at;

/// Name of the file by which a folder is recognised as one of this program. Its lock ends with the process.
const LOCK: &str = "gaur-lab.lock";

/// Number of attempts to create and lock a folder that other processes remove.
const ATTEMPTS: usize = 100;

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
        let path = path_beside(out);
        // Another process may remove the folder at any step until the lock is held.
        for _ in 0..ATTEMPTS {
            match fs::create_dir(&path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            match lock(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Ok(lock) if is_file_at(&lock, &path.join(LOCK)) => {
                    remove_files(&path)?;
                    return Ok(WorkFolder {
                        path,
                        lock: Some(lock),
                    });
                }
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(
            "another process creates and removes this folder; choose another --out",
        ))
    }

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // The lock file goes while it is locked, so that a process that gets the lock afterwards notices. A folder to
        // which another process has added its own lock file in the meantime is not empty and remains.
        let _ = remove_files(&self.path);
        let _ = fs::remove_file(self.path.join(LOCK));
        self.lock = None;
        let _ = fs::remove_dir(&self.path);
    }
}

/// Returns the path of the folder for a file that is being written.
pub(super) fn path_beside(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".parts");
    PathBuf::from(name)
}

/// Removes all files of a locked folder but the lock.
fn remove_files(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() != LOCK {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Locks a folder of this program.
///
/// # Errors
/// If the folder belongs to something else, if another process has locked it, or if it does not exist.
fn lock(path: &Path) -> io::Result<File> {
    let is_foreign = !path.join(LOCK).is_file() && fs::read_dir(path)?.next().is_some();
    if is_foreign && !path.join(LOCK).is_file() {
        let reason = "there is something else of this name; remove it or choose another --out";
        return Err(io::Error::other(reason));
    }
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

        // One that was killed at once leaves an empty folder.
        fs::create_dir(&parts).unwrap();
        drop(WorkFolder::create(&out).unwrap());
        assert!(!parts.exists());

        fs::create_dir(&parts).unwrap();
        fs::write(parts.join("diary"), "dear diary").unwrap();
        let error = WorkFolder::create(&out).err().unwrap().to_string();
        assert!(error.contains("something else of this name"), "{error}");
        assert!(parts.join("diary").exists());
    }

    /// Threads open separate files, so their locks exclude each other as those of processes do.
    #[test]
    fn only_one_process_at_a_time_uses_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.samples");
        let users = std::sync::atomic::AtomicUsize::new(0);
        let use_it = || {
            let mut count = 0;
            for number in 0..2000 {
                let Ok(work) = WorkFolder::create(&out) else {
                    continue;
                };
                let others = users.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                assert_eq!(others, 0);
                fs::write(work.file(&format!("training-{number}")), "text").unwrap();
                users.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                count += 1;
            }
            count
        };
        let counts: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(use_it)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(counts.iter().sum::<usize>() > 0);
        assert!(!out.with_extension("samples.parts").exists());
    }
}
