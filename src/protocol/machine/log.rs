//! The engine's log: remarks of the user, and what to say when it cannot be written. The log itself is kept by the
//! runtime, which hears of its settings by [`Action::Log`].

use std::path::Path;

use super::{Action, Audience, Machine};
use crate::config::LOG_FOLDER;
use crate::protocol::reply::Reply;

impl Machine {
    /// `option LogNote=TEXT`: an open log has it already, as it has every line, and it is not kept as a setting.
    /// Without a log the user is told how to open one.
    pub(super) fn remark(&mut self, text: Option<&str>) {
        let empty = text.is_none_or(|text| text.trim().is_empty());
        if !empty && self.config.log.folder.as_os_str().is_empty() {
            self.say(Reply::TellUser(format!(
                "No log is open. Choose a folder for it with the option {LOG_FOLDER}."
            )));
        }
    }

    /// The log in this folder had to be closed, for this reason. The user is told once, but not before the GUI knows
    /// our features, and not at all when the log is wanted in another place by now.
    pub fn on_log_trouble(&mut self, folder: &Path, reason: &str) -> Vec<Action> {
        if folder != self.config.log.folder {
            return self.finish();
        }
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
