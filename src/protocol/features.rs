//! The features and options that Gaur announces after `protover`.
//!
//! Every known GUI can parse the lines: each token contains `=`, a space precedes each name (icsdrone searches for
//! ` ping=1`), no quoted string is empty (cutechess would skip it), no line is long (icsdrone crashed on 1500
//! characters), and `done=1` is last.

use crate::config::{OPTIONS, OptionKind, OptionValues, ParameterSpec};
use crate::rules::Variant;

/// A feature and its value. [`FEATURES`] lists all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Name in the protocol.
    pub name: &'static str,
    /// Value.
    pub value: Value,
}

/// The value of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// `1` or `0`.
    Flag(bool),
    /// A text in quotes. It is not empty and contains no quotes.
    Text(&'static str),
    /// The names of [`Variant::ALL`], printed in quotes and separated by commas.
    Variants,
}

const fn flag(name: &'static str, on: bool) -> Feature {
    Feature {
        name,
        value: Value::Flag(on),
    }
}

const fn text(name: &'static str, value: &'static str) -> Feature {
    Feature {
        name,
        value: Value::Text(value),
    }
}

/// All features except `option` and `done`, in the order of the announcement.
pub static FEATURES: &[Feature] = &[
    text("myname", concat!("Gaur ", env!("CARGO_PKG_VERSION"))),
    Feature {
        name: "variants",
        value: Value::Variants,
    },
    text("egt", "syzygy"),
    flag("ping", true),
    flag("setboard", true),
    flag("usermove", true),
    flag("playother", true),
    flag("san", false),
    flag("colors", false),
    flag("sigint", false),
    flag("sigterm", false),
    flag("time", true),
    flag("draw", true),
    flag("reuse", true),
    flag("analyze", true),
    flag("name", true),
    flag("ics", true),
    flag("debug", true),
    flag("memory", true),
    flag("smp", true),
    flag("pause", true),
    flag("exclude", true),
    flag("nps", true),
    flag("setscore", true),
    flag("highlight", true),
];

/// Length to which announcements of text options are padded with spaces.
///
/// XBoard 4.9.1 stores the text that its user types in the buffer of the announcement, and writes beyond its end if the
/// text is longer. XBoard accepts up to 512 characters, and `option="` is not part of the buffer.
const TEXT_OPTION_WIDTH: usize = 520;

/// Number of flags in one line.
const FLAGS_PER_LINE: usize = 6;

/// Returns the feature of this name. `done`, `option` and unknown names have no entry in [`FEATURES`].
pub fn find(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.name == name)
}

/// Returns all lines of the announcement, without line ends. The options have their current values.
pub fn lines(values: &OptionValues) -> Vec<String> {
    let is_text = |feature: &&Feature| !matches!(feature.value, Value::Flag(_));
    let texts: Vec<String> = FEATURES.iter().filter(is_text).map(token).collect();
    let flags: Vec<String> = FEATURES
        .iter()
        .filter(|feature| !is_text(feature))
        .map(token)
        .collect();

    let mut lines: Vec<String> = texts
        .into_iter()
        .map(|token| format!("feature {token}"))
        .collect();
    lines.extend(
        flags
            .chunks(FLAGS_PER_LINE)
            .map(|tokens| format!("feature {}", tokens.join(" "))),
    );
    lines.extend(options(values));
    lines.push("feature done=1".to_owned());
    lines
}

/// Returns the announcement of changed options. `done=0` makes XBoard remove the options that it has.
pub fn options_again(values: &OptionValues) -> Vec<String> {
    let mut lines = vec!["feature done=0".to_owned()];
    lines.extend(options(values));
    lines.push("feature done=1".to_owned());
    lines
}

fn options(values: &OptionValues) -> impl Iterator<Item = String> {
    let parameters = ParameterSpec::settable()
        .iter()
        .map(|parameter| parameter_token(parameter, &values.get_parameter(parameter)));
    OPTIONS
        .iter()
        .map(|option| {
            let token = option_token(option.name, &option.kind, values.get(option));
            match option.kind {
                OptionKind::String { .. } | OptionKind::File { .. } | OptionKind::Path { .. } => {
                    format!("{token:<TEXT_OPTION_WIDTH$}")
                }
                _ => token,
            }
        })
        .chain(parameters)
        .map(|token| format!("feature {token}"))
}

