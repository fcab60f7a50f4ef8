//! Features, options, the settings file and the log.

use std::path::Path;

use crate::config::{
    ButtonAction, Config, LOG_FOLDER, LOG_NOTE, OptionEffect, OptionError, SETTINGS_FILE,
    SearchSettings, explain_rejection,
};
use crate::messages::{Resources, SearchOrder};
use crate::protocol::reply::{ErrorKind, Reply};

use super::backlog::PendingFile;
use super::interface::{Action, FileProblem, SettingsEvent};
use super::state::Machine;

impl Machine {
    /// `protover N`: sends the features. A GUI of version 1 has none.
    pub(super) fn protover(&mut self, version: u32) {
        if version >= 2 {
            self.reply(Reply::Features(self.config.option_values().clone()));
        }
        self.conversation.on_protover();
    }

    /// `option NAME=VALUE`.
    pub(super) fn option(&mut self, name: &str, value: Option<&str>, line: &str) {
        if name.eq_ignore_ascii_case(SETTINGS_FILE) {
            return self.load_settings(value, line);
        }
        if name.eq_ignore_ascii_case(LOG_NOTE) {
            return self.log_note(value);
        }
        match self.change_config(|config| config.set(name, value)) {
            Ok(OptionEffect::Stored) => {}
            Ok(OptionEffect::Button(ButtonAction::ClearHash)) => self.clear_search(),
            Ok(OptionEffect::Button(ButtonAction::SaveSettings)) => self.save_settings(),
            Ok(OptionEffect::Button(ButtonAction::ResetSettings)) => {
                self.change_config(Config::reset_options);
                self.reply(Reply::OptionsAgain(self.config.option_values().clone()));
            }
            Err(error) => self.reject_option(error, name, line),
        }
    }

    /// Clears the transposition table and the histories. Pongs wait for it, because a large table takes a while.
    pub(super) fn clear_search(&mut self) {
        self.order(SearchOrder::NewGame);
        self.pongs.on_settings_sent();
    }

    fn reject_option(&mut self, error: OptionError, name: &str, line: &str) {
        if self.conversation.is_terminal() {
            // One sentence instead of a line of the protocol and its explanation.
            let reason = match error {
                OptionError::UnknownName => format!("{error}; type option for a list"),
                _ => explain_rejection(name, error),
            };
            return self.reply(Reply::Console(format!("{name}: {reason}.")));
        }
        let kind = match error {
            // The user has selected an existing file, and must learn why Gaur does not use it.
            OptionError::NotUtf8 => {
                return self.reply(Reply::TellUserError(format!("{name}: {error}")));
            }
            OptionError::UnknownName => ErrorKind::UnknownOption,
            OptionError::MissingValue
            | OptionError::BadValue
            | OptionError::OutOfRange { .. }
            | OptionError::BadText => ErrorKind::BadArgument,
        };
        self.reject(kind, line);
        self.explain(&error.to_string());
    }

    /// Changes the settings and sends the parts that have changed to the search and to the log. The search gets them at
    /// once, or after a network that must be loaded.
    pub(super) fn change_config<T>(&mut self, change: impl FnOnce(&mut Config) -> T) -> T {
        let before = self.config.clone();
        let result = change(&mut self.config);
        let evaluation = &self.config.search.evaluation;
        let needs_network = *evaluation != before.search.evaluation
            && !(evaluation.is_classical && evaluation.has_same_file(&before.search.evaluation));
        if needs_network {
            self.load_network(&before.search);
        } else if self.config.search != before.search && !self.backlog.waits_for_network() {
            self.send_settings(&before.search);
        }
        self.load_tablebases();
        self.load_book();
        if self.config.log != before.log {
            self.actions.push(Action::Log {
                settings: self.config.log.clone(),
                summary: self.config.summary(),
            });
        }
        result
    }

    /// Sends the settings to the search, which has the settings `before`.
    pub(super) fn send_settings(&mut self, before: &SearchSettings) {
        let settings = Box::new(self.config.search.clone());
        self.order(SearchOrder::Configure(settings));
        self.pongs.on_settings_sent();
        if self.config.search.evaluation != before.evaluation {
            self.pongs.on_evaluation_sent();
        }
    }

    /// `option SettingsFile=PATH`: loads the file.
    fn load_settings(&mut self, path: Option<&str>, line: &str) {
        match self.config.clone().set(SETTINGS_FILE, path) {
            Err(error) => self.reject_option(error, SETTINGS_FILE, line),
            Ok(_) => match path.map(str::trim) {
                Some(path) if !path.is_empty() => {
                    self.actions.push(Action::ReadSettings(path.to_owned()));
                    self.backlog.on_file_requested(PendingFile::ReadSettings);
                }
                _ => self.set_settings_file("", false),
            },
        }
    }

