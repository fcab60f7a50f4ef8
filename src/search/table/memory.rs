//! Memory of the transposition table: zeroed words from the system, in large pages where possible.
//!
//! The table is read at random, and the processor caches the addresses of some thousand pages only. With pages of 2 MiB
//! these cover any table. On Linux, Gaur requests them (huge pages), and the system provides and clears a page at the
//! first write to it, which takes 0.1 ms or more for a large page. On Windows, Gaur requests them if it has the right
//! (`large_pages.rs`). Other systems decide themselves.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::{FromBytes, IntoBytes};

#[cfg(windows)]
use super::large_pages::LargePages;
use super::pages::Pages;

/// Bytes of a word.
const WORD_BYTES: usize = size_of::<AtomicU64>();

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

/// Words of the smallest page that any system uses: 4 KiB.
const PAGE_WORDS: usize = 4096 / WORD_BYTES;

/// Bytes that a thread clears at a time.
const CLEAR_STEP: usize = 4 << 20;

/// A cache line.
#[derive(Default)]
#[repr(align(64))]
struct Line([u64; LINE / WORD_BYTES]);

/// Memory of a table.
enum Block {
    /// A single line, which is part of the object.
    Line(Line),
    /// A memory map.
    Map(MmapMut),
    /// Large pages of Windows.
    #[cfg(windows)]
    Large(LargePages),
}

impl Block {
    /// Allocates zeroed memory.
    fn new(bytes: usize, pages: Pages) -> Option<Block> {
        #[cfg(windows)]
        {
            match LargePages::new(bytes, pages) {
                Some(large) => return Some(Block::Large(large)),
                None if pages == Pages::Large => return None,
                None => {}
            }
        }
        let map = MmapMut::map_anon(bytes).ok()?;
        let is_advised = advise(&map, pages);
        // If the system refuses, the table is slower but works.
        (is_advised || pages != Pages::Large).then_some(Block::Map(map))
    }

    /// Returns the bytes.
    fn bytes(&mut self) -> &mut [u8] {
        match self {
            Block::Line(line) => line.0.as_mut_bytes(),
            Block::Map(map) => map,
            #[cfg(windows)]
            Block::Large(large) => large.bytes(),
        }
    }

    /// Returns the words, or `None` if the bytes are not aligned to words.
    fn words(&mut self) -> Option<Words<'_>> {
        let words = <[AtomicU64]>::mut_from_bytes(self.bytes()).ok()?;
        Some(words)
    }
}

/// Requests these pages for a memory map. Returns `false` if the system cannot. It may provide ordinary pages although
/// it accepts the request for large ones.
#[cfg(target_os = "linux")]
fn advise(map: &MmapMut, pages: Pages) -> bool {
    use memmap2::Advice;

    map.advise(match pages {
        Pages::Automatic | Pages::Large => Advice::HugePage,
        Pages::Ordinary => Advice::NoHugePage,
    })
    .is_ok()
}

/// Returns `false`: this system decides itself.
#[cfg(not(target_os = "linux"))]
fn advise(_: &MmapMut, _: Pages) -> bool {
    false
}

/// Words of a block.
type Words<'a> = &'a [AtomicU64];

self_cell!(
    struct Mapping {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: Words,
    }
);

/// Words shared by threads, aligned to a page. They take no physical memory before the first write.
pub(super) struct Memory(Mapping);

impl Memory {
    /// Allocates `words` words of value 0, at least one. Returns `None` if the system refuses the memory.
    pub(super) fn zeroed(words: usize, pages: Pages) -> Option<Memory> {
        let bytes = words.checked_mul(WORD_BYTES)?;
        Memory::shared(Block::new(bytes, pages)?)
    }

    /// Allocates the words of a cache line, of value 0. They are part of a small object, which needs no memory map.
    pub(super) fn line() -> Memory {
        let block = MutBorrow::new(Block::Line(Line::default()));
        // A line is aligned.
        Memory(Mapping::new(block, |block| {
            block.borrow_mut().words().unwrap_or_default()
        }))
    }

    /// Wraps a block, whose length is a multiple of a word.
    fn shared(block: Block) -> Option<Memory> {
        let mapping = Mapping::try_new(MutBorrow::new(block), |block| {
            block.borrow_mut().words().ok_or(())
        });
        mapping.ok().map(Memory)
    }

