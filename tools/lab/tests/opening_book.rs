//! The built-in opening book: all its entries are legal, sorted and within the margins of the generator.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gaur::book::{BookFile, Entry, polyglot_key};
use gaur::notation::write_fen;
use gaur::rules::Position;
use gaur::types::{Color, Move};

/// Largest size of the book in bytes.
const MAX_SIZE: usize = 600_000;

/// Centipawns that a move may lose against the best one, and that its side may be worse than in the start position.
const MARGIN: i16 = 25;

#[test]
fn the_built_in_book_is_valid() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/book/gaur.book");
    let bytes = fs::read(path).unwrap();
    assert!(bytes.len() <= MAX_SIZE, "{} bytes", bytes.len());
    let book = BookFile::from_bytes(bytes).unwrap();
    let start = Position::standard();
    let start_key = polyglot_key(start.board(), None);
    let start_score = best_score(&book.entries(start_key).unwrap());
    let mut found = BTreeSet::from([start_key]);
    let mut waiting = vec![(start.clone(), start_key)];
    waiting.extend(replies(&book, &start, &mut found));
    while let Some((position, key)) = waiting.pop() {
        let sign = match position.side_to_move() {
            Color::White => 1,
            Color::Black => -1,
        };
        for mv in checked_moves(&book, &position, key, sign * start_score) {
            let mut after = position.clone();
            let _ = after.play(mv);
            waiting.extend(replies(&book, &after, &mut found));
        }
    }
    // A side that plays moves of the book reaches all of its positions, whatever the other one plays.
    let keys: BTreeSet<u64> = (0..book.count())
        .map(|index| book.entry(index).unwrap().key)
        .collect();
    assert_eq!(found, keys);
}

/// Returns the moves of a position of the book, whose scores and weights are checked.
fn checked_moves(book: &BookFile, position: &Position, key: u64, start_score: i16) -> Vec<Move> {
    let entries = book.entries(key).unwrap();
    let fen = write_fen(position.board(), position.variant());
    let best = best_score(&entries);
    let mut moves = Vec::new();
    for entry in &entries {
        let mv = entry.legal_move(position.board()).expect("a legal move");
        assert!(!moves.contains(&mv), "{mv:?} twice in {fen}");
        moves.push(mv);
        let score = entry.score().expect("a score");
        assert!(score >= best - MARGIN, "{mv:?} in {fen}");
        assert!(score >= start_score - MARGIN, "{mv:?} in {fen}");
        assert!(entry.weight > 0, "{mv:?} in {fen}");
    }
    assert!(
        entries.is_sorted_by_key(|entry| Reverse(entry.weight)),
        "{fen}"
    );
    moves
}

/// Returns the best score of the moves of a position.
fn best_score(entries: &[Entry]) -> i16 {
    let scores = entries.iter().map(|entry| entry.score().expect("a score"));
    scores.max().expect("a move")
}

/// Returns the positions of the book after each legal move that have not been found before, with their keys.
fn replies(
    book: &BookFile,
    position: &Position,
    found: &mut BTreeSet<u64>,
) -> Vec<(Position, u64)> {
    let mut positions = Vec::new();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        let _ = after.play(mv);
        let key = polyglot_key(after.board(), Some(mv));
        if !found.contains(&key) && !book.entries(key).unwrap().is_empty() {
            found.insert(key);
            positions.push((after, key));
        }
    }
    positions
}
