//! Files of training samples: a header, written when the file is complete, and the records.
//!
//! `docs/data.md` describes the bytes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::samples::RECORD_BYTES;
use crate::LabError;

/// First bytes of every file of samples.
const MAGIC: [u8; 8] = *b"GAURSAMP";

/// Version of the format.
const VERSION: u16 = 1;

/// Length of the header in bytes.
const HEADER: usize = 64;

/// Writer of a file of samples. Its header consists of zeros until the file is complete.
pub(super) struct SampleWriter {
    output: BufWriter<File>,
    path: PathBuf,
    checksum: crc32fast::Hasher,
    bytes: u64,
}

impl SampleWriter {
    /// Creates a file.
    ///
    /// # Errors
    /// If a file of this name exists, or none can be created.
    pub fn create(path: &Path) -> Result<SampleWriter, LabError> {
        let created = File::create_new(path).and_then(|file| {
            let mut output = BufWriter::new(file);
            output.write_all(&[0; HEADER])?;
            Ok(output)
        });
        Ok(SampleWriter {
            output: created.map_err(|error| unwritable(path, error))?,
            path: path.to_owned(),
            checksum: crc32fast::Hasher::new(),
            bytes: 0,
        })
    }

    /// Appends records.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, records: &[u8]) -> Result<(), LabError> {
        self.checksum.update(records);
        self.bytes += records.len() as u64;
        self.output
            .write_all(records)
            .map_err(|error| unwritable(&self.path, error))
    }

    /// Removes the incomplete file, if the system allows it.
    pub fn remove(self) {
        let SampleWriter { output, path, .. } = self;
        // Without writing the buffer. Some systems do not remove an open file.
        drop(output.into_parts().0);
        let _ = fs::remove_file(path);
    }

    /// Completes the file and returns its number of records.
    ///
    /// # Errors
    /// If it cannot be written. The file is removed then.
    pub fn finish(mut self) -> Result<u64, LabError> {
        let count = self.bytes / RECORD_BYTES as u64;
        let header = header(count, self.checksum.clone().finalize());
        // Seeking writes the buffer first.
        let written = self
            .output
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.output.write_all(&header))
            .and_then(|()| self.output.flush());
        if let Err(error) = written {
            let error = unwritable(&self.path, error);
            self.remove();
            return Err(error);
        }
        Ok(count)
    }
}

fn unwritable(path: &Path, error: io::Error) -> LabError {
    LabError::Unwritable {
        path: path.to_owned(),
        error,
    }
}

fn header(count: u64, checksum: u32) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[0..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10..12].copy_from_slice(&(RECORD_BYTES as u16).to_le_bytes());
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes[16..24].copy_from_slice(&count.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_file_has_a_header_and_no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples");
        let mut writer = SampleWriter::create(&path).unwrap();
        let records: Vec<u8> = (0..2 * RECORD_BYTES).map(|byte| byte as u8).collect();
        writer.write(&records[..RECORD_BYTES]).unwrap();
        writer.output.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap()[..HEADER], [0; HEADER]);
        writer.write(&records[RECORD_BYTES..]).unwrap();
        assert_eq!(writer.finish().unwrap(), 2);

        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes[..12], *b"GAURSAMP\x01\x00\x48\x00");
        assert_eq!(bytes[12..16], crc32fast::hash(&records).to_le_bytes());
        assert_eq!(bytes[16..24], 2_u64.to_le_bytes());
        assert_eq!(bytes[24..HEADER], [0; HEADER - 24]);
        assert!(bytes[HEADER..] == records);

        let Err(error) = SampleWriter::create(&path) else {
            panic!("the file existed already")
        };
        let error = error.to_string();
        assert!(
            error.contains("samples: the file exists already"),
            "{error}"
        );
        assert!(fs::read(&path).unwrap() == bytes);
    }
}
