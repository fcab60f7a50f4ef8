//! The settings file: a line `Name=Value` for each option, below a comment with its help text.

use super::option_kinds::{OptionError, OptionSpec};
use super::options::{LOG_NOTE, OPTIONS, SETTINGS_FILE};
use super::set_options::{explain_rejection, find_option, split_setting};
use super::values::Config;

/// Beginning of every settings file that Gaur has written, in any version.
const TITLE: &str = "# Settings of Gaur ";

/// First line of a settings file.
const HEADER: &str = concat!(
    "# Settings of Gaur ",
    env!("CARGO_PKG_VERSION"),
    ": lines Name=Value; those that begin with # are comments.\n"
);

/// The reason for which a settings file was rejected. The settings are then unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct SettingsError {
    /// Line number, from 1.
    pub line: usize,
    /// The error in this line.
    pub kind: SettingsErrorKind,
}

/// Largest number of characters of a name that an error message repeats.
const MAX_NAME: usize = 40;

/// An error in a line of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsErrorKind {
    /// The line is neither a comment nor `Name=Value`.
    NoSetting,
    /// The file has no setting. It is probably not a settings file. The line is its last one.
    NothingSet,
    /// There is no such option, or it rejects the value.
    Rejected {
        /// Name of the option, as in the file.
        name: String,
        /// Reason.
        error: OptionError,
    },
    /// The option with this name is a button, or one that no settings file can set.
    NotForFiles(&'static str),
}

impl SettingsError {
    fn message(&self) -> String {
        let line = self.line;
        match &self.kind {
            SettingsErrorKind::NoSetting => format!("line {line} is not Name=Value"),
            SettingsErrorKind::NothingSet => "no line is Name=Value".to_owned(),
            SettingsErrorKind::Rejected { name, error } => {
                let reason = explain_rejection(name, *error);
                let name: String = name.chars().take(MAX_NAME).collect();
                format!("line {line}: {name}: {reason}")
            }
            SettingsErrorKind::NotForFiles(name) => {
                format!("line {line}: a settings file cannot set {name}; remove the line")
            }
        }
    }
}

impl Config {
    /// Returns the content of a settings file with the values of all options.
    pub fn write_settings(&self) -> String {
        let mut text = HEADER.to_owned();
        for option in OPTIONS.iter().filter(|option| is_setting(option)) {
            if let Some(value) = self.option_values().get(option) {
                text.push_str(&format!("\n# {}\n{}={value}\n", option.help, option.name));
            }
        }
        text
    }

    /// Returns these settings changed by the content of a settings file.
    ///
    /// Options that the file does not name keep their values. Only an empty file, or one with Gaur's first line, may
    /// contain no setting at all.
    ///
    /// # Errors
    /// Returns the first error in the file.
    ///
    /// ```
    /// use gaur::config::Config;
    ///
    /// let config = Config::default().with_settings("# slow connection\nMoveOverhead=100\n")?;
    /// assert_eq!(config.move_overhead.as_millis(), 100);
    /// # Ok::<(), gaur::config::SettingsError>(())
    /// ```
    pub fn with_settings(&self, text: &str) -> Result<Config, SettingsError> {
        let mut config = self.clone();
        let text = text.trim_start_matches('\u{feff}');
        let mut is_settings_file = text.trim().is_empty() || text.starts_with(TITLE);
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            config.apply_line(line).map_err(|kind| SettingsError {
                line: index + 1,
                kind,
            })?;
            is_settings_file = true;
        }
        if !is_settings_file {
            return Err(SettingsError {
                line: text.lines().count(),
                kind: SettingsErrorKind::NothingSet,
            });
        }
        Ok(config)
    }

    fn apply_line(&mut self, line: &str) -> Result<(), SettingsErrorKind> {
        let (name, value) = split_setting(line);
        let value = value.ok_or(SettingsErrorKind::NoSetting)?;
        let rejected = |error| SettingsErrorKind::Rejected {
            name: name.to_owned(),
            error,
        };
        let option = find_option(name).ok_or(rejected(OptionError::UnknownName))?;
        if !is_setting(option) {
            return Err(SettingsErrorKind::NotForFiles(option.name));
        }
        self.set_option(option, Some(value)).map_err(rejected)?;
        Ok(())
    }
}

