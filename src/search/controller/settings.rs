//! New settings and new games.

use std::sync::Arc;

use rand_core::Rng;

use super::Controller;
use super::state::State;
use crate::config::SearchSettings;
use crate::messages::{Purpose, ScoreOverrides, SearchEvent};
use crate::search::setup::SearchSetup;
use crate::tablebase::Tablebases;

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
            || settings.probing != self.settings.probing
            || is_analysing && settings.multi_pv != self.settings.multi_pv;
        self.pending.settings = Some((settings, setup));
        if affects_search && !self.state.is_searching_for_move() {
            self.restart();
        }
        self.pending.unconfirmed += 1;
    }

    /// Probes these tablebases from the next run on. A search for a move continues to its end with the old ones; any
    /// other restarts.
    pub(super) fn use_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        // Afterwards only the tables of a running search are examined.
        self.report_tablebase_problem();
        self.tablebases = tablebases;
        if !self.state.is_searching_for_move() {
            self.restart();
        }
    }

    /// Takes over pending settings. No search may be running. Returns `true` if the workers and the table must be
    /// renewed, because of the settings, a new game, or the score overrides or the contempt of the next search.
    pub(super) fn take_over_changes(&mut self) -> bool {
        if let State::Next(task) = &self.state
            && (task.request.score_overrides != self.score_overrides
                || task.request.contempt != self.contempt)
        {
            self.score_overrides
                .clone_from(&task.request.score_overrides);
            self.contempt = task.request.contempt;
            self.pending.forget = true;
        }
        if let Some((settings, setup)) = self.pending.settings.take() {
            self.pending.forget |= self.needs_new_pool(&settings, &setup);
            (self.settings, self.setup) = (settings, setup);
        }
        std::mem::take(&mut self.pending.forget)
    }

    /// Returns `true` if the workers and the table cannot be used with the new settings.
    fn needs_new_pool(&self, settings: &SearchSettings, setup: &SearchSetup) -> bool {
        // Evaluations in the table include the random variation.
        self.settings.hash_megabytes != settings.hash_megabytes
            || self.settings.threads != settings.threads
            || self.settings.variety != settings.variety
            || self.setup != *setup
    }

    /// Confirms settings and new games.
    pub(super) fn confirm(&mut self) {
        for _ in 0..std::mem::take(&mut self.pending.unconfirmed) {
            self.emit(SearchEvent::Configured);
        }
    }
}
