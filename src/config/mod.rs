//! What a user may set: one table of options, and the typed values that the engine works with.

#[cfg(test)]
mod documentation_tests;
mod kinds;
mod options;
mod parameters;
mod settings;
mod tuning;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

pub use kinds::{OptionKind, OptionSpec, Pressed};
pub use options::{EVAL_FILE, EVALUATION, LOG_FOLDER, LOG_NOTE, OPTIONS, SETTINGS_FILE, VARIETY};
pub use parameters::Parameters;
pub use settings::{SettingsError, SettingsErrorKind};
pub use tuning::ParameterSpec;

/// The largest transposition table that can be asked for: a tebibyte.
pub const MAX_HASH_MEGABYTES: u64 = 1 << 20;

/// The most search threads that can be asked for.
pub const MAX_THREADS: usize = 256;

/// What everything but table, search threads, code and built-in network takes, in mebibytes.
const BASE_MEGABYTES: u64 = 2;

/// What a search thread takes, mostly its histories and accumulators, in mebibytes.
const THREAD_MEGABYTES: u64 = 7;

/// The most that `ResignMoves` can be.
pub const MAX_RESIGN_MOVES: usize = 20;

/// Who on a server is told score and line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kibitz {
    /// Nobody.
    #[default]
    Off,
    /// Everybody at the board, players included (`kibitz`).
    Everybody,
    /// Only those who watch (`whisper`).
    Observers,
}

/// What positions are judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationChoice {
    /// Terms written down by hand, and no network.
    pub is_classical: bool,
    /// The network's file; empty: the network that is built in.
    pub eval_file: PathBuf,
    /// Counts how often files were named in `EvalFile`, so that one that is named again is read again; 0 for none.
    pub revision: u64,
}

impl EvaluationChoice {
    /// Whether both name the same file, and by the same order.
    pub fn names_the_file_of(&self, other: &EvaluationChoice) -> bool {
        (self.revision, &self.eval_file) == (other.revision, &other.eval_file)
    }
}

/// The settings of an engine. [`Config::default`] has what stands in the table of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Size of the transposition table in mebibytes, 1 to [`MAX_HASH_MEGABYTES`].
    pub hash_megabytes: u64,
    /// What the GUI grants for everything together, in mebibytes, if it has said so.
    pub granted_megabytes: Option<u64>,
    /// Search threads, 1 to [`MAX_THREADS`]. Whether the machine has as many is for the search to see.
    pub threads: usize,
    /// Time kept back at each move for the way between search and GUI.
    pub move_overhead: Duration,
    /// Variations shown in analysis, at least 1.
    pub multi_pv: usize,
    /// Centipawns by which evaluations vary at random, by position and game; 0: not at all.
    pub variety: i32,
    /// Centipawns behind at which to resign; 0: never.
    pub resign: i32,
    /// Where logs of all traffic are written; empty: nowhere.
    pub log_folder: PathBuf,
    /// Size in mebibytes at which the log goes on in another file, at least 1.
    pub log_megabytes: u32,
    /// Name of the file of settings; may be empty.
    pub settings_file: String,
    /// Where Syzygy tablebases lie (`egtpath`); `None` if nobody has said so.
    pub tablebase_path: Option<String>,
    /// Searches in a row that must come out so bad, 1 to [`MAX_RESIGN_MOVES`].
    pub resign_moves: usize,
    /// Whether draws are accepted at all.
    pub accept_draws: bool,
    /// Centipawns, from the engine's side, at or below which a draw is accepted.
    pub draw_score: i32,
    /// Against humans rated below this the engine neither resigns nor accepts draws.
    pub play_out_below: u32,
    /// Whether to greet opponents on servers, and to say goodbye.
    pub greet: bool,
    /// What is said before the game; empty: nothing.
    pub greeting: String,
    /// What is said after the game; empty: nothing.
    pub goodbye: String,
    /// Who on a server is told what the engine thinks.
    pub kibitz: Kibitz,
    /// After how many moves they are told, at least 1.
    pub kibitz_every: usize,
    /// What positions are judged by.
    pub evaluation: EvaluationChoice,
    /// The latest revision of `judge`: it goes on counting when an older one comes back.
    pub last_revision: u64,
    /// Switches and values of the search.
    pub parameters: Parameters,
    /// The values of options that have been set, by their names, as they are written: only for [`Config::value`].
    pub values: BTreeMap<&'static str, String>,
}

impl Default for Config {
    fn default() -> Config {
        let mut config = Config {
            hash_megabytes: 64,
            granted_megabytes: None,
            threads: 1,
            move_overhead: Duration::ZERO,
            multi_pv: 1,
            variety: 0,
            resign: 0,
            log_folder: PathBuf::new(),
            log_megabytes: 10,
            settings_file: String::new(),
            tablebase_path: None,
            resign_moves: 1,
            accept_draws: false,
            draw_score: 0,
            play_out_below: 0,
            greet: false,
            greeting: String::new(),
            goodbye: String::new(),
            kibitz: Kibitz::Off,
            kibitz_every: 1,
            last_revision: 0,
            evaluation: EvaluationChoice::default(),
            parameters: Parameters::default(),
            values: BTreeMap::new(),
        };
        config.set_defaults(|_| true);
        config
    }
}