/// Returns `true` if a settings file contains the value of this option.
fn is_setting(option: &OptionSpec) -> bool {
    let is_button = option.kind.button_action().is_some();
    !is_button && ![SETTINGS_FILE, LOG_NOTE].contains(&option.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OptionEffect;

    #[test]
    fn written_settings_can_be_read() {
        let mut config = Config::default();
        for (name, value) in [("MoveOverhead", "120"), ("MultiPV", "4"), ("Variety", "9")] {
            assert_eq!(config.set(name, Some(value)), Ok(OptionEffect::Stored));
        }
        let text = config.write_settings();
        assert!(text.starts_with("# Settings of Gaur "));
        assert!(text.contains("\nMoveOverhead=120\n"));
        let read = Config::default()
            .with_settings(&text)
            .expect("a valid file");
        assert_eq!(read.write_settings(), text);
        assert_eq!((read.search.multi_pv, read.search.variety), (4, 9));
    }

    #[test]
    fn messages_name_the_option_and_its_values() {
        let long = format!("{}=1", "ä".repeat(50_000));
        for (text, message) in [
            (
                "Variety=x",
                "line 1: Variety: the option cannot have this value, only 0 to 100",
            ),
            (
                "Variety=101",
                "line 1: Variety: the value must lie between 0 and 100",
            ),
            (
                "\nSaveSettings=",
                "line 2: a settings file cannot set SaveSettings; remove the line",
            ),
            (
                long.as_str(),
                &format!(
                    "line 1: {}: there is no such option; `gaur man` lists all",
                    "ä".repeat(MAX_NAME)
                ),
            ),
        ] {
            let error = Config::default()
                .with_settings(text)
                .expect_err("a message");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn spelling_of_the_file_is_lenient() {
        let text = "\u{feff}# mine\r\n\r\nmultipv = 3 \r\n \t# indented\r\n  \n\tVARIETY=2";
        let config = Config::default().with_settings(text).expect("a valid file");
        assert_eq!((config.search.multi_pv, config.search.variety), (3, 2));
    }

    #[test]
    fn the_first_wrong_line_is_reported() {
        let error_of = |text| {
            Config::default()
                .with_settings(text)
                .map_err(|e| (e.line, e.kind))
        };
        let rejected = |name: &str, error| SettingsErrorKind::Rejected {
            name: name.to_owned(),
            error,
        };
        for (text, error) in [
            ("Variety=1\n\nnonsense", (3, SettingsErrorKind::NoSetting)),
            (
                "optimism = 1",
                (1, rejected("optimism", OptionError::UnknownName)),
            ),
            (
                "settingsfile=other",
                (1, SettingsErrorKind::NotForFiles("SettingsFile")),
            ),
            (
                "LogNote=note",
                (1, SettingsErrorKind::NotForFiles("LogNote")),
            ),
            (
                "ClearHash=",
                (1, SettingsErrorKind::NotForFiles("ClearHash")),
            ),
            ("Variety=x", (1, rejected("Variety", OptionError::BadValue))),
            ("\0\u{1}", (1, SettingsErrorKind::NoSetting)),
            (
                "#!/bin/sh\n  # only comments\n",
                (2, SettingsErrorKind::NothingSet),
            ),
        ] {
            assert_eq!(error_of(text), Err(error), "{text:?}");
        }
        for text in [
            "",
            " \r\n\n",
            "# Settings of Gaur 0.0.1: all removed by its owner\n",
            HEADER,
        ] {
            assert_eq!(error_of(text), Ok(Config::default()), "{text:?}");
        }
    }
}
