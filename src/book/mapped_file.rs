//! A file that is mapped into memory: only the pages that are needed are read.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use mmap_io::{MemoryMappedFile, MmapIoError, MmapMode};

/// A file that is mapped into memory.
#[derive(Debug)]
pub struct MappedFile {
    map: MemoryMappedFile,
    /// A handle of the file, for its current size.
    file: File,
}

impl MappedFile {
    /// Maps the whole of a file that is not empty. The path is for messages.
    ///
    /// # Errors
    /// Returns an error if the system cannot map the file.
    pub fn new(file: File, path: &Path) -> io::Result<MappedFile> {
        let map = MemoryMappedFile::from_file(file.try_clone()?, MmapMode::ReadOnly, path)
            .map_err(io_error)?;
        Ok(MappedFile { map, file })
    }

    /// Fills a buffer with the bytes from a position of the file on.
    ///
    /// On Unix, access to a mapped page behind the end of the file would end the process (`SIGBUS`). Therefore the size
    /// of the file is compared first.
    ///
    /// # Errors
    /// Returns an error of the kind [`ErrorKind::UnexpectedEof`] if the file ends before the last of these bytes.
    pub fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let size = self.file.metadata()?.len();
        if size.saturating_sub(offset) < buffer.len() as u64 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.map.read_into(offset, buffer).map_err(io_error)
    }
}

/// Returns the error of the system.
fn io_error(error: MmapIoError) -> io::Error {
    match error {
        MmapIoError::Io(error) => error,
        // The file has become longer since it was mapped.
        MmapIoError::OutOfBounds { .. } => ErrorKind::UnexpectedEof.into(),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Returns a file with 10,000 bytes, of which each is its position modulo 256, and the mapped file.
    fn mapped() -> (File, MappedFile) {
        let mut file = tempfile::tempfile().expect("a file");
        let bytes: Vec<u8> = (0..10_000).map(|position| position as u8).collect();
        file.write_all(&bytes).expect("written");
        let clone = file.try_clone().expect("a handle");
        let mapped = MappedFile::new(clone, Path::new("test")).expect("mapped");
        (file, mapped)
    }

    #[test]
    fn the_bytes_from_a_position_on_are_read() {
        let (_file, mapped) = mapped();
        for position in [0, 1, 4_095, 4_096, 9_997] {
            let mut buffer = [0; 3];
            mapped.read(position, &mut buffer).expect("readable");
            assert_eq!(buffer, [0, 1, 2].map(|index| (position + index) as u8));
        }
    }

    #[test]
    fn positions_behind_the_end_are_an_error() {
        let (_file, mapped) = mapped();
        for position in [9_998, 10_000, 20_000, u64::MAX] {
            let error = mapped.read(position, &mut [0; 3]).expect_err("no bytes");
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{position}");
        }
    }

    #[test]
    fn a_longer_file_is_read_as_far_as_it_was_mapped() {
        let (file, mapped) = mapped();
        file.set_len(20_000).expect("longer");
        let mut buffer = [0];
        mapped.read(9_999, &mut buffer).expect("readable");
        assert_eq!(buffer, [9_999_u32 as u8]);
        let error = mapped.read(12_000, &mut buffer).expect_err("not mapped");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }

    // Windows shortens no file that a program has mapped.
    #[cfg(unix)]
    #[test]
    fn a_shorter_file_is_an_error() {
        let (file, mapped) = mapped();
        file.set_len(100).expect("shorter");
        mapped.read(90, &mut [0; 10]).expect("still there");
        let error = mapped.read(5_000, &mut [0; 10]).expect_err("cut off");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
}
