//! Memory and threads of the search, where the system may refuse what the settings request.
//!
//! The standard library ends the process if it gets no memory for a small object. Large blocks therefore leave memory
//! for all small ones: the number of helpers and the size of the transposition table shrink until enough address space
//! is left, and files that would leave too little are not read. Limits on the address space (`ulimit -v`) and strict
//! accounting of memory are noticed in this way. Systems that promise more memory than they have need no such reserve.

use memmap2::MmapMut;

use crate::config::SearchSettings;
use crate::messages::Resources;

use super::table::Table;

/// Stack size of a thread that searches. The move lists of a node take several kilobytes, so deep lines need much
/// stack.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// Memory of a worker besides its stack: histories, evaluations and search stack, with a margin.
const WORKER_BYTES: usize = 8 << 20;

/// Memory that the table leaves for everything else: lines, settings, small networks, other threads.
const FREE_BYTES: usize = 32 << 20;

/// Part of [`FREE_BYTES`] that networks and tablebases from files leave for everything else.
const FREE_BESIDE_FILES: usize = FREE_BYTES / 2;

/// Smallest table that is more useful than another helper, in mebibytes.
const SMALL_TABLE_MEGABYTES: u64 = 8;

/// Size of the smallest useful table in bytes.
const SMALL_TABLE_BYTES: usize = (SMALL_TABLE_MEGABYTES as usize) << 20;

/// Memory that the engine needs to start: the search thread and its worker, small stacks, a small table, and memory for
/// everything else.
const START_BYTES: usize = STACK_BYTES + WORKER_BYTES + (32 << 20);

/// Returns `true` if the system provides the memory that the engine needs to start.
pub fn can_start() -> bool {
    is_available(START_BYTES)
}

/// Returns `true` if the system would provide this much memory for a file now, and some more for everything else.
///
/// ```
/// use gaur::search::has_memory_for_file;
///
/// assert!(has_memory_for_file(1 << 20));
/// assert!(!has_memory_for_file(usize::MAX));
/// ```
pub fn has_memory_for_file(bytes: usize) -> bool {
    is_available(bytes.saturating_add(FREE_BESIDE_FILES))
}

/// Returns `true` if the system would provide this much memory now.
fn is_available(bytes: usize) -> bool {
    MmapMut::map_anon(bytes).is_ok()
}

/// Returns the memory that must stay free besides the table.
fn reserve(helpers: usize) -> usize {
    FREE_BYTES + WORKER_BYTES + helpers * (STACK_BYTES + WORKER_BYTES)
}

/// Returns the number of helpers, at most `requested`, that fit into memory with this much for a table.
fn fitting_helpers(requested: usize, table_bytes: usize) -> usize {
    let fits = |helpers: &usize| is_available(reserve(*helpers) + table_bytes);
    (0..=requested).rev().find(fits).unwrap_or(0)
}

/// Returns an empty table, of which a small part is prepared and in use, and the number of helpers that fit beside it,
/// at most `requested`. `old` is the table in use so far, and `clear` clears it if it has the right size.
pub(super) fn table_and_helpers(
    settings: &SearchSettings,
    requested: usize,
    old: Option<Table>,
    clear: impl FnOnce(Table) -> Option<Table>,
) -> (Table, usize) {
    let old = old.filter(|table| {
        // Where memory was too short for a useful table, there may be more now.
        let useful = settings.hash_megabytes.min(SMALL_TABLE_MEGABYTES);
        table.requested_mebibytes() == settings.hash_megabytes && table.mebibytes() >= useful
    });
    if let Some(table) = old
        && fitting_helpers(requested, 0) == requested
        && let Some(table) = clear(table)
    {
        return (table, requested);
    }
    let helpers = fitting_helpers(requested, SMALL_TABLE_BYTES);
    let table = Table::beside(settings.hash_megabytes, reserve(helpers));
    table.prepare(1, || true);
    table.use_ready();
    (table, helpers)
}

/// Returns the resources of a search with this table and number of helpers.
pub(super) fn resources(table: &Table, helpers: usize, requested_helpers: usize) -> Resources {
    Resources {
        table_megabytes: table.mebibytes(),
        requested_megabytes: table.requested_mebibytes(),
        threads: helpers + 1,
        requested_threads: requested_helpers + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_no_system_has_is_not_available() {
        assert!(can_start());
        assert!(!is_available(usize::MAX >> 1));
        assert_eq!(fitting_helpers(3, 0), 3);
        assert_eq!(fitting_helpers(3, usize::MAX >> 1), 0);
    }

    #[test]
    fn a_useful_table_of_the_same_size_is_kept() {
        let settings = SearchSettings {
            hash_megabytes: 16,
            ..SearchSettings::default()
        };
        let no_clear = |_| panic!("there is no table to clear");
        let (table, helpers) = table_and_helpers(&settings, 2, None, no_clear);
        assert_eq!((table.mebibytes(), helpers), (16, 2));
        let address = table.address();
        let (table, helpers) = table_and_helpers(&settings, 1, Some(table), Some);
        assert_eq!((table.address(), helpers), (address, 1));
        let tiny = Table::beside(16, usize::MAX >> 1);
        assert_eq!((tiny.mebibytes(), tiny.requested_mebibytes()), (1, 16));
        let no_clear = |_| panic!("a tiny table is dropped");
        let (table, _) = table_and_helpers(&settings, 1, Some(tiny), no_clear);
        assert_eq!(table.mebibytes(), 16);
        let settings = SearchSettings {
            hash_megabytes: 8,
            ..settings
        };
        let no_clear = |_| panic!("a table of another size is dropped");
        let (table, _) = table_and_helpers(&settings, 1, Some(table), no_clear);
        assert_eq!(table.mebibytes(), 8);
    }
}
