//! Parser of the header of a game file.

use super::error::DataError;
use super::header::{CHECKED, Header, MAGIC, PREFIX, VERSION, checksum};
use crate::sample_file;

/// Longest text that is accepted, in bytes; a damaged length must not allocate memory without limit.
const MAX_TEXT: usize = 1 << 16;

impl Header {
    /// Returns the length of the text that follows a prefix.
    ///
    /// # Errors
    /// If this is not the prefix of a header of [`VERSION`], or the length cannot be right.
    pub(super) fn text_length(prefix: &[u8; PREFIX]) -> Result<usize, DataError> {
        let version = u16::from_le_bytes([prefix[8], prefix[9]]);
        if prefix.starts_with(&sample_file::MAGIC) {
            return Err(DataError::Samples);
        }
        if prefix[0..8] != MAGIC {
            return Err(DataError::NotGames);
        }
        if version != VERSION {
            return Err(DataError::Version(version));
        }
        let length = u32::from_le_bytes([prefix[12], prefix[13], prefix[14], prefix[15]]) as usize;
        match length <= MAX_TEXT {
            true => Ok(length),
            false => Err(DataError::DamagedHeader),
        }
    }

    /// Reads the text that follows a prefix.
    ///
    /// # Errors
    /// If the checksum is wrong or the text is no header.
    pub(super) fn from_text(prefix: &[u8; PREFIX], text: &[u8]) -> Result<Header, DataError> {
        let stored = u32::from_le_bytes([prefix[16], prefix[17], prefix[18], prefix[19]]);
        if checksum(&prefix[..CHECKED], text) != stored {
            return Err(DataError::DamagedHeader);
        }
        serde_json::from_slice(text).map_err(|_| DataError::DamagedHeader)
    }
}
