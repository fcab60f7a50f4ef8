//! The transposition table: what earlier searches found out about positions.
//!
//! Buckets of four entries fill a cache line. The system gives the memory page by page when it is first used (see
//! [`memory`]). Where time counts that must not happen during a search, so [`Table::prepare`] uses all pages before,
//! and a search that comes earlier has the part of the table that is ready. Threads share the table without locks: an
//! entry is two words, the second stored as it is and the first as key xor second, so that a mixture of two writes fits
//! no key. (Lockless hashing: Robert Hyatt and Tim Mann.)

mod memory;

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use prefetch_index::prefetch_index;

use crate::messages::Bound;
use crate::types::{Depth, Key, Move, Ply, Score};

use memory::{Memory, on_threads};

const BUCKET_SIZE: usize = 4;

/// Generations are counted modulo this: six bits of an entry.
const GENERATIONS: u8 = 64;

/// How many plies of depth an entry loses in worth with each search that has begun since.
const AGE_WEIGHT: i32 = 4;

/// Words of a bucket: for each entry its check and its data.
const BUCKET_WORDS: usize = BUCKET_SIZE * 2;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Buckets that are made ready however urgent a search is: 8 MiB.
const LEAST_READY: usize = (8 << 20) / LINE;

/// Buckets that a thread makes ready at a time: 2 MiB, a huge page.
const PREPARED_AT_ONCE: usize = (2 << 20) / LINE;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best or refuting move; any sixteen bits: check it for legality.
    pub mv: Option<Move>,
    /// In table form ([`Score::to_table`]).
    pub score: Score,
    /// The static evaluation, [`Score::NONE`] where there was none.
    pub eval: Score,
    /// How deep `score` was searched, from -1 to 126 (deeper is kept as 126); 0 and -1 are quiescence
    /// ([`super::quiescence`]).
    pub depth: Depth,
    /// What `score` means.
    pub bound: Bound,
    /// The position is or was on a principal variation.
    pub on_pv: bool,
}

/// The table itself.
#[derive(Debug)]
pub(super) struct Table {
    memory: Memory,
    /// The size that was asked for.
    mebibytes: u64,
    /// Buckets that the memory has room for.
    capacity: usize,
    /// Buckets in use, the first of all; a new table uses all.
    buckets: AtomicUsize,
    /// Buckets that are ready, the first of all: the system has provided their memory, and they hold no entries of
    /// earlier games.
    ready: AtomicUsize,
    /// Buckets, the first of all, that may hold entries of earlier games where they are not ready.
    stale: usize,
    generation: AtomicU8,
}

/// The place of one entry.
struct Slot<'a> {
    check: &'a AtomicU64,
    data: &'a AtomicU64,
}

impl Entry {
    /// Bits: move 0-15, score 16-31, eval 32-47, depth + 1 48-54, on_pv 55, bound 56-57 (1-3), generation 58-63.
    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let mv = self.mv.map_or(0, Move::bits);
        u64::from(mv)
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(self.eval.0 as i16 as u16) << 32
            | u64::from((self.depth + 1).clamp(0, 127) as u8) << 48
            | u64::from(self.on_pv) << 55
            | bound << 56
            | u64::from(generation) << 58
    }

    /// Replaces the score by an upper bound above all scores, which says nothing; the move and the evaluation stay.
    pub fn forget_score(&mut self) {
        self.score = Score::INFINITE;
        self.bound = Bound::Upper;
    }

    /// The score, where its bound makes it a better guess than this evaluation.
    #[inline]
    pub fn better_than(&self, eval: Score, ply: Ply) -> Score {
        let score = self.score.from_table(ply);
        let is_better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if is_better { score } else { eval }
    }

    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            mv: Move::from_bits(data as u16),
            score: Score(i32::from((data >> 16) as u16 as i16)),
            eval: Score(i32::from((data >> 32) as u16 as i16)),
            depth: (data >> 48 & 127) as Depth - 1,
            bound,
            on_pv: data >> 55 & 1 != 0,
        })
    }
}

/// The generation of packed data.
fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

impl Table {
    /// A table of at most this many mebibytes, and at least one bucket. Where the system does not grant so much, half,
    /// a quarter, and so on.
    pub fn new(mebibytes: u64) -> Table {
        let bytes = usize::try_from(mebibytes)
            .unwrap_or(usize::MAX)
            .saturating_mul(1 << 20);
        Table {
            mebibytes,
            ..Table::with_buckets((bytes / LINE).max(1))
        }
    }

    fn with_buckets(mut buckets: usize) -> Table {
        loop {
            match Memory::zeroed(buckets.saturating_mul(BUCKET_WORDS)) {
                Some(memory) => {
                    return Table {
                        memory,
                        mebibytes: 0,
                        capacity: buckets,
                        buckets: AtomicUsize::new(buckets),
                        ready: AtomicUsize::new(0),
                        stale: 0,
                        generation: AtomicU8::new(0),
                    };
                }
                None if buckets > 1 => buckets /= 2,
                None => panic!("no memory for a single bucket"),
            }
        }
    }

