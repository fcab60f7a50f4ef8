//! Timeseal, the scrambled form of a client's lines that carries the client's own clock. FICS charges a player for the
//! time between the answer to the ping behind a board and the move, both by that clock.

/// Key of the scrambling, the same for every client and server.
const KEY: &[u8] = b"Timestamp (FICS) v1.0 - programmed by Henrik Gram.";

/// Bytes of a block; pairs of bytes inside a block change places.
const BLOCK: usize = 12;

/// Pairs of places in a block that are exchanged.
const SWAPS: [(usize, usize); 3] = [(0, 11), (2, 9), (4, 7)];

/// Bytes before and after the time stamp of a line.
const STAMP: [u8; 2] = [0x18, 0x19];

/// Ping of the server, which a client answers with [`PONG`] and does not show.
pub const PING: &str = "[G]\0";

/// Answer of a client to [`PING`].
pub const PONG: &str = "\u{2}9";

/// Beginnings of the first line of a client that uses timeseal.
const HELLOS: [&str; 2] = ["TIMESTAMP|", "TIMESEAL2|"];

/// Returns `true` for the first line of a client that uses timeseal.
pub fn is_hello(line: &str) -> bool {
    HELLOS.iter().any(|hello| line.starts_with(hello))
}

/// Decodes a line without its end. Returns the text and the client's clock in milliseconds, or `None` for any other
/// line.
pub fn decode(line: &[u8]) -> Option<(String, u32)> {
    let (last, body) = line.split_last()?;
    if body.is_empty() || !body.len().is_multiple_of(BLOCK) {
        return None;
    }
    let offset = usize::from(last & 0x7F);
    let mut bytes: Vec<u8> = body
        .iter()
        .enumerate()
        .map(|(index, byte)| (byte.wrapping_add(32) ^ KEY[(index + offset) % KEY.len()]) & 0x7F)
        .collect();
    exchange(&mut bytes);
    let begin = bytes.iter().position(|byte| *byte == STAMP[0])?;
    let end = bytes.iter().position(|byte| *byte == STAMP[1])?;
    let stamp = std::str::from_utf8(bytes.get(begin + 1..end)?).ok()?;
    let text = String::from_utf8(bytes[..begin].to_vec()).ok()?;
    Some((text, stamp.parse().ok()?))
}

/// Encodes a line. `offset` is the client's free choice below 50.
pub fn encode(text: &str, stamp: u32, offset: u8) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(STAMP[0]);
    bytes.extend(stamp.to_string().bytes());
    bytes.push(STAMP[1]);
    while !bytes.len().is_multiple_of(BLOCK) {
        bytes.push(b'1');
    }
    exchange(&mut bytes);
    for (index, byte) in bytes.iter_mut().enumerate() {
        let key = KEY[(index + usize::from(offset)) % KEY.len()];
        *byte = ((*byte | 0x80) ^ key).wrapping_sub(32);
    }
    bytes.push(0x80 | offset);
    bytes
}

fn exchange(bytes: &mut [u8]) {
    for block in bytes.chunks_exact_mut(BLOCK) {
        for (one, other) in SWAPS {
            block.swap(one, other);
        }
    }
}
