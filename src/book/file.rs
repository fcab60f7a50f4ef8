//! Polyglot books: entries sorted by key, in memory or in a file.
//!
//! A small file is read completely. A larger one stays open and is read at positions: it needs no memory, and a file
//! that is truncated or whose disk disappears is an error and not the end of the program, as it would be if it were
//! mapped into memory.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

use super::entry::{ENTRY_SIZE, Entry};
use crate::types::MAX_LEGAL_MOVES;

/// Largest file that is read completely, in bytes.
const MAX_SMALL_FILE: u64 = 64 << 20;

/// Number of entries of a large file whose order is checked when it is opened. A slow disk reads so many within 0.2 s;
/// other disorder is found where it is read.
const SAMPLES: u64 = 16;

/// Largest number of entries of a position that are read. A correct book has no more.
const MAX_ENTRIES: u64 = MAX_LEGAL_MOVES as u64;

/// A reason why a book cannot be used, in words that follow its name.
///
/// The texts for common system errors are Gaur's own: XBoard takes those of the system for a sign that the engine could
/// not be started.
#[derive(Debug, Error)]
pub enum BookFileError {
    /// There is no file with this path.
    #[error("does not exist")]
    Missing,
    /// The system denies access.
    #[error("may not be read")]
    Denied,
    /// The path belongs to a directory or device.
    #[error("is not an ordinary file")]
    NotAFile,
    /// The file has no content.
    #[error("is empty; copy it again")]
    Empty,
    /// The size of the file in bytes is that of no book.
    #[error(
        "is not a Polyglot book or is damaged: its size of {0} bytes is not a multiple of {ENTRY_SIZE}; copy it again"
    )]
    Size(u64),
    /// The entry with this number, from 0, belongs before an earlier one.
    #[error("is not a Polyglot book or is damaged: entry {0} is not in order; copy it again")]
    Unsorted(u64),
    /// The file has become shorter since it was opened.
    #[error("has become shorter; copy it again and set the option BookFile again")]
    Truncated,
    /// The system reports another error.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

impl From<io::Error> for BookFileError {
    fn from(error: io::Error) -> BookFileError {
        match error.kind() {
            ErrorKind::NotFound => BookFileError::Missing,
            ErrorKind::PermissionDenied => BookFileError::Denied,
            ErrorKind::UnexpectedEof => BookFileError::Truncated,
            _ => BookFileError::Unreadable(error),
        }
    }
}

/// The entries of a book.
#[derive(Debug)]
pub struct BookFile {
    contents: Contents,
    count: u64,
}

/// Place of the entries.
#[derive(Debug)]
enum Contents {
    Memory(Cow<'static, [u8]>),
    File(File),
}

impl BookFile {
    /// Opens a book and checks the order of its entries: all of a small file, some of a large one.
    ///
    /// # Errors
    /// Returns an error if the path does not belong to an ordinary file that contains a book.
    pub fn open(path: &Path) -> Result<BookFile, BookFileError> {
        BookFile::open_with(path, MAX_SMALL_FILE)
    }

    /// Opens a book of any size as [`BookFile::open`] opens large ones, without reading it completely.
    ///
    /// # Errors
    /// Returns an error if the path does not belong to an ordinary file that contains a book.
    pub fn open_on_disk(path: &Path) -> Result<BookFile, BookFileError> {
        BookFile::open_with(path, 0)
    }

    /// Opens a book, which is read completely if it has at most `max_small_file` bytes.
    fn open_with(path: &Path, max_small_file: u64) -> Result<BookFile, BookFileError> {
        // To open a pipe could block forever.
        if !fs::metadata(path)?.is_file() {
            return Err(BookFileError::NotAFile);
        }
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let count = count_of(size)?;
        if size <= max_small_file {
            let mut bytes = Vec::new();
            file.take(size).read_to_end(&mut bytes)?;
            return BookFile::from_bytes(bytes);
        }
        let book = BookFile {
            contents: Contents::File(file),
            count,
        };
        let mut previous = 0;
        for index in samples(count) {
            let key = book.entry(index)?.key;
            if key < previous {
                return Err(BookFileError::Unsorted(index));
            }
            previous = key;
        }
        Ok(book)
    }

