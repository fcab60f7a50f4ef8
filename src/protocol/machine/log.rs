//! The engine's log: remarks of the user, and what to say when it cannot be written. The log itself is kept by the
//! runtime, which hears of its settings by [`Action::Log`].

use super::{Action, Audience, Machine};
use crate::config::LOG_FOLDER;
use crate::protocol::reply::Reply;

/// The first word of the line that brings a remark.
const REMARK: &str = "lognote";

impl Machine {
    /// The user wants to write something into the log.
    pub(super) fn ask_for_remark(&mut self) {
        if self.log_is_open() {
            self.say(Reply::AskUser {
                tag: REMARK.to_owned(),
                question: "What shall the log remember?".to_owned(),
            });
        }
    }

    /// `lognote TEXT`: the log has it, as it has every line; here is only to be seen that there is one.
    pub(super) fn take_remark(&mut self) {
        self.log_is_open();
    }

    /// Whether a log is open. If not, the user is told how to open one.
    fn log_is_open(&mut self) -> bool {
        let open = !self.config.log_folder.as_os_str().is_empty();
        if !open {
            self.say(Reply::TellUser(format!(
                "No log is open. Choose a folder for it with the option {LOG_FOLDER}."
            )));
        }
        open
    }

    /// The log had to be closed, for this reason. The user is told once, but not before the GUI knows our features.
    pub fn on_log_trouble(&mut self, reason: &str) -> Vec<Action> {
        // So that choosing the same folder again is a change, and tries again.
        let cleared = self.config.set(LOG_FOLDER, Some(""));
        debug_assert!(cleared.is_ok(), "an empty name is no folder");
        self.trouble = Some(format!("{reason}. Gaur plays on without a log."));
        self.finish()
    }

    /// Tells the user what has been kept until somebody listens.
    pub(super) fn tell_trouble(&mut self) {
        if (self.greeted || self.audience == Audience::Person)
            && let Some(trouble) = self.trouble.take()
        {
            self.say(Reply::TellUserError(trouble));
        }
    }
}
