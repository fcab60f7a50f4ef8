//! Reasons why a sample file cannot be read or written.

use std::io;

use thiserror::Error;

use super::constants::VERSION;

/// A reason why a sample file, or a part of it, cannot be used.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The operating system refused to read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin as a sample file.
    #[error("not a sample file; `gaur-lab data samples` writes such files")]
    NotSamples,
    /// The file has another version of the format.
    #[error("format version {0}, not {VERSION}; write it again with `gaur-lab data samples`")]
    Version(u16),
    /// The checksum of the header is wrong.
    #[error(
        "the header (bytes 0 to 63) is damaged; write the file again with `gaur-lab data samples`"
    )]
    DamagedHeader,
    /// The header contains a value that this version does not know.
    #[error(
        "unknown value in byte {0} of the header; use the version of Gaur that wrote the file, or write it again"
    )]
    UnknownValue(usize),
    /// The length of the file is not that which the header states.
    #[error(
        "{found} bytes instead of {expected}; write the file again with `gaur-lab data samples`"
    )]
    Length {
        /// Length of the file.
        found: u64,
        /// Length by the header.
        expected: u64,
    },
    /// The checksum of the list of checksums is wrong.
    #[error(
        "the checksums from byte {0} on are damaged; write the file again with `gaur-lab data samples`"
    )]
    DamagedChecksums(u64),
    /// The checksum of a chunk is wrong.
    #[error(
        "damaged between byte {start} and byte {end}; write the file again with `gaur-lab data samples`"
    )]
    DamagedChunk {
        /// Offset of the first byte of the chunk.
        start: u64,
        /// Offset after its last byte.
        end: u64,
    },
    /// A record is no position.
    #[error("record at byte {start}: {reason}; write the file again with `gaur-lab data samples`")]
    BadRecord {
        /// Offset of the first byte of the record.
        start: u64,
        /// The reason.
        reason: BadSample,
    },
}

/// A reason why the bytes of a record are no sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadSample {
    /// There are fewer than 2 or more than 32 pieces.
    #[error("{0} pieces")]
    Pieces(u32),
    /// A nibble is no piece.
    #[error("piece code {0}")]
    Code(u8),
    /// The stored squares of the kings are not those on the board, or a side has not exactly one king.
    #[error("wrong kings")]
    Kings,
    /// The result is not 0, 1 or 2.
    #[error("result {0}")]
    Result(u8),
    /// An unused bit is set. The number is that of the byte.
    #[error("byte {0} is not 0")]
    Unused(usize),
}
