//! Opponents with an adjourned game who are online.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Time for an opponent to accept. Then the next one is challenged.
const ANSWER: Duration = Duration::from_secs(60);

/// Opponents who are online, at most.
const MOST: usize = 100;

/// Opponents with an adjourned game who are online.
#[derive(Debug, Default)]
pub(super) struct Partners {
    /// Opponents who have not been challenged.
    waiting: VecDeque<String>,
    /// Opponent who has been challenged, and the time of the challenge.
    asked: Option<(String, Instant)>,
    /// Number of opponents whose names the next lines contain.
    expected: u32,
}

impl Partners {
    /// Expects the names of this number of opponents on the next lines.
    pub(super) fn expects(&mut self, number: u32) {
        self.expected = number;
    }

    /// Returns the names of a line that were expected.
    pub(super) fn expected_names(&mut self, names: &[&str]) -> Vec<String> {
        let mut expected = Vec::new();
        for name in names {
            if let Some(left) = self.expected.checked_sub(1) {
                self.expected = left;
                expected.push(name.to_string());
            }
        }
        expected
    }

    /// Ends the wait for an answer: a game begins.
    pub(super) fn game_begins(&mut self) {
        self.asked = None;
    }

    /// Ends the wait for an answer of this user.
    pub(super) fn is_refused_by(&mut self, name: &str) {
        let is_asked = |(asked, _): &mut (String, Instant)| asked.eq_ignore_ascii_case(name);
        self.asked.take_if(is_asked);
    }

    /// Adds an opponent who is online.
    pub(super) fn add(&mut self, name: &str) {
        let is_known = self
            .waiting
            .iter()
            .any(|waiting| waiting.eq_ignore_ascii_case(name));
        if !is_known && self.waiting.len() < MOST {
            self.waiting.push_back(name.to_string());
        }
    }

    /// Returns the next opponent to challenge, unless another one may still answer.
    pub(super) fn next(&mut self, now: Instant) -> Option<String> {
        self.asked.take_if(|(_, at)| now >= *at + ANSWER);
        if self.asked.is_some() {
            return None;
        }
        let name = self.waiting.pop_front()?;
        self.asked = Some((name.clone(), now));
        Some(name)
    }

    /// Returns `true` if this user has been challenged and has not answered.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        let is_asked = |(asked, _): &(String, Instant)| asked.eq_ignore_ascii_case(name);
        self.asked.as_ref().is_some_and(is_asked)
    }
}
