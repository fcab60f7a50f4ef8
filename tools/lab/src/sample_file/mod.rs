//! Sample files: positions of games as records of 32 bytes, from which networks are trained.
//!
//! `docs/samples.md` describes the bytes. A record is also a `ChessBoard` of bulletformat, the format that the trainer
//! bullet reads.

mod constants;
mod error;
mod header;
mod reader;
mod sample;
mod writer;

#[cfg(test)]
mod tests;

pub use constants::{HEADER_BYTES, MAX_PIECES, RECORD_BYTES, RECORDS_PER_CHUNK};
pub(crate) use constants::{MAGIC, POSITION_BYTES};
pub use error::{BadSample, SampleError};
pub use header::{SampleHeader, SampleKind, Share};
pub use reader::SampleReader;
pub use sample::Sample;
pub use writer::{CompleteSamples, SampleWriter};
