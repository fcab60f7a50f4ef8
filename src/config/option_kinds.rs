//! The types of options: their values as text, and how they are parsed.

use super::values::Config;

/// Longest value of a text, file or folder option in bytes. XBoard reads lines of about 500 bytes.
const MAX_TEXT_BYTES: usize = 400;

/// One option of the table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Name in the protocol.
    pub name: &'static str,
    /// Purpose in one line: a noun phrase or an imperative, with the unit.
    pub help: &'static str,
    /// Type, default, range, and the function that stores the value.
    pub kind: OptionKind,
}

/// The reason for which an option was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no such option")]
    UnknownName,
    /// There is no value.
    #[error("the value is missing")]
    MissingValue,
    /// The value has the wrong type.
    #[error("the option cannot have this value")]
    BadValue,
    /// The number is too small or too large.
    #[error("the value must lie between {min} and {max}")]
    OutOfRange {
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
    },
    /// The text is too long, or contains control characters.
    #[error("the text is too long or holds control characters")]
    BadText,
    /// The name of a file or folder was not UTF-8, so that its bytes are lost.
    #[error("the name of the file or folder is not UTF-8, and Gaur cannot use it; rename it")]
    NotUtf8,
}

/// The option types of the protocol, each with the function that stores a value.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// An integer.
    Spin {
        /// Default value, within the range.
        default: i32,
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
        /// Stores a value within the range.
        store: fn(&mut Config, i32),
    },
    /// An integer for which a GUI may show a slider. python-chess cannot set options of this type.
    Slider {
        /// Default value, within the range.
        default: i32,
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
        /// Stores a value within the range.
        store: fn(&mut Config, i32),
    },
    /// A switch.
    Check {
        /// Default value.
        default: bool,
        /// Stores a value.
        store: fn(&mut Config, bool),
    },
    /// A choice of words.
    Combo {
        /// The words, without spaces and asterisks.
        choices: &'static [&'static str],
        /// Index of the default.
        default: usize,
        /// Stores the index of a choice.
        store: fn(&mut Config, usize),
    },
    /// A text.
    String {
        /// Default value.
        default: &'static str,
        /// Stores a value.
        store: fn(&mut Config, &str),
    },
    /// A file name.
    File {
        /// Default value.
        default: &'static str,
        /// Stores a value.
        store: fn(&mut Config, &str),
    },
    /// A folder name.
    Path {
        /// Default value.
        default: &'static str,
        /// Stores a value.
        store: fn(&mut Config, &str),
    },
    /// A button.
    Button(ButtonAction),
    /// A button for which the GUI first sends all values that were changed in its dialog.
    Save(ButtonAction),
}

/// The effect of an accepted option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// The [`Config`] holds the value.
    Stored,
    /// The option is a button; the caller carries out its action.
    Button(ButtonAction),
}

/// The action of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonAction {
    /// Clear the transposition table and the histories.
    ClearHash,
    /// Save all options to the settings file.
    SaveSettings,
    /// Restore the defaults of all options.
    ResetSettings,
}

impl OptionKind {
    /// Returns the default as text, or `None` for a button.
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

    /// Returns a description of the accepted values, such as `1 to 64`; empty for a button.
    pub fn accepted_values(&self) -> String {
        match *self {
            OptionKind::Spin { min, max, .. } | OptionKind::Slider { min, max, .. } => {
                format!("{min} to {max}")
            }
            OptionKind::Check { .. } => "on or off".to_owned(),
            OptionKind::Combo { choices, .. } => match choices {
                [] | [_] => choices.concat(),
                [first @ .., last] => format!("{} or {last}", first.join(", ")),
            },
            OptionKind::String { .. } => "a text".to_owned(),
            OptionKind::File { .. } => "a file".to_owned(),
            OptionKind::Path { .. } => "a folder".to_owned(),
            OptionKind::Button(_) | OptionKind::Save(_) => String::new(),
        }
    }

    /// Returns the action of a button, or `None` for an option with a value.
    pub fn button_action(&self) -> Option<ButtonAction> {
        match *self {
            OptionKind::Button(action) | OptionKind::Save(action) => Some(action),
            _ => None,
        }
    }

