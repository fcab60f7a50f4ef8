//! Commands `ping` and their answers.

use std::collections::VecDeque;
use std::time::Instant;

/// Number of unanswered commands that are remembered.
const MOST_PENDING: usize = 256;

/// Commands `ping` that have been sent.
#[derive(Debug, Default)]
pub(super) struct Pings {
    last: u32,
    /// Command after the last change of the game, if its answer is missing.
    boundary: Option<u32>,
    /// Commands without an answer, with their times.
    pending: VecDeque<(u32, Instant)>,
}

impl Pings {
    /// Returns the number of the next command.
    pub(super) fn next(&mut self, now: Instant) -> u32 {
        self.last = self.last.wrapping_add(1);
        if self.pending.len() < MOST_PENDING {
            self.pending.push_back((self.last, now));
        }
        self.last
    }

    /// Returns the number of the next command. The output before its answer belongs to an earlier game or position.
    pub(super) fn next_boundary(&mut self, now: Instant) -> u32 {
        let number = self.next(now);
        self.boundary = Some(number);
        number
    }

    /// Records the answer `pong`. Engines answer in order. Returns `false` if the command has been answered already.
    pub(super) fn answered(&mut self, number: u32) -> bool {
        self.boundary.take_if(|boundary| *boundary == number);
        let index = self.pending.iter().position(|(ping, _)| *ping == number);
        if let Some(index) = index {
            self.pending.drain(..=index);
        }
        let is_sent = (1..=self.last).contains(&number);
        index.is_some() || !is_sent
    }

    /// Returns `true` if output of the engine belongs to an earlier game or position.
    pub(super) fn is_output_late(&self) -> bool {
        self.boundary.is_some()
    }

    /// Returns the time of the oldest command without an answer.
    pub(super) fn pending_since(&self) -> Option<Instant> {
        self.pending.front().map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_answer_to_the_last_boundary_ends_late_output() {
        let now = Instant::now();
        let mut pings = Pings::default();
        assert_eq!(pings.next_boundary(now), 1);
        assert_eq!(pings.next_boundary(now), 2);
        assert!(pings.answered(1));
        assert!(pings.is_output_late());
        assert!(pings.answered(2));
        assert!(!pings.is_output_late());
        pings.next(now);
        assert!(!pings.is_output_late());
    }

    #[test]
    fn the_oldest_command_without_an_answer_counts() {
        let now = Instant::now();
        let later = |seconds| now + Duration::from_secs(seconds);
        let mut pings = Pings::default();
        assert_eq!(pings.pending_since(), None);
        for seconds in 0..3 {
            pings.next(later(seconds));
        }
        // A command of the user.
        assert!(pings.answered(7));
        assert_eq!(pings.pending_since(), Some(now));
        // The answer to a later command is lost, or counts for both.
        assert!(pings.answered(2));
        assert!(!pings.answered(2));
        assert_eq!(pings.pending_since(), Some(later(2)));
        assert!(pings.answered(3));
        assert_eq!(pings.pending_since(), None);
        for _ in 0..1000 {
            pings.next(now);
        }
        assert_eq!(pings.pending.len(), MOST_PENDING);
    }
}
