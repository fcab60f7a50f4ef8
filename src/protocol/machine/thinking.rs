//! Thinking lines: shown as they come, or kept until `post`.

use super::Machine;
use crate::messages::SearchInfo;
use crate::protocol::reply::Reply;
use crate::types::Depth;

impl Machine {
    /// `post`: print thinking lines from now on. What the present search has found so far is shown at once, for it may
    /// have nothing more to say: a mate that is proven ends an analysis.
    pub(super) fn post(&mut self) {
        if self.switches.post {
            return;
        }
        self.switches.post = true;
        self.say_guess();
        let unshown = std::mem::take(&mut self.unshown);
        if self.mode.search().is_some() {
            // After a ponder hit they may be deeper than `sd` allows by now.
            let limit = self.depth_limit.unwrap_or(Depth::MAX);
            for info in unshown.into_iter().filter(|info| info.depth <= limit) {
                self.say(Reply::Thinking(info, self.game.variant()));
            }
        }
    }

    /// Prints a line of the present search, or keeps it with the others of its depth, which follow the best one.
    pub(super) fn show_or_keep(&mut self, info: SearchInfo) {
        if self.switches.post {
            return self.say(Reply::Thinking(info, self.game.variant()));
        }
        if info.rank == 0 {
            self.unshown.clear();
        }
        self.unshown.push(info);
    }
}
