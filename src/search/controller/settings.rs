//! New settings and new games.

use rand_core::Rng;

use super::Controller;
use crate::config::SearchSettings;
use crate::eval::Evaluation;
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
    pub(super) fn configure(&mut self, mut config: SearchSettings) {
        let setup = self.setup_for(&mut config);
        let is_analysing = self
            .state
            .search()
            .is_some_and(|search| search.task.request.purpose == Purpose::Analyse);
        let affects_search = self.needs_new_pool(&config, &setup)
            || is_analysing && config.multi_pv != self.config.multi_pv;
        self.pending.config = Some((config, setup));
        if affects_search && !self.state.is_searching_for_move() {
            self.restart();
        }
        self.pending.unconfirmed += 1;
        self.start_next_search();
    }

    /// Applies pending changes. No worker may be searching. `is_urgent` is set if a new search waits.
    pub(super) fn apply_changes(&mut self, is_urgent: bool) {
        if let Some((config, setup)) = self.pending.config.take() {
            self.pending.forget |= self.needs_new_pool(&config, &setup);
            (self.config, self.setup) = (config, setup);
        }
        if std::mem::take(&mut self.pending.forget) {
            self.renew_pool(is_urgent);
        }
    }

    /// Returns `true` if the workers and the table cannot be used with the new settings.
    fn needs_new_pool(&self, config: &SearchSettings, setup: &SearchSetup) -> bool {
        // Evaluations in the table include the random variation.
        self.config.hash_megabytes != config.hash_megabytes
            || self.config.threads != config.threads
            || self.config.variety != config.variety
            || self.setup != *setup
    }

    /// Confirms settings and new games, unless they wait for a search that is about to end. They do not wait for a
    /// search for a move.
    pub(super) fn confirm(&mut self) {
        if self.pending.is_empty() || !self.state.is_ending() {
            for _ in 0..std::mem::take(&mut self.pending.unconfirmed) {
                self.emit(SearchEvent::Configured);
            }
        }
    }

    /// The setup that a new configuration asks for. If its network cannot be had, the one so far stays, in the
    /// configuration as well, unless none is wanted; that is told once, though other settings may come before the
    /// machine has heard of it.
    fn setup_for(&mut self, config: &mut SearchSettings) -> SearchSetup {
        let (latest, setup) = match &self.pending.config {
            Some((config, setup)) => (config, setup),
            None => (&self.config, &self.setup),
        };
        let mut setup = setup.clone();
        let mut used = latest.evaluation.clone();
        let is_classical = config.evaluation.is_classical;
        let is_refused = self.refused.as_ref().is_some_and(|refused| {
            config.evaluation.has_same_file(refused) && is_classical >= refused.is_classical
        });
        if is_refused {
            if is_classical {
                used.is_classical = true;
                setup.evaluation = Evaluation::Classical;
            }
            config.evaluation = used;
        } else {
            self.refused = None;
            if is_classical && config.evaluation.has_same_file(&used) {
                setup.evaluation = Evaluation::Classical;
            } else if config.evaluation != used {
                match SearchSetup::from_settings(config) {
                    Ok(new) => setup.evaluation = new.evaluation,
                    Err(error) => {
                        if is_classical {
                            used.is_classical = true;
                            setup.evaluation = Evaluation::Classical;
                        }
                        let refused = std::mem::replace(&mut config.evaluation, used.clone());
                        self.refused = Some(refused.clone());
                        self.emit(SearchEvent::NetworkRefused {
                            reason: error.to_string(),
                            refused,
                            used,
                        });
                    }
                }
            }
        }
        setup.parameters = config.parameters;
        setup
    }
}