/// What an accepted option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// The [`Config`] holds the value now (or held it already).
    Stored,
    /// A button, which changes no value.
    Pressed(Pressed),
}

/// Why an option was refused; the [`Config`] is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name.
    UnknownName,
    /// The value is missing, or not of the option's kind.
    BadValue,
    /// The number is too small or too large.
    OutOfRange {
        /// Least value.
        min: i32,
        /// Largest value.
        max: i32,
    },
    /// The text is too long, or holds what is not for print.
    BadText,
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionError::UnknownName => f.write_str("there is no such option"),
            OptionError::BadValue => f.write_str("the option cannot have this value"),
            OptionError::OutOfRange { min, max } => {
                write!(f, "the value must lie between {min} and {max}")
            }
            OptionError::BadText => f.write_str("the text is too long or holds control characters"),
        }
    }
}

impl std::error::Error for OptionError {}

impl Config {
    /// Sets the option `name`, spelled as announced (small and capital letters alike).
    ///
    /// # Errors
    /// Any [`OptionError`]; none changes anything.
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
        tuning::set(&mut self.parameters, name, value)
    }

    fn set_option(
        &mut self,
        option: &'static OptionSpec,
        value: Option<&str>,
    ) -> Result<OptionEffect, OptionError> {
        if let Some(pressed) = option.kind.pressed() {
            return Ok(OptionEffect::Pressed(pressed));
        }
        let written = option
            .kind
            .apply(self, value.ok_or(OptionError::BadValue)?)?;
        self.values.insert(option.name, written);
        Ok(OptionEffect::Stored)
    }

    /// The present value of an option as it is written; `None` for a button.
    pub fn value(&self, option: &OptionSpec) -> Option<String> {
        let set = self.values.get(option.name).cloned();
        set.or_else(|| option.kind.default_text())
    }

    /// Brings the defaults of all options back. The file of settings stays the one that it is.
    pub fn reset_options(&mut self) {
        self.set_defaults(|option| option.name != SETTINGS_FILE);
    }

    fn set_defaults(&mut self, applies: impl Fn(&OptionSpec) -> bool) {
        for option in OPTIONS.iter().filter(|option| applies(option)) {
            self.values.remove(option.name);
            if let Some(default) = option.kind.default_text() {
                let taken = option.kind.apply(self, &default);
                debug_assert!(taken.is_ok(), "the default of {}", option.name);
            }
        }
    }

    /// Takes over the memory, in mebibytes, that the GUI grants for everything together (`memory N`). The table gets
    /// what the search threads leave, but three quarters at least: with less the search would be poor, and more threads
    /// may be asked for than there are processors.
    pub fn set_memory(&mut self, megabytes: u64) {
        self.granted_megabytes = Some(megabytes);
        let beside = BASE_MEGABYTES + THREAD_MEGABYTES * self.threads as u64;
        self.hash_megabytes = megabytes
            .saturating_sub(beside.min(megabytes / 4))
            .clamp(1, MAX_HASH_MEGABYTES);
    }

    /// Takes over the number of processors that may be used (`cores N`).
    pub fn set_cores(&mut self, cores: u64) {
        self.threads = usize::try_from(cores)
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
        assert_eq!(config.hash_megabytes, 64);
        assert_eq!(config.threads, 1);
        assert_eq!(config.move_overhead, Duration::from_millis(30));
        assert_eq!((config.multi_pv, config.variety, config.resign), (1, 0, 0));
    }

    #[test]
    fn options_change_what_they_name() {
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
        assert_eq!(
            (config.variety, config.resign, config.multi_pv),
            (7, 900, 3)
        );
        assert_eq!(
            config.set("ClearHash", None),
            Ok(OptionEffect::Pressed(Pressed::ClearHash))
        );
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
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
    fn a_reset_brings_the_defaults_back_but_for_the_name_of_the_file() {
        let mut config = Config::default();
        config.set_memory(20);
        let mut expected = config.clone();
        for (name, value) in [("Variety", "7"), ("MultiPV", "3"), ("SettingsFile", "a b")] {
            assert_eq!(config.set(name, Some(value)), Ok(OptionEffect::Stored));
        }
        config.reset_options();
        let named = expected.set("SettingsFile", Some("a b"));
        assert_eq!((config, named), (expected, Ok(OptionEffect::Stored)));
    }

    #[test]
    fn refusals_change_nothing() {
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
            assert_eq!(config.hash_megabytes, hash, "{granted}");
        }
        config.set_memory(68);
        for (cores, hash) in [(2, 52), (3, 51), (256, 51), (1, 59)] {
            config.set_cores(cores);
            assert_eq!(config.hash_megabytes, hash, "{cores}");
        }
        for (cores, threads) in [(2, 2), (0, 1), (1000, MAX_THREADS), (u64::MAX, MAX_THREADS)] {
            config.set_cores(cores);
            assert_eq!(config.threads, threads, "{cores}");
        }
    }
}
