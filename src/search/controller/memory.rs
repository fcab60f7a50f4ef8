//! Preparation of the transposition table's memory.
//!
//! The system needs the time of hundreds of nodes to provide a memory page. The search thread therefore prepares the
//! table between searches, before it confirms settings and new games, or afterwards if that takes seconds. Orders
//! interrupt the preparation, and searches use the prepared part of the table.

use std::time::{Duration, Instant};

use super::Controller;
use super::state::State;
use super::urgency::has_little_time;
use crate::messages::{Purpose, SearchEvent};
use crate::search::job::Status;
use crate::search::pool::{Pool, worker_count};
use crate::search::running_search::{RunningSearch, SearchTask};
use crate::search::table::Table;

/// Fraction of its hard limit that a search waits for the table at most: one divided by this.
const HARD_LIMIT_DIVISOR: u32 = 32;

/// Longest time that a search without a hard limit waits for the table.
const MAX_WAIT: Duration = Duration::from_millis(200);

impl Controller {
    /// Replaces the helpers and clears the table, which worker 0 must not use. If a search for a move waits, a new
    /// table is allocated, which is faster than clearing the old one.
    ///
    /// A table of another size is freed before the new one is allocated, because both may not fit into memory.
    pub(super) fn renew_pool(&mut self) {
        let is_urgent = matches!(&self.state, State::Next(task) if task.is_answer_due());
        let threads = worker_count(&self.settings);
        if let State::Finished(search) = &mut self.state {
            search.on_pool_end(&self.pool.shared);
        }
        let status = Status::default();
        status.copy_from(&self.pool.shared.status);
        let none = Pool::new(Table::new(0), 0..0, &self.setup);
        let old = std::mem::replace(&mut self.pool, none).into_table();
        let clear = |table: Table| table.cleared(threads, || is_urgent || !self.orders.is_empty());
        self.pool = Pool::with_empty_table(&self.settings, &self.setup, old, clear);
        self.pool.shared.status.copy_from(&status);
        self.immediate.use_table_of(&self.pool.shared);
    }

    /// Reports resources that the system has refused, once for each result. Further settings are applied before.
    pub(super) fn report_resources(&mut self) {
        if !self.orders.is_empty() {
            return;
        }
        let resources = self.pool.resources(&self.settings);
        if self.reported_resources != Some(resources) && resources.is_reduced() {
            self.emit(SearchEvent::Reduced(resources));
        }
        self.reported_resources = Some(resources);
    }

    /// Prepares the table, and confirms settings and new games once it is complete or `timeout` is over.
    pub(super) fn prepare_and_confirm(&mut self, timeout: Duration) {
        let begun = Instant::now();
        self.prepare_table(|| begun.elapsed() >= timeout);
        self.report_resources();
        self.confirm();
        self.prepare_table(|| false);
    }

    /// Prepares the table until an order arrives, a deferred line or an answer is due, or `is_interrupted` returns
    /// `true`. No search may be running.
    fn prepare_table(&self, is_interrupted: impl Fn() -> bool + Sync) {
        let due = self.state.search().and_then(RunningSearch::next_due);
        let table = &self.pool.shared.table;
        table.prepare(worker_count(&self.settings), || {
            !self.orders.is_empty()
                || due.is_some_and(|due| Instant::now() >= due)
                || is_interrupted()
        });
    }

    /// Prepares the table for a search that is about to start, for as long as the search can wait. One with limited
    /// strength has its own table.
    pub(super) fn use_table_for(&self, task: &SearchTask) {
        let table = &self.pool.shared.table;
        if task.request.strength.is_none() && !has_little_time(task) {
            let (begun, request) = (Instant::now(), &task.request);
            let is_late = || match request.limits.budget {
                Some(budget) => request.started.elapsed() >= budget.hard / HARD_LIMIT_DIVISOR,
                None => begun.elapsed() >= MAX_WAIT,
            };
            // An analysis keeps the part that it begins with for a long time.
            let can_wait = request.purpose == Purpose::Analyse;
            table.prepare(worker_count(&self.settings), || {
                is_late() || !can_wait && !self.orders.is_empty()
            });
        }
        table.use_ready();
    }
}
