//! The table of options. To add one: a field in `Config`, a line here.
//!
//! Names are single words, because some GUIs take the first word for the whole name, and none that GUIs
//! manage themselves (`memory`, `cores`, `random`, `computer`, `name`, `ponder`).

use std::time::Duration;

use super::{Kibitz, MAX_RESIGN_MOVES, OptionKind, OptionSpec, Pressed};

/// All options of every build.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "MoveOverhead",
        help: "Milliseconds reserved per move for communication with the GUI",
        announced: true,
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 5000,
            store: |config, value| {
                config.move_overhead = Duration::from_millis(value.unsigned_abs().into());
            },
        },
    },
    OptionSpec {
        name: "MultiPV",
        help: "Number of lines shown in analysis",
        announced: true,
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 64,
            store: |config, value| config.multi_pv = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: VARIETY,
        help: "Random variation of the evaluation in centipawns, so that games differ (0: none)",
        announced: true,
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100,
            store: |config, value| config.variety = value,
        },
    },
    OptionSpec {
        name: EVALUATION,
        help: "Evaluation function: neural network or handwritten terms",
        announced: true,
        kind: OptionKind::Combo {
            choices: &["network", "classical"],
            default: 0,
            store: |config, choice| config.evaluation.is_classical = choice == 1,
        },
    },
    OptionSpec {
        name: EVAL_FILE,
        help: "Network file to load (empty: built-in network)",
        announced: true,
        kind: OptionKind::File {
            default: "",
            store: |config, path| {
                let path = path.trim();
                config.evaluation.eval_file = path.into();
                config.evaluation.revision = 0;
                if !path.is_empty() {
                    config.last_revision += 1;
                    config.evaluation.revision = config.last_revision;
                }
            },
        },
    },
    OptionSpec {
        name: "Resign",
        help: "Resign when this many centipawns behind (0: never)",
        announced: true,
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            store: |config, value| config.resign = value,
        },
    },
    OptionSpec {
        name: "ResignMoves",
        help: "Consecutive moves that far behind before Gaur resigns",
        announced: true,
        kind: OptionKind::Spin {
            default: 4,
            min: 1,
            max: MAX_RESIGN_MOVES as i32,
            store: |config, value| config.resign_moves = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: "AcceptDraws",
        help: "Accept draw offers",
        announced: true,
        kind: OptionKind::Check {
            default: true,
            store: |config, on| config.accept_draws = on,
        },
    },
    OptionSpec {
        name: "DrawScore",
        help: "Highest score for Gaur, in centipawns, at which it accepts a draw",
        announced: true,
        kind: OptionKind::Spin {
            default: -60,
            min: -10_000,
            max: 10_000,
            store: |config, value| config.draw_score = value,
        },
    },
    OptionSpec {
        name: "PlayOutBelow",
        help: "Never resign to, or accept a draw from, humans rated below this (0: no limit)",
        announced: true,
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 4000,
            store: |config, value| config.play_out_below = value.unsigned_abs(),
        },
    },
    OptionSpec {
        name: "Greet",
        help: "Send Greeting and Goodbye to the opponent on servers",
        announced: true,
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.greet = on,
        },
    },
    OptionSpec {
        name: "Greeting",
        help: "Message sent before the game if Greet is on",
        announced: true,
        kind: OptionKind::String {
            default: "Hello, I am Gaur, a chess program. Good luck!",
            store: |config, text| config.greeting = cut(text),
        },
    },
    OptionSpec {
        name: "Goodbye",
        help: "Message sent after the game if Greet is on",
        announced: true,
        kind: OptionKind::String {
            default: "Thank you for the game.",
            store: |config, text| config.goodbye = cut(text),
        },
    },
    OptionSpec {
        name: "Kibitz",
        help: "Send score and line on servers, to everybody (kibitz) or to observers (whisper)",
        announced: true,
        kind: OptionKind::Combo {
            choices: &["off", "kibitz", "whisper"],
            default: 0,
            store: |config, choice| {
                config.kibitz = match choice {
                    1 => Kibitz::Everybody,
                    2 => Kibitz::Observers,
                    _ => Kibitz::Off,
                };
            },
        },
    },
    OptionSpec {
        name: "KibitzEvery",
        help: "Number of moves between two Kibitz messages",
        announced: true,
        kind: OptionKind::Slider {
            default: 1,
            min: 1,
            max: 100,
            store: |config, value| config.kibitz_every = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: LOG_FOLDER,
        help: "Folder for logs of all traffic (empty: no log)",
        announced: true,
        kind: OptionKind::Path {
            default: "",
            store: |config, folder| config.log_folder = folder.trim().into(),
        },
    },
    OptionSpec {
        name: "LogSize",
        help: "Size in megabytes at which a new log file begins",
        announced: true,
        kind: OptionKind::Spin {
            default: 10,
            min: 1,
            max: 1000,
            store: |config, value| config.log_megabytes = value.unsigned_abs(),
        },
    },
    OptionSpec {
        name: LOG_NOTE,
        help: "Text to write into the log",
        announced: true,
        kind: OptionKind::String {
            default: "",
            store: |_, _| {},
        },
    },
    OptionSpec {
        name: "ClearHash",
        help: "Clear the hash table and move histories",
        announced: true,
        kind: OptionKind::Button(Pressed::ClearHash),
    },
    OptionSpec {
        name: SETTINGS_FILE,
        help: "Settings file, loaded when this option is set",
        announced: true,
        kind: OptionKind::File {
            default: "",
            store: |config, path| config.settings_file = path.to_owned(),
        },
    },
    OptionSpec {
        name: "SaveSettings",
        help: "Save all options to SettingsFile",
        announced: true,
        kind: OptionKind::Save(Pressed::SaveSettings),
    },
    OptionSpec {
        name: "ResetSettings",
        help: "Restore the defaults of all options",
        announced: true,
        kind: OptionKind::Button(Pressed::ResetSettings),
    },
];

