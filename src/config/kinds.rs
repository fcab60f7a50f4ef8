//! The types that options have: what their values look like, and how they are read.

use super::{Config, OptionError};

/// Texts and names of files are at most so many bytes long: xboard reads lines of about five hundred.
const LONGEST_TEXT: usize = 400;

/// An option as the GUI sees it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it is for, in a line.
    pub help: &'static str,
    /// Whether the GUI is told of it.
    pub announced: bool,
    /// Its type, default, range, and where its value goes.
    pub kind: OptionKind,
}

/// The types of options that the protocol has, each with the function that stores its value.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// A whole number.
    Spin {
        /// Value at the start, within the range.
        default: i32,
        /// Least value.
        min: i32,
        /// Largest value.
        max: i32,
        /// Stores a value within the range.
        store: fn(&mut Config, i32),
    },
    /// A whole number, which a GUI may show as something to drag. Not for what must be settable everywhere:
    /// python-chess does not know this type.
    Slider {
        /// Value at the start, within the range.
        default: i32,
        /// Least value.
        min: i32,
        /// Largest value.
        max: i32,
        /// Stores a value within the range.
        store: fn(&mut Config, i32),
    },
    /// Yes or no.
    Check {
        /// Value at the start.
        default: bool,
        /// Stores it.
        store: fn(&mut Config, bool),
    },
    /// One of several words.
    Combo {
        /// The words, without blanks and stars.
        choices: &'static [&'static str],
        /// Index of the one at the start.
        default: usize,
        /// Stores the index of a choice.
        store: fn(&mut Config, usize),
    },
    /// A text.
    String {
        /// Value at the start.
        default: &'static str,
        /// Stores it.
        store: fn(&mut Config, &str),
    },
    /// The name of a file.
    File {
        /// Value at the start.
        default: &'static str,
        /// Stores it.
        store: fn(&mut Config, &str),
    },
    /// The name of a folder.
    Path {
        /// Value at the start.
        default: &'static str,
        /// Stores it.
        store: fn(&mut Config, &str),
    },
    /// Something to do.
    Button(Pressed),
    /// Something to do, before which the GUI sends all values that were changed in its dialog.
    Save(Pressed),
}

/// What a button can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Empty the transposition table.
    ClearHash,
    /// Write the settings to their file.
    SaveSettings,
    /// Go back to the defaults.
    ResetSettings,
}

impl OptionKind {
    /// The value at the start, as it is written; a button has none.
    pub fn default_text(&self) -> Option<String> {
        match *self {
            OptionKind::Spin { default, .. } | OptionKind::Slider { default, .. } => {
                Some(default.to_string())
            }
            OptionKind::Check { default, .. } => Some(u8::from(default).to_string()),
            OptionKind::Combo {
                choices, default, ..
            } => choices.get(default).map(|&choice| choice.to_owned()),
            OptionKind::String { default, .. }
            | OptionKind::File { default, .. }
            | OptionKind::Path { default, .. } => Some(default.to_owned()),
            OptionKind::Button(_) | OptionKind::Save(_) => None,
        }
    }

    /// What pressing it asks for, if it is a button of some kind.
    pub fn pressed(&self) -> Option<Pressed> {
        match *self {
            OptionKind::Button(pressed) | OptionKind::Save(pressed) => Some(pressed),
            _ => None,
        }
    }

    /// Reads `value` and stores it; returns it as it is to be written. A button takes none.
    pub(super) fn apply(&self, config: &mut Config, value: &str) -> Result<String, OptionError> {
        match *self {
            OptionKind::Spin {
                min, max, store, ..
            }
            | OptionKind::Slider {
                min, max, store, ..
            } => {
                let number = parse_number(value)?;
                if !(min..=max).contains(&number) {
                    return Err(OptionError::OutOfRange { min, max });
                }
                store(config, number);
                Ok(number.to_string())
            }
            OptionKind::Check { store, .. } => {
                let flag = parse_flag(value)?;
                store(config, flag);
                Ok(u8::from(flag).to_string())
            }
            OptionKind::Combo { choices, store, .. } => {
                let index = choices
                    .iter()
                    .position(|choice| choice.eq_ignore_ascii_case(value.trim()))
                    .ok_or(OptionError::BadValue)?;
                store(config, index);
                Ok(choices[index].to_owned())
            }
            OptionKind::String { store, .. }
            | OptionKind::File { store, .. }
            | OptionKind::Path { store, .. } => {
                if value.len() > LONGEST_TEXT || value.contains(char::is_control) {
                    return Err(OptionError::BadText);
                }
                store(config, value);
                Ok(value.to_owned())
            }
            OptionKind::Button(_) | OptionKind::Save(_) => Err(OptionError::BadValue),
        }
    }
}

