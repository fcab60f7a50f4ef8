//! Positions that are reached with the moves of a book.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::book::{BookFile, Entry, polyglot_key};
use crate::rules::Position;
use crate::types::Move;

/// A position of a book that is reached from the start position.
#[derive(Clone, Debug)]
pub(super) struct ReachedPosition {
    /// The position, with the moves that lead to it.
    pub position: Position,
    /// Key in the book.
    pub key: u64,
    /// Number of half-moves from the start position.
    pub plies: u32,
    /// The entries of the position, also those with an illegal move.
    pub entries: Vec<Entry>,
}

/// Iterator over the positions of a book that are reached from the start position, the nearest first. A side plays
/// moves of the book wherever it has some; a position after any legal move belongs to them, too, as the other side may
/// play it.
pub(super) struct Reached<'a> {
    book: &'a BookFile,
    found: HashSet<u64>,
    /// Positions to be examined, with their keys, by the number of half-moves from the start position.
    waiting: BTreeMap<u32, VecDeque<(Position, u64)>>,
    /// Largest number of half-moves.
    max_plies: u32,
}

impl Reached<'_> {
    /// Starts at the start position.
    pub(super) fn new(book: &BookFile, max_plies: u32) -> Reached<'_> {
        let start = Position::standard();
        let key = polyglot_key(start.board(), None);
        Reached {
            book,
            found: HashSet::from([key]),
            waiting: BTreeMap::from([(0, VecDeque::from([(start, key)]))]),
            max_plies,
        }
    }

    /// Returns the entries of a position. The book has been read completely and is sorted.
    fn entries(&self, key: u64) -> Vec<Entry> {
        self.book.entries(key).unwrap_or_default()
    }

    /// Adds the positions of the book after each legal move.
    fn add_replies(&mut self, position: &Position, plies: u32) {
        if plies > self.max_plies {
            return;
        }
        for mv in position.legal_moves() {
            let (after, key) = after(position, mv);
            if !self.found.contains(&key) && !self.entries(key).is_empty() {
                self.found.insert(key);
                self.waiting
                    .entry(plies)
                    .or_default()
                    .push_back((after, key));
            }
        }
    }
}

impl Iterator for Reached<'_> {
    type Item = ReachedPosition;

    fn next(&mut self) -> Option<ReachedPosition> {
        loop {
            let mut nearest = self.waiting.first_entry()?;
            let plies = *nearest.key();
            let Some((position, key)) = nearest.get_mut().pop_front() else {
                nearest.remove();
                continue;
            };
            let entries = self.entries(key);
            self.add_replies(&position, plies + 1);
            let moves: Vec<Move> = match entries.is_empty() {
                // The start position of a book for Black.
                true => position.legal_moves().into_iter().collect(),
                false => entries
                    .iter()
                    .filter_map(|entry| entry.legal_move(position.board()))
                    .collect(),
            };
            for mv in moves {
                self.add_replies(&after(&position, mv).0, plies + 2);
            }
            if !entries.is_empty() {
                return Some(ReachedPosition {
                    position,
                    key,
                    plies,
                    entries,
                });
            }
        }
    }
}

/// Returns the position after a move with its key.
fn after(position: &Position, mv: Move) -> (Position, u64) {
    let mut after = position.clone();
    let _ = after.play(mv);
    let key = polyglot_key(after.board(), Some(mv));
    (after, key)
}
