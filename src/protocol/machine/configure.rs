//! Features and settings.

use super::{Action, Host, Machine};
use crate::config::{
    ButtonAction, Config, LOG_NOTE, OptionEffect, OptionError, SETTINGS_FILE, SearchSettings,
};
use crate::messages::SearchOrder;
use crate::protocol::reply::{ErrorKind, Reply};

impl Machine {
    /// `protover N`: a GUI of version 1 knows no features. It may be another GUI than before.
    pub(super) fn protover(&mut self, version: u32) {
        self.host = Host::default();
        if version >= 2 {
            self.say(Reply::Features(self.config.option_values().clone()));
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
            Ok(OptionEffect::Button(ButtonAction::ClearHash)) => self.forget_learned(),
            Ok(OptionEffect::Button(ButtonAction::SaveSettings)) => self.save_settings(),
            Ok(OptionEffect::Button(ButtonAction::ResetSettings)) => {
                self.change(Config::reset_options);
                self.say(Reply::OptionsAgain(self.config.option_values().clone()));
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

    /// Changes the settings and sends the parts that have changed to the search and to the log. The search gets them at
    /// once, or after a network that has to be loaded.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Config) -> T) -> T {
        let before = self.config.clone();
        let answer = change(&mut self.config);
        let evaluation = &self.config.search.evaluation;
        let needs_network = *evaluation != before.search.evaluation
            && !(evaluation.is_classical && evaluation.has_same_file(&before.search.evaluation));
        if needs_network {
            self.load_network(&before.search);
        } else if self.config.search != before.search && !self.backlog.is_loading() {
            self.send_settings(&before.search);
        }
        if self.config.log != before.log {
            self.actions.push(Action::Log {
                settings: self.config.log.clone(),
                summary: self.config.summary(),
            });
        }
        answer
    }

    /// Sends the settings to the search. `before` are those that the search has.
    pub(super) fn send_settings(&mut self, before: &SearchSettings) {
        let settings = Box::new(self.config.search.clone());
        self.order(SearchOrder::Configure(settings));
        self.pongs.configuring();
        if self.config.search.evaluation != before.evaluation {
            self.await_evaluation();
        }
    }
}
