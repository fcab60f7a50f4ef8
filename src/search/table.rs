//! Transposition table: results of earlier searches, by position key, shared by all threads.
//!
//! Four entries form a bucket, which fills a cache line. Threads need no locks: an entry is two words, its data and its
//! check, which is the key xor the data. If two threads write the same entry at once, the mixture fits no key.
//! (Lockless hashing: Robert Hyatt and Tim Mann.)
//!
//! The system provides the memory page by page at the first write (see [`memory`]). During a timed search that would
//! cost time, so [`Table::prepare`] writes to all pages beforehand. A search that starts earlier uses the prepared
//! part.

mod entry;
#[cfg(windows)]
mod large_pages;
mod memory;
mod pages;

use std::iter::successors;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use prefetch_index::prefetch_index;

use crate::messages::Bound;
use crate::types::Key;

pub(super) use entry::TableEntry;
pub use pages::Pages;

use memory::{LINE, Memory, on_threads};

/// Entries of a bucket.
const BUCKET_SIZE: usize = 4;

/// Number of generations; the counter wraps around. A generation has six bits in an entry.
const GENERATIONS: u8 = 64;

/// Plies of depth by which an entry loses value with each later search.
const AGE_WEIGHT: i32 = 4;

/// Words of a bucket: check and data of each entry.
const BUCKET_WORDS: usize = BUCKET_SIZE * 2;

/// Buckets that [`Table::prepare`] prepares even if interrupted: 8 MiB.
const MIN_PREPARED: usize = (8 << 20) / LINE;

/// Buckets that a thread prepares at a time: 2 MiB, a large page.
const PREPARE_STEP: usize = (2 << 20) / LINE;

/// The transposition table.
#[derive(Debug)]
pub(super) struct Table {
    /// Words of all buckets.
    memory: Memory,
    /// Requested size in mebibytes.
    requested_mebibytes: u64,
    /// Number of buckets that the memory holds.
    capacity: usize,
    /// Number of buckets in use, from the first. A new table uses all.
    buckets: AtomicUsize,
    /// Number of prepared buckets, from the first: the system has provided their memory, and they hold no entries of
    /// earlier games.
    ready: AtomicUsize,
    /// Number of buckets, from the first, that may hold entries of earlier games unless they are prepared.
    stale: usize,
    /// Generation of the current search, 0 to 63.
    generation: AtomicU8,
}

/// The two words of an entry.
struct Slot<'a> {
    /// Key xor data.
    check: &'a AtomicU64,
    /// Packed entry; 0 if empty.
    data: &'a AtomicU64,
}

/// Returns the number of buckets of a table of this size, at least one.
fn buckets_of(mebibytes: u64) -> usize {
    let bytes = usize::try_from(mebibytes)
        .unwrap_or(usize::MAX)
        .saturating_mul(1 << 20);
    (bytes / LINE).max(1)
}

impl Table {
    /// Allocates a table of at most `mebibytes` and at least one bucket. If the system refuses the memory, the table
    /// gets half of it, a quarter, and so on.
    pub fn new(mebibytes: u64) -> Table {
        Table::beside(mebibytes, 0)
    }

    /// Allocates a table as [`Table::new`] does, in these pages. Returns `None` if the system does not provide as much
    /// memory in such pages.
    pub fn with_pages(mebibytes: u64, pages: Pages) -> Option<Table> {
        let buckets = buckets_of(mebibytes);
        let memory = Memory::zeroed(buckets.saturating_mul(BUCKET_WORDS), pages)?;
        Some(Table::of(memory, buckets, mebibytes))
    }

    /// Allocates a table as [`Table::new`] does, which leaves this many bytes of memory to others. If the system does
    /// not have them beside one mebibyte, the table gets at most one mebibyte.
    pub fn beside(mebibytes: u64, others: usize) -> Table {
        Table::allocate(mebibytes, others, Memory::zeroed)
    }

    /// Allocates a table as [`Table::beside`] does, where `zeroed` stands for [`Memory::zeroed`].
    fn allocate(
        mebibytes: u64,
        others: usize,
        zeroed: impl Fn(usize, Pages) -> Option<Memory>,
    ) -> Table {
        let requested = buckets_of(mebibytes);
        let small = requested.min(buckets_of(1)).max(2);
        let largest = |buckets: usize, least: usize| {
            successors(Some(buckets), |buckets| Some(buckets / 2))
                .take_while(|&buckets| buckets >= least)
                .find_map(|buckets| {
                    let words = buckets.saturating_mul(BUCKET_WORDS);
                    Some((zeroed(words, Pages::Automatic)?, buckets))
                })
        };
        let beside_others = || {
            let _reserve = zeroed((others / size_of::<AtomicU64>()).max(1), Pages::Ordinary)?;
            largest(requested, small)
        };
        // A single bucket is always available: it needs no memory map.
        let (memory, buckets) = beside_others()
            .or_else(|| largest(requested.min(small), 2))
            .unwrap_or_else(|| (Memory::line(), 1));
        Table::of(memory, buckets, mebibytes)
    }

    /// Returns an empty table in new memory, which holds this number of buckets.
    fn of(memory: Memory, buckets: usize, requested_mebibytes: u64) -> Table {
        Table {
            memory,
            requested_mebibytes,
            capacity: buckets,
            buckets: AtomicUsize::new(buckets),
            ready: AtomicUsize::new(0),
            stale: 0,
            generation: AtomicU8::new(0),
        }
    }

    /// Returns the requested size in mebibytes.
    pub fn requested_mebibytes(&self) -> u64 {
        self.requested_mebibytes
    }