    /// Parses and stores `value`. Returns its normalised text. A button has no value.
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
                if value.len() > MAX_TEXT_BYTES || value.contains(char::is_control) {
                    return Err(OptionError::BadText);
                }
                // Input lines have this character in the place of bytes that are not UTF-8.
                let is_name = !matches!(self, OptionKind::String { .. });
                if is_name && value.contains(char::REPLACEMENT_CHARACTER) {
                    return Err(OptionError::NotUtf8);
                }
                store(config, value);
                Ok(value.to_owned())
            }
            OptionKind::Button(_) | OptionKind::Save(_) => Err(OptionError::BadValue),
        }
    }
}

/// Parses an integer; a number outside the range of `i32` becomes the nearest one inside.
pub(super) fn parse_number(text: &str) -> Result<i32, OptionError> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.trim().parse() {
        Ok(number) => Ok(number),
        Err(error) if *error.kind() == PosOverflow => Ok(i32::MAX),
        Err(error) if *error.kind() == NegOverflow => Ok(i32::MIN),
        Err(_) => Err(OptionError::BadValue),
    }
}

/// Parses a switch: `1` or `0`, or the words that some GUIs and users write instead, in upper or lower case.
pub(super) fn parse_flag(text: &str) -> Result<bool, OptionError> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "on" => Ok(true),
        "0" | "false" | "off" => Ok(false),
        _ => Err(OptionError::BadValue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_parses_its_values() {
        let mut config = Config::default();
        let check = OptionKind::Check {
            default: true,
            store: |c, on| c.search.variety = on.into(),
        };
        assert_eq!(check.apply(&mut config, "true"), Ok("1".into()));
        assert_eq!(config.search.variety, 1);
        assert_eq!(check.apply(&mut config, "0"), Ok("0".into()));
        assert_eq!(config.search.variety, 0);
        for (text, value) in [("On", "1"), ("FALSE", "0"), (" True ", "1"), ("off", "0")] {
            assert_eq!(check.apply(&mut config, text), Ok(value.into()), "{text}");
        }
        assert_eq!(check.apply(&mut config, "2"), Err(OptionError::BadValue));
        assert_eq!(check.accepted_values(), "on or off");

        let combo = OptionKind::Combo {
            choices: &["Solid", "Wild", "Mad"],
            default: 0,
            store: |c, choice| c.search.multi_pv = choice,
        };
        assert_eq!(combo.default_text(), Some("Solid".into()));
        assert_eq!(combo.accepted_values(), "Solid, Wild or Mad");
        assert_eq!(combo.apply(&mut config, "wild"), Ok("Wild".into()));
        assert_eq!(config.search.multi_pv, 1);
        assert_eq!(combo.apply(&mut config, "Mild"), Err(OptionError::BadValue));

        for make in [
            |default, store| OptionKind::String { default, store },
            |default, store| OptionKind::File { default, store },
            |default, store| OptionKind::Path { default, store },
        ] {
            let store: fn(&mut Config, &str) = |c, text| c.search.threads = text.len();
            let text = make("abc", store);
            assert_eq!(text.default_text(), Some("abc".into()));
            assert_eq!(text.apply(&mut config, " a=b "), Ok(" a=b ".into()));
            assert_eq!(config.search.threads, 5);
            assert_eq!(text.apply(&mut config, ""), Ok(String::new()));
            for bad in ["a\nb", "a\u{7f}", &"x".repeat(401)] {
                assert_eq!(text.apply(&mut config, bad), Err(OptionError::BadText));
            }
            let is_name = !matches!(text, OptionKind::String { .. });
            let lossy = text.apply(&mut config, "caf\u{fffd}");
            assert_eq!(lossy.err(), is_name.then_some(OptionError::NotUtf8));
            assert_eq!(
                config.search.threads,
                if is_name { 0 } else { 6 },
                "the old value is kept"
            );
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
            let store: fn(&mut Config, i32) = |c, number| c.draw_and_resign.resign = number;
            let number = make(-3, 3, store);
            assert_eq!(number.apply(&mut config, " -3 "), Ok("-3".into()));
            assert_eq!(number.accepted_values(), "-3 to 3");
            let error = Err(OptionError::OutOfRange { min: -3, max: 3 });
            assert_eq!(number.apply(&mut config, "4"), error);
            assert_eq!(config.draw_and_resign.resign, -3);
        }

        for button in [
            OptionKind::Button(ButtonAction::ClearHash),
            OptionKind::Save(ButtonAction::ClearHash),
        ] {
            assert_eq!(button.button_action(), Some(ButtonAction::ClearHash));
            assert_eq!(button.default_text(), None);
        }
    }
}
