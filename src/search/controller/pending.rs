//! Settings and new games that the workers have not taken over.

use crate::config::SearchSettings;
use crate::search::setup::SearchSetup;

/// Changes that take effect when no worker searches, and confirmations to be sent.
#[derive(Default)]
pub(super) struct PendingChanges {
    /// New settings.
    pub settings: Option<(SearchSettings, SearchSetup)>,
    /// Set if everything learned from earlier searches is to be forgotten.
    pub forget: bool,
    /// Number of settings and new games that have not been confirmed.
    pub unconfirmed: usize,
}

impl PendingChanges {
    /// Returns `true` if no change waits to take effect.
    pub fn is_empty(&self) -> bool {
        self.settings.is_none() && !self.forget
    }
}
