//! Text files, read and written for the protocol machine: settings, and results for the opening book.
//!
//! # How a file is written
//!
//! | target | method |
//! |---|---|
//! | does not exist | temporary file, renamed unless the name exists by then |
//! | exists | temporary file with its owner, group and mode, renamed over it |
//! | has several hard links or an owner that the user may not set, or lies in a read-only folder | written in place |
//!
//! After an interruption or an error, the old content or none is left, or all of the new one. In place, this holds for
//! errors; if the system crashes while it writes, a part of the new content can be left.
//!
//! A symbolic link stays a link: its target is written, or created if it does not exist.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::protocol::machine::FileProblem;

/// Largest size of a settings file in bytes.
pub const MAX_BYTES: u64 = 1 << 16;

/// Largest number of symbolic links that follow each other; Linux has the same limit.
const MAX_LINKS: usize = 40;

/// The reason why a file is not replaced.
const APPEARED: &str = "has been created by another program since the option SettingsFile named it; \
                        set the option again to load it, or choose another name";

/// Reads an ordinary text file.
///
/// # Errors
/// Returns an error if the file is missing, too large, not UTF-8, or not an ordinary file: reading a pipe could block
/// forever.
pub fn read_text(path: &str) -> Result<String, FileProblem> {
    read_text_of(path, MAX_BYTES)
}

/// Reads an ordinary text file of at most `max_bytes`.
///
/// # Errors
/// Returns an error if the file is missing, too large, not UTF-8, or not an ordinary file.
pub fn read_text_of(path: &str, max_bytes: u64) -> Result<String, FileProblem> {
    let problem = |error| explain(&error, "be read");
    if !fs::metadata(path).map_err(problem)?.is_file() {
        return Err(FileProblem::Other("is not an ordinary file".to_owned()));
    }
    let file = File::open(path).map_err(problem)?;
    let bytes = read_all(file, max_bytes).map_err(problem)?;
    String::from_utf8(bytes).map_err(|_| FileProblem::Other("is not a text in UTF-8".to_owned()))
}

/// Reads a file of at most `max_bytes`.
fn read_all(file: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Writes a file completely or not at all; the table above lists the exceptions. An existing file is replaced only if
/// `may_replace` is set, and in place only if it has at most `max_old_bytes`. `begin_writing` is called once, just
/// before; if it returns `false`, nothing is written.
///
/// # Errors
/// Returns an error if the file cannot be written or was cancelled. An existing file is then unchanged.
pub fn write_text(
    path: &str,
    text: &str,
    may_replace: bool,
    max_old_bytes: u64,
    begin_writing: &dyn Fn() -> bool,
) -> Result<(), FileProblem> {
    let result = match fs::metadata(path) {
        Ok(old) if !old.is_file() => {
            return Err(FileProblem::Other("is not an ordinary file".to_owned()));
        }
        Ok(_) if !may_replace => Err(ErrorKind::AlreadyExists.into()),
        Ok(old) => fs::canonicalize(path).and_then(|target| {
            replace(&target, &old, text.as_bytes(), max_old_bytes, begin_writing)
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => final_target(path.into())
            .and_then(|target| create(&target, text.as_bytes(), begin_writing)),
        Err(error) => Err(error),
    };
    result.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => FileProblem::Other(APPEARED.to_owned()),
        _ => explain(&error, "be written"),
    })
}

/// Follows symbolic links to the file that they name, which need not exist.
///
/// # Errors
/// Returns an error if too many links follow each other.
pub fn final_target(mut path: PathBuf) -> io::Result<PathBuf> {
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the error of a cancelled write.
fn cancelled() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "there was no answer in time")
}

/// Writes a file that does not exist yet.
fn create(target: &Path, bytes: &[u8], begin_writing: &dyn Fn() -> bool) -> io::Result<()> {
    let file = temporary_with(target, bytes)?;
    file.as_file().sync_all()?;
    if !begin_writing() {
        return Err(cancelled());
    }
    match file.persist_noclobber(target) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(error.error),
        // Some file systems can neither rename without replacing nor link.
        Err(_) => {
            let mut file = File::options().write(true).create_new(true).open(target)?;
            let result = file.write_all(bytes).and_then(|()| file.sync_all());
            if result.is_err() {
                // The file did not exist before.
                fs::remove_file(target).unwrap_or_default();
            }
            result
        }
    }
}

/// Replaces the content of an existing file, whose metadata are `old`.
fn replace(
    target: &Path,
    old: &Metadata,
    bytes: &[u8],
    max_old_bytes: u64,
    begin_writing: &dyn Fn() -> bool,
) -> io::Result<()> {
    // A rename would replace a file that the user may not write.
    let existing = File::options().read(true).write(true).open(target)?;
    let file = match temporary_with(target, bytes) {
        Ok(file) => file,
        Err(error) if is_denied(&error) => {
            return write_in_place(existing, bytes, max_old_bytes, begin_writing);
        }
        Err(error) => return Err(error),
    };
    if has_other_names(old) || !keep_owner(file.as_file(), old) {
        // The temporary file has shown that there is space.
        drop(file);
        return write_in_place(existing, bytes, max_old_bytes, begin_writing);
    }
    // After the owner: a change of the owner may remove permissions.
    file.as_file().set_permissions(old.permissions())?;
    file.as_file().sync_all()?;
    if !begin_writing() {
        return Err(cancelled());
    }
    // Windows does not replace a file that is open.
    drop(existing);
    file.persist(target)?;
    Ok(())
}

/// Returns `true` if no file can be created in the folder.
fn is_denied(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

/// Overwrites a file in place, and restores it after an error.
fn write_in_place(
    mut file: File,
    bytes: &[u8],
    max_old_bytes: u64,
    begin_writing: &dyn Fn() -> bool,
) -> io::Result<()> {
    let old = read_all(&file, max_old_bytes)?;
    if !begin_writing() {
        return Err(cancelled());
    }
    let result = overwrite(&mut file, bytes);
    if result.is_err() {
        // The space of the old content is still allocated.
        overwrite(&mut file, &old).unwrap_or_default();
    }
    result
}

fn overwrite(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Returns `true` if the file has several hard links.
#[cfg(unix)]
fn has_other_names(old: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    old.nlink() > 1
}

/// Returns `false`: the number is unknown.
#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives a new file the owner and group of the old one. Returns `false` if the user may not.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_same = |new: Metadata| (new.uid(), new.gid()) == (old.uid(), old.gid());
    file.metadata().is_ok_and(is_same) || fchown(file, Some(old.uid()), Some(old.gid())).is_ok()
}

/// Returns `true`: files inherit the owner from the folder.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> bool {
    true
}

/// Creates a temporary file with this content beside `target`.
fn temporary_with(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = create_beside(target)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Creates a temporary file in the folder of `target`, which it can later replace by a rename. It has the permissions
/// of any new file; other temporary files are private.
///
/// # Errors
/// Returns an error if no file can be created in the folder.
pub fn create_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gaur-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system removes the permissions in the user's mask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Describes an error in Gaur's own words: XBoard takes those of the system for a sign that the engine could not be
/// started.
fn explain(error: &io::Error, what: &str) -> FileProblem {
    FileProblem::Other(match error.kind() {
        ErrorKind::NotFound => return FileProblem::Missing,
        ErrorKind::PermissionDenied => format!("may not {what}"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("cannot {what}: the disk is full")
        }
        ErrorKind::FileTooLarge => {
            format!("cannot {what}: it is too large, or larger than the system allows")
        }
        _ => format!("cannot {what}: {error}"),
    })
}

#[cfg(test)]
mod tests;
