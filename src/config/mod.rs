//! The settings of the engine: a table of options, and the typed values that the engine works with.
//!
//! [`Config`] holds all settings. It consists of parts, so that each module receives only the settings that it needs.
//!
//! | file | content |
//! |---|---|
//! | `options` | the table of options |
//! | `option_kinds` | types of options, and how their values are parsed |
//! | `parts` | the parts of [`Config`] |
//! | `settings` | the settings file |
//! | `parameters`, `tuning` | search parameters, and their options in a tuning build |

#[cfg(test)]
mod documentation_tests;
mod option_kinds;
mod options;
mod parameters;
mod parts;
mod settings;
mod tuning;

use std::collections::BTreeMap;
use std::time::Duration;

pub use option_kinds::{ButtonAction, OptionError, OptionKind, OptionSpec};
pub use options::{EVAL_FILE, EVALUATION, LOG_FOLDER, LOG_NOTE, OPTIONS, SETTINGS_FILE, VARIETY};
pub use parameters::Parameters;
pub use parts::{
    ChatSettings, DrawAndResignSettings, EvaluationChoice, Kibitz, LogSettings, MAX_RESIGN_MOVES,
    SearchSettings,
};
pub use settings::{SettingsError, SettingsErrorKind};
pub use tuning::ParameterSpec;

/// Largest size of the transposition table in mebibytes: one tebibyte.
pub const MAX_HASH_MEGABYTES: u64 = 1 << 20;

/// Largest number of search threads.
pub const MAX_THREADS: usize = 256;

/// Memory in mebibytes for everything except the transposition table and the search threads.
const BASE_MEGABYTES: u64 = 2;

/// Memory of one search thread in mebibytes, mostly histories and accumulators.
const THREAD_MEGABYTES: u64 = 7;

/// All settings of the engine. [`Config::default`] has the defaults of the table of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Settings of the search threads.
    pub search: SearchSettings,
    /// Settings for draw offers and resignation.
    pub draw_and_resign: DrawAndResignSettings,
    /// Settings for messages on chess servers.
    pub chat: ChatSettings,
    /// Settings of the log.
    pub log: LogSettings,
    /// Time reserved per move for communication with the GUI.
    pub move_overhead: Duration,
    /// Memory in mebibytes that the GUI grants in total (`memory`); `None` before the command.
    pub granted_megabytes: Option<u64>,
    /// Name of the settings file; may be empty.
    pub settings_file: String,
    /// Values of the options as text.
    values: OptionValues,
    /// Number of times that a network file was named in `EvalFile`. [`EvaluationChoice::revision`] can return to a
    /// lower number, so it cannot supply the next one.
    eval_file_count: u64,
}

/// The values of the options as text, for the GUI and for the settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    /// Values by option name; an option that is missing here has its default.
    changed: BTreeMap<&'static str, String>,
}

impl OptionValues {
    /// Returns the current value of an option as text, or `None` for a button.
    pub fn get(&self, option: &OptionSpec) -> Option<String> {
        let changed = self.changed.get(option.name).cloned();
        changed.or_else(|| option.kind.default_text())
    }
}

impl Default for Config {
    fn default() -> Config {
        let mut config = Config {
            search: SearchSettings::unset(),
            draw_and_resign: DrawAndResignSettings::unset(),
            chat: ChatSettings::unset(),
            log: LogSettings::unset(),
            move_overhead: Duration::ZERO,
            granted_megabytes: None,
            settings_file: String::new(),
            values: OptionValues::default(),
            eval_file_count: 0,
        };
        config.set_defaults(|_| true);
        config
    }
}

/// The effect of an accepted option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// The [`Config`] holds the value.
    Stored,
    /// The option is a button; the caller carries out its action.
    Button(ButtonAction),
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
        if let Some(option) = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
        {
            return self.set_option(option, value);
        }
        tuning::set(&mut self.search.parameters, name, value)
    }

    fn set_option(
        &mut self,
        option: &'static OptionSpec,
        value: Option<&str>,
    ) -> Result<OptionEffect, OptionError> {
        if let Some(action) = option.kind.button_action() {
            return Ok(OptionEffect::Button(action));
        }
        let normalised = option
            .kind
            .apply(self, value.ok_or(OptionError::BadValue)?)?;
        self.values.changed.insert(option.name, normalised);
        Ok(OptionEffect::Stored)
    }

    /// Returns the values of all options as text.
    pub fn option_values(&self) -> &OptionValues {
        &self.values
    }

    /// Returns all settings in one line, for the head of a log file.
    pub fn summary(&self) -> String {
        format!("{self:?}")
    }

    /// Restores the defaults of all options except `SettingsFile`.
    pub fn reset_options(&mut self) {
        self.set_defaults(|option| option.name != SETTINGS_FILE);
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

    /// Stores the name of a network file. A name that is not empty gets a new revision, so that naming the same file
    /// again loads it again.
    fn set_eval_file(&mut self, path: &str) {
        let evaluation = &mut self.search.evaluation;
        evaluation.eval_file = path.into();
        evaluation.revision = 0;
        if !path.is_empty() {
            self.eval_file_count += 1;
            evaluation.revision = self.eval_file_count;
        }
    }

    /// Sets the memory, in mebibytes, that the GUI grants in total (`memory N`).
    ///
    /// The transposition table gets what the search threads leave, but at least three quarters: a smaller table would
    /// weaken the search, and `cores` may ask for more threads than there are processors.
    pub fn set_memory(&mut self, megabytes: u64) {
        self.granted_megabytes = Some(megabytes);
        let other = BASE_MEGABYTES + THREAD_MEGABYTES * self.search.threads as u64;
        self.search.hash_megabytes = megabytes
            .saturating_sub(other.min(megabytes / 4))
            .clamp(1, MAX_HASH_MEGABYTES);
    }

    /// Sets the number of search threads (`cores N`), at most [`MAX_THREADS`].
    pub fn set_cores(&mut self, cores: u64) {
        self.search.threads = usize::try_from(cores)
            .unwrap_or(MAX_THREADS)
            .clamp(1, MAX_THREADS);
        if let Some(megabytes) = self.granted_megabytes {
            self.set_memory(megabytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        config.reset_options();
        let result = expected.set("SettingsFile", Some("a b"));
        assert_eq!((config, result), (expected, Ok(OptionEffect::Stored)));
    }

    #[test]
    fn rejected_options_change_nothing() {
        let mut config = Config::default();
        assert_eq!(
            config.set("Contempt", Some("1")),
            Err(OptionError::UnknownName)
        );
        assert_eq!(config.set("", None), Err(OptionError::UnknownName));
        for value in [
            None,
            Some(""),
            Some("x"),
            Some("1.5"),
            Some("12 13"),
            Some("\0"),
        ] {
            assert_eq!(
                config.set("Resign", value),
                Err(OptionError::BadValue),
                "{value:?}"
            );
        }
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
