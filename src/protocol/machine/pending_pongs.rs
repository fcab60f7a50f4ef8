//! Pings whose pongs cannot be sent yet, and the settings that the search has not applied yet.
//!
//! A pong confirms that every command before its ping has taken effect. It therefore waits for the search for a move,
//! and for settings that the search has not applied.

use std::collections::VecDeque;

use crate::messages::SearchId;

/// A ping and the events that its pong waits for.
#[derive(Clone, Debug)]
struct Ping {
    /// Argument of the ping as it was written.
    text: String,
    /// Number of the search for a move that was running.
    search: Option<SearchId>,
    /// Number of the newest settings that had been sent to the search.
    settings: u64,
}

/// Pongs to send, in the order of their pings.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingPongs {
    queue: VecDeque<Ping>,
    /// Number of the newest settings sent to the search.
    settings_sent: u64,
    /// Number of the newest settings that the search has applied.
    settings_applied: u64,
    /// Number of the newest settings with another evaluation function.
    evaluation_sent: u64,
}

impl PendingPongs {
    /// Records a ping; `search` is the running search for a move.
    pub(super) fn push(&mut self, text: String, search: Option<SearchId>) {
        self.queue.push_back(Ping {
            text,
            search,
            settings: self.settings_sent,
        });
    }

    /// Records that settings were sent to the search.
    pub(super) fn on_settings_sent(&mut self) {
        self.settings_sent += 1;
    }

    /// Records that the settings sent last have another evaluation function.
    pub(super) fn on_evaluation_sent(&mut self) {
        self.evaluation_sent = self.settings_sent;
    }

    /// Records that the search has applied the oldest settings that it had not applied.
    pub(super) fn on_settings_applied(&mut self) {
        self.settings_applied = (self.settings_applied + 1).min(self.settings_sent);
    }

    /// Records that the search `new` replaces the search `old` for a move.
    pub(super) fn on_search_replaced(&mut self, old: SearchId, new: SearchId) {
        for ping in self
            .queue
            .iter_mut()
            .filter(|ping| ping.search == Some(old))
        {
            ping.search = Some(new);
        }
    }

    /// Returns `true` if the oldest pong waits for settings.
    pub(super) fn wait_for_settings(&self) -> bool {
        self.queue
            .front()
            .is_some_and(|ping| ping.settings > self.settings_applied)
    }

    /// Returns `true` if later commands must wait for the search: for another evaluation function, or for settings that
    /// a pong waits for.
    pub(super) fn block_commands(&self) -> bool {
        self.settings_applied < self.evaluation_sent || self.wait_for_settings()
    }

    /// Removes and returns the pongs to send now; `search` is the running search for a move. No pong overtakes an older
    /// one.
    pub(super) fn release(&mut self, search: Option<SearchId>) -> Vec<String> {
        let is_due = |ping: &Ping| {
            ping.settings <= self.settings_applied
                && (ping.search.is_none() || ping.search != search)
        };
        let count = self.queue.iter().take_while(|ping| is_due(ping)).count();
        self.queue.drain(..count).map(|ping| ping.text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_without_anything_to_wait_for_is_answered_at_once() {
        let mut pongs = PendingPongs::default();
        pongs.push("007".to_owned(), None);
        assert_eq!(pongs.release(None), ["007"]);
        assert!(pongs.release(None).is_empty());
    }

    #[test]
    fn a_ping_while_thinking_waits_for_that_search_only() {
        let mut pongs = PendingPongs::default();
        pongs.push("1".to_owned(), Some(SearchId(4)));
        assert!(pongs.release(Some(SearchId(4))).is_empty());
        pongs.on_search_replaced(SearchId(4), SearchId(5));
        assert!(pongs.release(Some(SearchId(5))).is_empty());
        assert_eq!(pongs.release(Some(SearchId(6))), ["1"]);
    }

    #[test]
    fn a_ping_waits_for_the_settings_before_it_and_delays_later_ones() {
        let mut pongs = PendingPongs::default();
        pongs.on_settings_sent();
        pongs.push("1".to_owned(), None);
        pongs.push("2".to_owned(), None);
        pongs.on_settings_sent();
        pongs.push("3".to_owned(), None);
        assert!(pongs.release(None).is_empty());
        pongs.on_settings_applied();
        assert_eq!(pongs.release(None), ["1", "2"]);
        pongs.on_settings_applied();
        pongs.on_settings_applied();
        assert_eq!(pongs.release(None), ["3"]);
    }

    #[test]
    fn another_evaluation_function_blocks_commands_until_it_is_applied() {
        let mut pongs = PendingPongs::default();
        pongs.on_settings_sent();
        assert!(!pongs.block_commands());
        pongs.on_settings_sent();
        pongs.on_evaluation_sent();
        pongs.on_settings_applied();
        assert!(pongs.block_commands());
        pongs.on_settings_applied();
        assert!(!pongs.block_commands());
    }
}
