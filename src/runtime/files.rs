//! Small text files, read and written on behalf of the machine.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::protocol::machine::FileProblem;

/// No file of settings is larger than this, in bytes.
const LARGEST: u64 = 1 << 16;

/// The text of an ordinary file.
///
/// # Errors
/// If there is none, if it is no ordinary file (reading a pipe could last for ever), too large, or no text.
pub fn read_text(path: &str) -> Result<String, FileProblem> {
    let problem = |error| explain(&error, "be read");
    if !fs::metadata(path).map_err(problem)?.is_file() {
        return Err(FileProblem::Other("is not an ordinary file".to_owned()));
    }
    let file = File::open(path).map_err(problem)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(problem)?;
    if bytes.len() as u64 > LARGEST {
        return Err(FileProblem::Other("is too large".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| FileProblem::Other("is not a text in UTF-8".to_owned()))
}

/// Writes a file whole, in the place of one that may be there, or not at all.
///
/// # Errors
/// If that cannot be done; then what was there is still there.
pub fn write_text(path: &str, text: &str) -> Result<(), FileProblem> {
    // Behind a symbolic link the file that it names is written, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    if target.exists() && !target.is_file() {
        return Err(FileProblem::Other("is not an ordinary file".to_owned()));
    }
    replace(&target, text).map_err(|error| explain(&error, "be written"))
}

/// A file beside it gets the text first, and its name last. Who may read and write it stays as it was.
fn replace(target: &Path, text: &str) -> io::Result<()> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = create_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    // Nobody waits for the disk here: moves would wait, too.
    file.persist(target)?;
    Ok(())
}

/// A temporary file that others may read, as they may any new file, for it is there to stay.
fn create_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's mask takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Words of our own: those of the system make xboard believe that the engine could not be started.
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
    fn what_is_written_is_read_and_replaced_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings");
        let path = path.to_str().expect("a name in UTF-8");
        assert_eq!(read_text(path), Err(FileProblem::Missing));
        for text in ["first and longer", "second"] {
            assert_eq!(write_text(path, text), Ok(()));
            assert_eq!(read_text(path).as_deref(), Ok(text));
        }
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 1, "nothing else lies there");
    }

    #[test]
    fn what_is_no_text_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let refused =
            |result: Result<String, FileProblem>| matches!(result, Err(FileProblem::Other(_)));
        assert!(refused(read_text(&name(""))));
        fs::write(name("bytes"), b"\xff\xfe").expect("written");
        assert!(refused(read_text(&name("bytes"))));
        fs::write(name("large"), vec![b'#'; LARGEST as usize + 1]).expect("written");
        assert!(refused(read_text(&name("large"))));
        assert_eq!(
            write_text(&name("no folder/settings"), ""),
            Err(FileProblem::Missing)
        );
        assert!(matches!(
            write_text(&name(""), ""),
            Err(FileProblem::Other(_))
        ));
        assert!(refused(read_text("a\0b")));
    }

    #[cfg(unix)]
    #[test]
    fn who_may_read_a_file_stays_and_is_usual_for_a_new_one() {
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
