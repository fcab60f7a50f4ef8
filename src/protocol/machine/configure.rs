//! Features and settings.

use super::{Action, Host, Machine};
use crate::config::{Config, LOG_NOTE, OptionEffect, OptionError, Pressed, SETTINGS_FILE};
use crate::messages::SearchOrder;
use crate::protocol::reply::{ErrorKind, Reply};

/// The only type of tablebases whose path is worth remembering.
const TABLEBASES: &str = "syzygy";

impl Machine {
    /// `protover N`: a GUI of version 1 knows no features. It may be another GUI than before.
    pub(super) fn protover(&mut self, version: u32) {
        self.host = Host::default();
        if version >= 2 {
            self.say(Reply::Features(Box::new(self.config.clone())));
        }
        self.greeted = true;
    }

    /// `accepted F`. Nothing is waited for: it gives permission, and tells which GUI this is.
    pub(super) fn accepted(&mut self, feature: &str) {
        self.host.accepted(feature);
        if feature == "debug" {
            self.switches.debug = true;
        }
    }

    /// `memory N`.
    pub(super) fn memory(&mut self, megabytes: u64) {
        self.change(|config| config.set_memory(megabytes));
    }

    /// `cores N`.
    pub(super) fn cores(&mut self, cores: u64) {
        self.change(|config| config.set_cores(cores));
    }

    /// `egtpath TYPE PATH`: remembered for the time when there is something to do with it.
    pub(super) fn tablebase_path(&mut self, kind: &str, path: String) {
        if kind.eq_ignore_ascii_case(TABLEBASES) {
            self.config.tablebase_path = Some(path).filter(|path| !path.is_empty());
        }
    }

    /// `option NAME=VALUE`.
    pub(super) fn option(&mut self, name: &str, value: Option<&str>, line: &str) {
        if name.eq_ignore_ascii_case(SETTINGS_FILE) {
            return self.settings_file(value, line);
        }
        if name.eq_ignore_ascii_case(LOG_NOTE) {
            return self.remark(value);
        }
        match self.change(|config| config.set(name, value)) {
            Ok(OptionEffect::Stored) => {}
            Ok(OptionEffect::Pressed(Pressed::ClearHash)) => self.forget_learned(),
            Ok(OptionEffect::Pressed(Pressed::SaveSettings)) => self.save_settings(),
            Ok(OptionEffect::Pressed(Pressed::ResetSettings)) => {
                self.change(Config::reset_options);
                self.say(Reply::OptionsAgain(Box::new(self.config.clone())));
            }
            Err(error) => self.refuse_option(error, line),
        }
    }

    /// Has the search forget what it has learned. Clearing a large table takes a while, for which pongs wait.
    pub(super) fn forget_learned(&mut self) {
        self.order(SearchOrder::NewGame);
        self.pongs.configuring();
    }

    pub(super) fn refuse_option(&mut self, error: OptionError, line: &str) {
        let kind = match error {
            OptionError::UnknownName => ErrorKind::UnknownOption,
            OptionError::BadValue | OptionError::OutOfRange { .. } | OptionError::BadText => {
                ErrorKind::BadArgument
            }
        };
        self.refuse(kind, line);
        self.explain(&error.to_string());
    }

    /// Changes the settings, and tells the search if they are other ones now.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Config) -> T) -> T {
        let before = self.config.clone();
        let answer = change(&mut self.config);
        if self.config != before {
            self.order(SearchOrder::Configure(Box::new(self.config.clone())));
            self.pongs.configuring();
        }
        if self.config.evaluation != before.evaluation {
            self.load_evaluation();
        }
        let log = |config: &Config| (config.log_folder.clone(), config.log_megabytes);
        if log(&self.config) != log(&before) {
            self.actions
                .push(Action::Log(Box::new(self.config.clone())));
        }
        answer
    }
}
