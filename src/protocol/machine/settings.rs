//! The file of settings. Reading and writing is done outside; what it means is decided here.

use super::{Action, Machine};
use crate::config::{Config, SETTINGS_FILE};
use crate::protocol::reply::Reply;

/// What has become of an [`Action::ReadSettings`] or [`Action::WriteSettings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsEvent {
    /// The file of this name holds this text, or could not be read.
    Read(String, Result<String, FileProblem>),
    /// The file of this name has been written, or not; then it is as it was.
    Written(String, Result<(), FileProblem>),
}

/// Why a file could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileProblem {
    /// There is none of this name.
    Missing,
    /// Something else, in words that follow the name of the file.
    Other(String),
}

impl Machine {
    /// `option SettingsFile=PATH`: what the file says is taken over.
    pub(super) fn settings_file(&mut self, path: Option<&str>, line: &str) {
        match self.config.clone().set(SETTINGS_FILE, path) {
            Err(error) => self.refuse_option(error, line),
            Ok(_) => match path.map(str::trim) {
                Some(path) if !path.is_empty() => {
                    self.actions.push(Action::ReadSettings(path.to_owned()));
                }
                _ => self.name_settings_file(""),
            },
        }
    }

    /// `option SaveSettings`.
    pub(super) fn save_settings(&mut self) {
        let path = self.config.settings_file.clone();
        if path.is_empty() {
            return self.say(Reply::TellUserError(format!(
                "SaveSettings: first name a file in the option {SETTINGS_FILE}"
            )));
        }
        let text = self.config.write_settings();
        self.actions.push(Action::WriteSettings { path, text });
    }

    /// Takes in what has become of the file of settings.
    pub fn on_settings(&mut self, event: SettingsEvent) -> Vec<Action> {
        match event {
            SettingsEvent::Read(path, Ok(text)) => self.take_settings(&path, &text),
            // The name of a file to be is kept for saving.
            SettingsEvent::Read(path, Err(FileProblem::Missing)) => {
                self.name_settings_file(&path);
                self.say(Reply::TellUser(format!(
                    "{path} does not exist yet; SaveSettings will write it"
                )));
            }
            SettingsEvent::Read(path, Err(FileProblem::Other(problem))) => {
                self.say(Reply::TellUserError(format!(
                    "{path} {problem}; no setting was changed"
                )));
            }
            SettingsEvent::Written(_, Ok(())) => {}
            SettingsEvent::Written(path, Err(problem)) => {
                let problem = match problem {
                    FileProblem::Missing => "lies in a folder that does not exist".to_owned(),
                    FileProblem::Other(problem) => problem,
                };
                self.say(Reply::TellUserError(format!(
                    "{path} {problem}; the settings were not saved"
                )));
            }
        }
        self.finish()
    }

    fn take_settings(&mut self, path: &str, text: &str) {
        match self.config.with_settings(text) {
            Ok(config) => {
                self.change(|present| *present = config);
                self.name_settings_file(path);
            }
            // A file that is something else must not be written over by the next save.
            Err(error) => self.say(Reply::TellUserError(format!(
                "{path}, {error}; no setting was changed"
            ))),
        }
    }

    fn name_settings_file(&mut self, path: &str) {
        let named = self.change(|config: &mut Config| config.set(SETTINGS_FILE, Some(path)));
        debug_assert!(named.is_ok(), "the name has been looked at before");
    }
}
