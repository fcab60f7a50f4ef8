//! Network delay that the server charges to the own clock.

use std::collections::VecDeque;
use std::time::Duration;

/// Number of moves whose mean is the estimate.
const MOVES: usize = 8;

/// Largest delay of one move that counts. A connection that stalls once does not predict the next move.
const LARGEST: Duration = Duration::from_secs(5);

/// Mean of the delays of the last eight moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Lag {
    last: VecDeque<Duration>,
}

impl Lag {
    /// Records a move: the time that the server has charged, and the time that passed here between the board before it
    /// and the move.
    pub(super) fn record(&mut self, charged: Duration, passed: Duration) {
        if self.last.len() == MOVES {
            self.last.pop_front();
        }
        self.last
            .push_back(charged.saturating_sub(passed).min(LARGEST));
    }

    /// Returns the expected delay of the next move; zero before the first.
    pub(super) fn expected(&self) -> Duration {
        let count = u32::try_from(self.last.len()).unwrap_or(1).max(1);
        self.last.iter().sum::<Duration>() / count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn the_mean_of_the_last_moves_is_expected() {
        let mut lag = Lag::default();
        assert_eq!(lag.expected(), Duration::ZERO);
        lag.record(milliseconds(1500), milliseconds(1000));
        lag.record(milliseconds(1300), milliseconds(1000));
        assert_eq!(lag.expected(), milliseconds(400));
        for _ in 0..MOVES {
            lag.record(milliseconds(1100), milliseconds(1000));
        }
        assert_eq!(lag.expected(), milliseconds(100));
    }

    #[test]
    fn a_charge_below_the_passed_time_is_no_delay_and_a_stall_is_limited() {
        let mut lag = Lag::default();
        lag.record(milliseconds(0), milliseconds(1000));
        assert_eq!(lag.expected(), Duration::ZERO);
        lag.record(milliseconds(60_000), milliseconds(0));
        assert_eq!(lag.expected(), LARGEST / 2);
    }
}
