//! Entries of the book from the tree of its positions.

use gaur::book::{Entry, encode_move};

use super::tree::Tree;

/// Returns the entries in the order of the Polyglot format: by key, then the best move first.
pub(super) fn of(tree: &Tree) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (keys, moves) in tree.book_positions() {
        let largest = moves.iter().map(|scored| scored.weight).fold(0.0, f64::max);
        for scored in moves {
            // A mate score fits, too.
            let score = scored.score.0 as i16;
            let weight = (f64::from(u16::MAX) * scored.weight / largest).ceil() as u16;
            entries.extend(keys.iter().map(|&key| Entry {
                key,
                mv: encode_move(scored.mv),
                weight,
                learn: Entry::learn_of(score),
            }));
        }
    }
    entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
    entries
}

/// Returns the bytes of a book.
pub(super) fn bytes(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}
