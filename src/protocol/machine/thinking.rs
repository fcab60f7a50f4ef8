//! Thinking lines: shown as they come, or kept until `post`.

use super::Machine;
use crate::messages::SearchInfo;
use crate::protocol::reply::Reply;

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
            for info in unshown {
                self.show_line(info);
            }
        }
    }

    /// Prints a line of the present search, or keeps it with the others of its depth, which follow the best one.
    pub(super) fn show_or_keep(&mut self, info: SearchInfo) {
        if self.switches.post {
            return self.show_line(info);
        }
        if info.rank == 0 {
            self.unshown.clear();
        }
        self.unshown.push(info);
    }

    fn show_line(&mut self, info: SearchInfo) {
        self.say(Reply::Thinking {
            info,
            variant: self.game.variant(),
            all_columns: self.host.reads_all_columns(),
        });
    }
}
