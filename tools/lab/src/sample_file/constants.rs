//! Numbers that define the format of sample files.

/// First bytes of every sample file.
pub(crate) const MAGIC: [u8; 8] = *b"GAURSAMP";

/// Version of the format.
pub(super) const VERSION: u16 = 2;

/// Length of the header in bytes.
pub const HEADER_BYTES: usize = 64;

/// Length of a record in bytes.
pub const RECORD_BYTES: usize = 32;

/// Bytes of a record that describe the position alone.
pub(crate) const POSITION_BYTES: usize = 24;

/// Number of pieces that fit into a record.
pub const MAX_PIECES: usize = 32;

/// Records of all chunks but the last one.
pub const RECORDS_PER_CHUNK: u32 = 1 << 16;

/// Bytes of the checksum of a chunk.
pub(super) const CHECKSUM_BYTES: u64 = 4;
