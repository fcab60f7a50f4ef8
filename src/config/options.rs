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
        help: "milliseconds kept back at each move for the way to the GUI",
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
        help: "variations shown in analysis",
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
        help: "centipawns by which evaluations vary at random, for games that differ",
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
        help: "what positions are judged by: a network, or terms written down by hand",
        announced: true,
        kind: OptionKind::Combo {
            choices: &["network", "classical"],
            default: 0,
            store: |config, choice| config.evaluation.is_classical = choice == 1,
        },
    },
    OptionSpec {
        name: EVAL_FILE,
        help: "file of another network; empty: the one that is built in",
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
        help: "centipawns behind at which to resign; 0: never",
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
        help: "searches in a row that must come out so bad before the engine resigns",
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
        help: "whether draw offers may be accepted",
        announced: true,
        kind: OptionKind::Check {
            default: true,
            store: |config, on| config.accept_draws = on,
        },
    },
    OptionSpec {
        name: "DrawScore",
        help: "centipawns for the engine at or below which a draw is accepted",
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
        help: "no resignation to and no draw with humans rated below this; 0: with everybody",
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
        help: "on servers, greet the opponent and say goodbye",
        announced: true,
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.greet = on,
        },
    },
    OptionSpec {
        name: "Greeting",
        help: "what Greet says before the game",
        announced: true,
        kind: OptionKind::String {
            default: "Hello, I am Gaur, a chess program. Good luck!",
            store: |config, text| config.greeting = cut(text),
        },
    },
    OptionSpec {
        name: "Goodbye",
        help: "what Greet says after the game",
        announced: true,
        kind: OptionKind::String {
            default: "Thank you for the game.",
            store: |config, text| config.goodbye = cut(text),
        },
    },
    OptionSpec {
        name: "Kibitz",
        help: "on servers, tell everybody (kibitz) or only observers (whisper) score and line",
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
        help: "after how many moves Kibitz speaks",
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
        help: "folder for logs of all traffic; empty: no log",
        announced: true,
        kind: OptionKind::Path {
            default: "",
            store: |config, folder| config.log_folder = folder.trim().into(),
        },
    },
    OptionSpec {
        name: "LogSize",
        help: "megabytes after which the log goes on in another file",
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
        help: "a remark for the log",
        announced: true,
        kind: OptionKind::String {
            default: "",
            store: |_, _| {},
        },
    },
    OptionSpec {
        name: "ClearHash",
        help: "forget what earlier searches have stored",
        announced: true,
        kind: OptionKind::Button(Pressed::ClearHash),
    },
    OptionSpec {
        name: SETTINGS_FILE,
        help: "file that settings are read from when it is named here, and saved to",
        announced: true,
        kind: OptionKind::File {
            default: "",
            store: |config, path| config.settings_file = path.to_owned(),
        },
    },
    OptionSpec {
        name: "SaveSettings",
        help: "write the values of all options to the file named in SettingsFile",
        announced: true,
        kind: OptionKind::Save(Pressed::SaveSettings),
    },
    OptionSpec {
        name: "ResetSettings",
        help: "bring the defaults of all options back",
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
