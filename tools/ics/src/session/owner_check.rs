//! The check that owners have accounts on the server.

use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Pause between two questions about the owners.
const PAUSE: Duration = Duration::from_secs(60);

/// Owners whom the server has described as registered.
///
/// A guest can take any name that is not registered. FICS marks guests with `(U)`, other servers do not.
#[derive(Debug, Default)]
pub(super) struct OwnerCheck {
    /// Names in lower case.
    registered: HashSet<String>,
    /// Time of the last question.
    asked: Option<Instant>,
    /// The server does not know the question, which is not asked again.
    is_impossible: bool,
}

impl OwnerCheck {
    /// Begins anew, with another session.
    pub(super) fn reset(&mut self) {
        *self = OwnerCheck::default();
    }

    /// Returns `true` if the server must be asked now, and notes the question.
    pub(super) fn asks(&mut self, now: Instant) -> bool {
        let is_due = self.asked.is_none_or(|asked| now >= asked + PAUSE);
        if is_due && !self.is_impossible {
            self.asked = Some(now);
        }
        is_due && !self.is_impossible
    }

    /// Records that the server has begun to describe a user. For a guest, [`OwnerCheck::is_guest`] follows.
    pub(super) fn is_described(&mut self, name: &str) {
        self.registered.insert(name.to_ascii_lowercase());
    }

    /// Records that the server has described a user as a guest.
    pub(super) fn is_guest(&mut self, name: &str) {
        self.registered.remove(&name.to_ascii_lowercase());
    }

    /// Records that the server does not describe users, so that a guest could take the name of any owner.
    pub(super) fn is_impossible(&mut self) {
        self.is_impossible = true;
    }

    /// Returns `true` if commands under this name can only come from its owner.
    pub(super) fn trusts(&self, name: &str) -> bool {
        self.registered.contains(&name.to_ascii_lowercase())
    }
}
