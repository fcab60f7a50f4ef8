//! Tests of files of version 1, which are still read.

use super::super::packed::pack;
use super::*;

/// The bytes of a file of version 1, as Gaur once wrote it.
fn old_file(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = b"GAURGAME\x01\x00\x01\x00\x64\x00\x00\x00".to_vec();
    bytes.extend(7_u64.to_le_bytes());
    bytes.extend(1500_u64.to_le_bytes());
    for game in games {
        let mut packed = Vec::new();
        pack(game, &mut packed);
        bytes.extend(&packed[..36]);
        bytes.extend(&packed[40..]);
    }
    bytes
}

#[test]
fn old_games_come_back_with_the_node_limit_of_the_file() {
    let games = &games()[..6];
    let bytes = old_file(games);
    let mut reader = GameReader::new(&bytes[..]).unwrap();
    assert!(reader.is_old() && reader.header().run.is_none());
    for (number, game) in games.iter().enumerate() {
        let expected = GameRecord {
            nodes: 1500,
            ..game.clone()
        };
        assert!(reader.next().unwrap().unwrap() == expected);
        assert_eq!(reader.number() as usize, number);
    }
    assert!(reader.next().is_none());
}

#[test]
fn damage_of_old_files_ends_the_reading_and_is_reported() {
    let games = &games()[..3];
    let bytes = old_file(games);
    let second = 32 + 36 + 4 * games[0].moves.len();
    let mut impossible = bytes.clone();
    impossible[second + 2] = 3;
    let read: Vec<_> = GameReader::new(&impossible[..]).unwrap().collect();
    assert!(
        matches!(read[..], [Ok(_), Err(DataError::Damaged(region))] if region.start == second as u64)
    );
    // A damaged length looks like the end of the file.
    let mut length = bytes.clone();
    length[33] = 255;
    let read: Vec<_> = GameReader::new(&length[..]).unwrap().collect();
    assert!(
        matches!(read[..], [Err(DataError::Incomplete(region))] if region.start == 32 && region.length == bytes.len() as u64 - 32)
    );
}

#[test]
fn no_run_is_continued_in_an_old_file() {
    let bytes = old_file(&games()[..1]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    std::fs::write(&path, &bytes).unwrap();
    let resumed = GameWriter::resume(&path, &header());
    assert!(matches!(resumed, Err(DataError::OldVersion)));
    assert!(std::fs::read(&path).unwrap() == bytes);
}