fn token(feature: &Feature) -> String {
    match feature.value {
        Value::Flag(on) => format!("{}={}", feature.name, u8::from(on)),
        Value::Text(text) => format!("{}=\"{text}\"", feature.name),
        Value::Variants => {
            let names = Variant::ALL.map(Variant::name).join(",");
            format!("{}=\"{names}\"", feature.name)
        }
    }
}

/// Returns `option="NAME -TYPE ..."`, with one space between type and value, also before an empty value. A text with a
/// quote, or with a backslash, which python-chess interprets, is announced as empty.
fn option_token(name: &str, kind: &OptionKind, value: Option<String>) -> String {
    let value = value
        .filter(|value| !value.contains(['"', '\\']))
        .unwrap_or_default();
    let definition = match kind {
        OptionKind::Spin { min, max, .. } => format!("-spin {value} {min} {max}"),
        OptionKind::Slider { min, max, .. } => format!("-slider {value} {min} {max}"),
        OptionKind::Check { .. } => format!("-check {value}"),
        OptionKind::Combo { choices, .. } => {
            let starred =
                |choice: &&str| format!("{}{choice}", if *choice == value { "*" } else { "" });
            let choices: Vec<String> = choices.iter().map(starred).collect();
            format!("-combo {}", choices.join(" /// "))
        }
        OptionKind::String { .. } => format!("-string {value}"),
        OptionKind::File { .. } => format!("-file {value}"),
        OptionKind::Path { .. } => format!("-path {value}"),
        OptionKind::Button(_) => "-button".to_owned(),
        OptionKind::Save(_) => "-save".to_owned(),
    };
    format!("option=\"{name} {definition}\"")
}

