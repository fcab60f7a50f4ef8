//! Preparation of the transposition table's memory.
//!
//! The system needs the time of hundreds of nodes to provide a memory page. The controller therefore prepares the table
//! while no worker searches for a move, before it confirms settings and new games. Orders and reports interrupt the
//! preparation, and searches use the prepared part of the table.

use std::time::{Duration, Instant};

use super::Controller;
use crate::messages::{Purpose, SearchRequest};
use crate::search::pool::{Pool, empty_table, worker_count};
use crate::search::table::Table;

/// Fraction of its hard limit that a search waits for the table at most: one divided by this.
const HARD_LIMIT_DIVISOR: u32 = 32;

/// Longest time that a search without a hard limit waits for the table.
const MAX_WAIT: Duration = Duration::from_millis(200);

impl Controller {
    /// Replaces the workers and clears the table. `is_urgent` is set if a new search waits: allocating a new table is
    /// faster than clearing the old one.
    ///
    /// A table of another size is freed before the new one is allocated, because both may not fit into memory.
    pub(super) fn renew_pool(&mut self, is_urgent: bool) {
        let threads = worker_count(&self.settings);
        let none = Pool::new(Table::new(0), 0, &self.setup);
        let table = std::mem::replace(&mut self.pool, none)
            .into_table()
            .filter(|table| table.mebibytes() == self.settings.hash_megabytes)
            .and_then(|table| table.cleared(threads, || is_urgent || !self.orders.is_empty()))
            .unwrap_or_else(|| empty_table(&self.settings));
        self.pool = Pool::new(table, threads, &self.setup);
    }

    /// Prepares the table while no worker searches for a move, until an order or a report arrives. A search that runs
    /// meanwhile keeps using the part that it began with.
    pub(super) fn prepare_table(&self) {
        if self.state.is_searching_for_move() {
            return;
        }
        let (table, reports) = (&self.pool.shared.table, &self.pool.reports);
        if table.is_ready() && table.uses_all_ready() {
            return;
        }
        let threads = if self.state.run().is_some() {
            1
        } else {
            worker_count(&self.settings)
        };
        table.prepare(threads, || !self.orders.is_empty() || !reports.is_empty());
    }

    /// Prepares the table for a search that is about to start, for as long as the search can wait.
    pub(super) fn use_table_for(&self, request: &SearchRequest) {
        let latest = match request.limits.budget {
            Some(budget) => request
                .started
                .checked_add(budget.hard / HARD_LIMIT_DIVISOR),
            None => Instant::now().checked_add(MAX_WAIT),
        };
        let is_for_move = request.purpose == Purpose::Play;
        let is_late = || latest.is_some_and(|latest| Instant::now() >= latest);
        let table = &self.pool.shared.table;
        table.prepare(worker_count(&self.settings), || {
            is_late() || is_for_move && !self.orders.is_empty()
        });
        table.use_ready();
    }
}
