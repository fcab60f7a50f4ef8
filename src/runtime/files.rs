//! Settings files, read and written for the protocol machine.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::protocol::machine::FileProblem;

/// Largest size of a settings file in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// Reads an ordinary text file.
///
/// # Errors
/// Returns an error if the file is missing, too large, not UTF-8, or not an ordinary file: reading a pipe could block
/// forever.
pub fn read_text(path: &str) -> Result<String, FileProblem> {
    let problem = |error| explain(&error, "be read");
    if !fs::metadata(path).map_err(problem)?.is_file() {
        return Err(FileProblem::Other("is not an ordinary file".to_owned()));
    }
    let file = File::open(path).map_err(problem)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(problem)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileProblem::Other("is too large".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| FileProblem::Other("is not a text in UTF-8".to_owned()))
}

/// Writes a file atomically and replaces an existing one.
///
/// # Errors
/// Returns an error if the file cannot be written. An existing file is then unchanged.
pub fn write_text(path: &str, text: &str) -> Result<(), FileProblem> {
    // A symbolic link stays; the file that it names is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    if target.exists() && !target.is_file() {
        return Err(FileProblem::Other("is not an ordinary file".to_owned()));
    }
    replace(&target, text).map_err(|error| explain(&error, "be written"))
}

/// Writes a temporary file in the same folder and renames it to `target`. Permissions of an existing file are kept.
fn replace(target: &Path, text: &str) -> io::Result<()> {
    let mut file = create_beside(target)?;
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    // Without a sync: the event loop must not wait for the disk.
    file.persist(target)?;
    Ok(())
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
        ErrorKind::StorageFull => format!("cannot {what}: the disk is full"),
        _ => format!("cannot {what}: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_is_read_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings");
        let path = path.to_str().expect("a name in UTF-8");
        assert_eq!(read_text(path), Err(FileProblem::Missing));
        for text in ["first and longer", "second"] {
            assert_eq!(write_text(path, text), Ok(()));
            assert_eq!(read_text(path).as_deref(), Ok(text));
        }
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 1, "no temporary file is left");
    }

    #[test]
    fn a_file_that_is_not_text_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let is_rejected =
            |result: Result<String, FileProblem>| matches!(result, Err(FileProblem::Other(_)));
        assert!(is_rejected(read_text(&name(""))));
        fs::write(name("bytes"), b"\xff\xfe").expect("written");
        assert!(is_rejected(read_text(&name("bytes"))));
        fs::write(name("large"), vec![b'#'; MAX_BYTES as usize + 1]).expect("written");
        assert!(is_rejected(read_text(&name("large"))));
        assert_eq!(
            write_text(&name("no folder/settings"), ""),
            Err(FileProblem::Missing)
        );
        assert!(matches!(
            write_text(&name(""), ""),
            Err(FileProblem::Other(_))
        ));
        assert!(is_rejected(read_text("a\0b")));
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_usual_for_a_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        let (usual, file) = (folder.path().join("usual"), folder.path().join("file"));
        fs::write(&usual, "").expect("written");
        let name = file.to_str().expect("a name");
        assert_eq!(write_text(name, "new"), Ok(()));
        assert_eq!(mode(&file), mode(&usual));
        for rights in [0o600, 0o640, 0o666] {
            fs::set_permissions(&file, fs::Permissions::from_mode(rights)).expect("our file");
            assert_eq!(write_text(name, "changed"), Ok(()));
            assert_eq!(mode(&file), rights);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert_eq!(write_text(link.to_str().expect("a name"), "new"), Ok(()));
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("a file"), "new");
    }
}
