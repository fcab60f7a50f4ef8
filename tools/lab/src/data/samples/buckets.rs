//! Temporary files to which records are distributed by the hash of their positions.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::work_folder::WorkFolder;
use crate::LabError;
use crate::sample_file::{POSITION_BYTES, RECORD_BYTES};

/// A record as bytes.
pub(super) type Record = [u8; RECORD_BYTES];

/// Largest number of records that a thread collects for a bucket before it writes them.
const MAX_BUFFERED: usize = 1024;

/// Bytes of the records that all threads together have collected.
const BUFFER_BYTES: usize = 1 << 27;

/// Buckets of one kind of samples. Equal positions are in the same bucket, and otherwise a bucket is a random part of
/// all records.
pub(super) struct Buckets {
    files: Vec<Bucket>,
}

struct Bucket {
    path: PathBuf,
    file: Mutex<File>,
}

/// Duplicates in a bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Duplicates {
    /// Records whose position occurs in another record before them.
    pub repeated: u64,
    /// Those of them that were omitted because of the limit.
    pub omitted: u64,
}

impl Buckets {
    /// Creates this number of files, at least one, named after `kind`.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(folder: &WorkFolder, kind: &str, count: usize) -> Result<Buckets, LabError> {
        let create = |number| {
            let path = folder.file(&format!("{kind}-{number}"));
            match File::create_new(&path) {
                Ok(file) => Ok(Bucket {
                    path,
                    file: Mutex::new(file),
                }),
                Err(error) => Err(LabError::unwritable(&path, error)),
            }
        };
        let files: Result<Vec<Bucket>, LabError> = (0..count.max(1)).map(create).collect();
        Ok(Buckets { files: files? })
    }

    /// Returns the number of buckets.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Returns a writer for one thread, which collects this number of records for each bucket.
    pub fn writer(&self, buffered: usize) -> BucketWriter<'_> {
        let buffers = self.files.iter().map(|_| Vec::with_capacity(buffered));
        BucketWriter {
            buckets: self,
            buffered,
            buffers: buffers.collect(),
        }
    }

    /// Reads the records of a bucket, removes its file and releases its space on the disk.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn take(&self, index: usize) -> Result<Vec<Record>, LabError> {
        let path = &self.files[index].path;
        let unreadable = |error| LabError::Unreadable {
            path: path.clone(),
            error,
        };
        let read = || {
            let mut file = File::open(path)?;
            let count = file.metadata()?.len() / RECORD_BYTES as u64;
            let mut records = vec![[0; RECORD_BYTES]; count as usize];
            file.read_exact(records.as_flattened_mut())?;
            Ok(records)
        };
        let records = read().map_err(unreadable)?;
        // Without a name, the open file would keep its space. Errors do no harm: the folder is removed in any case.
        let _ = self.lock(index).set_len(0);
        let _ = fs::remove_file(path);
        Ok(records)
    }

    /// Returns the length of the longest file in bytes.
    pub fn longest(&self) -> u64 {
        let length = |bucket: &Bucket| fs::metadata(&bucket.path).map_or(0, |data| data.len());
        self.files.iter().map(length).max().unwrap_or(0)
    }

    fn append(&self, index: usize, records: &[Record]) -> Result<(), LabError> {
        let written: io::Result<()> = self.lock(index).write_all(records.as_flattened());
        written.map_err(|error| LabError::unwritable(&self.files[index].path, error))
    }

    fn lock(&self, index: usize) -> MutexGuard<'_, File> {
        // No thread panics while it holds the lock.
        let file = self.files[index].file.lock();
        file.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the number of records that each thread collects for each bucket, such that their memory is limited.
pub(super) fn buffered(threads: usize, buckets: usize) -> usize {
    (BUFFER_BYTES / RECORD_BYTES / (threads * buckets)).clamp(1, MAX_BUFFERED)
}

/// Writer of one thread.
pub(super) struct BucketWriter<'a> {
    buckets: &'a Buckets,
    /// Number of records at which a buffer is full.
    buffered: usize,
    buffers: Vec<Vec<Record>>,
}

impl BucketWriter<'_> {
    /// Adds a record to its bucket.
    ///
    /// # Errors
    /// If the bucket cannot be written.
    pub fn add(&mut self, record: Record) -> Result<(), LabError> {
        let hash = hash(&record[..POSITION_BYTES]);
        let index = ((u128::from(hash) * self.buffers.len() as u128) >> 64) as usize;
        let buffer = &mut self.buffers[index];
        buffer.push(record);
        if buffer.len() >= self.buffered {
            self.buckets.append(index, buffer)?;
            buffer.clear();
        }
        Ok(())
    }

    /// Writes all remaining records.
    ///
    /// # Errors
    /// If a bucket cannot be written.
    pub fn finish(self) -> Result<(), LabError> {
        for (index, buffer) in self.buffers.iter().enumerate() {
            self.buckets.append(index, buffer)?;
        }
        Ok(())
    }
}

/// Returns a 64-bit hash: FNV-1a on words of eight bytes, with the finaliser of SplitMix64.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for word in bytes.as_chunks::<8>().0 {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x0000_0100_0000_01B3);
        hash ^= hash >> 32;
    }
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ hash >> 31
}

/// Omits random records of positions that occur more often than `limit` (0: no limit), and brings the others into
/// random order. The result depends only on the records, not on their order, and on the random numbers.
pub(super) fn limit_and_shuffle(
    records: &mut Vec<Record>,
    limit: u32,
    random: &mut ChaCha8Rng,
) -> Duplicates {
    records.sort_unstable();
    let mut duplicates = Duplicates::default();
    let (mut kept, mut start) = (0, 0);
    while start < records.len() {
        let position = &records[start][..POSITION_BYTES];
        let same = records[start..].iter();
        let count = same.take_while(|record| record[..POSITION_BYTES] == *position);
        let count = count.count();
        let keep = match limit {
            0 => count,
            limit => count.min(limit as usize),
        };
        for index in 0..keep {
            if keep < count {
                let other = below((count - index) as u64, random) as usize;
                records.swap(start + index, start + index + other);
            }
            records.swap(kept, start + index);
            kept += 1;
        }
        duplicates.repeated += count as u64 - 1;
        duplicates.omitted += (count - keep) as u64;
        start += count;
    }
    records.truncate(kept);
    for last in (1..records.len()).rev() {
        records.swap(last, below(last as u64 + 1, random) as usize);
    }
    duplicates
}

/// Returns random numbers for a bucket.
pub(super) fn random_numbers(seed: u64, bucket: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(bucket as u64);
    random
}

/// Returns a random number below `bound`.
fn below(bound: u64, random: &mut ChaCha8Rng) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_that_has_been_read_takes_no_space() {
        let folder = tempfile::tempdir().unwrap();
        let folder = WorkFolder::create(&folder.path().join("x.samples")).unwrap();
        let buckets = Buckets::create(&folder, "training", 1).unwrap();
        let records = [[1; RECORD_BYTES], [2; RECORD_BYTES]];
        let mut writer = buckets.writer(1);
        for record in records {
            writer.add(record).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(buckets.take(0).unwrap(), records);
        assert_eq!(buckets.lock(0).metadata().unwrap().len(), 0);
    }
}
