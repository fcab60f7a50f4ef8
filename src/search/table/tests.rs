//! Storing, probing, replacing and clearing entries, and preparing the memory.

use super::*;
use crate::types::{Depth, Move, MoveKind, Ply, Score, Square};

fn entry(depth: Depth, bound: Bound) -> TableEntry {
    let mv = Move::new(
        Square::from_index(12),
        Square::from_index(28),
        MoveKind::DoublePush,
    );
    TableEntry {
        mv: Some(mv),
        score: Score(-31_990),
        eval: Score(77),
        depth,
        bound,
        on_pv: depth % 2 == 0,
    }
}

#[test]
fn probe_returns_the_stored_entry() {
    let table = Table::new(1);
    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
        let stored = entry(9, bound);
        table.store(Key(42), stored);
        assert_eq!(table.probe(Key(42)), Some(stored));
    }
    assert_eq!(table.probe(Key(43)), None);
}

#[test]
fn a_cleared_table_is_empty() {
    let table = Table::new(1);
    table.age();
    for number in 0..50_000 {
        table.store(Key(number << 46), entry(9, Bound::Exact));
    }
    table.clear();
    assert_eq!(table.generation.load(Ordering::Relaxed), 0);
    let words = table.memory.words();
    assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
}

#[test]
fn an_interrupted_preparation_continues_later() {
    let table = Table::new(64);
    let ready = || table.ready_bytes() / LINE;
    let used = || table.used_bytes() / LINE;
    table.prepare(2, || true);
    assert!(
        (MIN_PREPARED..table.capacity).contains(&ready()),
        "{}",
        ready()
    );
    table.use_ready();
    assert_eq!(used(), ready());
    for number in 0..1000_u64 {
        let key = Key(number << 54);
        assert!(table.start_of(key) < ready() * BUCKET_WORDS);
        table.store(key, entry(9, Bound::Exact));
        assert!(table.probe(key).is_some());
    }
    table.prepare(2, || false);
    assert_eq!(ready(), table.capacity);
    table.use_ready();
    assert_eq!(used(), (64 << 20) / LINE);
}

#[test]
fn clearing_keeps_the_memory() {
    let table = Table::new(16);
    table.prepare(3, || false);
    table.age();
    for number in 0..50_000 {
        table.store(Key(number << 46), entry(9, Bound::Exact));
    }
    let address = table.address();
    let table = table.cleared(3, || false).expect("a table");
    assert_eq!(table.address(), address);
    assert_eq!(table.mebibytes(), 16);
    assert_eq!(table.generation.load(Ordering::Relaxed), 0);
    let words = table.memory.words();
    assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
}

#[test]
fn an_interrupted_clearing_leaves_no_entries() {
    let table = Table::new(64);
    table.prepare(3, || false);
    for number in 0..400_000_u64 {
        table.store(Key(number << 45), entry(9, Bound::Exact));
    }
    let table = table.cleared(3, || true).expect("a table");
    assert!(!table.is_ready());
    assert_eq!(table.used_bytes(), table.ready_bytes());
    let is_empty = || (0..400_000_u64).all(|number| table.probe(Key(number << 45)).is_none());
    assert!(is_empty());
    table.prepare(2, || false);
    table.use_ready();
    assert_eq!(table.used_bytes(), 64 << 20);
    assert!(is_empty());
}

#[test]
fn a_table_leaves_memory_to_others() {
    assert_eq!(Table::beside(16, 1 << 20).mebibytes(), 16);
    // No system has so much memory for others.
    let table = Table::beside(16, usize::MAX >> 1);
    assert_eq!((table.mebibytes(), table.requested_mebibytes()), (1, 16));
    let huge = Table::new(u64::MAX);
    assert!(huge.mebibytes() < huge.requested_mebibytes());
}

#[test]
fn a_table_needs_no_memory_of_the_system() {
    // The memory for others and small tables, then only one of them, then nothing is refused.
    for (others_get_it, largest_words, mebibytes) in [
        (true, 1 << 20, 8),
        (true, (1 << 17) - 1, 0),
        (false, 1 << 20, 1),
        (true, 0, 0),
        (false, 0, 0),
    ] {
        let table = Table::allocate(64, 1 << 20, |words, pages| {
            let is_granted = match pages {
                Pages::Ordinary => others_get_it,
                _ => words <= largest_words,
            };
            is_granted.then(|| Memory::zeroed(words, pages))?
        });
        let case = (others_get_it, largest_words);
        assert_eq!(table.mebibytes(), mebibytes, "{case:?}");
        assert_eq!(table.requested_mebibytes(), 64, "{case:?}");
        assert_eq!(table.capacity == 1, largest_words == 0, "{case:?}");
        table.prepare(2, || false);
        table.use_ready();
        table.store(Key(7), entry(3, Bound::Exact));
        assert!(table.probe(Key(7)).is_some(), "{case:?}");
        table.prefetch(Key(u64::MAX));
        let table = table.cleared(2, || false).expect("a table");
        assert_eq!(table.probe(Key(7)), None, "{case:?}");
    }
}

#[test]
fn extreme_scores_are_stored_exactly() {
    let table = Table::new(1);
    for score in [
        Score::INFINITE,
        -Score::INFINITE,
        Score::NONE,
        Score::mate_in(Ply(1)),
        Score(0),
    ] {
        let stored = TableEntry {
            score,
            eval: score,
            ..entry(1, Bound::Exact)
        };
        table.store(Key(7), stored);
        assert_eq!(table.probe(Key(7)), Some(stored));
    }
}

#[test]
fn a_full_bucket_replaces_its_shallowest_and_oldest_entry() {
    let table = Table::new(0);
    assert_eq!(table.capacity, 1);
    for key in 1..=4 {
        table.store(Key(key), entry(key as Depth * 2, Bound::Exact));
    }
    table.store(Key(5), entry(1, Bound::Exact));
    assert_eq!(
        table.probe(Key(1)),
        None,
        "the shallowest entry is replaced first"
    );
    assert!(table.probe(Key(5)).is_some());
    table.age();
    table.store(Key(6), entry(1, Bound::Exact));
    table.store(Key(7), entry(1, Bound::Exact));
    assert_eq!(table.probe(Key(5)), None);
    assert!(
        table.probe(Key(6)).is_some() && table.probe(Key(4)).is_some(),
        "recent and deep entries stay"
    );
}

#[test]
fn a_shallow_bound_does_not_replace_a_deep_one() {
    let table = Table::new(1);
    table.store(Key(1), entry(12, Bound::Lower));
    table.store(Key(1), entry(2, Bound::Upper));
    assert_eq!(table.probe(Key(1)).map(|entry| entry.depth), Some(12));
    table.age();
    table.store(Key(1), entry(2, Bound::Upper));
    assert_eq!(table.probe(Key(1)).map(|entry| entry.depth), Some(2));
}
