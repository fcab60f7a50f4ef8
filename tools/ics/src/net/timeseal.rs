//! Timeseal: commands with the time at which they were sent.
//!
//! With timeseal, the server subtracts the delay of the network from the times of the moves. Each command carries a
//! time in milliseconds and is scrambled. The server may ask for the time with a ping, `[G]` and a zero byte, which
//! [`REPLY`] answers.
//!
//! The format is known from the open-source clients that use it, such as openseal and PyChess, and from the decoder
//! of the server capablanca, a successor of lasker. It is scrambling against casual changes, not encryption.

/// Text that the bytes of a command are combined with.
const KEY: &[u8; 50] = b"Timestamp (FICS) v1.0 - programmed by Henrik Gram.";

/// Number of bytes whose order is changed together.
const BLOCK: usize = 12;

/// Positions within a block that are exchanged.
const SWAPS: [(usize, usize); 3] = [(0, 11), (2, 9), (4, 7)];

/// Byte before the time.
const TIME_START: u8 = 0x18;

/// Byte behind the time.
const TIME_END: u8 = 0x19;

/// First command of a connection. It names the program instead of the user and the system.
pub const HELLO: &str = "TIMESTAMP|gaur-ics|gaur-ics|";

/// Command that answers a ping.
pub const REPLY: &str = "\u{2}9";

/// Encodes a command as the server expects it, with the line end.
///
/// Bytes above 127, which the format cannot hold, and those that mark the time are replaced. `milliseconds` is
/// the time since any fixed moment, at least 1.
pub fn encode(command: &str, milliseconds: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = command
        .bytes()
        .map(|byte| match byte {
            TIME_START | TIME_END | 0x80.. => b'?',
            _ => byte,
        })
        .collect();
    bytes.push(TIME_START);
    bytes.extend_from_slice(milliseconds.max(1).to_string().as_bytes());
    bytes.push(TIME_END);
    while !bytes.len().is_multiple_of(BLOCK) {
        bytes.push(b'1');
    }
    for block in bytes.chunks_exact_mut(BLOCK) {
        for (first, second) in SWAPS {
            block.swap(first, second);
        }
    }
    for (byte, key) in bytes.iter_mut().zip(KEY.iter().cycle()) {
        // Both terms are below 256, and the highest bit is set, so that the difference is at least 96.
        *byte = ((*byte | 0x80) ^ key) - 32;
    }
    // The position in the key at which the scrambling begins, here 0.
    bytes.push(0x80);
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Decodes a line as the server does: the command and its time.
    pub(in crate::net) fn decode(line: &[u8]) -> Option<(Vec<u8>, u64)> {
        let (offset, scrambled) = line.strip_suffix(b"\n")?.split_last()?;
        let offset = usize::from(offset & 0x7F);
        let mut bytes: Vec<u8> = scrambled
            .iter()
            .enumerate()
            .map(|(index, byte)| (byte.wrapping_add(32) ^ KEY[(index + offset) % KEY.len()]) & 0x7F)
            .collect();
        for block in bytes.chunks_mut(BLOCK) {
            for (first, second) in SWAPS {
                if second < block.len() {
                    block.swap(first, second);
                }
            }
        }
        let start = bytes.iter().position(|byte| *byte == TIME_START)?;
        let end = bytes.iter().position(|byte| *byte == TIME_END)?;
        let time = std::str::from_utf8(bytes.get(start + 1..end)?).ok()?;
        Some((bytes[..start].to_vec(), time.parse().ok()?))
    }

    #[test]
    fn the_server_decodes_what_was_encoded() {
        for length in 0..130 {
            let command: String = (b' '..=b'~')
                .cycle()
                .skip(length * 7)
                .take(length)
                .map(char::from)
                .collect();
            for time in [1, 12, 123_456, 9_999_999, u64::from(u32::MAX)] {
                let line = encode(&command, time);
                assert_eq!(
                    decode(&line),
                    Some((command.clone().into_bytes(), time)),
                    "{command:?}"
                );
                assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
                assert!(
                    line[..line.len() - 1]
                        .iter()
                        .all(|byte| (0x60..0xE0).contains(byte))
                );
                assert_eq!((line.len() - 2) % BLOCK, 0);
            }
        }
    }

    #[test]
    fn a_time_of_zero_is_not_sent_because_servers_take_it_for_an_error() {
        assert_eq!(decode(&encode("e2e4", 0)), Some((b"e2e4".to_vec(), 1)));
    }

    #[test]
    fn hello_and_reply_are_decoded() {
        assert_eq!(
            decode(&encode(HELLO, 5)),
            Some((HELLO.as_bytes().to_vec(), 5))
        );
        assert_eq!(decode(&encode(REPLY, 77)), Some((b"\x029".to_vec(), 77)));
    }

    #[test]
    fn a_known_line_has_the_bytes_of_other_clients() {
        // "e2e4" at 1000: e 2 e 4 ^X 1 0 0 0 ^Y 1 1 before the exchanges.
        let line = encode("e2e4", 1000);
        let mixed = b"12\x194010\x180e1e";
        let expected: Vec<u8> = mixed
            .iter()
            .zip(KEY)
            .map(|(byte, key)| ((byte | 0x80) ^ key) - 32)
            .collect();
        assert_eq!(line[..12], expected[..]);
        assert_eq!(line[12..], [0x80, b'\n']);
    }

    #[test]
    fn other_bytes_do_not_break_the_line() {
        let line = encode("tell Rabbit \u{e9}\u{1F600}\u{18}1\u{19}", 3);
        assert_eq!(decode(&line), Some((b"tell Rabbit ???????1?".to_vec(), 3)));
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
    }
}
