//! Thinking output: sent at once, or withheld until `post`.

use crate::messages::SearchInfo;
use crate::types::Depth;

/// The switch `post` and the lines that it withholds.
#[derive(Clone, Debug, Default)]
pub(super) struct ThinkingOutput {
    /// Set after `post`, cleared by `nopost`.
    is_enabled: bool,
    /// Newest lines of the running search that were not sent, best line first.
    withheld_lines: Vec<SearchInfo>,
    /// Set if the ponder move must be sent before the next line.
    is_hint_due: bool,
}

impl ThinkingOutput {
    /// Returns `true` if the GUI wants thinking output.
    pub(super) fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// Enables thinking output and returns the withheld lines. The search may have nothing more to report: a proven
    /// mate ends an analysis.
    pub(super) fn enable(&mut self) -> Vec<SearchInfo> {
        self.is_enabled = true;
        std::mem::take(&mut self.withheld_lines)
    }

    /// Disables thinking output.
    pub(super) fn disable(&mut self) {
        self.is_enabled = false;
    }

    /// Discards the lines of the previous search.
    pub(super) fn on_search_start(&mut self) {
        self.withheld_lines.clear();
        self.is_hint_due = false;
    }

    /// Requires the ponder move before the next line.
    pub(super) fn defer_hint(&mut self) {
        self.is_hint_due = true;
    }

    /// Returns `true` if the ponder move must be sent now, before a line.
    pub(super) fn take_due_hint(&mut self) -> bool {
        std::mem::take(&mut self.is_hint_due)
    }

    /// Discards lines of a greater depth than `limit`.
    pub(super) fn limit_depth(&mut self, limit: Option<Depth>) {
        self.withheld_lines
            .retain(|info| limit.is_none_or(|limit| info.depth <= limit));
    }

    /// Returns the line if it is to be sent; otherwise withholds it with the other lines of its depth.
    pub(super) fn filter(&mut self, info: SearchInfo) -> Option<SearchInfo> {
        if self.is_enabled {
            return Some(info);
        }
        if info.rank == 0 {
            self.withheld_lines.clear();
        }
        self.withheld_lines.push(info);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::messages::Bound;
    use crate::types::Score;

    fn line(depth: Depth, rank: usize) -> SearchInfo {
        SearchInfo {
            depth,
            selective_depth: 0,
            score: Score(0),
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 1,
            tablebase_hits: 0,
            rank,
            pv: Vec::new(),
        }
    }

    #[test]
    fn the_newest_lines_are_withheld_until_output_is_enabled() {
        let mut output = ThinkingOutput::default();
        for info in [line(4, 0), line(5, 0), line(5, 1)] {
            assert_eq!(output.filter(info), None);
        }
        assert_eq!(output.enable(), [line(5, 0), line(5, 1)]);
        assert!(output.is_enabled());
        assert_eq!(output.filter(line(6, 0)), Some(line(6, 0)));
        output.disable();
        assert_eq!(output.filter(line(7, 0)), None);
    }

    #[test]
    fn lines_of_another_search_or_beyond_the_depth_limit_are_discarded() {
        let mut output = ThinkingOutput::default();
        assert_eq!(output.filter(line(9, 0)), None);
        output.limit_depth(None);
        output.limit_depth(Some(8));
        assert_eq!(output.enable(), []);
        output.disable();
        assert_eq!(output.filter(line(9, 0)), None);
        output.on_search_start();
        assert_eq!(output.enable(), []);
    }
}
