//! Reading of sample files, chunk by chunk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::constants::{CHECKSUM_BYTES, HEADER_BYTES, MAGIC, RECORD_BYTES};
use super::error::SampleError;
use super::header::SampleHeader;
use super::sample::Sample;

/// Reader of a sample file: an iterator over its chunks. It ends after the first error.
pub struct SampleReader<R> {
    input: R,
    header: SampleHeader,
    /// Checksums of the chunks.
    checksums: Vec<u8>,
    /// Index of the next chunk.
    next: u64,
}

impl SampleReader<File> {
    /// Returns `true` if a file begins as a sample file.
    pub fn is_samples(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        read.is_ok() && start == MAGIC
    }

    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read, is no sample file, or its length is wrong.
    pub fn open(path: &Path) -> Result<SampleReader<File>, SampleError> {
        SampleReader::new(File::open(path)?)
    }
}

impl<R: Read + Seek> SampleReader<R> {
    /// Reads the header and the checksums.
    ///
    /// # Errors
    /// If the input cannot be read, is no sample file, or its length is wrong.
    pub fn new(mut input: R) -> Result<SampleReader<R>, SampleError> {
        let mut bytes = Vec::new();
        (&mut input)
            .take(HEADER_BYTES as u64)
            .read_to_end(&mut bytes)?;
        let header = SampleHeader::from_bytes(&bytes)?;
        let found = input.seek(SeekFrom::End(0))?;
        let (end, length) = (header.records_end(), header.file_length());
        let Some(end) = end.filter(|_| length == Some(found)) else {
            let expected = length.unwrap_or(u64::MAX);
            return Err(SampleError::Length { found, expected });
        };
        input.seek(SeekFrom::Start(end))?;
        let mut checksums = Vec::new();
        input.read_to_end(&mut checksums)?;
        if crc32fast::hash(&checksums) != header.checksum {
            return Err(SampleError::DamagedChecksums(end));
        }
        input.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        Ok(SampleReader {
            input,
            header,
            checksums,
            next: 0,
        })
    }

    /// Returns the header.
    pub fn header(&self) -> &SampleHeader {
        &self.header
    }

    /// Reads and checks the next chunk.
    fn chunk(&mut self) -> Result<Vec<Sample>, SampleError> {
        let per_chunk = u64::from(self.header.records_per_chunk);
        let first = self.next * per_chunk;
        let count = per_chunk.min(self.header.records - first);
        let start = HEADER_BYTES as u64 + first * RECORD_BYTES as u64;
        let mut bytes = vec![0; count as usize * RECORD_BYTES];
        self.input.read_exact(&mut bytes)?;
        let at = (self.next * CHECKSUM_BYTES) as usize;
        if self.checksums.get(at..at + 4) != Some(&crc32fast::hash(&bytes).to_le_bytes()) {
            let end = start + bytes.len() as u64;
            return Err(SampleError::DamagedChunk { start, end });
        }
        self.next += 1;
        let records = bytes.as_chunks::<RECORD_BYTES>().0.iter();
        let samples = records.zip((start..).step_by(RECORD_BYTES));
        samples
            .map(|(record, start)| {
                let sample = Sample::from_bytes(record);
                sample.map_err(|reason| SampleError::BadRecord { start, reason })
            })
            .collect()
    }
}

impl<R: Read + Seek> Iterator for SampleReader<R> {
    type Item = Result<Vec<Sample>, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.header.chunks() {
            return None;
        }
        let chunk = self.chunk();
        if chunk.is_err() {
            self.next = u64::MAX;
        }
        Some(chunk)
    }
}
