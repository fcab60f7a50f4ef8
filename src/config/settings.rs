//! The settings as a text that people can read and change: a line `Name=Value` for each option that has a value.

use super::{Config, LOG_NOTE, OPTIONS, OptionError, OptionSpec, SETTINGS_FILE};

/// What every text of ours has begun with, whatever the version.
const TITLE: &str = "# Settings of Gaur ";

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
    /// It is the last of a text in which nothing is set: a file of something else.
    NothingSet,
    /// The option refuses the value, or cannot be set from a file.
    Refused(OptionError),
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            SettingsErrorKind::NoSetting => write!(f, "line {} is not Name=Value", self.line),
            SettingsErrorKind::NothingSet => f.write_str("no line is Name=Value"),
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

    /// These settings with those of a text in their place; what the text does not name stays. A text of blanks, or one
    /// that begins as ours do, need not name any.
    ///
    /// # Errors
    /// For the first line that is wrong, or if nothing but comments is there.
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
        let text = text.trim_start_matches('\u{feff}');
        let mut is_ours = text.trim().is_empty() || text.starts_with(TITLE);
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            config.read_setting(line).map_err(|kind| SettingsError {
                line: index + 1,
                kind,
            })?;
            is_ours = true;
        }
        if !is_ours {
            return Err(SettingsError {
                line: text.lines().count(),
                kind: SettingsErrorKind::NothingSet,
            });
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
            (
                "#!/bin/sh\n# only remarks\n",
                (2, SettingsErrorKind::NothingSet),
            ),
        ] {
            assert_eq!(refused(text), Err(error), "{text:?}");
        }
        for text in [
            "",
            " \r\n\n",
            "# Settings of Gaur 0.0.1: all removed by its owner\n",
            HEADER,
        ] {
            assert_eq!(refused(text), Ok(Config::default()), "{text:?}");
        }
    }
}
