//! Networks: requested from the runtime before the settings that need them are sent to the search.

use crate::config::{EVAL_FILE, EVALUATION, EvaluationChoice, SearchSettings};
use crate::protocol::reply::Reply;

use super::backlog::PendingFile;
use super::interface::Action;
use super::state::Machine;

impl Machine {
    /// Requests the network of the settings. They are sent to the search, which has the settings `before`, once it has
    /// been loaded.
    pub(super) fn load_network(&mut self, before: &SearchSettings) {
        let path = self.config.search.evaluation.eval_file.clone();
        self.actions.push(Action::ReadNetwork(path));
        let file = PendingFile::Network(Box::new(before.clone()));
        self.backlog.on_file_requested(file);
    }

    /// Handles the result of [`Action::ReadNetwork`]; an error is the reason to show to the user.
    pub fn on_network(&mut self, result: Result<(), String>) -> Vec<Action> {
        if let Some(before) = self.backlog.on_network_result() {
            match result {
                Ok(()) => self.send_settings(&before),
                Err(reason) => self.keep_network(&before, &reason),
            }
            self.load_tablebases();
            self.load_book();
            self.end_start_if_loaded();
            self.request_confirmation();
        }
        self.finish()
    }

    /// Keeps the evaluation of the settings `before` because the network of the current settings cannot be loaded. The
    /// classical evaluation, which needs no network, is used if the current settings select it.
    fn keep_network(&mut self, before: &SearchSettings, reason: &str) {
        let is_selected = self.config.search.evaluation.is_classical;
        self.restore_evaluation(EvaluationChoice {
            is_classical: before.evaluation.is_classical || is_selected,
            ..before.evaluation.clone()
        });
        if self.config.search != *before {
            self.send_settings(before);
        }
        let used = &self.config.search.evaluation;
        let description = if used.is_classical {
            "without a network".to_owned()
        } else if used.eval_file.as_os_str().is_empty() {
            "with the network that is built in".to_owned()
        } else {
            format!("with {}", used.eval_file.display())
        };
        let message = format!("{reason}. Gaur plays on {description}.");
        match &mut self.pending_start {
            Some(start) => start.add_problem(message),
            None => self.reply(Reply::TellUserError(message)),
        }
    }

    /// Restores the options of the evaluation, without a request to read the file again.
    fn restore_evaluation(&mut self, evaluation: EvaluationChoice) {
        let name = if evaluation.is_classical {
            "classical"
        } else {
            "network"
        };
        let file = evaluation.eval_file.to_string_lossy().into_owned();
        for (option, value) in [(EVALUATION, name), (EVAL_FILE, &file)] {
            let result = self.config.set(option, Some(value));
            debug_assert!(result.is_ok(), "the option has had this value before");
        }
        self.config.search.evaluation = evaluation;
    }
}