    /// The size that was asked for, in mebibytes.
    pub fn mebibytes(&self) -> u64 {
        self.mebibytes
    }

    /// Makes more of the table ready, with so many threads, until `is_interrupted`; the first mebibytes in any case.
    /// Goes on where it was interrupted the last time. Searches may use meanwhile what was ready before.
    pub fn prepare(&self, threads: usize, is_interrupted: impl Fn() -> bool + Sync) {
        if self.is_ready() {
            return;
        }
        let next = AtomicUsize::new(self.ready.load(Ordering::Relaxed));
        on_threads(threads, || {
            while next.load(Ordering::Relaxed) < LEAST_READY || !is_interrupted() {
                let start = next.fetch_add(PREPARED_AT_ONCE, Ordering::Relaxed);
                if start >= self.capacity {
                    break;
                }
                let end = self.capacity.min(start + PREPARED_AT_ONCE);
                let words = start * BUCKET_WORDS..end * BUCKET_WORDS;
                if start < self.stale {
                    self.memory.clear(words);
                } else {
                    self.memory.touch(words);
                }
            }
        });
        // What a thread has begun it has done.
        let ready = next.into_inner().min(self.capacity);
        self.ready.store(ready, Ordering::Relaxed);
    }

    /// Returns `true` if all of the table is ready.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == self.capacity
    }

    /// Returns `true` if all that is ready is in use.
    pub fn uses_all_ready(&self) -> bool {
        self.buckets.load(Ordering::Relaxed) == self.ready.load(Ordering::Relaxed)
    }

    /// Uses what is ready and no more. What the table has learned may be lost. No worker may be at work.
    pub fn use_ready(&self) {
        let ready = self.ready.load(Ordering::Relaxed).max(1);
        self.buckets.store(ready, Ordering::Relaxed);
    }

    /// Returns the table as new, in the memory it has. So many threads clear the part that was in use, or of it what
    /// they manage until `is_interrupted`; [`Table::prepare`] does the rest. `None` never comes in practice.
    pub fn cleared(
        self,
        threads: usize,
        is_interrupted: impl Fn() -> bool + Sync,
    ) -> Option<Table> {
        let used = self.buckets.into_inner();
        let may_go_on = |words| words < LEAST_READY * BUCKET_WORDS || !is_interrupted();
        let (memory, words) = self
            .memory
            .cleared(used * BUCKET_WORDS, threads, may_go_on)?;
        let cleared = words / BUCKET_WORDS;
        let is_complete = cleared == used;
        Some(Table {
            memory,
            buckets: AtomicUsize::new(cleared),
            ready: if is_complete {
                self.ready
            } else {
                AtomicUsize::new(cleared)
            },
            stale: if is_complete {
                self.stale
            } else {
                self.stale.max(used)
            },
            generation: AtomicU8::new(0),
            ..self
        })
    }

    /// The address of the table's memory.
    #[cfg(test)]
    pub fn place(&self) -> usize {
        self.memory.words().as_ptr().addr()
    }

    /// Bytes in use.
    #[cfg(test)]
    pub fn used_bytes(&self) -> usize {
        self.buckets.load(Ordering::Relaxed) * LINE
    }

    /// Bytes that are ready.
    #[cfg(test)]
    pub fn ready_bytes(&self) -> usize {
        self.ready.load(Ordering::Relaxed) * LINE
    }

    /// As new, in the memory it has: the system need not find and clear other pages. No worker may be at work.
    pub fn clear(&self) {
        for word in self.memory.words() {
            word.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// A new search begins: entries of earlier ones are worth less from now on.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Index of the first word of a key's bucket.
    #[inline]
    fn start_of(&self, key: Key) -> usize {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let index = ((u128::from(key.0) * buckets as u128) >> 64) as usize;
        index * BUCKET_WORDS
    }

    /// Has the bucket of this key brought nearer while other work is done: it is nearly always far away in memory.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch_index(self.memory.words(), self.start_of(key));
    }

    #[inline]
    fn bucket(&self, key: Key) -> impl DoubleEndedIterator<Item = Slot<'_>> {
        let start = self.start_of(key);
        let (pairs, _) = self.memory.words()[start..start + BUCKET_WORDS].as_chunks();
        pairs.iter().map(|[check, data]| Slot { check, data })
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        // Without a branch for each entry, which could not be guessed. Backwards, so that the first counts, which
        // `store` renews, should two threads have noted the same position twice. An empty entry is unpacked to nothing.
        let mut found = 0;
        for slot in self.bucket(key).rev() {
            let data = slot.data.load(Ordering::Relaxed);
            let is_same = slot.check.load(Ordering::Relaxed) ^ data == key.0;
            found = if is_same { data } else { found };
        }
        Entry::unpack(found)
    }

    /// Notes what has been found out about the position with this key.
    pub fn store(&self, key: Key, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim: Option<(Slot<'_>, i32)> = None;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                victim = Some((slot, i32::MIN));
                break;
            }
            if slot.check.load(Ordering::Relaxed) ^ data == key.0 {
                let Some(old) = Entry::unpack(data) else {
                    continue;
                };
                // A much shallower bound of the same search must not push out a deep one.
                let keeps = entry.bound != Bound::Exact
                    && entry.depth + 3 < old.depth
                    && generation_of(data) == generation;
                if keeps {
                    return;
                }
                entry.mv = entry.mv.or(old.mv);
                victim = Some((slot, i32::MIN));
                break;
            }
            let age = i32::from((GENERATIONS + generation - generation_of(data)) % GENERATIONS);
            let depth = Entry::unpack(data).map_or(0, |old| old.depth);
            let worth = depth - AGE_WEIGHT * age;
            if victim.as_ref().is_none_or(|(_, least)| worth < *least) {
                victim = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = victim {
            let data = entry.pack(generation);
            slot.data.store(data, Ordering::Relaxed);
            slot.check.store(key.0 ^ data, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn entry(depth: Depth, bound: Bound) -> Entry {
        let mv = Move::new(
            Square::from_index(12),
            Square::from_index(28),
            MoveKind::DoublePush,
        );
        Entry {
            mv: Some(mv),
            score: Score(-31_990),
            eval: Score(77),
            depth,
            bound,
            on_pv: depth % 2 == 0,
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = Table::new(1);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let stored = entry(9, bound);
            table.store(Key(42), stored);
            assert_eq!(table.probe(Key(42)), Some(stored));
        }
        assert_eq!(table.probe(Key(43)), None);
    }

    #[test]
    fn a_cleared_table_is_as_new() {
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
    fn a_table_gets_ready_until_somebody_interrupts_and_then_the_rest() {
        let table = Table::new(64);
        let ready = || table.ready_bytes() / LINE;
        let used = || table.used_bytes() / LINE;
        table.prepare(2, || true);
        assert!(
            (LEAST_READY..table.capacity).contains(&ready()),
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
    fn a_used_table_is_cleared_in_the_memory_it_has() {
        let table = Table::new(16);
        table.prepare(3, || false);
        table.age();
        for number in 0..50_000 {
            table.store(Key(number << 46), entry(9, Bound::Exact));
        }
        let place = table.place();
        let table = table.cleared(3, || false).expect("the same memory");
        assert_eq!(table.place(), place);
        assert_eq!(table.mebibytes(), 16);
        assert_eq!(table.generation.load(Ordering::Relaxed), 0);
        let words = table.memory.words();
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn a_table_whose_clearing_is_interrupted_forgets_all_the_same() {
        let table = Table::new(64);
        table.prepare(3, || false);
        for number in 0..400_000_u64 {
            table.store(Key(number << 45), entry(9, Bound::Exact));
        }
        let table = table.cleared(3, || true).expect("the same memory");
        assert!(!table.is_ready());
        assert_eq!(table.used_bytes(), table.ready_bytes());
        let knows_nothing =
            || (0..400_000_u64).all(|number| table.probe(Key(number << 45)).is_none());
        assert!(knows_nothing());
        table.prepare(2, || false);
        table.use_ready();
        assert_eq!(table.used_bytes(), 64 << 20);
        assert!(knows_nothing());
    }

    #[test]
    fn extreme_scores_survive_packing() {
        let table = Table::new(1);
        for score in [
            Score::INFINITE,
            -Score::INFINITE,
            Score::NONE,
            Score::mate_in(Ply(1)),
            Score(0),
        ] {
            let stored = Entry {
                score,
                eval: score,
                ..entry(1, Bound::Exact)
            };
            table.store(Key(7), stored);
            assert_eq!(table.probe(Key(7)), Some(stored));
        }
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_oldest() {
        let table = Table::with_buckets(1);
        for key in 1..=4 {
            table.store(Key(key), entry(key as Depth * 2, Bound::Exact));
        }
        table.store(Key(5), entry(1, Bound::Exact));
        assert_eq!(table.probe(Key(1)), None, "the shallowest goes first");
        assert!(table.probe(Key(5)).is_some());
        table.age();
        table.store(Key(6), entry(1, Bound::Exact));
        table.store(Key(7), entry(1, Bound::Exact));
        assert_eq!(table.probe(Key(5)), None);
        assert!(
            table.probe(Key(6)).is_some() && table.probe(Key(4)).is_some(),
            "age counts, depth counts"
        );
    }

    #[test]
    fn a_shallow_bound_does_not_push_out_a_deep_one() {
        let table = Table::new(1);
        table.store(Key(1), entry(12, Bound::Lower));
        table.store(Key(1), entry(2, Bound::Upper));
        assert_eq!(table.probe(Key(1)).map(|entry| entry.depth), Some(12));
        table.age();
        table.store(Key(1), entry(2, Bound::Upper));
        assert_eq!(table.probe(Key(1)).map(|entry| entry.depth), Some(2));
    }
}
