//! The rate of thinking lines, limited so that moves do not wait for a slow host.
//!
//! Lines in the pipe cannot be recalled, and the host reads the move after them. A move is therefore late by the time
//! that the host needs for the lines sent shortly before it. Lines sent earlier cost nothing.

use std::time::Duration;

use crate::clock::TimeBudget;

/// Time that a host is assumed to need for a line, without lag. WinBoard needs 10 to 30 ms under Wine.
const LINE_TIME: Duration = Duration::from_millis(30);

/// Highest lag that counts as time for a line. A higher one is that of a network, which lines do not change.
const MAX_LINE_LAG: Duration = Duration::from_millis(100);

/// Lowest lag that shows a slow host.
const SLOW_HOST_LAG: Duration = Duration::from_millis(10);

/// Most lines that may follow each other at once.
const MAX_BURST: u32 = 40;

/// Lowest number of line times in the time for a move from which lines may follow each other at once.
const LONG_SEARCH: u32 = 32;

/// Highest number of line times in the time for a move up to which only the last line is sent.
const SHORT_SEARCH: u32 = 5;

/// Fraction of the time for a move that the lines sent at once may take, as a divisor.
const BURST_DIVISOR: u32 = 4;

/// Number of line times in which a search for a move with little time sends one line.
const LINE_TIMES_PER_LINE: u32 = 10;

/// Time before the first line of a search for a move with little time. Earlier lines have small depths.
const FIRST_LINE_DELAY: Duration = Duration::from_millis(20);

/// Shortest time before the first line of a ponder search, and between its lines.
const PONDER_INTERVAL: Duration = Duration::from_millis(500);

/// Limits on the thinking lines of a search.
///
/// A line that must wait is replaced by the next one. The end of a search for a move does not wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRate {
    /// Time before the first line, from the start of the search or from the ponder hit.
    pub first_line_delay: Duration,
    /// Number of lines that may follow each other at once.
    pub burst: u32,
    /// Shortest mean time between lines after a burst.
    pub interval: Duration,
    /// Set if the newest line is sent before the move.
    pub sends_last_line: bool,
}

impl LineRate {
    /// Every line, but no more than a person can read: the rate of an analysis, and of searches without a time limit.
    pub const FULL: LineRate = LineRate {
        first_line_delay: Duration::ZERO,
        burst: MAX_BURST,
        interval: Duration::from_millis(50),
        sends_last_line: true,
    };

    /// Returns the rate of a search for a move.
    ///
    /// `lag` is the measured communication delay per move, which increases the time that the host is assumed to need
    /// for a line. If a slow host takes more time than the clock gets back (`is_clock_falling`), a move with less time
    /// than the lag has no line.
    pub fn for_move(budget: TimeBudget, lag: Duration, is_clock_falling: bool) -> LineRate {
        let line_time = line_time(lag);
        let sends_last_line = !is_clock_falling || !is_slow_host(lag) || lag <= budget.soft;
        if budget.soft >= line_time * LONG_SEARCH {
            let burst = budget.soft.as_micros() / (line_time * BURST_DIVISOR).as_micros();
            return LineRate {
                first_line_delay: Duration::ZERO,
                burst: u32::try_from(burst).map_or(MAX_BURST, |burst| burst.min(MAX_BURST)),
                interval: line_time * 2,
                sends_last_line,
            };
        }
        let interval = line_time * LINE_TIMES_PER_LINE;
        LineRate {
            first_line_delay: if budget.soft >= line_time * SHORT_SEARCH {
                FIRST_LINE_DELAY
            } else {
                interval
            },
            burst: 1,
            interval,
            sends_last_line,
        }
    }

    /// Returns the rate of a ponder search. The opponent may move at any time, and at most one line delays the answer.
    pub fn for_pondering(lag: Duration) -> LineRate {
        let interval = (line_time(lag) * LINE_TIMES_PER_LINE).max(PONDER_INTERVAL);
        LineRate {
            first_line_delay: interval,
            burst: 1,
            interval,
            sends_last_line: true,
        }
    }
}

impl Default for LineRate {
    fn default() -> LineRate {
        LineRate::FULL
    }
}

/// Returns `true` if the measured communication delay per move shows a slow host.
pub fn is_slow_host(lag: Duration) -> bool {
    lag >= SLOW_HOST_LAG
}

/// Returns the time that the host is assumed to need for a line.
fn line_time(lag: Duration) -> Duration {
    LINE_TIME + lag.min(MAX_LINE_LAG)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_move(milliseconds: u64, lag: u64) -> LineRate {
        let soft = Duration::from_millis(milliseconds);
        let budget = TimeBudget {
            soft,
            hard: soft * 4,
        };
        LineRate::for_move(budget, Duration::from_millis(lag), true)
    }

    /// Returns the largest number of lines of a search without the last one.
    fn lines_within(rate: LineRate, time: Duration) -> u32 {
        match time.checked_sub(rate.first_line_delay) {
            Some(rest) => rate.burst + (rest.as_micros() / rate.interval.as_micros()) as u32,
            None => 0,
        }
    }

    #[test]
    fn a_long_search_sends_a_line_per_depth() {
        assert_eq!(for_move(5000, 0).burst, MAX_BURST);
        assert_eq!(for_move(u64::MAX / 8, 2000).burst, MAX_BURST);
        let rate = for_move(1000, 0);
        assert_eq!((rate.first_line_delay, rate.burst), (Duration::ZERO, 8));
    }

    #[test]
    fn a_search_with_little_time_sends_few_lines() {
        let millis = Duration::from_millis;
        for (time, most) in [(900, 3), (500, 2), (200, 1), (140, 0), (10, 0), (0, 0)] {
            let rate = for_move(time, 0);
            assert_eq!(lines_within(rate, millis(time)), most, "{time} ms");
            assert!(lines_within(rate, millis(10)) == 0, "{time} ms");
            assert!(rate.sends_last_line, "{time} ms");
        }
    }

    #[test]
    fn lag_reduces_the_number_of_lines() {
        for time in [0, 100, 300, 1000, 3000, 10_000] {
            let mut last = u32::MAX;
            for lag in [0, 5, 20, 50, 100] {
                let lines = lines_within(for_move(time, lag), Duration::from_millis(time));
                assert!(lines <= last, "{time} ms, lag {lag} ms");
                last = lines;
            }
        }
        assert_eq!(for_move(10_000, 300), for_move(10_000, 100));
    }

    #[test]
    fn only_a_slow_host_gets_no_last_line() {
        assert!(for_move(0, 9).sends_last_line);
        assert!(!for_move(0, 10).sends_last_line);
        assert!(!for_move(19, 20).sends_last_line);
        assert!(for_move(20, 20).sends_last_line);
        let lag = Duration::from_millis(20);
        assert!(LineRate::for_move(TimeBudget::default(), lag, false).sends_last_line);
    }

    #[test]
    fn lines_of_a_ponder_search_are_rare() {
        for (lag, interval) in [(0, 500), (20, 500), (50, 800), (2000, 1300)] {
            let rate = LineRate::for_pondering(Duration::from_millis(lag));
            assert_eq!(rate.interval, Duration::from_millis(interval));
            assert_eq!((rate.first_line_delay, rate.burst), (rate.interval, 1));
        }
    }
}
