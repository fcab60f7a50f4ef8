//! The rate limit of thinking lines.
//!
//! Iterations can end by the hundred within milliseconds, and each of them reports a line. [`LineRate`] states how many
//! lines the host gets. Other lines are deferred: the next line replaces a deferred one, the search sends it when the
//! rate allows, and before the move. A bound is dropped instead.

use std::time::Instant;

use crate::messages::{Bound, LineRate, SearchInfo};

/// The thinking lines of one run.
pub(super) struct LineFilter {
    rate: LineRate,
    /// Time before which no line is sent.
    first: Instant,
    /// Time from which a whole burst may be sent again, minus one interval.
    burst_end: Instant,
    /// The last line sent, and its time.
    last: Option<(Instant, SearchInfo)>,
    /// The newest line, if it has not been sent.
    deferred: Option<SearchInfo>,
}

impl LineFilter {
    /// Creates the filter of a search whose time counts from `started`.
    pub fn new(rate: LineRate, started: Instant) -> LineFilter {
        LineFilter {
            rate,
            first: started + rate.first_line_delay,
            burst_end: started,
            last: None,
            deferred: None,
        }
    }

    /// Changes the rate; the time of the search counts from `started`.
    pub fn set_rate(&mut self, rate: LineRate, started: Instant) {
        self.rate = rate;
        self.first = started + rate.first_line_delay;
        self.burst_end = match &self.last {
            Some((sent, _)) => *sent + rate.interval,
            None => started,
        };
    }

    /// Returns the line if it is to be sent now, at `now`.
    ///
    /// Only lines of a search for one line (`has_one_line`) can be deferred: otherwise lines of different iterations
    /// would be mixed. Where lines may follow each other at once, a line with another move is always sent.
    pub fn filter(
        &mut self,
        info: SearchInfo,
        has_one_line: bool,
        now: Instant,
    ) -> Option<SearchInfo> {
        if info.bound != Bound::Exact {
            let is_recent = self
                .last
                .as_ref()
                .is_some_and(|(sent, _)| now < *sent + self.rate.interval);
            if is_recent || now < self.next_line() {
                return None;
            }
        } else if has_one_line && now < self.next_line() && !self.shows_another_move(&info) {
            self.deferred = Some(info);
            return None;
        }
        self.send(info, now)
    }

    /// Returns the time from which the rate allows another line.
    fn next_line(&self) -> Instant {
        let burst = self.rate.interval * self.rate.burst.saturating_sub(1);
        self.burst_end
            .checked_sub(burst)
            .map_or(self.first, |time| time.max(self.first))
    }

    /// Returns `true` if the line begins with another move than the last one and the host can read it at once.
    fn shows_another_move(&self, info: &SearchInfo) -> bool {
        let last_move = self.last().map(|last| last.pv.first());
        self.rate.burst > 1 && last_move != Some(info.pv.first())
    }

    fn send(&mut self, info: SearchInfo, now: Instant) -> Option<SearchInfo> {
        self.deferred = None;
        // Lines that did not have to wait do not delay those after a burst.
        let LineRate {
            interval, burst, ..
        } = self.rate;
        self.burst_end = (self.burst_end.max(now) + interval).min(now + interval * burst.max(1));
        self.last = Some((now, info.clone()));
        Some(info)
    }

    /// Returns the last line sent.
    pub fn last(&self) -> Option<&SearchInfo> {
        self.last.as_ref().map(|(_, info)| info)
    }

    /// Returns the time at which the deferred line is to be sent, or `None` without one.
    pub fn due(&self) -> Option<Instant> {
        self.deferred.as_ref().map(|_| self.next_line())
    }

    /// Returns the deferred line if the rate allows to send it at `now`.
    pub fn take_due(&mut self, now: Instant) -> Option<SearchInfo> {
        self.due().filter(|&due| now >= due)?;
        let info = self.deferred.take()?;
        self.send(info, now)
    }

