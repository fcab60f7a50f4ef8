//! Commands `ping` and their answers.

use std::collections::VecDeque;

/// Number of unanswered commands that are remembered.
const MOST_PENDING: usize = 256;

/// Commands `ping` that have been sent. Each one separates the output for two games or positions.
#[derive(Debug, Default)]
pub(super) struct Pings {
    last: u32,
    /// Command after the last change of the game, if its answer is missing.
    boundary: Option<u32>,
    /// Commands without an answer.
    pending: VecDeque<u32>,
}

impl Pings {
    /// Returns the number of the next command. The output before its answer belongs to an earlier game or position.
    pub(super) fn next(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        if self.pending.len() < MOST_PENDING {
            self.pending.push_back(self.last);
        }
        self.boundary = Some(self.last);
        self.last
    }

    /// Records the answer `pong`. Engines answer in order. Returns `false` if the command has been answered already.
    pub(super) fn answered(&mut self, number: u32) -> bool {
        self.boundary.take_if(|boundary| *boundary == number);
        let index = self.pending.iter().position(|ping| *ping == number);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_the_last_command_ends_late_output() {
        let mut pings = Pings::default();
        assert!(!pings.is_output_late());
        assert_eq!(pings.next(), 1);
        assert_eq!(pings.next(), 2);
        assert!(pings.answered(1));
        assert!(pings.is_output_late());
        assert!(pings.answered(2));
        assert!(!pings.is_output_late());
    }

    #[test]
    fn an_answer_counts_for_the_commands_before_it() {
        let mut pings = Pings::default();
        for _ in 0..3 {
            pings.next();
        }
        // A command of the user.
        assert!(pings.answered(7));
        assert_eq!(pings.pending, [1, 2, 3]);
        // The answer to a later command is lost, or counts for both.
        assert!(pings.answered(2));
        assert!(!pings.answered(2));
        assert_eq!(pings.pending, [3]);
        for _ in 0..1000 {
            pings.next();
        }
        assert_eq!(pings.pending.len(), MOST_PENDING);
    }
}
