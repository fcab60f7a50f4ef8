//! The settings of the engine: a table of options, and the typed values that the engine works with.
//!
//! [`Config`] holds all settings. It consists of parts, so that each module receives only the settings that it needs.
//!
//! | file | content |
//! |---|---|
//! | `values` | [`Config`] |
//! | `parts` | the parts of [`Config`] |
//! | `option_kinds` | types of options, and how their values are parsed |
//! | `options` | the table of options |
//! | `set_options` | setting options by name, and their defaults |
//! | `settings` | the settings file |
//! | `parameter_spec`, `parameters`, `tuning` | parameters of search and time management, options in a tuning build |

#[cfg(test)]
mod documentation_tests;
mod option_kinds;
mod options;
mod parameter_spec;
mod parameters;
mod parts;
mod set_options;
mod settings;
mod tuning;
mod values;

pub use option_kinds::{ButtonAction, OptionEffect, OptionError, OptionKind, OptionSpec};
pub use options::{
    BOOK_FILE, EVAL_FILE, EVALUATION, LOG_FOLDER, LOG_NOTE, OPTIONS, OWN_BOOK, RESET_SETTINGS,
    SAVE_SETTINGS, SETTINGS_FILE, SYZYGY_PATH, VARIETY,
};
pub use parameter_spec::ParameterSpec;
pub use parameters::Parameters;
pub use parts::{
    BookChoice, BookSettings, ChatSettings, ContemptSettings, DrawAndResignSettings,
    EvaluationChoice, Kibitz, LogSettings, MAX_BOOK_DEPTH, MAX_CONTEMPT, MAX_ELO, MAX_OFFER_MOVES,
    MAX_PROBE_MEN, MAX_RESIGN_MOVES, MIN_ELO, ProbeSettings, SearchSettings, StrengthSettings,
    TablebaseChoice,
};
pub use set_options::{explain_rejection, find_option, split_setting};
pub use settings::{SettingsError, SettingsErrorKind};
pub use values::{Config, MAX_HASH_MEGABYTES, MAX_THREADS, OptionValues};