    /// Returns the size in mebibytes, rounded down. It is less than requested if the system has refused memory.
    pub fn mebibytes(&self) -> u64 {
        (self.capacity * LINE) as u64 >> 20
    }

    /// Prepares buckets with this number of threads until all are prepared or `is_interrupted` returns `true`, but at
    /// least the first 8 MiB.
    ///
    /// The next call continues where this one was interrupted. A search may use the buckets prepared before.
    pub fn prepare(&self, threads: usize, is_interrupted: impl Fn() -> bool + Sync) {
        if self.is_ready() {
            return;
        }
        let next = AtomicUsize::new(self.ready.load(Ordering::Relaxed));
        on_threads(threads, || {
            while next.load(Ordering::Relaxed) < MIN_PREPARED || !is_interrupted() {
                let start = next.fetch_add(PREPARE_STEP, Ordering::Relaxed);
                if start >= self.capacity {
                    break;
                }
                let end = self.capacity.min(start + PREPARE_STEP);
                let words = start * BUCKET_WORDS..end * BUCKET_WORDS;
                if start < self.stale {
                    self.memory.clear(words);
                } else {
                    self.memory.touch(words);
                }
            }
        });
        // Every thread has completed the steps that it took.
        let ready = next.into_inner().min(self.capacity);
        self.ready.store(ready, Ordering::Relaxed);
    }

    /// Returns `true` if all buckets are prepared.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == self.capacity
    }

    /// Uses exactly the prepared buckets. Entries may be lost. No search may be running.
    pub fn use_ready(&self) {
        let ready = self.ready.load(Ordering::Relaxed).max(1);
        self.buckets.store(ready, Ordering::Relaxed);
    }

    /// Returns an empty table in the same memory.
    ///
    /// This number of threads clears the buckets that were in use until `is_interrupted` returns `true`;
    /// [`Table::prepare`] clears the rest. `None` does not occur in practice.
    pub fn cleared(
        self,
        threads: usize,
        is_interrupted: impl Fn() -> bool + Sync,
    ) -> Option<Table> {
        let used = self.buckets.into_inner();
        let may_continue = |words| words < MIN_PREPARED * BUCKET_WORDS || !is_interrupted();
        let (memory, words) = self
            .memory
            .cleared(used * BUCKET_WORDS, threads, may_continue)?;
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

    /// Returns the address of the table's memory.
    #[cfg(test)]
    pub fn address(&self) -> usize {
        self.memory.words().as_ptr().addr()
    }

    /// Returns the size of the buckets in use in bytes.
    #[cfg(test)]
    pub fn used_bytes(&self) -> usize {
        self.buckets.load(Ordering::Relaxed) * LINE
    }

    /// Returns the size of the prepared buckets in bytes.
    #[cfg(test)]
    pub fn ready_bytes(&self) -> usize {
        self.ready.load(Ordering::Relaxed) * LINE
    }

    /// Clears the table. It keeps its memory, so the system need not provide new pages. No search may be running.
    pub fn clear(&self) {
        for word in self.memory.words() {
            word.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts the generation of a new search: entries of earlier searches are replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Returns the index of the first word of the bucket for a key.
    #[inline]
    fn start_of(&self, key: Key) -> usize {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let index = ((u128::from(key.0) * buckets as u128) >> 64) as usize;
        index * BUCKET_WORDS
    }

    /// Prefetches the bucket for a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch_index(self.memory.words(), self.start_of(key));
    }

    /// Returns the entries of the bucket for a key.
    #[inline]
    fn bucket(&self, key: Key) -> impl DoubleEndedIterator<Item = Slot<'_>> {
        let start = self.start_of(key);
        let (pairs, _) = self.memory.words()[start..start + BUCKET_WORDS].as_chunks();
        pairs.iter().map(|[check, data]| Slot { check, data })
    }

    /// Returns the entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TableEntry> {
        // The loop has no branch per entry: it would be unpredictable. It runs backwards so that the first entry with
        // the key counts: that is the one which `store` updates if two threads have stored the position twice. Key 0
        // matches an empty entry, which unpacks to `None`.
        let mut found = 0;
        for slot in self.bucket(key).rev() {
            let data = slot.data.load(Ordering::Relaxed);
            let is_same = slot.check.load(Ordering::Relaxed) ^ data == key.0;
            found = if is_same { data } else { found };
        }
        TableEntry::unpack(found)
    }

    /// Stores the result of searching the position with this key. It replaces the entry of this position, an empty
    /// one, or the least valuable of its bucket: the shallowest, where each generation of age counts
    /// [`AGE_WEIGHT`] plies.
    pub fn store(&self, key: Key, mut entry: TableEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim: Option<(Slot<'_>, i32)> = None;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                victim = Some((slot, i32::MIN));
                break;
            }
            if slot.check.load(Ordering::Relaxed) ^ data == key.0 {
                let Some(old) = TableEntry::unpack(data) else {
                    continue;
                };
                // A much shallower bound must not replace a deep one of the same search.
                let keeps = entry.bound != Bound::Exact
                    && entry.depth + 3 < old.depth
                    && TableEntry::packed_generation(data) == generation;
                if keeps {
                    return;
                }
                entry.mv = entry.mv.or(old.mv);
                victim = Some((slot, i32::MIN));
                break;
            }
            let age = i32::from(
                (GENERATIONS + generation - TableEntry::packed_generation(data)) % GENERATIONS,
            );
            let depth = TableEntry::unpack(data).map_or(0, |old| old.depth);
            let value = depth - AGE_WEIGHT * age;
            if victim.as_ref().is_none_or(|(_, least)| value < *least) {
                victim = Some((slot, value));
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
mod tests;
