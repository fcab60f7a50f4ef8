//! New settings and new games.

use std::sync::Arc;

use rand_core::Rng;

use super::Controller;
use crate::config::SearchSettings;
use crate::messages::{Purpose, ScoreOverrides, SearchEvent};
use crate::search::setup::SearchSetup;

impl Controller {
    /// Forgets everything learned from earlier searches. A search for a move continues to its end; any other restarts.
    pub(super) fn new_game(&mut self) {
        self.pending.forget = true;
        self.score_overrides = ScoreOverrides::default();
        self.variety_seed = self.random.next_u64();
        if !self.state.is_searching_for_move() {
            self.restart();
        }
        self.pending.unconfirmed += 1;
        self.start_next_search();
    }

    /// Takes over new settings. A search for a move continues to its end with the old ones; any other restarts if the
    /// change affects it.
    pub(super) fn configure(&mut self, settings: SearchSettings) {
        let setup = SearchSetup::new(&settings, Arc::clone(&self.network));
        let is_analysing = self
            .state
            .search()
            .is_some_and(|search| search.task.request.purpose == Purpose::Analyse);
        let affects_search = self.needs_new_pool(&settings, &setup)
            || is_analysing && settings.multi_pv != self.settings.multi_pv;
        self.pending.settings = Some((settings, setup));
        if affects_search && !self.state.is_searching_for_move() {
            self.restart();
        }
        self.pending.unconfirmed += 1;
        self.start_next_search();
    }

    /// Applies pending changes. No worker may be searching. `is_urgent` is set if a new search waits.
    pub(super) fn apply_changes(&mut self, is_urgent: bool) {
        if let Some((settings, setup)) = self.pending.settings.take() {
            self.pending.forget |= self.needs_new_pool(&settings, &setup);
            (self.settings, self.setup) = (settings, setup);
        }
        if std::mem::take(&mut self.pending.forget) {
            self.renew_pool(is_urgent);
        }
    }

    /// Returns `true` if the workers and the table cannot be used with the new settings.
    fn needs_new_pool(&self, settings: &SearchSettings, setup: &SearchSetup) -> bool {
        // Evaluations in the table include the random variation.
        self.settings.hash_megabytes != settings.hash_megabytes
            || self.settings.threads != settings.threads
            || self.settings.variety != settings.variety
            || self.setup != *setup
    }

    /// Confirms settings and new games at once, except while a stopped run still ends.
    pub(super) fn confirm(&mut self) {
        if self.pending.is_empty() || !self.state.is_ending() {
            for _ in 0..std::mem::take(&mut self.pending.unconfirmed) {
                self.emit(SearchEvent::Configured);
            }
        }
    }
}
