//! Pings that cannot be answered yet. A pong says that everything before the ping has been done, so it waits for
//! the move that is being thought about, and for settings that the search has not taken over.

use std::collections::VecDeque;

use crate::messages::SearchId;

/// A ping and what its pong waits for.
#[derive(Clone, Debug)]
struct Pending {
    /// The number as it was written.
    text: String,
    /// The search for a move that was running.
    search: Option<SearchId>,
    /// How many settings had been sent to the search.
    settings: u64,
}

/// Pongs owed, in the order of their pings.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingPongs {
    queue: VecDeque<Pending>,
    settings_sent: u64,
    settings_done: u64,
}

impl PendingPongs {
    /// A ping came, while `thinking` was the search for a move.
    pub(super) fn push(&mut self, text: String, thinking: Option<SearchId>) {
        self.queue.push_back(Pending {
            text,
            search: thinking,
            settings: self.settings_sent,
        });
    }

    /// Settings were sent to the search.
    pub(super) fn configuring(&mut self) {
        self.settings_sent += 1;
    }

    /// The search has taken over the oldest settings that were still on their way.
    pub(super) fn configured(&mut self) {
        self.settings_done = (self.settings_done + 1).min(self.settings_sent);
    }

    /// Number of the settings sent last, from 1.
    pub(super) fn settings_sent(&self) -> u64 {
        self.settings_sent
    }

    /// Number of the last settings that the search has taken over.
    pub(super) fn settings_done(&self) -> u64 {
        self.settings_done
    }

    /// The search `old` for a move goes on as `new`.
    pub(super) fn search_replaced(&mut self, old: SearchId, new: SearchId) {
        for pending in self
            .queue
            .iter_mut()
            .filter(|pending| pending.search == Some(old))
        {
            pending.search = Some(new);
        }
    }

    /// Whether the oldest pong waits for nothing but settings.
    pub(super) fn wait_for_settings(&self) -> bool {
        self.queue
            .front()
            .is_some_and(|pending| pending.settings > self.settings_done)
    }

    /// The pongs that are due, while `thinking` is the search for a move; never one before an older one.
    pub(super) fn release(&mut self, thinking: Option<SearchId>) -> Vec<String> {
        let is_due = |pending: &Pending| {
            pending.settings <= self.settings_done
                && (pending.search.is_none() || pending.search != thinking)
        };
        let due = self
            .queue
            .iter()
            .take_while(|pending| is_due(pending))
            .count();
        self.queue
            .drain(..due)
            .map(|pending| pending.text)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_wait_for() {
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
        pongs.search_replaced(SearchId(4), SearchId(5));
        assert!(pongs.release(Some(SearchId(5))).is_empty());
        assert_eq!(pongs.release(Some(SearchId(6))), ["1"]);
    }

    #[test]
    fn a_ping_waits_for_the_settings_before_it_and_holds_back_later_ones() {
        let mut pongs = PendingPongs::default();
        pongs.configuring();
        pongs.push("1".to_owned(), None);
        pongs.push("2".to_owned(), None);
        pongs.configuring();
        pongs.push("3".to_owned(), None);
        assert!(pongs.release(None).is_empty());
        pongs.configured();
        assert_eq!(pongs.release(None), ["1", "2"]);
        pongs.configured();
        pongs.configured();
        assert_eq!(pongs.release(None), ["3"]);
    }
}
