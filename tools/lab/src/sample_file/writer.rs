//! Writing of sample files, so that no incomplete file has its final name.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::constants::{HEADER_BYTES, RECORD_BYTES, RECORDS_PER_CHUNK};
use super::header::{SampleHeader, SampleKind, Share};
use crate::new_file::NewFile;

/// Writer of a sample file. The file has a temporary name until [`SampleWriter::finish`] and disappears without it.
pub struct SampleWriter {
    output: BufWriter<NewFile>,
    header: SampleHeader,
    /// Checksums of the complete chunks.
    checksums: Vec<u8>,
    /// Checksum of the records of the current chunk.
    chunk: crc32fast::Hasher,
}

impl SampleWriter {
    /// Creates a file that can become `target`.
    ///
    /// # Errors
    /// If it cannot be created, or another process is writing it.
    pub fn create(
        target: &Path,
        kind: SampleKind,
        validation_share: Share,
        max_occurrences: u32,
    ) -> io::Result<SampleWriter> {
        let mut output = BufWriter::with_capacity(1 << 20, NewFile::create(target)?);
        output.write_all(&[0; HEADER_BYTES])?;
        Ok(SampleWriter {
            output,
            header: SampleHeader {
                kind,
                validation_share,
                max_occurrences,
                records: 0,
                records_per_chunk: RECORDS_PER_CHUNK,
                checksum: 0,
            },
            checksums: Vec::new(),
            chunk: crc32fast::Hasher::new(),
        })
    }

    /// Appends records.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, mut records: &[[u8; RECORD_BYTES]]) -> io::Result<()> {
        let per_chunk = u64::from(self.header.records_per_chunk);
        while !records.is_empty() {
            let left = per_chunk - self.header.records % per_chunk;
            let fitting = records.len().min(left as usize);
            let (now, later) = records.split_at(fitting);
            let bytes = now.as_flattened();
            self.chunk.update(bytes);
            self.output.write_all(bytes)?;
            self.header.records += now.len() as u64;
            if self.header.records.is_multiple_of(per_chunk) {
                self.end_chunk();
            }
            records = later;
        }
        Ok(())
    }

    fn end_chunk(&mut self) {
        let checksum = std::mem::take(&mut self.chunk).finalize();
        self.checksums.extend(checksum.to_le_bytes());
    }

    /// Returns the number of records written so far.
    pub fn records(&self) -> u64 {
        self.header.records
    }

    /// Completes the file, waits until it is on the disk, gives it this name and returns its number of records.
    ///
    /// # Errors
    /// If it cannot be written, or a file of this name exists. The new file is removed then.
    pub fn finish(self, path: &Path) -> io::Result<u64> {
        let file = self.complete()?;
        let records = file.header().records;
        file.rename(path)?;
        Ok(records)
    }

    /// Completes the file and waits until it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written. The new file is removed then.
    pub fn complete(mut self) -> io::Result<CompleteSamples> {
        let per_chunk = u64::from(self.header.records_per_chunk);
        if !self.header.records.is_multiple_of(per_chunk) {
            self.end_chunk();
        }
        self.header.checksum = crc32fast::hash(&self.checksums);
        self.output.write_all(&self.checksums)?;
        // Seeking writes the buffer first.
        self.output.seek(SeekFrom::Start(0))?;
        self.output.write_all(&self.header.to_bytes())?;
        let file = self
            .output
            .into_inner()
            .map_err(|error| error.into_error())?;
        file.sync()?;
        Ok(CompleteSamples {
            file,
            header: self.header,
        })
    }
}

/// A complete sample file under its temporary name. It disappears unless [`CompleteSamples::rename`] gives it its name.
pub struct CompleteSamples {
    file: NewFile,
    header: SampleHeader,
}

impl CompleteSamples {
    /// Returns the header.
    pub fn header(&self) -> &SampleHeader {
        &self.header
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If a file of this name exists, or the name cannot be given. The new file is removed then.
    pub fn rename(self, path: &Path) -> io::Result<()> {
        self.file.rename(path)
    }
}
