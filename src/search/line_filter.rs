//! The rate limit of thinking lines.
//!
//! In a position with few moves, iterations end by the hundred within milliseconds, and each of them reports a line.
//! After the first [`BURST`] lines, a line that follows another within [`LINE_INTERVAL`] and begins with the same move
//! is deferred. The next line replaces a deferred line; the end of the search sends it. A bound within the interval is
//! dropped.

use std::time::{Duration, Instant};

use crate::messages::{Bound, SearchInfo};

/// Time after a sent line within which bounds are dropped, and redundant lines deferred.
const LINE_INTERVAL: Duration = Duration::from_millis(50);

/// Number of lines of a run after which lines may be deferred.
const BURST: usize = 40;

/// The thinking lines of one run.
#[derive(Default)]
pub(super) struct LineFilter {
    /// Number of lines sent.
    sent: usize,
    /// The last line sent, and its time.
    last: Option<(Instant, SearchInfo)>,
    /// The newest line, if it has not been sent.
    deferred: Option<SearchInfo>,
}

impl LineFilter {
    /// Returns the line if it is to be sent now, at `now`.
    ///
    /// Only lines of a search for one line (`has_one_line`) can be deferred: otherwise lines of different iterations
    /// would be mixed.
    pub fn filter(
        &mut self,
        info: SearchInfo,
        has_one_line: bool,
        now: Instant,
    ) -> Option<SearchInfo> {
        let is_recent = self
            .last
            .as_ref()
            .is_some_and(|(sent, _)| now.saturating_duration_since(*sent) < LINE_INTERVAL);
        if is_recent && info.bound == Bound::Exact && has_one_line && self.is_redundant(&info) {
            self.deferred = Some(info);
            return None;
        }
        if is_recent && info.bound != Bound::Exact {
            return None;
        }
        self.deferred = None;
        self.sent += 1;
        self.last = Some((now, info.clone()));
        Some(info)
    }

    /// Returns `true` if enough lines were sent and the line begins with the move of the last one.
    fn is_redundant(&self, info: &SearchInfo) -> bool {
        let last_move = self.last().map(|last| last.pv.first());
        self.sent >= BURST && last_move == Some(info.pv.first())
    }

    /// Returns the last line sent.
    pub fn last(&self) -> Option<&SearchInfo> {
        self.last.as_ref().map(|(_, info)| info)
    }

    /// Returns the deferred line, which is to be sent at `now`.
    pub fn take_deferred(&mut self, now: Instant) -> Option<SearchInfo> {
        let info = self.deferred.take()?;
        self.last = Some((now, info.clone()));
        Some(info)
    }
}

#[cfg(test)]
mod tests {
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
            rank: 0,
            pv: vec![mv],
        }
    }

    /// A filter that has sent as many lines as are never deferred, and the time of the last one.
    fn after_burst() -> (LineFilter, Instant) {
        let (mut filter, now) = (LineFilter::default(), Instant::now());
        for depth in 1..=BURST as Depth {
            let sent = filter.filter(line(depth, 1, Bound::Exact), true, now);
            assert_eq!(sent.map(|info| info.depth), Some(depth));
        }
        (filter, now)
    }

    #[test]
    fn lines_with_the_same_move_are_deferred_after_a_burst() {
        let (mut filter, now) = after_burst();
        for depth in [50, 51] {
            assert_eq!(filter.filter(line(depth, 1, Bound::Exact), true, now), None);
        }
        assert_eq!(filter.last().map(|info| info.depth), Some(BURST as Depth));
        let deferred = filter.take_deferred(now);
        assert_eq!(deferred.map(|info| info.depth), Some(51));
        assert_eq!(filter.last().map(|info| info.depth), Some(51));
        assert_eq!(filter.take_deferred(now), None);
    }

    #[test]
    fn another_move_or_a_later_time_is_sent_and_replaces_the_deferred_line() {
        let (filter, now) = after_burst();
        for (to, time) in [(2, now), (1, now + LINE_INTERVAL)] {
            let mut filter = LineFilter {
                sent: filter.sent,
                last: filter.last.clone(),
                deferred: Some(line(50, 1, Bound::Exact)),
            };
            assert!(
                filter
                    .filter(line(51, to, Bound::Exact), true, time)
                    .is_some()
            );
            assert_eq!(filter.take_deferred(time), None);
        }
    }

    #[test]
    fn several_variations_are_never_deferred() {
        let (mut filter, now) = after_burst();
        let sent = filter.filter(line(50, 1, Bound::Exact), false, now);
        assert!(sent.is_some());
    }

    #[test]
    fn a_bound_is_dropped_after_a_recent_line() {
        let (mut filter, now) = (LineFilter::default(), Instant::now());
        assert!(filter.filter(line(1, 1, Bound::Exact), true, now).is_some());
        assert_eq!(filter.filter(line(2, 1, Bound::Lower), true, now), None);
        assert_eq!(filter.take_deferred(now), None);
        let later = now + LINE_INTERVAL;
        assert!(
            filter
                .filter(line(2, 1, Bound::Lower), true, later)
                .is_some()
        );
    }
}