    /// Removes the deferred line, for the end of the search.
    pub fn take_deferred(&mut self) -> Option<SearchInfo> {
        self.deferred.take()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::{Depth, Move, MoveKind, Score, Square};

    fn line(depth: Depth, to: usize, bound: Bound) -> SearchInfo {
        let mv = Move::new(
            Square::from_index(0),
            Square::from_index(to),
            MoveKind::Quiet,
        );
        SearchInfo {
            depth,
            selective_depth: 0,
            score: Score::DRAW,
            bound,
            time: Duration::ZERO,
            nodes: 0,
            tablebase_hits: 0,
            rank: 0,
            pv: vec![mv],
        }
    }

    /// A filter that has sent a whole burst of the full rate, and the time of the last line.
    fn after_burst() -> (LineFilter, Instant) {
        let now = Instant::now();
        let mut filter = LineFilter::new(LineRate::FULL, now);
        for depth in 1..=LineRate::FULL.burst as Depth {
            let sent = filter.filter(line(depth, 1, Bound::Exact), true, now);
            assert_eq!(sent.map(|info| info.depth), Some(depth));
        }
        (filter, now)
    }

    /// One line after each 100 ms.
    const SLOW: LineRate = LineRate {
        first_line_delay: Duration::from_millis(100),
        burst: 1,
        interval: Duration::from_millis(100),
        sends_last_line: true,
    };

    fn depth(info: Option<SearchInfo>) -> Option<Depth> {
        info.map(|info| info.depth)
    }

    #[test]
    fn lines_with_the_same_move_are_deferred_after_a_burst() {
        let (mut filter, now) = after_burst();
        for depth in [50, 51] {
            assert_eq!(filter.filter(line(depth, 1, Bound::Exact), true, now), None);
        }
        let burst = LineRate::FULL.burst as Depth;
        assert_eq!(filter.last().map(|info| info.depth), Some(burst));
        assert_eq!(depth(filter.take_deferred()), Some(51));
        assert_eq!(filter.take_deferred(), None);
    }

    #[test]
    fn another_move_or_a_later_time_is_sent_and_replaces_the_deferred_line() {
        for (to, interval) in [(2, 0), (1, 1)] {
            let (mut filter, now) = after_burst();
            assert_eq!(filter.filter(line(50, 1, Bound::Exact), true, now), None);
            let time = now + LineRate::FULL.interval * interval;
            let sent = filter.filter(line(51, to, Bound::Exact), true, time);
            assert_eq!(depth(sent), Some(51));
            assert_eq!(filter.take_deferred(), None);
        }
    }

    #[test]
    fn lines_with_other_moves_do_not_delay_later_lines() {
        let (mut filter, now) = after_burst();
        for depth in 41..140 {
            let to = depth as usize % 2 + 2;
            assert!(
                filter
                    .filter(line(depth, to, Bound::Exact), true, now)
                    .is_some()
            );
        }
        assert_eq!(filter.filter(line(140, 3, Bound::Exact), true, now), None);
        assert_eq!(filter.due(), Some(now + LineRate::FULL.interval));
    }

    #[test]
    fn a_deferred_line_is_due_when_the_rate_allows_it() {
        let start = Instant::now();
        let mut filter = LineFilter::new(SLOW, start);
        assert_eq!(filter.due(), None);
        // Even a change of the move waits.
        for to in 1..=3 {
            let info = line(to as Depth, to, Bound::Exact);
            assert_eq!(filter.filter(info, true, start), None);
        }
        let first = start + SLOW.first_line_delay;
        assert_eq!(filter.due(), Some(first));
        assert_eq!(filter.take_due(first - Duration::from_millis(1)), None);
        assert_eq!(depth(filter.take_due(first)), Some(3));
        assert_eq!((filter.due(), filter.take_due(first)), (None, None));
        assert_eq!(filter.filter(line(4, 3, Bound::Exact), true, first), None);
        assert_eq!(filter.due(), Some(first + SLOW.interval));
        let late = first + SLOW.interval * 5;
        assert_eq!(
            depth(filter.filter(line(5, 3, Bound::Exact), true, late)),
            Some(5)
        );
        assert_eq!(
            filter.filter(line(6, 3, Bound::Exact), true, late),
            None,
            "no burst"
        );
    }

    #[test]
    fn another_rate_applies_to_the_deferred_line() {
        let start = Instant::now();
        let mut filter = LineFilter::new(SLOW, start);
        assert_eq!(filter.filter(line(9, 1, Bound::Exact), true, start), None);
        let hit = start + Duration::from_millis(50);
        filter.set_rate(LineRate::FULL, hit);
        assert_eq!(depth(filter.take_due(hit)), Some(9));
        filter.set_rate(SLOW, hit);
        assert_eq!(filter.filter(line(10, 1, Bound::Exact), true, hit), None);
        assert_eq!(filter.due(), Some(hit + SLOW.interval));
    }

    #[test]
    fn several_variations_are_never_deferred() {
        let (mut filter, now) = after_burst();
        let sent = filter.filter(line(50, 1, Bound::Exact), false, now);
        assert!(sent.is_some());
    }

    #[test]
    fn a_bound_is_dropped_after_a_recent_line() {
        let now = Instant::now();
        let mut filter = LineFilter::new(LineRate::FULL, now);
        assert!(filter.filter(line(1, 1, Bound::Exact), true, now).is_some());
        assert_eq!(filter.filter(line(2, 1, Bound::Lower), true, now), None);
        assert_eq!(filter.take_deferred(), None);
        let later = now + LineRate::FULL.interval;
        assert!(
            filter
                .filter(line(2, 1, Bound::Lower), true, later)
                .is_some()
        );
    }
}