/// The option that makes evaluations vary.
pub const VARIETY: &str = "Variety";

/// The option that says what positions are judged by.
pub const EVALUATION: &str = "Evaluation";

/// The option that names the file of the network.
pub const EVAL_FILE: &str = "EvalFile";

/// The option that names the folder for logs.
pub const LOG_FOLDER: &str = "LogFolder";

/// The option whose values are remarks for the log; not a setting itself.
pub const LOG_NOTE: &str = "LogNote";

/// The option that names the file of settings; not a setting itself.
pub const SETTINGS_FILE: &str = "SettingsFile";

/// Texts for people are cut after this many characters.
const LONGEST_TALK: usize = 200;

fn cut(text: &str) -> String {
    text.trim().chars().take(LONGEST_TALK).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn the_table_is_sound() {
        let defaults = Config::default();
        let reserved = ["memory", "cores", "random", "computer", "name", "ponder"];
        for (index, option) in OPTIONS.iter().enumerate() {
            assert!(
                option.name.chars().all(|c| c.is_ascii_alphanumeric()),
                "{}",
                option.name
            );
            assert!(
                !reserved
                    .iter()
                    .any(|word| option.name.eq_ignore_ascii_case(word))
            );
            assert!(!option.help.is_empty());
            assert!(
                OPTIONS[..index]
                    .iter()
                    .all(|other| !other.name.eq_ignore_ascii_case(option.name))
            );
            match option.kind {
                OptionKind::Spin {
                    default, min, max, ..
                } => {
                    assert!(min <= default && default <= max, "{}", option.name);
                }
                OptionKind::Combo {
                    choices, default, ..
                } => assert!(default < choices.len()),
                _ => {}
            }
            if let Some(default) = option.kind.default_text() {
                let mut config = Config::default();
                assert_eq!(option.kind.apply(&mut config, &default), Ok(default));
                assert_eq!(config, defaults, "{}", option.name);
            }
        }
    }
}
