//! Games go into files and come back, damage is noticed, and impossible games are found out.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::packed::{HEAD, pack};
use super::*;
use crate::notation::parse_fen;
use crate::rules::{Position, Variant};
use crate::types::{Move, Score};

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
            moves,
            result,
            ending,
        }
    };
    STARTS.into_iter().cycle().take(60).map(&mut play).collect()
}

fn file_of(games: &[GameRecord]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut writer = GameWriter::create(&path, Header::default()).unwrap();
    for game in games {
        writer.write(game).unwrap();
    }
    std::fs::read(path).unwrap()
}

#[test]
fn games_come_back() {
    let games = games();
    assert!(games.iter().all(|game| game.verify().is_ok()));
    let bytes = file_of(&games);
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    assert_eq!(bytes.len(), 32 + HEAD * games.len() + 4 * moves);
    let back: Vec<GameRecord> = GameReader::new(&bytes[..])
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(back == games);
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
fn damage_is_noticed() {
    let bytes = file_of(&games()[..2]);
    let read = |bytes: &[u8]| GameReader::new(bytes).map(|games| games.last());
    assert!(matches!(read(&bytes), Ok(Some(Ok(_)))));
    let cut = &bytes[..bytes.len() - 1];
    assert!(matches!(read(cut), Ok(Some(Err(DataError::Cut(_))))));
    assert!(matches!(read(&bytes[1..]), Err(DataError::NotGames)));
    assert!(matches!(read(&bytes[..9]), Err(DataError::NotGames)));
    let mut other = bytes.clone();
    other[8] = 9;
    assert!(matches!(read(&other), Err(DataError::Version(9))));
    let bytes_of_two = bytes.clone();
    let mut other = bytes;
    other[34] = 3;
    let games: Vec<_> = GameReader::new(&other[..]).unwrap().collect();
    assert!(matches!(games[..], [Err(DataError::Damaged(32))]));
    // What a crash of the machine may leave behind the last game.
    let mut tail = bytes_of_two.clone();
    tail.extend([0; 72]);
    let games: Vec<_> = GameReader::new(&tail[..]).unwrap().collect();
    assert!(matches!(
        games[..],
        [Ok(_), Ok(_), Err(DataError::Damaged(_))]
    ));
}

#[test]
fn any_bytes_can_be_read() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let whole = file_of(&games()[..3]);
    for _ in 0..2000 {
        let mut bytes = whole.clone();
        for _ in 0..4 {
            let at = 32 + random.next_u32() as usize % (bytes.len() - 32);
            bytes[at] = random.next_u32() as u8;
        }
        for game in GameReader::new(&bytes[..]).unwrap().flatten() {
            let mut again = Vec::new();
            pack(&game, &mut again);
            assert!(!again.is_empty());
            let _ = game.verify();
        }
    }
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
