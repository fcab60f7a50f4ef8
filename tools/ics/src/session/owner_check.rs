//! The check that owners have accounts on the server.

use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Time for the server to describe the owners after the login.
const CHECK: Duration = Duration::from_secs(10);

/// Owners whose accounts the server has been asked about.
///
/// A guest can take any name that is not registered. FICS marks guests with `(U)`, other servers do not.
#[derive(Debug, Default)]
pub(super) struct OwnerCheck {
    /// Names in lower case that the server has not described yet.
    pending: HashSet<String>,
    /// Names in lower case of users without an account.
    unregistered: HashSet<String>,
    since: Option<Instant>,
}

impl OwnerCheck {
    /// Begins the check of these users.
    pub(super) fn begins(&mut self, names: &[String], now: Instant) {
        self.pending = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        self.unregistered.clear();
        self.since = Some(now);
    }

    /// Returns `true` if the server has not described the user yet.
    pub(super) fn is_pending(&self, name: &str) -> bool {
        self.pending.contains(&name.to_ascii_lowercase())
    }

    /// Records that the server has described a user.
    pub(super) fn is_described(&mut self, name: &str) {
        self.pending.remove(&name.to_ascii_lowercase());
    }

    /// Records that the server knows no account of this name.
    pub(super) fn is_unregistered(&mut self, name: &str) {
        self.is_described(name);
        self.unregistered.insert(name.to_ascii_lowercase());
    }

    /// Returns the reason for which the commands of a user are refused.
    pub(super) fn refusal(&self, name: &str, now: Instant) -> Option<&'static str> {
        let name = name.to_ascii_lowercase();
        let is_early = self.since.is_some_and(|since| now < since + CHECK);
        if self.unregistered.contains(&name) {
            Some("this name has no account on the server, so that any guest can take it")
        } else if self.pending.contains(&name) && is_early {
            Some("the server has not described the account yet")
        } else {
            None
        }
    }
}
