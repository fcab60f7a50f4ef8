//! Features and settings.

use super::{Action, Machine};
use crate::config::{Config, OptionEffect, OptionError, Pressed};
use crate::messages::SearchOrder;
use crate::protocol::reply::{ErrorKind, Reply};

impl Machine {
    /// `protover N`: a GUI of version 1 knows no features.
    pub(super) fn protover(&mut self, version: u32) {
        if version >= 2 {
            self.say(Reply::Features);
        }
        self.greeted = true;
    }

    /// `accepted F`. Nothing is waited for, so only permission counts.
    pub(super) fn accepted(&mut self, feature: &str) {
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
        match self.change(|config| config.set(name, value)) {
            Ok(OptionEffect::Stored) => {}
            Ok(OptionEffect::Pressed(Pressed::ClearHash)) => self.order(SearchOrder::NewGame),
            Ok(OptionEffect::Pressed(Pressed::LogNote)) => self.ask_for_remark(),
            Err(OptionError::UnknownName) => self.refuse(ErrorKind::UnknownOption, line),
            Err(OptionError::BadValue) => self.refuse(ErrorKind::BadArgument, line),
        }
    }

    /// Changes the settings, and tells the search if they are other ones now.
    fn change<T>(&mut self, change: impl FnOnce(&mut Config) -> T) -> T {
        let before = self.config.clone();
        let answer = change(&mut self.config);
        if self.config != before {
            self.order(SearchOrder::Configure(Box::new(self.config.clone())));
            self.pongs.configuring();
        }
        let log = |config: &Config| (config.log_folder.clone(), config.log_megabytes);
        if log(&self.config) != log(&before) {
            self.actions
                .push(Action::Log(Box::new(self.config.clone())));
        }
        answer
    }
}
