//! Books on disk: read completely, and written completely or not at all.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use crate::book::{BookFile, BookFileError, Entry};
use crate::runtime::create_beside;

use super::super::ToolError;
use super::super::counted::counted;
use super::super::interrupt::Interrupt;

/// Reads the bytes of an ordinary file.
///
/// # Errors
/// Returns an error if it cannot be read.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, ToolError> {
    let book_error = |error| ToolError::Book {
        path: path.to_owned(),
        error,
    };
    let metadata = fs::metadata(path).map_err(|error| book_error(error.into()))?;
    // To open a pipe could block forever.
    if !metadata.is_file() {
        return Err(book_error(BookFileError::NotAFile));
    }
    fs::read(path).map_err(|error| book_error(error.into()))
}

/// Returns a book, or the built-in one without a path.
///
/// # Errors
/// Returns an error if the file cannot be read or is no book.
pub(super) fn open(path: Option<&Path>) -> Result<BookFile, ToolError> {
    let Some(path) = path else {
        return Ok(BookFile::built_in());
    };
    BookFile::from_bytes(read_bytes(path)?).map_err(|error| ToolError::Book {
        path: path.to_owned(),
        error,
    })
}

/// Returns the size of a book in words.
pub(super) fn size(moves: u64, positions: u64) -> String {
    format!(
        "{} in {}",
        counted(moves, "move"),
        counted(positions, "position")
    )
}

/// Returns all entries of a book.
pub(super) fn entries(book: &BookFile) -> impl Iterator<Item = Entry> + '_ {
    (0..book.count()).map_while(|index| book.entry(index).ok())
}

/// Writes entries in the order of the format. An existing book is replaced at once.
///
/// # Errors
/// Returns an error if the file cannot be written or the work is interrupted. An existing file is then unchanged.
pub(super) fn write(
    path: &Path,
    mut entries: Vec<Entry>,
    interrupt: &Interrupt,
) -> Result<(), ToolError> {
    entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
    let written = replace(path, &entries, interrupt);
    match written.map_err(|error| ToolError::Unwritable {
        path: path.to_owned(),
        error,
    })? {
        true => Ok(()),
        false => Err(ToolError::Interrupted),
    }
}

/// Replaces a file by these entries; returns `false` if the work is interrupted before.
fn replace(path: &Path, entries: &[Entry], interrupt: &Interrupt) -> io::Result<bool> {
    // A link stays a link.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    match fs::metadata(&target) {
        Ok(metadata) if !metadata.is_file() => {
            return Err(io::Error::other("it is not an ordinary file"));
        }
        // A rename would replace a file that the user may not write.
        Ok(_) => drop(File::options().write(true).open(&target)?),
        Err(_) => {}
    }
    let file = create_beside(&target).map_err(|error| without_name(&error))?;
    let mut file = BufWriter::new(file);
    for entry in entries {
        file.write_all(&entry.to_bytes())?;
    }
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    if interrupt.is_set() {
        return Ok(false);
    }
    file.persist(target)?;
    Ok(true)
}

/// Returns the reason why a temporary file cannot be created, without its name, which the user does not know.
fn without_name(error: &io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::NotFound => {
            io::Error::other("its folder does not exist; create it or choose another one")
        }
        kind => kind.into(),
    }
}
