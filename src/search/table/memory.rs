//! The memory of the transposition table: zeroed words straight from the system, in huge pages where it gives them.
//!
//! A table is read at random, and the processor knows the places of only some thousand pages: with pages of 2 MiB those
//! cover any table. Linux gives them to whoever asks, if so configured; elsewhere nothing is asked for. The system
//! finds and clears a page when it is first written to, which takes a tenth of a millisecond or more for a huge one.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

/// Words of the smallest page there is.
const PAGE_WORDS: usize = 4096 / size_of::<AtomicU64>();

/// Bytes that a thread clears at a time.
const CLEARED_AT_ONCE: usize = 4 << 20;

type Words<'a> = &'a [AtomicU64];

self_cell!(
    struct Mapping {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Words,
    }
);

/// Words that threads share. They begin on a page, and cost nothing until they are used.
pub(super) struct Memory(Mapping);

impl Memory {
    /// So many words, all 0; `None` where the system does not grant them. Not for 0 words.
    pub(super) fn zeroed(words: usize) -> Option<Memory> {
        let bytes = words.checked_mul(size_of::<AtomicU64>())?;
        let map = MmapMut::map_anon(bytes).ok()?;
        // A refusal costs speed and nothing else.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Memory::shared(map)
    }

    fn shared(map: MmapMut) -> Option<Memory> {
        let mapping = Mapping::try_new(MutBorrow::new(map), |map| {
            <[AtomicU64]>::mut_from_bytes(map.borrow_mut())
                .map(|words| &*words)
                .map_err(drop)
        });
        mapping.ok().map(Memory)
    }

    /// The words.
    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        self.0.borrow_dependent()
    }

    /// Has the system provide the pages of these words, which keep their values.
    pub(super) fn touch(&self, words: Range<usize>) {
        for word in self.words()[words].iter().step_by(PAGE_WORDS) {
            // A page is provided when it is written to. Compilers may replace a sum with 0 by a load, but not this.
            let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Returns the memory with its first `words` words set to 0 by so many threads, at the speed of `memset`: nobody
    /// else may look at it meanwhile, so that plain stores do instead of atomic ones. `None` never comes in practice.
    pub(super) fn cleared(self, words: usize, threads: usize) -> Option<Memory> {
        let mut map = self.0.into_owner().into_inner();
        fill_with_zeros(&mut map[..words * size_of::<AtomicU64>()], threads);
        Memory::shared(map)
    }
}

fn fill_with_zeros(bytes: &mut [u8], threads: usize) {
    let parts = Mutex::new(bytes.chunks_mut(CLEARED_AT_ONCE));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    on_threads(threads, || {
        while let Some(part) = next() {
            part.fill(0);
        }
    });
}

/// Does the work on this thread and, where the system grants them, on `threads - 1` others; returns when all have done.
pub(super) fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, &work);
            if spawned.is_err() {
                break;
            }
        }
        work();
    });
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} words)", self.words().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn words_are_zero_shared_and_in_place() {
        let memory = Memory::zeroed(1 << 19).expect("four mebibytes");
        let words = memory.words();
        assert_eq!(words.len(), 1 << 19);
        assert_eq!(words.as_ptr().align_offset(4096), 0);
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        std::thread::scope(|scope| {
            scope.spawn(|| memory.words()[77].store(5, Ordering::Relaxed));
        });
        assert_eq!(words[77].load(Ordering::Relaxed), 5);
    }

    #[test]
    fn touching_changes_nothing_and_clearing_clears_the_beginning() {
        let memory = Memory::zeroed(3 << 20).expect("24 mebibytes");
        let set = || {
            memory
                .words()
                .iter()
                .for_each(|word| word.store(7, Ordering::Relaxed))
        };
        set();
        memory.touch(0..3 << 20);
        assert!(
            memory
                .words()
                .iter()
                .all(|word| word.load(Ordering::Relaxed) == 7)
        );
        let memory = memory.cleared(2_000_001, 3).expect("the same memory");
        let words = memory.words();
        assert_eq!(words.len(), 3 << 20);
        let value = |index: usize| words[index].load(Ordering::Relaxed);
        assert!((0..2_000_001).all(|index| value(index) == 0));
        assert!((2_000_001..3 << 20).all(|index| value(index) == 7));
    }

    /// Bytes of this process that are in memory.
    #[cfg(target_os = "linux")]
    fn resident_bytes() -> usize {
        let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
        let pages: usize = statm
            .split(' ')
            .nth(1)
            .expect("a second number")
            .parse()
            .expect("a number");
        pages * 4096
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn touching_has_the_system_provide_pages() {
        const BYTES: usize = 512 << 20;
        let memory = Memory::zeroed(BYTES / 8).expect("half a gibibyte");
        let before = resident_bytes();
        memory.touch(0..BYTES / 8);
        let added = resident_bytes().saturating_sub(before);
        // Other tests take and give back memory at the same time.
        assert!(added > BYTES / 2, "{added} bytes");
    }

    #[test]
    fn what_no_system_has_is_refused() {
        assert!(Memory::zeroed(usize::MAX / 8).is_none());
        assert!(Memory::zeroed(usize::MAX).is_none());
    }
}
