//! The table of options. A new option needs a field in a part of `Config` and an entry here.
//!
//! Names are single words, because some GUIs read only the first word. They must not be names that GUIs manage
//! themselves (`memory`, `cores`, `random`, `computer`, `name`, `ponder`).

use std::time::Duration;

use super::option_kinds::{ButtonAction, OptionKind, OptionSpec};
use super::parts::{
    Kibitz, MAX_BOOK_DEPTH, MAX_CONTEMPT, MAX_ELO, MAX_OFFER_MOVES, MAX_PROBE_MEN,
    MAX_RESIGN_MOVES, MIN_ELO,
};

/// The options of every build.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "MoveOverhead",
        help: "Milliseconds reserved per move for communication with the GUI",
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
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 64,
            store: |config, value| config.search.multi_pv = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: VARIETY,
        help: "Random variation of the evaluation in centipawns, so that games differ (0: none)",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100,
            store: |config, value| config.search.variety = value,
        },
    },
    OptionSpec {
        name: EVALUATION,
        help: "Evaluation function: neural network or handwritten terms",
        kind: OptionKind::Combo {
            choices: &["network", "classical"],
            default: 0,
            store: |config, choice| config.search.evaluation.is_classical = choice == 1,
        },
    },
    OptionSpec {
        name: EVAL_FILE,
        help: "Network file to load (empty: built-in network)",
        kind: OptionKind::File {
            default: "",
            store: |config, path| config.set_eval_file(path.trim()),
        },
    },
    OptionSpec {
        name: SYZYGY_PATH,
        help: "Folders of Syzygy endgame tablebases, separated as in PATH (empty: none)",
        kind: OptionKind::Path {
            default: "",
            store: |config, path| config.set_tablebases(path),
        },
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        help: "Least depth at which positions with as many men as the largest tables are looked up on a disk",
        kind: OptionKind::Spin {
            default: 4,
            min: 1,
            max: 100,
            store: |config, value| config.search.probing.depth = value,
        },
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        help: "Largest number of men of positions that are looked up in the tablebases",
        kind: OptionKind::Spin {
            default: MAX_PROBE_MEN as i32,
            min: 0,
            max: MAX_PROBE_MEN as i32,
            store: |config, value| config.search.probing.men = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: OWN_BOOK,
        help: "Play opening moves from a book",
        kind: OptionKind::Check {
            default: true,
            store: |config, on| config.book.is_used = on,
        },
    },
    OptionSpec {
        name: BOOK_FILE,
        help: "Opening book in the Polyglot format (empty: built-in book)",
        kind: OptionKind::File {
            default: "",
            store: |config, path| config.set_book_file(path),
        },
    },
    OptionSpec {
        name: "BookDepth",
        help: "Number of moves at the beginning of a game that Gaur may play from the book",
        kind: OptionKind::Spin {
            default: 30,
            min: 1,
            max: MAX_BOOK_DEPTH as i32,
            store: |config, value| config.book.depth = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: "BookVariety",
        help: "Choice among book moves, from the best one (0) to all by their weights (100)",
        kind: OptionKind::Spin {
            default: 100,
            min: 0,
            max: 100,
            store: |config, value| config.book.variety = value,
        },
    },
    OptionSpec {
        name: "BookLearning",
        help: "Learn from the results of games which book moves to prefer",
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.book.learns = on,
        },
    },
    OptionSpec {
        name: "Resign",
        help: "Resign when this many centipawns behind (0: never)",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            store: |config, value| config.draw_and_resign.resign = value,
        },
    },
    OptionSpec {
        name: "ResignMoves",
        help: "Consecutive moves that far behind before Gaur resigns",
        kind: OptionKind::Spin {
            default: 4,
            min: 1,
            max: MAX_RESIGN_MOVES as i32,
            store: |config, value| {
                config.draw_and_resign.resign_moves = value.unsigned_abs() as usize
            },
        },
    },
    OptionSpec {
        name: "AcceptDraws",
        help: "Accept draw offers",
        kind: OptionKind::Check {
            default: true,
            store: |config, on| config.draw_and_resign.accept_draws = on,
        },
    },
    OptionSpec {
        name: "DrawScore",
        help: "Highest score for Gaur, in centipawns above that of a draw, at which it accepts a draw",
        kind: OptionKind::Spin {
            default: -60,
            min: -10_000,
            max: 10_000,
            store: |config, value| config.draw_and_resign.draw_score = value,
        },
    },
    OptionSpec {
        name: "OfferDraws",
        help: "Consecutive moves with an even score before Gaur offers a draw (0: never)",
        kind: OptionKind::Spin {
            default: 10,
            min: 0,
            max: MAX_OFFER_MOVES as i32,
            store: |config, value| {
                config.draw_and_resign.offer_draws = value.unsigned_abs() as usize
            },
        },
    },
    OptionSpec {
        name: "PlayOutBelow",
        help: "Neither resign nor agree to a draw against humans rated below this (0: no limit)",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 4000,
            store: |config, value| config.draw_and_resign.play_out_below = value.unsigned_abs(),
        },
    },
    OptionSpec {
        name: "AutoContempt",
        help: "Avoid draws against lower rated opponents and in games at odds",
        kind: OptionKind::Check {
            default: true,
            store: |config, on| config.contempt.is_automatic = on,
        },
    },
    OptionSpec {
        name: "Contempt",
        help: "Centipawns that a draw is worse than an equal position; AutoContempt adds to it",
        kind: OptionKind::Spin {
            default: 0,
            min: -MAX_CONTEMPT,
            max: MAX_CONTEMPT,
            store: |config, value| config.contempt.centipawns = value,
        },
    },
    OptionSpec {
        name: "LimitStrength",
        help: "Play with the strength Elo",
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.strength.is_limited = on,
        },
    },
    OptionSpec {
        name: "Elo",
        help: "Playing strength if LimitStrength is on; moves take about as long as those of a person",
        kind: OptionKind::Spin {
            default: 1500,
            min: MIN_ELO as i32,
            max: MAX_ELO as i32,
            store: |config, value| config.strength.elo = value.unsigned_abs(),
        },
    },
    OptionSpec {
        name: "Adapt",
        help: "On servers, play with the rating of the opponent as Elo",
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.strength.adapts = on,
        },
    },
    OptionSpec {
        name: "Greet",
        help: "Send Greeting and Goodbye to the opponent on servers",
        kind: OptionKind::Check {
            default: false,
            store: |config, on| config.chat.greet = on,
        },
    },
    OptionSpec {
        name: "Greeting",
        help: "Message sent before the game if Greet is on",
        kind: OptionKind::String {
            default: "Hello, I am Gaur, a chess program. Good luck!",
            store: |config, text| config.chat.greeting = chat_text(text),
        },
    },
    OptionSpec {
        name: "Goodbye",
        help: "Message sent after the game if Greet is on",
        kind: OptionKind::String {
            default: "Thank you for the game.",
            store: |config, text| config.chat.goodbye = chat_text(text),
        },
    },
    OptionSpec {
        name: "Kibitz",
        help: "Send score and line on servers, to everybody (kibitz) or to observers (whisper)",
        kind: OptionKind::Combo {
            choices: &["off", "kibitz", "whisper"],
            default: 0,
            store: |config, choice| {
                config.chat.kibitz = match choice {
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
        kind: OptionKind::Slider {
            default: 1,
            min: 1,
            max: 100,
            store: |config, value| config.chat.kibitz_every = value.unsigned_abs() as usize,
        },
    },
    OptionSpec {
        name: LOG_FOLDER,
        help: "Folder for logs of all traffic (empty: no log)",
        kind: OptionKind::Path {
            default: "",
            store: |config, folder| config.log.folder = folder.trim().into(),
        },
    },
    OptionSpec {
        name: "LogSize",
        help: "Size in megabytes at which a new log file begins",
        kind: OptionKind::Spin {
            default: 10,
            min: 1,
            max: 1000,
            store: |config, value| config.log.max_megabytes = value.unsigned_abs(),
        },
    },
    OptionSpec {
        name: LOG_NOTE,
        help: "Text to write into the log",
        kind: OptionKind::String {
            default: "",
            store: |_, _| {},
        },
    },
    OptionSpec {
        name: "ClearHash",
        help: "Clear the hash table and move histories",
        kind: OptionKind::Button(ButtonAction::ClearHash),
    },
    OptionSpec {
        name: SETTINGS_FILE,
        help: "Settings file, loaded when this option is set",
        kind: OptionKind::File {
            default: "",
            store: |config, path| config.settings_file = path.to_owned(),
        },
    },
    OptionSpec {
        name: SAVE_SETTINGS,
        help: "Save all options to SettingsFile",
        kind: OptionKind::Save(ButtonAction::SaveSettings),
    },
    OptionSpec {
        name: RESET_SETTINGS,
        help: "Restore the defaults of all options",
        kind: OptionKind::Button(ButtonAction::ResetSettings),
    },
];

/// Name of the option for the random variation of the evaluation.
pub const VARIETY: &str = "Variety";

/// Name of the option for the evaluation function.
pub const EVALUATION: &str = "Evaluation";

/// Name of the option for the network file.
pub const EVAL_FILE: &str = "EvalFile";

/// Name of the option for the folders of endgame tablebases.
pub const SYZYGY_PATH: &str = "SyzygyPath";

/// Name of the option that switches the opening book on.
pub const OWN_BOOK: &str = "OwnBook";

/// Name of the option for the file of the opening book.
pub const BOOK_FILE: &str = "BookFile";

/// Name of the option for the folder of logs.
pub const LOG_FOLDER: &str = "LogFolder";

/// Name of the option whose values are written into the log. The settings file omits it.
pub const LOG_NOTE: &str = "LogNote";

/// Name of the button that saves the settings.
pub const SAVE_SETTINGS: &str = "SaveSettings";

/// Name of the button that restores the defaults of all options.
pub const RESET_SETTINGS: &str = "ResetSettings";

/// Name of the option for the settings file. The settings file omits it.
pub const SETTINGS_FILE: &str = "SettingsFile";

/// Longest message to an opponent, in characters.
const MAX_CHAT_CHARS: usize = 200;

/// Returns a message without surrounding spaces, truncated to its maximum length.
fn chat_text(text: &str) -> String {
    text.trim().chars().take(MAX_CHAT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn the_table_of_options_is_consistent() {
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
