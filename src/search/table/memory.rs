//! The memory of the transposition table: zeroed words straight from the system, in huge pages where it gives them.
//!
//! A table is read at random, and the processor knows the places of only some thousand pages: with pages of 2 MiB those
//! cover any table. Linux gives them to whoever asks, if so configured; elsewhere nothing is asked for.

use std::fmt;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

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
    fn what_no_system_has_is_refused() {
        assert!(Memory::zeroed(usize::MAX / 8).is_none());
        assert!(Memory::zeroed(usize::MAX).is_none());
    }
}
