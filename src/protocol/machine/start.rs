//! Settings from the command line and the environment, which apply before the first command.
//!
//! The machine requests the files one after the other. Commands wait meanwhile, as for any settings file. All settings
//! take effect at once, so that only the network selected last is loaded. A file or an option with an error is ignored;
//! the user learns about it on standard error or at the terminal at once, and from the GUI after the handshake.

use super::backlog::PendingFile;
use super::interface::{Action, FileProblem};
use super::start_settings::PendingStart;
use super::state::Machine;

impl Machine {
    /// Applies the settings of the start, or requests the first file that they need. The caller calls this once, before
    /// the first line.
    pub fn start(&mut self) -> Vec<Action> {
        self.continue_start();
        self.finish()
    }

    /// Returns `true` if a settings file that is being read is one of the start.
    pub(super) fn is_reading_start_file(&self) -> bool {
        self.pending_start
            .as_ref()
            .is_some_and(PendingStart::is_reading)
    }

    /// Handles the result of a file of the start.
    pub(super) fn on_start_file(&mut self, path: &str, result: Result<String, FileProblem>) {
        if let Some(start) = &mut self.pending_start {
            start.apply_file(path, result);
        }
        self.continue_start();
    }

    /// Requests the next file. After the last one, applies all settings.
    fn continue_start(&mut self) {
        let Some(start) = &mut self.pending_start else {
            return;
        };
        if let Some(path) = start.next_file() {
            self.actions.push(Action::ReadSettings(path));
            return self.backlog.on_file_requested(PendingFile::ReadSettings);
        }
        let (settings, may_replace) = start.apply_options();
        self.may_replace_settings = may_replace;
        self.change_config(|config| *config = settings);
        self.end_start_if_loaded();
    }

    /// Ends the start, once its settings have been applied and the files that they name have been read, and reports its
    /// errors.
    pub(super) fn end_start_if_loaded(&mut self) {
        if self.backlog.waits_for_named_file() {
            return;
        }
        let Some(start) = self.pending_start.take() else {
            return;
        };
        self.actions
            .push(Action::LogSettings(self.config.summary()));
        let problems = start.into_problems();
        // A person reads them at the terminal.
        if !self.conversation.is_terminal() {
            for problem in &problems {
                self.conversation
                    .add_pending_error(format!("Error: {problem}"));
            }
        }
        if !problems.is_empty() {
            self.actions.push(Action::PrintErrors(problems));
        }
    }
}
