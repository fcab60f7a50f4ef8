//! The state of the settings from the command line and the environment while their files are being read.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::config::{
    Config, OptionEffect, SAVE_SETTINGS, SETTINGS_FILE, explain_rejection, split_setting,
};

use super::interface::{FileProblem, StartSetting, StartSettings};

/// Settings that have not been applied yet.
#[derive(Clone, Debug)]
pub(super) struct PendingStart {
    /// Files that have not been requested.
    files: VecDeque<StartSetting>,
    /// File that is being read.
    current: Option<StartSetting>,
    /// Options that apply after the files.
    options: Vec<StartSetting>,
    /// Settings so far.
    config: Config,
    /// Set if the settings file so far has been read.
    may_replace_settings: bool,
    /// Folder in which no log could be written, so that it is not tried again.
    failed_log: Option<PathBuf>,
    /// Errors for the user.
    problems: Vec<String>,
}

impl PendingStart {
    /// Returns the state before the first file; `None` if there are no settings. `config` has the settings before them.
    ///
    /// The option `SettingsFile` is another way to name a file.
    pub(super) fn new(settings: StartSettings, config: &Config) -> Option<PendingStart> {
        let mut files = VecDeque::from(settings.files);
        let mut options = Vec::new();
        for setting in settings.options {
            match split_setting(&setting.text) {
                (name, value) if name.eq_ignore_ascii_case(SETTINGS_FILE) => {
                    let text = value.unwrap_or_default().trim().to_owned();
                    files.push_back(StartSetting { text, ..setting });
                }
                _ => options.push(setting),
            }
        }
        (!files.is_empty() || !options.is_empty()).then(|| PendingStart {
            files,
            current: None,
            options,
            config: config.clone(),
            may_replace_settings: false,
            failed_log: None,
            problems: Vec::new(),
        })
    }

    /// Returns `true` while a file is being read.
    pub(super) fn is_reading(&self) -> bool {
        self.current.is_some()
    }

    /// Returns the errors for the user, in the order in which they were found.
    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems
    }

    /// Records an error for the user.
    pub(super) fn add_problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Records that no log can be written in this folder, which the user knows.
    pub(super) fn on_log_error(&mut self, folder: &Path) {
        self.failed_log = Some(folder.to_owned());
    }

    /// Returns the name of the next file to read. Names that cannot be the value of `SettingsFile` are skipped.
    pub(super) fn next_file(&mut self) -> Option<String> {
        while let Some(file) = self.files.pop_front() {
            let problem = if file.text.is_empty() {
                Some("it names no file".to_owned())
            } else {
                let result = self.config.clone().set(SETTINGS_FILE, Some(&file.text));
                result.err().map(|error| error.to_string())
            };
            match problem {
                Some(problem) => self.add_problem(format!("{}: {problem}", file.description)),
                None => {
                    let path = file.text.clone();
                    self.current = Some(file);
                    return Some(path);
                }
            }
        }
        None
    }

    /// Applies the content of the file that was requested last.
    pub(super) fn apply_file(&mut self, path: &str, result: Result<String, FileProblem>) {
        let Some(StartSetting { description, .. }) = self.current.take() else {
            return;
        };
        let problem = match result {
            Ok(text) => match self.config.with_settings(&text) {
                Ok(config) => {
                    self.config = config;
                    return self.set_settings_file(path);
                }
                Err(error) => format!("{description}, {error}; it changes no setting"),
            },
            // The words of the system would make XBoard end the engine.
            Err(FileProblem::Missing) => format!(
                "{description} cannot be read: the file does not exist; create it with an editor, or with the options \
                 {SETTINGS_FILE} and {SAVE_SETTINGS}"
            ),
            Err(FileProblem::Other(problem)) => {
                format!("{description} {problem}; it changes no setting")
            }
        };
        self.add_problem(problem);
    }

    /// Sets the name of the settings file, which has been read.
    fn set_settings_file(&mut self, path: &str) {
        self.may_replace_settings = true;
        let result = self.config.set(SETTINGS_FILE, Some(path));
        debug_assert!(result.is_ok(), "the name was accepted before");
    }

    /// Applies the options. Returns all settings, and `true` if the settings file that they name has been read.
    pub(super) fn apply_options(&mut self) -> (Config, bool) {
        for StartSetting { description, text } in std::mem::take(&mut self.options) {
            let (name, value) = split_setting(&text);
            let problem = match self.config.set(name, value) {
                Ok(OptionEffect::Stored) => continue,
                Ok(OptionEffect::Button(_)) => "the option is a button and has no value".to_owned(),
                Err(error) => explain_rejection(name, error),
            };
            self.add_problem(format!("{description}: {problem}"));
        }
        if self.failed_log.as_ref() == Some(&self.config.log.folder) {
            self.config.close_log();
        }
        (self.config.clone(), self.may_replace_settings)
    }
}
