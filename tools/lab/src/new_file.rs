//! New files, which have a temporary name until they are complete.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// Number of attempts to create and lock a file that other processes rename or remove.
const ATTEMPTS: usize = 100;

/// A file that is being written and locked. It disappears unless [`NewFile::rename`] gives it its name.
///
/// The temporary name of a file `NAME` is `.NAME.gaur-part`: what a killed process has left is replaced by the next one
/// that writes `NAME`.
pub(crate) struct NewFile {
    /// Dropped first: the file is removed before its lock ends.
    temporary: TempPath,
    file: File,
}

impl NewFile {
    /// Creates an empty file that can become `target`.
    ///
    /// # Errors
    /// If it cannot be created; [`ErrorKind::WouldBlock`] if another process is writing it.
    pub fn create(target: &Path) -> io::Result<NewFile> {
        let path = temporary_path(target)?;
        for _ in 0..ATTEMPTS {
            let mut options = File::options();
            let file = options.read(true).write(true).create(true).truncate(false);
            let file = file.open(&path)?;
            file.try_lock()?;
            // Before it was locked, another process may have given it its name, which must not be emptied then.
            if is_file_at(&file, &path) {
                file.set_len(0)?;
                let temporary = TempPath::try_from_path(path)?;
                return Ok(NewFile { temporary, file });
            }
        }
        Err(ErrorKind::WouldBlock.into())
    }

    /// Waits until the content is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If a file of this name exists, or the name cannot be given. The new file is removed then.
    pub fn rename(self, target: &Path) -> io::Result<()> {
        give_name(self.temporary, target)
    }

    /// Gives the file its name, and replaces the file that has this name. After a power failure the name belongs to the
    /// old file or to the new one.
    ///
    /// # Errors
    /// If the file cannot be written or renamed. It is removed then.
    pub fn replace(self, target: &Path) -> io::Result<()> {
        self.sync()?;
        let renamed = self.temporary.persist(target);
        renamed.map_err(|error| error.error)?;
        sync_folder(target);
        Ok(())
    }

    /// Returns the temporary name, which must be dropped first, and the file.
    pub fn into_parts(self) -> (TempPath, File) {
        (self.temporary, self.file)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Gives a file its name, which survives a power failure where the system allows it.
///
/// # Errors
/// If a file of this name exists, or the name cannot be given. The file is removed then.
pub(crate) fn give_name(temporary: TempPath, target: &Path) -> io::Result<()> {
    let renamed = temporary.persist_noclobber(target);
    renamed.map_err(|error| error.error)?;
    sync_folder(target);
    Ok(())
}

/// Waits until the name of a file is on the disk, where the system allows it.
fn sync_folder(target: &Path) {
    #[cfg(unix)]
    {
        let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = target;
}

/// Returns the path of a file while it is being written.
fn temporary_path(target: &Path) -> io::Result<PathBuf> {
    let Some(name) = target.file_name() else {
        return Err(ErrorKind::InvalidFilename.into());
    };
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(".gaur-part");
    Ok(target.with_file_name(temporary))
}

/// Returns `true` if this is the file with this name, not one that has been removed or renamed.
#[cfg(unix)]
pub(crate) fn is_file_at(file: &File, path: &Path) -> bool {
    use std::fs::{Metadata, metadata};
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), metadata(path)) {
        (Ok(file), Ok(named)) => identity(file) == identity(named),
        _ => false,
    }
}

/// Returns `true` if there is a file with this name: an open file keeps its name there.
#[cfg(not(unix))]
pub(crate) fn is_file_at(_file: &File, path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn remains_of_a_killed_process_are_replaced_and_files_in_use_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let [target, temporary] = ["x.text", ".x.text.gaur-part"].map(|n| folder.path().join(n));
        fs::write(&temporary, "a long rest without a lock").unwrap();
        let mut file = NewFile::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        let error = NewFile::create(&target).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        file.sync().unwrap();
        file.rename(&target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(!temporary.exists());

        // A file that exists is not replaced, and an unfinished one disappears.
        let file = NewFile::create(&target).unwrap();
        let error = file.rename(&target).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        drop(NewFile::create(&target).unwrap());
        assert!(!temporary.exists());
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_remains() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.text");
        for text in ["first", "2nd"] {
            let mut file = NewFile::create(&target).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.replace(&target).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
        // A folder cannot be replaced.
        let file = NewFile::create(&target).unwrap();
        fs::remove_file(&target).unwrap();
        fs::create_dir(&target).unwrap();
        assert!(file.replace(&target).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Threads open separate files, so their locks exclude each other as those of processes do.
    #[test]
    fn only_one_process_at_a_time_writes_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let users = AtomicUsize::new(0);
        let write = |thread: usize| {
            let mut count = 0;
            for number in 0..1000 {
                let target = folder.path().join("x");
                let Ok(mut file) = NewFile::create(&target) else {
                    continue;
                };
                assert_eq!(users.fetch_add(1, Ordering::SeqCst), 0);
                let text = format!("{thread} {number}");
                file.write_all(text.as_bytes()).unwrap();
                users.fetch_sub(1, Ordering::SeqCst);
                if number % 2 == 0 {
                    continue;
                }
                let own = folder.path().join(&text);
                file.rename(&own).unwrap();
                assert_eq!(fs::read_to_string(own).unwrap(), text);
                count += 1;
            }
            count
        };
        let counts: Vec<usize> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || write(n))).collect();
            let joined = threads.into_iter().map(|thread| thread.join().unwrap());
            joined.collect()
        });
        let count: usize = counts.iter().sum();
        assert!(count > 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), count);
    }
}
