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

const WORD_BYTES: usize = size_of::<AtomicU64>();

/// Words of the smallest page there is.
const PAGE_WORDS: usize = 4096 / WORD_BYTES;

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
        let bytes = words.checked_mul(WORD_BYTES)?;
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

    /// Sets these words to 0, while others may look at them.
    pub(super) fn clear(&self, words: Range<usize>) {
        for word in &self.words()[words] {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Sets the first `words` words to 0, with so many threads, as long as `may_go_on` with the number cleared so far.
    /// Returns the memory and the number of words cleared, the first of all. It has the speed of `memset`, since nobody
    /// else may look at the memory meanwhile: plain stores do instead of atomic ones. `None` never comes in practice.
    pub(super) fn cleared(
        self,
        words: usize,
        threads: usize,
        may_go_on: impl Fn(usize) -> bool + Sync,
    ) -> Option<(Memory, usize)> {
        let mut map = self.0.into_owner().into_inner();
        let bytes = &mut map[..words * WORD_BYTES];
        let cleared = fill_with_zeros(bytes, threads, |bytes| may_go_on(bytes / WORD_BYTES));
        Some((Memory::shared(map)?, cleared / WORD_BYTES))
    }
}

/// Fills bytes with zeros from the first on, as long as `may_go_on`, and returns their number.
fn fill_with_zeros(
    bytes: &mut [u8],
    threads: usize,
    may_go_on: impl Fn(usize) -> bool + Sync,
) -> usize {
    let parts = Mutex::new((0, bytes.chunks_mut(CLEARED_AT_ONCE)));
    let next = || {
        let mut guard = parts.lock().unwrap_or_else(PoisonError::into_inner);
        let (begun, parts) = &mut *guard;
        let part = may_go_on(*begun).then(|| parts.next()).flatten()?;
        *begun += part.len();
        Some(part)
    };
    on_threads(threads, || {
        while let Some(part) = next() {
            part.fill(0);
        }
    });
    // Each part that was begun has been filled.
    let (filled, _) = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    filled
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
        let (memory, cleared) = memory
            .cleared(2_000_001, 3, |_| true)
            .expect("the same memory");
        assert_eq!(cleared, 2_000_001);
        let words = memory.words();
        assert_eq!(words.len(), 3 << 20);
        let value = |index: usize| words[index].load(Ordering::Relaxed);
        assert!((0..2_000_001).all(|index| value(index) == 0));
        assert!((2_000_001..3 << 20).all(|index| value(index) == 7));
    }

    #[test]
    fn clearing_can_be_interrupted() {
        let memory = Memory::zeroed(8 << 20).expect("64 mebibytes");
        for word in memory.words() {
            word.store(7, Ordering::Relaxed);
        }
        let (memory, cleared) = memory
            .cleared(8 << 20, 3, |cleared| cleared < 1 << 20)
            .expect("the same memory");
        assert!((1 << 20..8 << 20).contains(&cleared), "{cleared}");
        let value = |index: usize| memory.words()[index].load(Ordering::Relaxed);
        assert!((0..cleared).all(|index| value(index) == 0));
        assert!((cleared..8 << 20).all(|index| value(index) == 7));
        memory.clear(cleared..8 << 20);
        assert!((0..8 << 20).all(|index| value(index) == 0));
    }

    /// Bytes in memory of the mapping that an address of this process belongs to.
    #[cfg(target_os = "linux")]
    fn resident_bytes(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux tells");
        let mut is_it = false;
        for line in maps.lines() {
            let first = line.split(' ').next().unwrap_or_default();
            if let Some((start, end)) = first.split_once('-') {
                let bound = |text| usize::from_str_radix(text, 16).expect("an address");
                is_it = (bound(start)..bound(end)).contains(&address);
            } else if is_it && let Some(size) = line.strip_prefix("Rss:") {
                let kilobytes = size.trim().trim_end_matches(" kB");
                return 1024 * kilobytes.parse::<usize>().expect("a number");
            }
        }
        panic!("no mapping has {address:x}")
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn touching_has_the_system_provide_pages() {
        let memory = Memory::zeroed(8 << 20).expect("64 mebibytes");
        memory.touch(0..8 << 20);
        let resident = resident_bytes(memory.words().as_ptr().addr());
        assert!(resident >= 64 << 20, "{resident} bytes");
    }

    #[test]
    fn what_no_system_has_is_refused() {
        assert!(Memory::zeroed(usize::MAX / 8).is_none());
        assert!(Memory::zeroed(usize::MAX).is_none());
    }
}
