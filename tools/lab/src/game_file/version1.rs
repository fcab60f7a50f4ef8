//! Games in version 1 of the format: 32 bytes of header, then game after game without length or checksum.
//!
//! Damage is found only where a game cannot be decoded, and the next game cannot be found then. Version 1 is read, but
//! no longer written.

use std::io::{self, Read};

use super::error::Region;
use super::header::MAGIC;
use super::packed::{OLD_HEAD, PER_MOVE, move_count, unpack_old};
use super::record::GameRecord;
use super::window::Window;

/// Version of the format in this file's header.
pub(super) const VERSION: u16 = 1;

/// Bytes of the header.
pub(super) const HEADER: usize = 32;

/// Returns the node limit in a header of version 1; `None` if this is no such header. Files of several runs contain 0.
pub(super) fn node_limit(header: &[u8]) -> Option<u32> {
    let header = header.first_chunk::<HEADER>()?;
    let version = u16::from_le_bytes([header[8], header[9]]);
    if header[0..8] != MAGIC || version != VERSION {
        return None;
    }
    let nodes = u64::from_le_bytes(*header.last_chunk::<8>()?);
    Some(u32::try_from(nodes).unwrap_or(u32::MAX))
}

/// The next part of a file of games.
pub(super) enum Part {
    /// A game that can be decoded.
    Game(GameRecord),
    /// Bytes that are no game. The rest of the file cannot be read.
    Damaged(Region),
    /// The beginning of a game at the end of the file.
    Incomplete(Region),
    /// The end of the file.
    End,
}

/// Reads the next game of version 1 and consumes it.
///
/// # Errors
/// If the input cannot be read.
pub(super) fn next_part<R: Read>(input: &mut Window<R>, nodes: u32) -> io::Result<Part> {
    let start = input.offset();
    let region = |length: usize| Region {
        start,
        length: length as u64,
    };
    let head = input.peek(OLD_HEAD)?;
    if head.is_empty() {
        return Ok(Part::End);
    }
    let total = OLD_HEAD + PER_MOVE * move_count(head);
    let bytes = input.peek(total)?;
    if bytes.len() < total {
        return Ok(Part::Incomplete(region(bytes.len())));
    }
    let game = bytes
        .split_first_chunk()
        .and_then(|(head, moves)| unpack_old(head, moves, nodes));
    let Some(game) = game else {
        return Ok(Part::Damaged(region(bytes.len())));
    };
    input.consume(total);
    Ok(Part::Game(game))
}
