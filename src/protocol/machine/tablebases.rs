//! Endgame tablebases: requested from the runtime when `egtpath` or the option names directories.

use crate::config::SYZYGY_PATH;
use crate::protocol::reply::{ErrorKind, Reply};

use super::backlog::PendingFile;
use super::interface::{Action, TablebaseReport};
use super::state::Machine;

/// Type of the tablebases that Gaur reads, as `egtpath` names it.
pub const SYZYGY: &str = "syzygy";

impl Machine {
    /// `egtpath TYPE PATH`: the same as the option. Directories of other types are ignored.
    pub(super) fn tablebase_path(&mut self, kind: &str, path: &str, line: &str) {
        if !kind.eq_ignore_ascii_case(SYZYGY) {
            return;
        }
        if let Err(error) = self.change_config(|config| config.set(SYZYGY_PATH, Some(path))) {
            self.reject(ErrorKind::BadArgument, line);
            self.explain(&error.to_string());
        }
        self.is_path_of_gui = matches!(self.backlog.file(), Some(PendingFile::Tablebases));
    }

    /// Requests the tablebases of the settings, unless they have been requested or another file is being read.
    pub(super) fn load_tablebases(&mut self) {
        if self.config.tablebases == self.requested_tablebases || self.backlog.file().is_some() {
            return;
        }
        self.requested_tablebases = self.config.tablebases.clone();
        let path = self.config.tablebases.path.clone();
        self.actions.push(Action::ReadTablebases(path));
        self.backlog.on_file_requested(PendingFile::Tablebases);
    }

    /// Handles the result of [`Action::ReadTablebases`].
    pub fn on_tablebases(&mut self, report: TablebaseReport) -> Vec<Action> {
        if self.backlog.on_tablebase_result() {
            self.report_tablebases(report);
            self.load_book();
            self.end_start_if_loaded();
            self.request_confirmation();
        }
        self.finish()
    }

    fn report_tablebases(&mut self, report: TablebaseReport) {
        let is_path_of_gui = std::mem::take(&mut self.is_path_of_gui);
        let found = match report.men {
            0 => "without tablebases".to_owned(),
            men => format!("with tablebases for up to {men} men"),
        };
        if let Some(problem) = report.problem {
            let message = format!("{problem}. Gaur plays on {found}.");
            // Debian's XBoard always names a directory, which few systems have. A message to the user at every start
            // would be a nuisance.
            let quiet = self.conversation.explanation(&message);
            let quiet = quiet.filter(|_| is_path_of_gui && report.is_absence);
            match &mut self.pending_start {
                Some(start) => start.add_problem(message),
                None => self.reply(quiet.unwrap_or(Reply::TellUser(message))),
            }
        } else if report.men > 0 {
            self.explain(&format!(
                "Gaur plays {found}: {} tables of results (WDL), {} of distances (DTZ).",
                report.wdl, report.dtz
            ));
        }
    }
}
