//! Blocks of a game file: one game each, with length, number and checksums.
//!
//! The header of a block has a checksum of its own, so that a wrong length is recognised as damage and not mistaken for
//! a file that ends early. A reader that meets damage searches for the next block header, so that only the damaged
//! block is lost. `docs/data.md` describes the bytes.

use std::io::{self, Read};

use super::error::Region;
use super::window::Window;

/// First bytes of every block, by which a reader finds the next one.
const SYNC: [u8; 4] = [0xB7, b'G', b'A', b'M'];

/// Bytes before the payload.
pub(super) const BLOCK_HEADER: usize = 20;

/// Bytes of the block header that its own checksum covers.
const CHECKED: usize = 16;

/// Longest payload that is accepted, in bytes; a game of 65,535 moves has 262,180.
pub(super) const MAX_PAYLOAD: usize = 1 << 19;

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockHeader {
    length: usize,
    number: u32,
    payload_checksum: u32,
}

impl BlockHeader {
    fn to_bytes(self) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[0..4].copy_from_slice(&SYNC);
        bytes[4..8].copy_from_slice(&(self.length as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.number.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.payload_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..CHECKED]);
        bytes[16..20].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns `None` if these bytes are no intact block header.
    fn from_bytes(bytes: &[u8]) -> Option<BlockHeader> {
        if bytes.get(0..4)? != SYNC {
            return None;
        }
        let word = |at: usize| {
            let four = bytes.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(four))
        };
        let header = BlockHeader {
            length: word(4)? as usize,
            number: word(8)?,
            payload_checksum: word(12)?,
        };
        let is_intact = crc32fast::hash(&bytes[..CHECKED]) == word(16)?;
        (is_intact && header.length <= MAX_PAYLOAD).then_some(header)
    }
}

fn is_block_header(bytes: &[u8]) -> bool {
    BlockHeader::from_bytes(bytes).is_some()
}

/// Appends a block to `bytes`.
pub(super) fn append_block(number: u32, payload: &[u8], bytes: &mut Vec<u8>) {
    let header = BlockHeader {
        length: payload.len(),
        number,
        payload_checksum: crc32fast::hash(payload),
    };
    bytes.extend(header.to_bytes());
    bytes.extend(payload);
}

/// The next part of a file of blocks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// An intact block. Its payload is in the buffer that the caller has passed.
    Block {
        /// Number of the game in its run.
        number: u32,
        /// Offset and length of the block in the file.
        region: Region,
    },
    /// Bytes that belong to no intact block.
    Damaged(Region),
    /// The beginning of a block at the end of the file.
    Incomplete(Region),
    /// The end of the file.
    End,
}

/// Reads the next part and consumes it.
///
/// # Errors
/// If the input cannot be read.
pub(super) fn next_part<R: Read>(input: &mut Window<R>, payload: &mut Vec<u8>) -> io::Result<Part> {
    let start = input.offset();
    let region = |length: usize| Region {
        start,
        length: length as u64,
    };
    let bytes = input.peek(BLOCK_HEADER)?;
    if bytes.is_empty() {
        return Ok(Part::End);
    }
    if bytes.len() < BLOCK_HEADER {
        let compared = bytes.len().min(SYNC.len());
        let (is_block, length) = (bytes[..compared] == SYNC[..compared], bytes.len());
        input.consume(length);
        return Ok(match is_block {
            true => Part::Incomplete(region(length)),
            false => Part::Damaged(region(length)),
        });
    }
    let header = BlockHeader::from_bytes(bytes);
    if let Some(header) = header {
        let total = BLOCK_HEADER + header.length;
        let bytes = input.peek(total)?;
        let length = bytes.len();
        if length < total && !bytes[1..].windows(BLOCK_HEADER).any(is_block_header) {
            input.consume(length);
            return Ok(Part::Incomplete(region(length)));
        }
        if length == total && crc32fast::hash(&bytes[BLOCK_HEADER..]) == header.payload_checksum {
            payload.clear();
            payload.extend(&bytes[BLOCK_HEADER..]);
            input.consume(total);
            return Ok(Part::Block {
                number: header.number,
                region: region(total),
            });
        }
    }
    // At least one byte is consumed, or the same block would be found again. The length in an intact header is right,
    // but if bytes of the payload are missing, the next block begins earlier.
    input.consume(1);
    let most = header.map_or(u64::MAX, |header| (BLOCK_HEADER + header.length) as u64 - 1);
    find_block(input, most)?;
    Ok(Part::Damaged(Region {
        start,
        length: input.offset() - start,
    }))
}

/// Consumes all bytes before the next block header, but at most `most` bytes. Without a block header in the rest of the
/// file, these are all bytes.
///
/// # Errors
/// If the input cannot be read.
pub(super) fn find_block<R: Read>(input: &mut Window<R>, most: u64) -> io::Result<()> {
    /// Bytes searched at once.
    const STEP: usize = 1 << 16;
    let end = input.offset().saturating_add(most);
    loop {
        let left = usize::try_from(end - input.offset()).unwrap_or(usize::MAX);
        let bytes = input.peek(STEP)?;
        let found = (0..bytes.len().min(left)).find(|&at| {
            bytes[at] == SYNC[0]
                && bytes
                    .get(at..at + BLOCK_HEADER)
                    .is_some_and(is_block_header)
        });
        match found {
            Some(at) => {
                input.consume(at);
                return Ok(());
            }
            None if left <= bytes.len() || bytes.len() < STEP => {
                let rest = bytes.len().min(left);
                input.consume(rest);
                return Ok(());
            }
            // A header may begin in these bytes and end in the next.
            None => input.consume(STEP - BLOCK_HEADER + 1),
        }
    }
}