    /// Returns the book in these bytes.
    ///
    /// # Errors
    /// Returns an error if the size is not that of a book, or an entry is not in order.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<BookFile, BookFileError> {
        let bytes = bytes.into();
        let book = BookFile {
            count: count_of(bytes.len() as u64)?,
            contents: Contents::Memory(bytes),
        };
        let mut previous = 0;
        for index in 0..book.count {
            let key = book.entry(index)?.key;
            if key < previous {
                return Err(BookFileError::Unsorted(index));
            }
            previous = key;
        }
        Ok(book)
    }

    /// Returns the book that is built into the executable.
    pub fn built_in() -> BookFile {
        let bytes: &'static [u8] = include_bytes!("gaur.book");
        // A test checks the order, so that the start of the program need not.
        BookFile {
            count: (bytes.len() / ENTRY_SIZE) as u64,
            contents: Contents::Memory(bytes.into()),
        }
    }

    /// Returns the number of entries.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns `true` if the book needs no disk any more.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.contents, Contents::Memory(_))
    }

    /// Returns the entry with this number, from 0.
    ///
    /// # Errors
    /// Returns an error if there is no such entry or the file cannot be read any more.
    pub fn entry(&self, index: u64) -> Result<Entry, BookFileError> {
        let mut bytes = [0; ENTRY_SIZE];
        self.read(index, &mut bytes)?;
        Ok(Entry::from_bytes(bytes))
    }

    /// Returns the entries of a position in the order of the book.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read any more, or entries in the file are not in order.
    pub fn entries(&self, key: u64) -> Result<Vec<Entry>, BookFileError> {
        // The first entry with the key is in this range, or at its end.
        let (mut first, mut end) = (0, self.count);
        while first < end {
            let middle = first + (end - first) / 2;
            if self.entry(middle)?.key < key {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        let count = MAX_ENTRIES.min(self.count - first) as usize;
        let mut bytes = vec![0; count * ENTRY_SIZE];
        self.read(first, &mut bytes)?;
        let (entries, _) = bytes.as_chunks::<ENTRY_SIZE>();
        let entries: Vec<Entry> = entries.iter().copied().map(Entry::from_bytes).collect();
        if let Some(index) = entries
            .windows(2)
            .position(|pair| pair[1].key < pair[0].key)
        {
            return Err(BookFileError::Unsorted(first + index as u64 + 1));
        }
        let of_key = entries.into_iter().take_while(|entry| entry.key == key);
        Ok(of_key.collect())
    }

    /// Reads bytes from the entry with this number on.
    fn read(&self, index: u64, buffer: &mut [u8]) -> Result<(), BookFileError> {
        let offset = index
            .checked_mul(ENTRY_SIZE as u64)
            .ok_or(BookFileError::Truncated)?;
        match &self.contents {
            Contents::Memory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let source = start
                    .checked_add(buffer.len())
                    .and_then(|end| bytes.get(start..end))
                    .ok_or(BookFileError::Truncated)?;
                buffer.copy_from_slice(source);
                Ok(())
            }
            Contents::File(file) => Ok(read_exact_at(file, buffer, offset)?),
        }
    }
}

/// Returns the numbers of the entries of a large book that are checked when it is opened: the first, the last, and some
/// between them.
fn samples(count: u64) -> impl Iterator<Item = u64> {
    // The product of both would not fit for the largest files.
    (0..SAMPLES)
        .map(move |sample| u128::from(sample) * u128::from(count - 1) / u128::from(SAMPLES - 1))
        .map(|index| index as u64)
}

/// Returns the number of entries of a book with this number of bytes.
fn count_of(size: u64) -> Result<u64, BookFileError> {
    match (size / ENTRY_SIZE as u64, size % ENTRY_SIZE as u64) {
        (0, 0) => Err(BookFileError::Empty),
        (count, 0) => Ok(count),
        _ => Err(BookFileError::Size(size)),
    }
}

