//! The memory of the transposition table: ready before it is needed, and cleared for a new game.
//!
//! The system takes as long as hundreds of nodes to provide a page. So the table is made ready when nothing is searched
//! for a move, before settings and new games are confirmed. Whatever comes meanwhile interrupts that, and searches use
//! the part of the table that is ready.

use std::time::{Duration, Instant};

use super::{Controller, Pool, Purpose, SearchEvent};
use crate::config::Config;
use crate::messages::SearchRequest;
use crate::search::table::Table;

/// A search for a move waits at most this part of its hard limit for the table.
const SHARE_OF_LIMIT: u32 = 32;

/// Time that a search without a hard limit waits for the table.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

impl Controller {
    /// Replaces the workers, and with them all that was learned. A table of the right size is cleared; one of another
    /// must be gone before the new one is made, since both may not fit into the memory.
    pub(super) fn renew_pool(&mut self) {
        let threads = worker_count(&self.config);
        let is_urgent = self.next.is_some();
        let none = Pool::new(Table::new(0), 0, &self.setup);
        let table = std::mem::replace(&mut self.pool, none)
            .into_table()
            .filter(|table| table.mebibytes() == self.config.hash_megabytes)
            .and_then(|table| table.cleared(threads, || is_urgent || !self.orders.is_empty()))
            .unwrap_or_else(|| new_table(&self.config));
        self.pool = Pool::new(table, threads, &self.setup);
    }

    /// Makes the table ready while no move is searched for and nothing else is to be done. A search that runs meanwhile
    /// keeps the part that it began with.
    pub(super) fn prepare_table(&self) {
        if self.owes_move() {
            return;
        }
        let (table, reports) = (&self.pool.shared.table, &self.pool.reports);
        if table.is_ready() && table.uses_all_ready() {
            return;
        }
        let is_searching = self
            .active
            .as_ref()
            .is_some_and(|active| active.running > 0);
        let threads = if is_searching {
            1
        } else {
            worker_count(&self.config)
        };
        table.prepare(threads, || !self.orders.is_empty() || !reports.is_empty());
    }

    /// Gives a search that is about to start the part of the table that is ready by the time it can wait for.
    pub(super) fn use_table_for(&self, request: &SearchRequest) {
        let latest = match request.limits.budget {
            Some(budget) => request.started.checked_add(budget.hard / SHARE_OF_LIMIT),
            None => Instant::now().checked_add(LONGEST_WAIT),
        };
        let is_for_move = request.purpose == Purpose::Play;
        let is_late = || latest.is_some_and(|latest| Instant::now() >= latest);
        let table = &self.pool.shared.table;
        table.prepare(worker_count(&self.config), || {
            is_late() || is_for_move && !self.orders.is_empty()
        });
        table.use_ready();
    }

    /// Confirms settings and new games, unless they wait for a search that has been told to end: it does so at once,
    /// while a search for a move goes on.
    pub(super) fn confirm(&mut self) {
        let is_ending = self
            .active
            .as_ref()
            .is_some_and(|active| active.running > 0 && (active.abandoned || active.restarting));
        let is_in_effect = !self.forget && self.new_config.is_none();
        if is_in_effect || !is_ending {
            for _ in 0..std::mem::take(&mut self.unconfirmed) {
                self.emit(SearchEvent::Configured);
            }
        }
    }
}

/// The table a configuration asks for, of which as much is in use as is ready.
pub(super) fn new_table(config: &Config) -> Table {
    let table = Table::new(config.hash_megabytes);
    table.prepare(1, || true);
    table.use_ready();
    table
}

/// The number of workers for a configuration, no more than the machine has processors.
pub(super) fn worker_count(config: &Config) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    config.threads.clamp(1, processors)
}
