//! Setting options by name, and their defaults.

use std::time::Duration;

use super::option_kinds::{OptionEffect, OptionError, OptionSpec};
use super::options::{LOG_FOLDER, OPTIONS, SETTINGS_FILE};
use super::parameter_spec::ParameterSpec;
use super::parameters::Parameters;
use super::parts::{
    BookSettings, ChatSettings, ContemptSettings, DrawAndResignSettings, LogSettings,
    SearchSettings, StrengthSettings, TablebaseChoice,
};
use super::tuning;
use super::values::{Config, OptionValues};

impl OptionValues {
    /// Returns the current value of an option as text, or `None` for a button.
    pub fn get(&self, option: &OptionSpec) -> Option<String> {
        let changed = self.changed.get(option.name).cloned();
        changed.or_else(|| option.kind.default_text())
    }

    /// Returns the current value of a parameter as text.
    pub fn get_parameter(&self, parameter: &ParameterSpec) -> String {
        let changed = self.changed.get(parameter.name).cloned();
        changed.unwrap_or_else(|| parameter.default.to_string())
    }
}

impl Default for Config {
    fn default() -> Config {
        let mut config = Config {
            search: SearchSettings::unset(),
            tablebases: TablebaseChoice::default(),
            book: BookSettings::default(),
            draw_and_resign: DrawAndResignSettings::unset(),
            contempt: ContemptSettings::unset(),
            strength: StrengthSettings::unset(),
            chat: ChatSettings::unset(),
            log: LogSettings::unset(),
            move_overhead: Duration::ZERO,
            granted_megabytes: None,
            settings_file: String::new(),
            values: OptionValues::default(),
            eval_file_count: 0,
            tablebase_count: 0,
            book_count: 0,
        };
        config.set_defaults(|_| true);
        config
    }
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        Config::default().search
    }
}

impl Default for DrawAndResignSettings {
    fn default() -> DrawAndResignSettings {
        Config::default().draw_and_resign
    }
}

impl Default for ContemptSettings {
    fn default() -> ContemptSettings {
        Config::default().contempt
    }
}

impl Default for StrengthSettings {
    fn default() -> StrengthSettings {
        Config::default().strength
    }
}

impl Default for ChatSettings {
    fn default() -> ChatSettings {
        Config::default().chat
    }
}

impl Default for LogSettings {
    fn default() -> LogSettings {
        Config::default().log
    }
}

/// Splits a setting as users write it, `NAME=VALUE` or the name of a button, into name and value. The name ends at the
/// first `=` and has no spaces around it.
///
/// ```
/// use gaur::config::split_setting;
///
/// assert_eq!(split_setting("MultiPV = 3"), ("MultiPV", Some(" 3")));
/// assert_eq!(split_setting("ClearHash"), ("ClearHash", None));
/// ```
pub fn split_setting(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value)),
        None => (text.trim(), None),
    }
}

