//! The settings as a text that people can read and change: a line `Name=Value` for each option that has a value.

use super::{Config, LOG_NOTE, OPTIONS, OptionError, OptionSpec, SETTINGS_FILE};

/// What the text begins with.
const HEADER: &str = concat!(
    "# Settings of Gaur ",
    env!("CARGO_PKG_VERSION"),
    ": lines Name=Value; those that begin with # are comments.\n"
);

/// Why a text of settings was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: SettingsErrorKind,
}

/// What can be wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsErrorKind {
    /// It is no comment and has no `=`.
    NoSetting,
    /// The option refuses the value, or cannot be set from a file.
    Refused(OptionError),
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            SettingsErrorKind::NoSetting => write!(f, "line {} is not Name=Value", self.line),
            SettingsErrorKind::Refused(error) => write!(f, "line {}: {error}", self.line),
        }
    }
}

impl std::error::Error for SettingsError {}

impl Config {
    /// All options with their values, each below a comment that says what it is for.
    pub fn write_settings(&self) -> String {
        let mut text = HEADER.to_owned();
        for option in OPTIONS.iter().filter(|option| is_setting(option)) {
            if let Some(value) = self.value(option) {
                text.push_str(&format!("\n# {}\n{}={value}\n", option.help, option.name));
            }
        }
        text
    }

    /// These settings with those of a text in their place; what the text does not name stays.
    ///
    /// # Errors
    /// For the first line that is wrong.
    ///
    /// ```
    /// use gaur::config::Config;
    ///
    /// let config = Config::default().with_settings("# less haste\nMoveOverhead=100\n")?;
    /// assert_eq!(config.move_overhead.as_millis(), 100);
    /// # Ok::<(), gaur::config::SettingsError>(())
    /// ```
    pub fn with_settings(&self, text: &str) -> Result<Config, SettingsError> {
        let mut config = self.clone();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            config.read_setting(line).map_err(|kind| SettingsError {
                line: index + 1,
                kind,
            })?;
        }
        Ok(config)
    }

    fn read_setting(&mut self, line: &str) -> Result<(), SettingsErrorKind> {
        let (name, value) = line.split_once('=').ok_or(SettingsErrorKind::NoSetting)?;
        let option = OPTIONS
            .iter()
            .filter(|option| is_setting(option))
            .find(|option| option.name.eq_ignore_ascii_case(name.trim()))
            .ok_or(SettingsErrorKind::Refused(OptionError::UnknownName))?;
        self.set_option(option, Some(value))
            .map_err(SettingsErrorKind::Refused)?;
        Ok(())
    }
}

/// Whether an option has a value that a file of settings holds.
fn is_setting(option: &OptionSpec) -> bool {
    let asks_for_something = option.kind.pressed().is_some();
    !asks_for_something && ![SETTINGS_FILE, LOG_NOTE].contains(&option.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OptionEffect;

    #[test]
    fn what_is_written_is_read_again() {
        let mut config = Config::default();
        for (name, value) in [("MoveOverhead", "120"), ("MultiPV", "4"), ("Variety", "9")] {
            assert_eq!(config.set(name, Some(value)), Ok(OptionEffect::Stored));
        }
        let text = config.write_settings();
        assert!(text.starts_with("# Settings of Gaur "));
        assert!(text.contains("\nMoveOverhead=120\n"));
        let read = Config::default()
            .with_settings(&text)
            .expect("its own text");
        assert_eq!(read.write_settings(), text);
        assert_eq!((read.multi_pv, read.variety), (4, 9));
    }

    #[test]
    fn people_may_write_it_as_they_like() {
        let text = "\u{feff}# mine\r\n\r\nmultipv = 3 \r\n  \nVARIETY=2";
        let config = Config::default().with_settings(text).expect("fine");
        assert_eq!((config.multi_pv, config.variety), (3, 2));
    }

    #[test]
    fn the_first_wrong_line_is_named() {
        let refused = |text| {
            Config::default()
                .with_settings(text)
                .map_err(|e| (e.line, e.kind))
        };
        let unknown = SettingsErrorKind::Refused(OptionError::UnknownName);
        for (text, error) in [
            ("Variety=1\n\nnonsense", (3, SettingsErrorKind::NoSetting)),
            ("Contempt=1", (1, unknown)),
            ("SettingsFile=other", (1, unknown)),
            ("ClearHash=", (1, unknown)),
            (
                "Variety=x",
                (1, SettingsErrorKind::Refused(OptionError::BadValue)),
            ),
            ("\0\u{1}", (1, SettingsErrorKind::NoSetting)),
        ] {
            assert_eq!(refused(text), Err(error), "{text:?}");
        }
    }
}
