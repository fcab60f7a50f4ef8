//! The fuzz target `games`: reading a game file ends, every game can be replayed or is refused, and damaged regions are
//! reported in order.

use gaur_lab::game_file::{DataError, GameReader, Region};

/// Header of version 1 of the format. It has no checksums, so that the decoder receives all bytes after it.
const OLD_HEADER: [u8; 32] = *b"GAURGAME\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Reads the bytes as a file, and as the games of a file of version 1.
pub fn run(bytes: &[u8]) {
    read(bytes);
    read(&[&OLD_HEADER, bytes].concat());
}

fn read(bytes: &[u8]) {
    let Ok(reader) = GameReader::new(bytes) else {
        return;
    };
    let mut end = 0;
    let mut check = |region: Region| {
        assert!(region.start >= end && region.length > 0, "{region}");
        end = region.start + region.length;
        assert!(end <= bytes.len() as u64, "{region}");
    };
    let mut parts = 0;
    for game in reader {
        parts += 1;
        assert!(parts <= bytes.len(), "the reader does not end");
        match game {
            // Illegal games are found by the rules of chess, not by the reader.
            Ok(game) => drop(game.verify()),
            Err(DataError::Damaged(region) | DataError::Incomplete(region)) => check(region),
            Err(error) => panic!("{error}"),
        }
    }
}
