//! Book files: any content, looked up along a game.

use std::io::Write;
use std::time::Duration;

use gaur::book::{
    BookFile, BookMoves, Entry, Learned, LearnedMove, LearnedResult, MAX_VARIETY, decode_move,
    encode_move, polyglot_key,
};
use gaur::rules::Position;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use tempfile::NamedTempFile;

/// Number of half-moves of the game.
const PLIES: usize = 12;

/// Size of an entry without its key: the parts that the input consists of.
const PART: usize = 8;

/// Reads the bytes as a book and as a file of learned results, then as entries for the positions of a game.
pub fn run(bytes: &[u8]) {
    let learned = learned(bytes);
    let on_disk = on_disk(bytes);
    if let Ok(book) = BookFile::from_bytes(bytes.to_vec()) {
        assert_eq!(book.count() * 16, bytes.len() as u64);
        compare(&book, &on_disk.expect("the same book"));
        for index in 0..book.count().min(64) {
            let entry = book.entry(index).expect("an entry of the book");
            let found = book.entries(entry.key).expect("a sorted book");
            assert!(found.iter().all(|other| other.key == entry.key));
            assert!(found.contains(&entry) || found.len() > 100);
        }
    }
    play(bytes, &learned);
}

/// Opens the bytes as a file that is not read into memory. It may be a book even if entries between those that are
/// checked are not in order; that is found or not, but causes no panic.
fn on_disk(bytes: &[u8]) -> Option<BookFile> {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("written");
    let book = BookFile::open_on_disk(file.path()).ok()?;
    for index in 0..book.count().min(64) {
        let entry = book.entry(index).expect("an entry of the book");
        if let Ok(found) = book.entries(entry.key) {
            assert!(found.iter().all(|other| other.key == entry.key));
        }
    }
    Some(book)
}

/// Compares a book in memory with the same book on a disk.
fn compare(book: &BookFile, on_disk: &BookFile) {
    assert!(book.is_in_memory() && !on_disk.is_in_memory());
    assert_eq!(book.count(), on_disk.count());
    for index in 0..book.count().min(64) {
        let entry = book.entry(index).expect("an entry of the book");
        for key in [entry.key, entry.key.wrapping_add(1)] {
            let found = book.entries(key).expect("a sorted book");
            assert_eq!(on_disk.entries(key).expect("a sorted book"), found);
        }
    }
}

/// Reads the bytes as learned results. What is written is read as the same results.
fn learned(bytes: &[u8]) -> Learned {
    let Ok(mut learned) = Learned::parse(&String::from_utf8_lossy(bytes)) else {
        return Learned::default();
    };
    learned.add(&[LearnedMove {
        key: bytes.len() as u64,
        mv: 796,
        result: LearnedResult::Win,
    }]);
    let text = learned.text();
    let again = Learned::parse(&text).expect("a file of results");
    assert_eq!((again.text(), again.unreadable()), (text, 0));
    learned
}

/// Plays book moves from the start position. The entries of each position are parts of the bytes.
fn play(bytes: &[u8], learned: &Learned) {
    let (parts, _) = bytes.as_chunks::<PART>();
    let mut random = ChaCha8Rng::seed_from_u64(bytes.len() as u64);
    let (mut position, mut last) = (Position::standard(), None);
    for parts in parts.chunks(4).take(PLIES) {
        let key = polyglot_key(position.board(), last);
        let content: Vec<u8> = parts
            .iter()
            .flat_map(|part| [key.to_be_bytes(), *part].concat())
            .collect();
        let book = BookFile::from_bytes(content).expect("equal keys are in order");
        let found = BookMoves::look_up(&book, position.board(), last, learned, Duration::MAX);
        let found = found.expect("in memory");
        let legal = position.legal_moves();
        assert!(found.moves.len() <= legal.len());
        assert!(found.moves.iter().all(|entry| legal.contains(&entry.mv)));
        assert!(
            found
                .moves
                .is_sorted_by(|one, other| one.weight >= other.weight)
        );
        let shares: u32 = found
            .moves
            .iter()
            .map(|entry| found.percent(entry.weight))
            .sum();
        assert!(shares <= 100 + found.moves.len() as u32);
        for part in parts {
            let entry =
                Entry::from_bytes([key.to_be_bytes(), *part].concat().try_into().expect("16"));
            if let Some(mv) = decode_move(position.board(), entry.mv) {
                assert_eq!(decode_move(position.board(), encode_move(mv)), Some(mv));
            }
        }
        let chosen = found.choose(i32::from(parts[0][0]) % (MAX_VARIETY + 1), &mut random);
        assert_eq!(chosen.is_none(), found.best().is_none());
        assert!(chosen.is_none_or(|chosen| chosen.weight > 0));
        let mv = chosen.map(|chosen| chosen.mv);
        let Some(mv) = mv.or_else(|| legal.first().copied()) else {
            return;
        };
        let _ = position.play(mv);
        last = Some(mv);
    }
}