/// A whole number; what does not fit becomes the nearest that does.
pub(super) fn parse_number(text: &str) -> Result<i32, OptionError> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.trim().parse() {
        Ok(number) => Ok(number),
        Err(error) if *error.kind() == PosOverflow => Ok(i32::MAX),
        Err(error) if *error.kind() == NegOverflow => Ok(i32::MIN),
        Err(_) => Err(OptionError::BadValue),
    }
}

/// 1 or 0, and the words some GUIs and people write for them.
pub(super) fn parse_flag(text: &str) -> Result<bool, OptionError> {
    match text.trim() {
        "1" | "true" | "on" => Ok(true),
        "0" | "false" | "off" => Ok(false),
        _ => Err(OptionError::BadValue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_its_values() {
        let mut config = Config::default();
        let check = OptionKind::Check {
            default: true,
            store: |c, on| c.variety = on.into(),
        };
        assert_eq!(check.apply(&mut config, "true"), Ok("1".into()));
        assert_eq!(config.variety, 1);
        assert_eq!(check.apply(&mut config, "0"), Ok("0".into()));
        assert_eq!(config.variety, 0);
        assert_eq!(check.apply(&mut config, "2"), Err(OptionError::BadValue));

        let combo = OptionKind::Combo {
            choices: &["Solid", "Wild"],
            default: 0,
            store: |c, choice| c.multi_pv = choice,
        };
        assert_eq!(combo.default_text(), Some("Solid".into()));
        assert_eq!(combo.apply(&mut config, "wild"), Ok("Wild".into()));
        assert_eq!(config.multi_pv, 1);
        assert_eq!(combo.apply(&mut config, "Mild"), Err(OptionError::BadValue));

        for make in [
            |default, store| OptionKind::String { default, store },
            |default, store| OptionKind::File { default, store },
            |default, store| OptionKind::Path { default, store },
        ] {
            let store: fn(&mut Config, &str) = |c, text| c.threads = text.len();
            let text = make("abc", store);
            assert_eq!(text.default_text(), Some("abc".into()));
            assert_eq!(text.apply(&mut config, " a=b "), Ok(" a=b ".into()));
            assert_eq!(config.threads, 5);
            assert_eq!(text.apply(&mut config, ""), Ok(String::new()));
            for bad in ["a\nb", "a\u{7f}", &"x".repeat(401)] {
                assert_eq!(text.apply(&mut config, bad), Err(OptionError::BadText));
            }
            assert_eq!(config.threads, 0, "the old value is kept");
        }

        for make in [
            |min, max, store| OptionKind::Spin {
                default: 0,
                min,
                max,
                store,
            },
            |min, max, store| OptionKind::Slider {
                default: 0,
                min,
                max,
                store,
            },
        ] {
            let store: fn(&mut Config, i32) = |c, number| c.resign = number;
            let number = make(-3, 3, store);
            assert_eq!(number.apply(&mut config, " -3 "), Ok("-3".into()));
            let refusal = Err(OptionError::OutOfRange { min: -3, max: 3 });
            assert_eq!(number.apply(&mut config, "4"), refusal);
            assert_eq!(config.resign, -3);
        }

        for button in [
            OptionKind::Button(Pressed::ClearHash),
            OptionKind::Save(Pressed::ClearHash),
        ] {
            assert_eq!(button.pressed(), Some(Pressed::ClearHash));
            assert_eq!(button.default_text(), None);
        }
    }
}
