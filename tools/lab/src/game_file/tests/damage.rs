//! Tests of damaged files: only damaged games are lost, and damage is reported with its offset.

use super::*;

/// The games of a file and the damage that was reported, or the reason why it cannot be opened.
fn read(bytes: &[u8]) -> Result<(Vec<GameRecord>, Vec<DataError>), DataError> {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in GameReader::new(bytes)? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    Ok((games, errors))
}

#[test]
fn any_changed_byte_loses_its_own_game_only() {
    let games = &games()[..4];
    let bytes = file_of(games);
    let offsets = offsets(games);
    for at in header_length()..bytes.len() {
        for change in [0xff, 0x01, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let (read, errors) = read(&damaged).unwrap();
            let lost = offsets.iter().rposition(|&start| start <= at).unwrap();
            let mut expected = games.to_vec();
            expected.remove(lost);
            assert!(read == expected, "byte {at}");
            let [DataError::Damaged(region)] = errors[..] else {
                panic!("byte {at}: {errors:?}")
            };
            let length = offsets[lost + 1] - offsets[lost];
            assert_eq!(region.start, offsets[lost] as u64);
            assert_eq!(region.length, length as u64);
        }
    }
}

#[test]
fn any_changed_byte_of_the_header_is_detected_and_the_games_can_be_recovered() {
    let games = &games()[..2];
    let bytes = file_of(games);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    for (at, change) in (0..header_length()).flat_map(|at| [1, 3, 0xff].map(|change| (at, change)))
    {
        let mut damaged = bytes.clone();
        damaged[at] ^= change;
        // Version 2 with two bits changed is version 1, whose games have no checksums.
        let is_noticed = match read(&damaged) {
            Ok((games, errors)) => at == 8 && games.is_empty() && errors.len() == 1,
            Err(_) => true,
        };
        assert!(is_noticed, "byte {at}");
        std::fs::write(&path, &damaged).unwrap();
        let saved: Vec<GameRecord> = GameReader::recover(&path)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert!(saved == games, "byte {at}");
    }
}

#[test]
fn several_damaged_places_are_reported_one_by_one() {
    let games = &games()[..9];
    let mut bytes = file_of(games);
    let offsets = offsets(games);
    // Payload of game 1, length of game 2, checksum of game 5, and foreign bytes behind game 7.
    bytes[offsets[1] + BLOCK_HEADER + 7] ^= 4;
    bytes[offsets[2] + 5] = 255;
    bytes[offsets[5] + 13] ^= 1;
    bytes.splice(offsets[8]..offsets[8], *b"foreign bytes");
    let (read, errors) = read(&bytes).unwrap();
    let kept: Vec<GameRecord> = [0, 3, 4, 6, 7, 8].map(|index| games[index].clone()).into();
    assert!(read == kept);
    let starts: Vec<u64> = errors
        .iter()
        .map(|error| match error {
            DataError::Damaged(region) => region.start,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(starts, [1, 2, 5, 8].map(|index| offsets[index] as u64));
}

#[test]
fn a_file_that_ends_early_has_an_incomplete_game() {
    let games = &games()[..3];
    let bytes = file_of(games);
    let offsets = offsets(games);
    for length in offsets[2]..bytes.len() {
        let (read, errors) = read(&bytes[..length]).unwrap();
        assert!(read == games[..2]);
        match errors[..] {
            [] => assert_eq!(length, offsets[2]),
            [DataError::Incomplete(region)] => {
                assert_eq!(region.start, offsets[2] as u64);
                assert_eq!(region.length, (length - offsets[2]) as u64);
            }
            _ => panic!("{errors:?}"),
        }
    }
}

/// Bytes that are missing in the middle of a block must not lose the blocks after it, even if the length of the
/// block then exceeds the rest of the file.
#[test]
fn missing_bytes_lose_their_own_game_only() {
    let games = &games()[..4];
    let bytes = file_of(games);
    let offsets = offsets(games);
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for round in 0..600 {
        let lost = round % 3;
        let (start, end) = (offsets[lost], offsets[lost + 1]);
        let from = start + random.next_u32() as usize % (end - start);
        let to = from + 1 + random.next_u32() as usize % (end - from);
        let mut damaged = bytes.clone();
        damaged.drain(from..to);
        let (read, errors) = read(&damaged).unwrap();
        let mut expected = games.to_vec();
        expected.remove(lost);
        assert!(read == expected, "{from}..{to}");
        let is_whole_block = from == start && to == end;
        match errors[..] {
            [] => assert!(is_whole_block),
            [DataError::Damaged(region)] => assert_eq!(region.start, start as u64),
            _ => panic!("{from}..{to}: {errors:?}"),
        }
    }
}

/// A machine that stops may leave zeros behind the last game.
#[test]
fn bytes_that_begin_no_game_are_damage_and_not_an_incomplete_game() {
    let games = &games()[..2];
    for tail in [1, 3, 19, 20, 72, 100_000] {
        let mut bytes = file_of(games);
        bytes.extend(vec![0; tail]);
        let (read, errors) = read(&bytes).unwrap();
        assert!(read == games);
        assert!(
            matches!(errors[..], [DataError::Damaged(region)] if region.length == tail as u64),
            "{errors:?}"
        );
    }
}

#[test]
fn foreign_files_are_recognised() {
    let bytes = file_of(&games()[..1]);
    for foreign in [&b""[..], b"G", b"GAURGAME", b"a diary\n", &bytes[1..]] {
        let error = read(foreign).unwrap_err();
        assert!(matches!(error, DataError::NotGames));
        let text = error.to_string();
        assert!(text.contains("name one that `gaur-lab datagen`"), "{text}");
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    let error = read(&newer).unwrap_err();
    assert!(matches!(error, DataError::Version(9)));
    let text = error.to_string();
    assert!(
        text.contains("use the version of Gaur that wrote the file"),
        "{text}"
    );
    let mut endless = bytes;
    endless[12..16].fill(255);
    assert!(matches!(read(&endless), Err(DataError::DamagedHeader)));
}

#[test]
fn any_bytes_can_be_read() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let whole = file_of(&games()[..3]);
    for round in 0..2000 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 8 {
            let at = random.next_u32() as usize % bytes.len().max(1);
            match random.next_u32() % 4 {
                _ if bytes.is_empty() => {}
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..(at + 30).min(bytes.len()))),
                _ => bytes[at] = random.next_u32() as u8,
            }
        }
        if let Ok((games, _)) = read(&bytes) {
            assert!(games.len() <= 3);
            assert!(games.iter().all(|game| game.verify().is_ok()));
        }
    }
}