    /// `option SaveSettings`.
    fn save_settings(&mut self) {
        let path = self.config.settings_file.clone();
        if path.is_empty() {
            return self.reply(Reply::TellUserError(format!(
                "SaveSettings: first name a file in the option {SETTINGS_FILE}"
            )));
        }
        let text = self.config.write_settings();
        self.actions.push(Action::WriteSettings {
            path,
            text,
            may_replace: self.may_replace_settings,
        });
        self.backlog.on_file_requested(PendingFile::WriteSettings);
    }

    /// Handles the result of reading or writing the settings file.
    pub fn on_settings(&mut self, event: SettingsEvent) -> Vec<Action> {
        self.backlog.on_settings_result();
        match event {
            SettingsEvent::Read(path, result) if self.is_reading_start_file() => {
                self.on_start_file(&path, result);
            }
            SettingsEvent::Read(path, Ok(text)) => self.apply_settings(&path, &text),
            // The name of a file that does not exist yet is kept for `SaveSettings`.
            SettingsEvent::Read(path, Err(FileProblem::Missing)) => {
                self.set_settings_file(&path, false);
                self.reply(Reply::TellUser(format!(
                    "{path} does not exist yet; SaveSettings will write it"
                )));
            }
            SettingsEvent::Read(path, Err(FileProblem::Other(problem))) => {
                self.reply(Reply::TellUserError(format!(
                    "{path} {problem}; no setting was changed"
                )));
            }
            SettingsEvent::Written(path, Ok(())) => {
                self.may_replace_settings = true;
                self.confirm(format!("The settings are saved in {path}."));
            }
            SettingsEvent::Written(path, Err(problem)) => {
                let problem = match problem {
                    FileProblem::Missing => "lies in a folder that does not exist".to_owned(),
                    FileProblem::Other(problem) => problem,
                };
                self.reply(Reply::TellUserError(format!(
                    "{path} {problem}; the settings were not saved"
                )));
            }
        }
        self.request_confirmation();
        self.finish()
    }

    fn apply_settings(&mut self, path: &str, text: &str) {
        match self.config.with_settings(text) {
            Ok(new) => {
                self.change_config(|config| *config = new);
                self.set_settings_file(path, true);
                self.confirm(format!("The settings of {path} apply."));
            }
            // The name is not kept: `SaveSettings` must not overwrite a file that is no settings file.
            Err(error) => self.reply(Reply::TellUserError(format!(
                "{path}, {error}; no setting was changed"
            ))),
        }
    }

    /// Sets the name of the settings file. `is_read` is set if Gaur has read it.
    fn set_settings_file(&mut self, path: &str, is_read: bool) {
        self.may_replace_settings = is_read;
        let result = self.change_config(|config| config.set(SETTINGS_FILE, Some(path)));
        debug_assert!(result.is_ok(), "the name was accepted before");
    }

    /// `option LogNote=TEXT`: an open log contains the text already, because it contains every line. Without a log the
    /// user learns how to open one.
    fn log_note(&mut self, text: Option<&str>) {
        let is_empty = text.is_none_or(|text| text.trim().is_empty());
        if !is_empty && self.config.log.folder.as_os_str().is_empty() {
            self.reply(Reply::TellUser(format!(
                "No log is open. Choose a folder for it with the option {LOG_FOLDER}."
            )));
        }
    }

    /// Informs the user that the search has less memory or fewer threads than requested.
    pub(super) fn on_reduced_resources(&mut self, resources: Resources) {
        let Resources {
            table_megabytes,
            requested_megabytes,
            threads,
            requested_threads,
        } = resources;
        let mut parts = Vec::new();
        if table_megabytes < requested_megabytes {
            let size = match table_megabytes {
                0 => "less than 1".to_owned(),
                size => size.to_string(),
            };
            parts.push(format!(
                "the hash table has {size} of {requested_megabytes} MB"
            ));
        }
        if threads < requested_threads {
            parts.push(format!("{threads} of {requested_threads} threads search"));
        }
        self.conversation.add_pending_error(format!(
            "The system has refused memory: {}. Gaur plays on. Select less memory or fewer cores, \
             or raise the limit of the process.",
            parts.join(", and ")
        ));
    }

    /// Handles an error of the log in this folder, which had to be closed. The user gets one message, not before the
    /// handshake, and none if the log has been moved to another folder meanwhile.
    pub fn on_log_error(&mut self, folder: &Path, reason: &str) -> Vec<Action> {
        if folder != self.config.log.folder {
            return self.finish();
        }
        self.config.close_log();
        if let Some(start) = &mut self.pending_start {
            start.on_log_error(folder);
        }
        self.conversation
            .add_pending_error(format!("{reason}. Gaur plays on without a log."));
        self.finish()
    }
}
