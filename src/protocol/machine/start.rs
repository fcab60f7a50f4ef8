//! Settings from the command line and the environment, which apply before the first command.
//!
//! The machine requests the files one after the other. Commands wait meanwhile, as for any settings file. All settings
//! take effect at once, so that only the network selected last is loaded. A file or an option with an error is ignored;
//! the user learns about it on standard error at once, and from the GUI after the handshake.

use std::collections::VecDeque;

use crate::config::{Config, OptionEffect, SETTINGS_FILE, split_setting};

use super::backlog::PendingFile;
use super::interface::{Action, FileProblem, StartSetting, StartSettings};
use super::state::Machine;

/// Settings that have not been applied yet.
#[derive(Clone, Debug)]
pub(super) struct Starting {
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
    /// Errors for the user.
    problems: Vec<String>,
}

impl Starting {
    /// Returns the state before the first file; `None` if there are no settings. `config` has the settings before them.
    ///
    /// The option `SettingsFile` is another way to name a file.
    pub(super) fn new(settings: StartSettings, config: &Config) -> Option<Starting> {
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
        (!files.is_empty() || !options.is_empty()).then(|| Starting {
            files,
            current: None,
            options,
            config: config.clone(),
            may_replace_settings: false,
            problems: Vec::new(),
        })
    }

    /// Records an error for the user.
    pub(super) fn add_problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Returns the name of the next file to read. Names that cannot be the value of `SettingsFile` are skipped.
    fn next_file(&mut self) -> Option<String> {
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
    fn apply_file(&mut self, path: &str, result: Result<String, FileProblem>) {
        let Some(StartSetting { description, .. }) = self.current.take() else {
            return;
        };
        let problem = match result {
            Ok(text) => match self.config.with_settings(&text) {
                Ok(config) => {
                    self.config = config;
                    return self.set_settings_file(path, true);
                }
                Err(error) => format!("{description}, {error}; it changes no setting"),
            },
            // The name is kept for `SaveSettings`, unless another file follows.
            Err(FileProblem::Missing) => {
                self.set_settings_file(path, false);
                let remedy = if self.files.is_empty() {
                    " yet; SaveSettings will write it"
                } else {
                    "; it changes no setting"
                };
                format!("{description} does not exist{remedy}")
            }
            Err(FileProblem::Other(problem)) => {
                format!("{description} {problem}; it changes no setting")
            }
        };
        self.add_problem(problem);
    }

    fn set_settings_file(&mut self, path: &str, is_read: bool) {
        self.may_replace_settings = is_read;
        let result = self.config.set(SETTINGS_FILE, Some(path));
        debug_assert!(result.is_ok(), "the name was accepted before");
    }

    /// Applies the options.
    fn apply_options(&mut self) {
        for StartSetting { description, text } in std::mem::take(&mut self.options) {
            let (name, value) = split_setting(&text);
            let problem = match self.config.set(name, value) {
                Ok(OptionEffect::Stored) => continue,
                Ok(OptionEffect::Button(_)) => "the option is a button and has no value".to_owned(),
                Err(error) => error.to_string(),
            };
            self.add_problem(format!("{description}: {problem}"));
        }
    }
}

impl Machine {
    /// Applies the settings of the start, or requests the first file that they need. The caller calls this once, before
    /// the first line.
    pub fn start(&mut self) -> Vec<Action> {
        self.continue_start();
        self.finish()
    }

    /// Returns `true` if a settings file that is being read is one of the start.
    pub(super) fn is_reading_start_file(&self) -> bool {
        self.starting
            .as_ref()
            .is_some_and(|starting| starting.current.is_some())
    }

    /// Handles the result of a file of the start.
    pub(super) fn on_start_file(&mut self, path: &str, result: Result<String, FileProblem>) {
        if let Some(starting) = &mut self.starting {
            starting.apply_file(path, result);
        }
        self.continue_start();
    }

    /// Requests the next file. After the last one, applies all settings.
    fn continue_start(&mut self) {
        let Some(starting) = &mut self.starting else {
            return;
        };
        if let Some(path) = starting.next_file() {
            self.actions.push(Action::ReadSettings(path));
            return self.backlog.on_file_requested(PendingFile::ReadSettings);
        }
        starting.apply_options();
        let new = starting.config.clone();
        self.may_replace_settings = starting.may_replace_settings;
        self.change_config(|config| *config = new);
        if !self.backlog.waits_for_network() {
            self.end_start();
        }
    }

    /// Ends the start, once its settings have been applied, and reports its errors.
    pub(super) fn end_start(&mut self) {
        let Some(starting) = self.starting.take() else {
            return;
        };
        // At a terminal, standard error is visible.
        if !self.conversation.is_terminal() {
            for problem in &starting.problems {
                self.conversation
                    .add_pending_error(format!("Error: {problem}"));
            }
        }
        if !starting.problems.is_empty() {
            self.actions.push(Action::PrintErrors(starting.problems));
        }
    }
}