/// Fills a buffer with the bytes from a position of a file on.
#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer with the bytes from a position of a file on.
#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;

    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use tempfile::TempDir;

    fn entry(key: u64, mv: u16) -> Entry {
        Entry {
            key,
            mv,
            weight: 1,
            learn: 0,
        }
    }

    fn bytes(entries: &[Entry]) -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// Writes a file in a folder of its own.
    fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.bin");
        fs::write(&path, bytes).expect("written");
        (folder, path)
    }

    /// Returns the same book in memory and in a file.
    fn both(entries: &[Entry]) -> (TempDir, [BookFile; 2]) {
        let (folder, path) = written(&bytes(entries));
        let books = [MAX_SMALL_FILE, 0].map(|limit| BookFile::open_with(&path, limit));
        (folder, books.map(|book| book.expect("a book")))
    }

    #[test]
    fn all_entries_of_a_key_are_found() {
        // Keys 2, 4, ... with 0 to 4 entries each, the first and the last included.
        let entries: Vec<Entry> = (1..400)
            .flat_map(|key| (0..key % 5).map(move |mv| entry(2 * key, mv as u16)))
            .collect();
        let (_folder, books) = both(&entries);
        assert_eq!(books.each_ref().map(BookFile::is_in_memory), [true, false]);
        for book in &books {
            assert_eq!(book.count(), entries.len() as u64);
            for key in 0..805 {
                let expected: Vec<Entry> = entries
                    .iter()
                    .filter(|entry| entry.key == key)
                    .copied()
                    .collect();
                assert_eq!(book.entries(key).expect("readable"), expected, "{key}");
            }
            assert_eq!(book.entries(u64::MAX).expect("readable"), []);
            assert!(book.entry(book.count()).is_err());
            assert!(book.entry(u64::MAX).is_err());
        }
    }

    #[test]
    fn the_extreme_keys_are_found() {
        let entries = [entry(0, 1), entry(u64::MAX, 2), entry(u64::MAX, 3)];
        let (_folder, books) = both(&entries);
        for book in &books {
            assert_eq!(book.entries(0).expect("readable"), entries[..1]);
            assert_eq!(book.entries(u64::MAX).expect("readable"), entries[1..]);
        }
    }

    #[test]
    fn a_position_with_very_many_entries_is_cut() {
        let entries = vec![entry(7, 1); 3_000];
        let (_folder, books) = both(&entries);
        for book in &books {
            assert_eq!(book.entries(7).expect("readable").len(), MAX_LEGAL_MOVES);
        }
    }

    /// Returns the error for a file with these bytes, which must not depend on its size class.
    fn problem(bytes: &[u8]) -> String {
        let (_folder, path) = written(bytes);
        let [small, large] = [MAX_SMALL_FILE, 0].map(|limit| {
            let book = BookFile::open_with(&path, limit);
            book.map(drop).expect_err("no book").to_string()
        });
        assert_eq!(small, large);
        small
    }

    #[test]
    fn files_of_other_sizes_are_no_books() {
        assert_eq!(problem(b""), "is empty; copy it again");
        for size in [1, 15, 17, 1_000_001] {
            let problem = problem(&vec![0; size]);
            assert!(
                problem.contains(&format!("size of {size} bytes")),
                "{problem}"
            );
        }
    }

    #[test]
    fn entries_must_be_in_order() {
        let problem = problem(&bytes(&[entry(1, 0), entry(3, 0), entry(2, 0)]));
        assert!(problem.contains("entry 2 is not in order"), "{problem}");
    }

    #[test]
    fn few_entries_of_a_large_file_are_read_when_it_is_opened() {
        for count in [1, 2, 17, 5_000_000, u64::MAX] {
            let samples: Vec<u64> = samples(count).collect();
            // A cold disk needs about 10 ms for each, and a move may be due.
            assert!(samples.len() <= 20, "{samples:?}");
            assert_eq!((samples[0], samples.last()), (0, Some(&(count - 1))));
            assert!(samples.is_sorted());
        }
    }

    #[test]
    fn disorder_in_a_large_file_is_found_where_it_is_read() {
        let mut entries: Vec<Entry> = (0..100_000).map(|key| entry(key, 0)).collect();
        entries.swap(50_001, 50_002);
        let (_folder, path) = written(&bytes(&entries));
        assert!(BookFile::open(&path).is_err());
        let book = BookFile::open_with(&path, 0).expect("the samples are in order");
        assert_eq!(book.entries(49_000).expect("readable").len(), 1);
        let problem = book.entries(49_990).expect_err("disorder").to_string();
        assert!(problem.contains("entry 50002 is not in order"), "{problem}");
    }

    #[test]
    fn what_is_no_file_is_no_book() {
        let folder = tempfile::tempdir().expect("a folder");
        let problem = |path: &Path| {
            let book = BookFile::open(path);
            book.map(drop).expect_err("no book").to_string()
        };
        assert_eq!(problem(folder.path()), "is not an ordinary file");
        let missing = folder.path().join("missing");
        assert_eq!(problem(&missing), "does not exist");
        #[cfg(unix)]
        assert_eq!(problem(Path::new("/dev/zero")), "is not an ordinary file");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_becomes_shorter_is_an_error() {
        let entries: Vec<Entry> = (0..1000).map(|key| entry(key, 0)).collect();
        let (_folder, path) = written(&bytes(&entries));
        let book = BookFile::open_with(&path, 0).expect("a book");
        let small = BookFile::open(&path).expect("a book");
        let file = File::options().write(true).open(&path).expect("a file");
        file.set_len(160).expect("truncated");
        let problem = book.entries(500).expect_err("truncated").to_string();
        assert_eq!(
            problem,
            "has become shorter; copy it again and set the option BookFile again"
        );
        assert_eq!(small.entries(500).expect("in memory").len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_removed_stays_readable() {
        let entries: Vec<Entry> = (0..1000).map(|key| entry(key, 0)).collect();
        let (folder, path) = written(&bytes(&entries));
        let book = BookFile::open_with(&path, 0).expect("a book");
        drop(folder);
        assert!(!path.exists());
        assert_eq!(book.entries(999).expect("readable").len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn offsets_may_exceed_32_bits() {
        use std::io::{Seek, SeekFrom, Write};

        const SIZE: u64 = (5 << 30) + 160;
        let (_folder, path) = written(b"");
        let mut file = File::options().write(true).open(&path).expect("a file");
        // The file has holes: it needs hardly any space on the disk.
        file.set_len(SIZE).expect("sparse files");
        file.seek(SeekFrom::Start(SIZE - 32)).expect("sought");
        file.write_all(&bytes(&[entry(5, 6), entry(u64::MAX, 7)]))
            .expect("written");
        let book = BookFile::open(&path).expect("a book");
        assert!(!book.is_in_memory());
        assert_eq!(book.count(), SIZE / 16);
        assert_eq!(book.entries(5).expect("readable"), [entry(5, 6)]);
        assert_eq!(
            book.entries(u64::MAX).expect("readable"),
            [entry(u64::MAX, 7)]
        );
        assert_eq!(book.entries(6).expect("readable"), []);
        assert_eq!(book.entries(0).expect("readable").len(), MAX_LEGAL_MOVES);
    }

    #[test]
    fn the_built_in_book_is_valid() {
        let book = BookFile::built_in();
        let bytes: &[u8] = include_bytes!("gaur.book");
        assert_eq!(bytes.len() % ENTRY_SIZE, 0);
        assert!(bytes.len() <= 600_000, "larger than 600 KB");
        assert!(BookFile::from_bytes(bytes).is_ok());
        let board = crate::board::Board::standard();
        let key = crate::book::polyglot_key(&board, None);
        let entries = book.entries(key).expect("readable");
        assert!(entries.len() >= 3);
        for entry in entries {
            assert!(entry.legal_move(&board).is_some());
            assert!(entry.weight > 0 && entry.score().is_some());
        }
    }
}
