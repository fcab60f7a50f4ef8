//! Simulated games, as a measure of the variety of a book.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use gaur::board::Board;
use gaur::book::{Entry, polyglot_key};

/// Seed of the selection of moves.
const SEED: u64 = 1;

/// Results of games in which both sides play moves of the book until it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Simulation {
    games: u64,
    moves: u32,
    /// Number of games in which each side has played `moves` moves.
    complete: u64,
    /// Number of different positions at the ends of the games.
    distinct: u64,
}

impl fmt::Display for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Simulation {
            games,
            moves,
            complete,
            distinct,
        } = self;
        write!(
            f,
            "{games} simulated games: {complete} have {moves} moves of each side in the book, {distinct} end in \
             different positions"
        )
    }
}

/// Plays games of at most `moves` moves of each side, in which moves are selected by their weights.
pub(super) fn run(entries: &[Entry], games: u64, moves: u32) -> Simulation {
    let mut by_key: BTreeMap<u64, Vec<Entry>> = BTreeMap::new();
    for &entry in entries {
        by_key.entry(entry.key).or_default().push(entry);
    }
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let (mut complete, mut ends) = (0, BTreeSet::new());
    for _ in 0..games {
        let (mut board, mut last, mut plies) = (Board::standard(), None, 0);
        while plies < 2 * moves
            && let Some(entries) = by_key.get(&polyglot_key(&board, last))
            && let Some(mv) = selected(entries, &mut random).legal_move(&board)
        {
            let _ = board.make(mv);
            last = Some(mv);
            plies += 1;
        }
        complete += u64::from(plies == 2 * moves);
        ends.insert(board.key().0);
    }
    Simulation {
        games,
        moves,
        complete,
        distinct: ends.len() as u64,
    }
}

/// Selects one of at least one entries by its weight.
fn selected(entries: &[Entry], random: &mut ChaCha8Rng) -> Entry {
    let all: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    let mut number = random.next_u64() % all.max(1);
    for &entry in entries {
        match number.checked_sub(u64::from(entry.weight)) {
            Some(left) => number = left,
            None => return entry,
        }
    }
    entries[0]
}
