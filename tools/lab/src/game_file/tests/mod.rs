//! Tests of writing and reading, and of the recognition of illegal games.

mod damage;
mod resume;
mod version1;

use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::block::BLOCK_HEADER;
use super::packed::HEAD;
use super::*;
use gaur::notation::parse_fen;
use gaur::rules::{Position, Variant};
use gaur::types::{Move, Score};

const STARTS: [(&str, Variant); 3] = [
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 3 17",
        Variant::Standard,
    ),
    (
        "rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
        Variant::Standard,
    ),
    (
        "nrkbrqbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBRQBN w EBeb - 0 1",
        Variant::Fischerandom,
    ),
];

/// Random legal games, stopped as a draw after 80 moves where they had not ended by then.
fn games() -> Vec<GameRecord> {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut play = |(fen, variant): (&str, Variant)| {
        let start = parse_fen(fen).unwrap();
        let mut position = Position::from_setup(&start, variant).unwrap();
        let mut moves = Vec::new();
        while moves.len() < 80 && position.outcome().is_none() {
            let legal = position.legal_moves();
            let mv = legal[random.next_u32() as usize % legal.len()];
            moves.push(ScoredMove {
                mv,
                score: Score(random.next_u32() as i32 % 32_000),
            });
            let _ = position.play(mv);
        }
        let end = position.outcome().map(Ending::of);
        let (result, ending) = end.unwrap_or((GameResult::Draw, Ending::TooLong));
        GameRecord {
            variant,
            start,
            nodes: random.next_u32() % 3000,
            moves,
            result,
            ending,
        }
    };
    STARTS.into_iter().cycle().take(60).map(&mut play).collect()
}

/// The header of a run.
fn header() -> Header {
    Header::new(Some(Run {
        generator: 1,
        seed: u64::MAX,
        nodes: vec![NodeLimit {
            nodes: 250,
            permille: 1000,
        }],
        chess960_permille: 100,
        double_chess960_permille: 0,
        random_plies: 8,
        openings: None,
        network: Some(FileId::new("test", 0x12ab)),
        fingerprint: "0badf00d".to_owned(),
    }))
}

/// Writes games with the numbers 0, 1, ... into a file.
fn write(path: &Path, games: &[GameRecord]) {
    let mut writer = GameWriter::create(path, &header()).unwrap();
    for (number, game) in (0..).zip(games) {
        writer.write(number, game).unwrap();
    }
    writer.finish().unwrap();
}

/// The bytes of a file with these games.
fn file_of(games: &[GameRecord]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    write(&path, games);
    std::fs::read(path).unwrap()
}

/// The bytes of a file's header.
fn header_length() -> usize {
    header().to_bytes().unwrap().len()
}

/// Offsets at which the blocks of these games begin in their file, and the length of the file.
fn offsets(games: &[GameRecord]) -> Vec<usize> {
    let mut offsets = vec![header_length()];
    for game in games {
        let length = BLOCK_HEADER + HEAD + 4 * game.moves.len();
        offsets.push(offsets.last().unwrap() + length);
    }
    offsets
}

#[test]
fn games_come_back() {
    let games = games();
    assert!(games.iter().all(|game| game.verify().is_ok()));
    let bytes = file_of(&games);
    assert_eq!(Some(&bytes.len()), offsets(&games).last());
    let mut reader = GameReader::new(&bytes[..]).unwrap();
    assert_eq!(*reader.header(), header());
    assert!(!reader.is_old());
    for (number, game) in games.iter().enumerate() {
        assert!(reader.next().unwrap().unwrap() == *game);
        assert_eq!(reader.number() as usize, number);
    }
    assert!(reader.next().is_none());
}

#[test]
fn the_header_is_readable_text() {
    let bytes = file_of(&[]);
    let text = std::str::from_utf8(&bytes[20..]).unwrap();
    assert!(text.ends_with("}}\n"), "{text}");
    for part in [
        r#""engine":"Gaur "#,
        r#""seed":18446744073709551615"#,
        r#""nodes":250"#,
        r#""network":{"name":"test","checksum":"000012ab"}"#,
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn reading_can_start_at_any_offset() {
    let games = &games()[..5];
    let bytes = file_of(games);
    let offsets = offsets(games);
    for offset in 0..=bytes.len() {
        let reader = GameReader::new(std::io::Cursor::new(&bytes)).unwrap();
        // Wherever a reader is, it starts there.
        let mut reader = reader.start_at(bytes.len() as u64 / 2).unwrap();
        let _ = reader.next();
        let read: Vec<GameRecord> = reader
            .start_at(offset as u64)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let first = offsets.iter().position(|&start| start >= offset);
        assert!(read == games[first.unwrap().min(games.len())..], "{offset}");
    }
}

#[test]
fn moves_are_as_documented() {
    let bits = |fen: &str, index: usize| {
        let position = Position::from_setup(&parse_fen(fen).unwrap(), Variant::Standard).unwrap();
        let mut moves: Vec<u16> = position
            .legal_moves()
            .iter()
            .map(|&mv| move_to_bits(mv))
            .collect();
        moves.sort_unstable();
        moves[index]
    };
    // a2-a1 promotes: from 8, to 0, kinds 8 (knight) to 11 (queen).
    let promotions = [0, 1, 2, 3].map(|index| bits("7k/8/8/8/8/8/p7/7K b - - 0 1", index + 3));
    assert_eq!(promotions, [8, 9, 10, 11].map(|kind: u16| 8 | kind << 12));
    let known = (0..=u16::MAX).filter_map(move_from_bits);
    assert!(
        known
            .map(move_to_bits)
            .all(|bits| move_from_bits(bits).is_some())
    );
    assert_eq!(move_from_bits(0x7001), None);
    assert_eq!(move_from_bits(0x2000), None);
}

#[test]
fn impossible_games_are_found_out() {
    let mut game = games()
        .into_iter()
        .find(|game| game.ending == Ending::TooLong)
        .unwrap();
    game.result = GameResult::WhiteWins;
    assert_eq!(game.verify(), Err(IllegalGame::Result));
    game.ending = Ending::AdjudicatedWin;
    assert_eq!(game.verify(), Ok(()));
    game.ending = Ending::Mate;
    assert_eq!(game.verify(), Err(IllegalGame::Result));
    game.moves[5].mv = Move::from_bits(u16::MAX).unwrap();
    assert_eq!(game.verify(), Err(IllegalGame::Move(5)));
}

#[test]
fn a_game_is_identified_by_its_start_and_moves() {
    let games = games();
    let game = &games[0];
    // A changed number would mix training and validation games of earlier conversions.
    assert_eq!(game.identity(), 5_143_249_976_805_436_364);
    let mut same = game.clone();
    same.result = GameResult::WhiteWins;
    same.ending = Ending::AdjudicatedWin;
    same.nodes += 1;
    for scored in &mut same.moves {
        scored.score = Score(7);
    }
    assert_eq!(same.identity(), game.identity());
    let mut shorter = game.clone();
    shorter.moves.pop();
    assert!(shorter.identity() != game.identity());
    let mut other_start = game.clone();
    other_start.start.halfmove_clock += 1;
    assert!(other_start.identity() != game.identity());
}