/// Returns the option with this name; upper and lower case are equivalent.
///
/// ```
/// use gaur::config::find_option;
///
/// assert_eq!(find_option("multipv").map(|option| option.name), Some("MultiPV"));
/// ```
pub fn find_option(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Returns the reason why the option `name` rejected a value, and the values that it accepts.
///
/// ```
/// use gaur::config::{OptionError, explain_rejection};
///
/// assert_eq!(
///     explain_rejection("MultiPV", OptionError::BadValue),
///     "the option cannot have this value, only 1 to 64"
/// );
/// ```
pub fn explain_rejection(name: &str, error: OptionError) -> String {
    match (error, find_option(name)) {
        (OptionError::MissingValue, Some(option)) => {
            let (name, values) = (option.name, option.kind.accepted_values());
            format!("{error}; write {name}=VALUE, where VALUE is {values}")
        }
        (OptionError::BadValue, Some(option)) => {
            format!("{error}, only {}", option.kind.accepted_values())
        }
        (OptionError::UnknownName, _) => format!("{error}; `gaur man` lists all"),
        _ => error.to_string(),
    }
}

impl Config {
    /// Sets the option `name`. Upper and lower case are equivalent.
    ///
    /// # Errors
    /// Returns an [`OptionError`] if there is no such option or it does not accept the value. The settings are then
    /// unchanged.
    ///
    /// ```
    /// use gaur::config::{Config, OptionEffect};
    /// use std::time::Duration;
    ///
    /// let mut config = Config::default();
    /// assert_eq!(config.set("MoveOverhead", Some("100")), Ok(OptionEffect::Stored));
    /// assert_eq!(config.move_overhead, Duration::from_millis(100));
    /// ```
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionEffect, OptionError> {
        if let Some(option) = find_option(name) {
            return self.set_option(option, value);
        }
        let (name, number) = tuning::set(&mut self.search.parameters, name, value)?;
        self.values.changed.insert(name, number.to_string());
        Ok(OptionEffect::Stored)
    }

    /// Sets an option of the table.
    pub(super) fn set_option(
        &mut self,
        option: &'static OptionSpec,
        value: Option<&str>,
    ) -> Result<OptionEffect, OptionError> {
        if let Some(action) = option.kind.button_action() {
            return Ok(OptionEffect::Button(action));
        }
        let value = value.ok_or(OptionError::MissingValue)?;
        let normalised = option.kind.apply(self, value)?;
        self.values.changed.insert(option.name, normalised);
        Ok(OptionEffect::Stored)
    }

    /// Restores the defaults of all options except `SettingsFile`, and of the parameters.
    pub fn reset_options(&mut self) {
        self.set_defaults(|option| option.name != SETTINGS_FILE);
        self.search.parameters = Parameters::default();
        for parameter in ParameterSpec::settable() {
            self.values.changed.remove(parameter.name);
        }
    }

    /// Empties the option `LogFolder` because the log cannot be written. Choosing the same folder again is then a
    /// change, which opens the log again.
    pub fn close_log(&mut self) {
        let result = self.set(LOG_FOLDER, Some(""));
        debug_assert!(result.is_ok(), "an empty folder name is accepted");
    }

    fn set_defaults(&mut self, applies: impl Fn(&OptionSpec) -> bool) {
        for option in OPTIONS.iter().filter(|option| applies(option)) {
            self.values.changed.remove(option.name);
            if let Some(default) = option.kind.default_text() {
                let result = option.kind.apply(self, &default);
                debug_assert!(result.is_ok(), "the default of {}", option.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ButtonAction, MAX_HASH_MEGABYTES, MAX_THREADS};

    #[test]
    fn defaults_come_from_the_table() {
        let config = Config::default();
        assert_eq!(config.search.hash_megabytes, 64);
        assert_eq!(config.search.threads, 1);
        assert_eq!(config.move_overhead, Duration::from_millis(30));
        assert_eq!((config.search.multi_pv, config.search.variety), (1, 0));
        assert_eq!(config.draw_and_resign.resign, 0);
    }

    #[test]
    fn options_change_their_settings() {
        let mut config = Config::default();
        for (name, value) in [
            ("MoveOverhead", "250"),
            ("Variety", "7"),
            ("resign", " 900 "),
            ("MULTIPV", "3"),
        ] {
            assert_eq!(
                config.set(name, Some(value)),
                Ok(OptionEffect::Stored),
                "{name}"
            );
        }
        assert_eq!(config.move_overhead, Duration::from_millis(250));
        assert_eq!((config.search.variety, config.search.multi_pv), (7, 3));
        assert_eq!(config.draw_and_resign.resign, 900);
        assert_eq!(
            config.set("ClearHash", None),
            Ok(OptionEffect::Button(ButtonAction::ClearHash))
        );
    }

    #[test]
    fn numbers_out_of_range_are_rejected() {
        let mut config = Config::default();
        for value in [
            "-5",
            "5001",
            "99999999999999999999999",
            "-99999999999999999999",
        ] {
            assert_eq!(
                config.set("MoveOverhead", Some(value)),
                Err(OptionError::OutOfRange { min: 0, max: 5000 }),
                "{value}"
            );
        }
        assert_eq!(config, Config::default());
    }

    #[test]
    fn a_reset_restores_all_defaults_except_the_settings_file() {
        let mut config = Config::default();
        config.set_memory(20);
        let mut expected = config.clone();
        for (name, value) in [("Variety", "7"), ("MultiPV", "3"), ("SettingsFile", "a b")] {
            assert_eq!(config.set(name, Some(value)), Ok(OptionEffect::Stored));
        }
        for parameter in ParameterSpec::settable() {
            let value = parameter.min.to_string();
            assert!(config.set(parameter.name, Some(&value)).is_ok());
        }
        config.reset_options();
        let result = expected.set("SettingsFile", Some("a b"));
        assert_eq!((config, result), (expected, Ok(OptionEffect::Stored)));
    }

    #[test]
    fn rejected_options_change_nothing() {
        let mut config = Config::default();
        assert_eq!(
            config.set("Optimism", Some("1")),
            Err(OptionError::UnknownName)
        );
        assert_eq!(config.set("", None), Err(OptionError::UnknownName));
        for value in ["", "x", "1.5", "12 13", "\0"] {
            assert_eq!(
                config.set("Resign", Some(value)),
                Err(OptionError::BadValue),
                "{value:?}"
            );
        }
        assert_eq!(config.set("Resign", None), Err(OptionError::MissingValue));
        assert_eq!(config, Config::default());
    }

    #[test]
    fn the_summary_contains_all_settings_in_one_line() {
        let mut config = Config::default();
        assert!(config.set("ResignMoves", Some("7")).is_ok());
        let summary = config.summary();
        for setting in ["move_overhead: 30ms", "multi_pv: 1", "resign_moves: 7"] {
            assert!(summary.contains(setting), "{summary}");
        }
        assert!(!summary.contains('\n'));
    }

    #[test]
    fn memory_and_cores_are_clamped() {
        let mut config = Config::default();
        for (granted, hash) in [
            (68, 59),
            (16, 12),
            (1, 1),
            (0, 1),
            (5, 4),
            (8, 6),
            (u64::MAX, MAX_HASH_MEGABYTES),
        ] {
            config.set_memory(granted);
            assert_eq!(config.search.hash_megabytes, hash, "{granted}");
        }
        config.set_memory(68);
        for (cores, hash) in [(2, 52), (3, 51), (256, 51), (1, 59)] {
            config.set_cores(cores);
            assert_eq!(config.search.hash_megabytes, hash, "{cores}");
        }
        for (cores, threads) in [(2, 2), (0, 1), (1000, MAX_THREADS), (u64::MAX, MAX_THREADS)] {
            config.set_cores(cores);
            assert_eq!(config.search.threads, threads, "{cores}");
        }
    }
}
