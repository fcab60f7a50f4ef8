//! The settings file: a line `Name=Value` for each option, below a comment with its help text.

use super::option_kinds::{OptionError, OptionSpec};
use super::options::{LOG_NOTE, OPTIONS, SETTINGS_FILE};
use super::set_options::split_setting;
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

/// An error in a line of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsErrorKind {
    /// The line is neither a comment nor `Name=Value`.
    NoSetting,
    /// The file has no setting. It is probably not a settings file. The line is its last one.
    NothingSet,
    /// The option rejects the value, or cannot be set by the file.
    Rejected(OptionError),
}

impl SettingsError {
    fn message(&self) -> String {
        match self.kind {
            SettingsErrorKind::NoSetting => format!("line {} is not Name=Value", self.line),
            SettingsErrorKind::NothingSet => "no line is Name=Value".to_owned(),
            SettingsErrorKind::Rejected(error) => format!("line {}: {error}", self.line),
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
            if line.trim().is_empty() || line.starts_with('#') {
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
        let option = OPTIONS
            .iter()
            .filter(|option| is_setting(option))
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or(SettingsErrorKind::Rejected(OptionError::UnknownName))?;
        self.set_option(option, Some(value))
            .map_err(SettingsErrorKind::Rejected)?;
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
    fn spelling_of_the_file_is_lenient() {
        let text = "\u{feff}# mine\r\n\r\nmultipv = 3 \r\n  \nVARIETY=2";
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
        let unknown = SettingsErrorKind::Rejected(OptionError::UnknownName);
        for (text, error) in [
            ("Variety=1\n\nnonsense", (3, SettingsErrorKind::NoSetting)),
            ("Contempt=1", (1, unknown)),
            ("SettingsFile=other", (1, unknown)),
            ("ClearHash=", (1, unknown)),
            (
                "Variety=x",
                (1, SettingsErrorKind::Rejected(OptionError::BadValue)),
            ),
            ("\0\u{1}", (1, SettingsErrorKind::NoSetting)),
            (
                "#!/bin/sh\n# only comments\n",
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