fn parameter_token(parameter: &ParameterSpec, value: &str) -> String {
    let ParameterSpec { name, min, max, .. } = parameter;
    if parameter.is_switch() {
        format!("option=\"{name} -check {value}\"")
    } else {
        format!("option=\"{name} -spin {value} {min} {max}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ButtonAction, Config};

    /// Splits the features of a line as the protocol specification describes.
    fn tokens(line: &str) -> Vec<(String, String)> {
        let mut rest = line
            .trim_end()
            .strip_prefix("feature")
            .expect("the word feature");
        let mut found = Vec::new();
        while !rest.is_empty() {
            rest = rest.strip_prefix(' ').expect("a space before each name");
            let (name, tail) = rest.split_once('=').expect("an equals sign in each token");
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()),
                "{name:?}"
            );
            let end = match tail.strip_prefix('"') {
                Some(quoted) => quoted.find('"').expect("the closing quote") + 2,
                None => tail.find(' ').unwrap_or(tail.len()),
            };
            let (value, tail) = tail.split_at(end);
            found.push((name.to_owned(), value.to_owned()));
            rest = tail;
        }
        found
    }

    #[test]
    fn every_gui_can_parse_every_line() {
        for line in lines(&OptionValues::default()) {
            assert!(line.trim_end().len() < 200 && line.len() < 600, "{line}");
            assert!(
                line.is_ascii() && !line.contains(char::is_control),
                "{line}"
            );
            for (name, value) in tokens(&line) {
                match value
                    .strip_prefix('"')
                    .and_then(|value| value.strip_suffix('"'))
                {
                    Some(text) => assert!(!text.trim().is_empty() && !text.contains('"'), "{name}"),
                    None => assert!(value == "0" || value == "1", "{name}={value}"),
                }
            }
        }
    }

    #[test]
    fn done_is_last_and_appears_once() {
        let lines = lines(&OptionValues::default());
        assert_eq!(lines.last().map(String::as_str), Some("feature done=1"));
        assert_eq!(lines.iter().filter(|line| line.contains("done")).count(), 1);
    }

    #[test]
    fn every_feature_appears_once_and_required_ones_are_present() {
        let all: Vec<_> = lines(&OptionValues::default())
            .iter()
            .flat_map(|line| tokens(line))
            .collect();
        let named = |name: &str| -> Vec<&str> {
            all.iter()
                .filter(|(other, _)| other == name)
                .map(|(_, value)| value.as_str())
                .collect()
        };
        for feature in FEATURES {
            assert_eq!(named(feature.name).len(), 1, "{}", feature.name);
        }
        for required in [
            "ping",
            "setboard",
            "usermove",
            "playother",
            "time",
            "draw",
            "reuse",
            "analyze",
        ] {
            assert_eq!(named(required), ["1"], "{required}");
        }
        for refused in ["san", "colors", "sigint", "sigterm"] {
            assert_eq!(named(refused), ["0"], "{refused}");
        }
        assert_eq!(named("variants"), ["\"normal,fischerandom\""]);
        assert_eq!(
            named("myname"),
            [format!("\"Gaur {}\"", env!("CARGO_PKG_VERSION"))]
        );
    }

    #[test]
    fn only_announced_features_are_found() {
        assert_eq!(find("ping"), Some(&flag("ping", true)));
        for other in ["done", "option", "", "frobnicate"] {
            assert_eq!(find(other), None, "{other}");
        }
    }

    #[test]
    fn options_announce_their_type() {
        let all = lines(&OptionValues::default());
        assert!(all.contains(&"feature option=\"MoveOverhead -spin 30 0 5000\"".to_owned()));
        assert!(all.contains(&"feature option=\"ClearHash -button\"".to_owned()));
        let is_tuning_build = all.contains(&"feature option=\"null_move -check 1\"".to_owned());
        assert_eq!(is_tuning_build, cfg!(feature = "tuning"));

        let token = |kind: OptionKind| option_token("X", &kind, kind.default_text());
        let combo = OptionKind::Combo {
            choices: &["a", "b", "c"],
            default: 1,
            store: |_, _| {},
        };
        assert_eq!(token(combo), "option=\"X -combo a /// *b /// c\"");
        let empty = OptionKind::String {
            default: "",
            store: |_, _| {},
        };
        assert_eq!(token(empty), "option=\"X -string \"");
        let check = OptionKind::Check {
            default: true,
            store: |_, _| {},
        };
        assert_eq!(token(check), "option=\"X -check 1\"");
        let slider = OptionKind::Slider {
            default: 5,
            min: -1,
            max: 9,
            store: |_, _| {},
        };
        assert_eq!(token(slider), "option=\"X -slider 5 -1 9\"");
        let path = OptionKind::Path {
            default: "/a b",
            store: |_, _| {},
        };
        assert_eq!(token(path), "option=\"X -path /a b\"");
        let file = OptionKind::File {
            default: "a\"b",
            store: |_, _| {},
        };
        assert_eq!(token(file), "option=\"X -file \"");
        let folder = OptionKind::Path {
            default: "C:\\b\\",
            store: |_, _| {},
        };
        assert_eq!(token(folder), "option=\"X -path \"");
        let save = OptionKind::Save(ButtonAction::ClearHash);
        assert_eq!(token(save), "option=\"X -save\"");
    }

    #[test]
    fn text_options_are_long_enough_for_xboard() {
        let all = lines(&OptionValues::default());
        let texts = all.iter().filter(|line| {
            [" -string ", " -file ", " -path "]
                .iter()
                .any(|kind| line.contains(kind))
        });
        let mut count = 0;
        for line in texts {
            let (_, stored) = line.split_once("option=\"").expect("an option");
            assert!(stored.len() >= 512, "{line}");
            count += 1;
        }
        assert!(count > 0, "there are text options");
    }

    #[test]
    fn options_have_their_current_values() {
        let mut config = Config::default();
        assert!(config.set("Variety", Some("12")).is_ok());
        let again = options_again(config.option_values());
        assert_eq!(again.first().map(String::as_str), Some("feature done=0"));
        assert_eq!(again.last().map(String::as_str), Some("feature done=1"));
        let variety = "feature option=\"Variety -spin 12 0 100\"".to_owned();
        assert!(again.contains(&variety) && lines(config.option_values()).contains(&variety));

        let is_tuning_build = config.set("null_move", Some("off")).is_ok();
        assert_eq!(is_tuning_build, cfg!(feature = "tuning"));
        let null_move = "feature option=\"null_move -check 0\"".to_owned();
        assert_eq!(
            lines(config.option_values()).contains(&null_move),
            is_tuning_build
        );
    }
}