    /// Returns all words.
    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        self.0.borrow_dependent()
    }

    /// Makes the system provide the pages of these words. Their values stay.
    pub(super) fn touch(&self, words: Range<usize>) {
        for word in self.words()[words].iter().step_by(PAGE_WORDS) {
            // Only a write makes the system provide a page. Compilers may reduce the addition of 0 to a load, but not a
            // compare-exchange.
            let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Sets these words to 0. Other threads may read them meanwhile.
    pub(super) fn clear(&self, words: Range<usize>) {
        for word in &self.words()[words] {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Sets the first `words` words to 0 with this number of threads, as long as `may_continue` returns `true` for the
    /// number of words cleared so far.
    ///
    /// Returns the memory and the number of words cleared, counted from the first. Since no other thread can access the
    /// memory meanwhile, plain stores suffice, which are as fast as `memset`. `None` does not occur in practice.
    pub(super) fn cleared(
        self,
        words: usize,
        threads: usize,
        may_continue: impl Fn(usize) -> bool + Sync,
    ) -> Option<(Memory, usize)> {
        let mut block = self.0.into_owner().into_inner();
        let bytes = &mut block.bytes()[..words * WORD_BYTES];
        let cleared = fill_with_zeros(bytes, threads, |bytes| may_continue(bytes / WORD_BYTES));
        Some((Memory::shared(block)?, cleared / WORD_BYTES))
    }
}

/// Sets bytes to 0 from the first on, as long as `may_continue` returns `true` for their number so far. Returns the
/// number of bytes set.
fn fill_with_zeros(
    bytes: &mut [u8],
    threads: usize,
    may_continue: impl Fn(usize) -> bool + Sync,
) -> usize {
    let parts = Mutex::new((0, bytes.chunks_mut(CLEAR_STEP)));
    let next = || {
        let mut guard = parts.lock().unwrap_or_else(PoisonError::into_inner);
        let (started, parts) = &mut *guard;
        let part = may_continue(*started).then(|| parts.next()).flatten()?;
        *started += part.len();
        Some(part)
    };
    on_threads(threads, || {
        while let Some(part) = next() {
            part.fill(0);
        }
    });
    // Every thread has completed the parts that it took.
    let (filled, _) = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    filled
}

/// Runs `work` on this thread and on up to `threads - 1` others, fewer if the system refuses a thread. Returns when all
/// have finished.
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
    fn words_are_zero_shared_and_page_aligned() {
        let memory = Memory::zeroed(1 << 19, Pages::Automatic).expect("four mebibytes");
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
    fn a_line_is_zero_aligned_and_can_be_cleared() {
        let memory = Memory::line();
        let value = |memory: &Memory, index: usize| memory.words()[index].load(Ordering::Relaxed);
        assert_eq!(memory.words().len(), 8);
        assert_eq!(memory.words().as_ptr().align_offset(LINE), 0);
        assert!((0..8).all(|index| value(&memory, index) == 0));
        memory.words()[7].store(5, Ordering::Relaxed);
        assert_eq!(value(&memory, 7), 5);
        memory.touch(0..8);
        let (memory, cleared) = memory.cleared(8, 2, |_| true).expect("a memory");
        assert_eq!((cleared, value(&memory, 7)), (8, 0));
        assert_eq!(memory.words().as_ptr().align_offset(LINE), 0);
    }

    #[test]
    fn touching_keeps_words_and_clearing_sets_the_first_words_to_zero() {
        let memory = Memory::zeroed(3 << 20, Pages::Ordinary).expect("24 mebibytes");
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
        let (memory, cleared) = memory.cleared(2_000_001, 3, |_| true).expect("a memory");
        assert_eq!(cleared, 2_000_001);
        let words = memory.words();
        assert_eq!(words.len(), 3 << 20);
        let value = |index: usize| words[index].load(Ordering::Relaxed);
        assert!((0..2_000_001).all(|index| value(index) == 0));
        assert!((2_000_001..3 << 20).all(|index| value(index) == 7));
    }

    #[test]
    fn clearing_can_be_interrupted() {
        let memory = Memory::zeroed(8 << 20, Pages::Automatic).expect("64 mebibytes");
        for word in memory.words() {
            word.store(7, Ordering::Relaxed);
        }
        let (memory, cleared) = memory
            .cleared(8 << 20, 3, |cleared| cleared < 1 << 20)
            .expect("a memory");
        assert!((1 << 20..8 << 20).contains(&cleared), "{cleared}");
        let value = |index: usize| memory.words()[index].load(Ordering::Relaxed);
        assert!((0..cleared).all(|index| value(index) == 0));
        assert!((cleared..8 << 20).all(|index| value(index) == 7));
        memory.clear(cleared..8 << 20);
        assert!((0..8 << 20).all(|index| value(index) == 0));
    }

    /// Returns the resident size in bytes of the mapping that contains an address of this process.
    #[cfg(target_os = "linux")]
    fn resident_bytes(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux provides this file");
        let mut is_found = false;
        for line in maps.lines() {
            let first = line.split(' ').next().unwrap_or_default();
            if let Some((start, end)) = first.split_once('-') {
                let bound = |text| usize::from_str_radix(text, 16).expect("an address");
                is_found = (bound(start)..bound(end)).contains(&address);
            } else if is_found && let Some(size) = line.strip_prefix("Rss:") {
                let kilobytes = size.trim().trim_end_matches(" kB");
                return 1024 * kilobytes.parse::<usize>().expect("a number");
            }
        }
        panic!("no mapping has {address:x}")
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn touching_makes_pages_resident() {
        let memory = Memory::zeroed(8 << 20, Pages::Automatic).expect("64 mebibytes");
        memory.touch(0..8 << 20);
        let resident = resident_bytes(memory.words().as_ptr().addr());
        assert!(resident >= 64 << 20, "{resident} bytes");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for pages in [Pages::Automatic, Pages::Large, Pages::Ordinary] {
            assert!(Memory::zeroed(usize::MAX / 8, pages).is_none());
            assert!(Memory::zeroed(usize::MAX, pages).is_none());
        }
    }
}
