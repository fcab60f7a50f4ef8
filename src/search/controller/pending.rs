//! Settings and new games that the workers have not taken over.

use crate::config::SearchSettings;
use crate::search::setup::SearchSetup;

/// Changes that take effect between runs, and confirmations to be sent.
#[derive(Default)]
pub(super) struct PendingChanges {
    /// New settings.
    pub settings: Option<(SearchSettings, SearchSetup)>,
    /// Set if everything learned from earlier searches is to be forgotten.
    pub forget: bool,
    /// Number of settings and new games that have not been confirmed.
    pub unconfirmed: usize,
}
