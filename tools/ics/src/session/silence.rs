//! A server that sends nothing, because the connection is lost without a word.

use std::time::{Duration, Instant};

/// Time without a line after which the server is asked for one during a game.
const QUIET: Duration = Duration::from_secs(20);

/// Time for an answer, in addition to twice the network delay. Then the connection is lost.
const ANSWER: Duration = Duration::from_secs(15);

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SilenceState {
    /// The server has sent something in time.
    Alive,
    /// The server must be asked.
    Ask,
    /// The connection is lost.
    Lost,
}

/// Times of the last line and of the question after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Silence {
    last_line: Instant,
    asked: Option<Instant>,
}

impl Silence {
    pub(super) fn new(now: Instant) -> Silence {
        Silence {
            last_line: now,
            asked: None,
        }
    }

    /// Records a line or a prompt of the server.
    pub(super) fn is_broken(&mut self, now: Instant) {
        *self = Silence::new(now);
    }

    /// Records a command that the server must answer.
    pub(super) fn asks(&mut self, now: Instant) {
        self.asked.get_or_insert(now);
    }

    /// Checks the connection during a game.
    pub(super) fn check(&mut self, lag: Duration, now: Instant) -> SilenceState {
        match self.asked {
            Some(asked) if now >= asked + ANSWER + 2 * lag => SilenceState::Lost,
            None if now >= self.last_line + QUIET => {
                self.asks(now);
                SilenceState::Ask
            }
            _ => SilenceState::Alive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_server_is_asked_and_then_given_up() {
        let now = Instant::now();
        let mut silence = Silence::new(now);
        assert_eq!(
            silence.check(Duration::ZERO, now + QUIET / 2),
            SilenceState::Alive
        );
        assert_eq!(
            silence.check(Duration::ZERO, now + QUIET),
            SilenceState::Ask
        );
        assert_eq!(
            silence.check(Duration::ZERO, now + QUIET),
            SilenceState::Alive
        );
        let end = now + QUIET + ANSWER;
        assert_eq!(
            silence.check(Duration::from_secs(1), end),
            SilenceState::Alive
        );
        assert_eq!(silence.check(Duration::ZERO, end), SilenceState::Lost);
        silence.is_broken(end);
        assert_eq!(silence.check(Duration::ZERO, end), SilenceState::Alive);
    }
}
