//! Confirmation of commands of the protocol, which are silent for a GUI.

use crate::config::{
    LOG_FOLDER, LOG_NOTE, RESET_SETTINGS, SAVE_SETTINGS, SETTINGS_FILE, find_option,
};
use crate::notation::PgnResult;
use crate::protocol::command::{Command, GameResult, RootMoves};
use crate::protocol::format::escape_invisible;
use crate::protocol::machine::{Activity, Machine, SYZYGY};
use crate::rules::Variant;
use crate::types::Color;

use super::level::clock_text;
use super::words::{GAME_OVER, NO_POSITION, outcome_text};

/// Confirms a command that the machine has carried out without a reply. Returns `None` if a later reply answers it.
pub(super) fn confirmation(command: &Command, machine: &Machine) -> Option<String> {
    let config = machine.config();
    Some(match command {
        Command::SetBoard(_) | Command::Edit | Command::Force | Command::PlayOther => turn(machine),
        Command::Variant(_) => variant(machine),
        Command::GameResult(result) => game_result(*result, machine),
        Command::Hard => "Gaur thinks while you think, too.".to_owned(),
        Command::Easy => "Gaur thinks about its own moves only.".to_owned(),
        Command::Random => match (machine.elo(), config.search.variety) {
            (Some(elo), _) => format!("Gaur plays with a strength of {elo} Elo."),
            (None, 0) => {
                "Gaur varies its moves if you set the option Variety: option Variety=30.".to_owned()
            }
            (None, variety) => format!("Gaur varies its moves already: Variety is {variety}."),
        },
        Command::Pause => "The game is paused. Type resume to continue.".to_owned(),
        Command::Resume => "The game is not paused.".to_owned(),
        Command::Memory(_) => {
            let size = config.search.hash_megabytes;
            format!("The hash table has {size} MB.")
        }
        Command::Cores(_) => match config.search.threads {
            1 => "Gaur searches with 1 thread.".to_owned(),
            count => format!("Gaur searches with {count} threads."),
        },
        Command::NodeRate(0) => "Gaur's clock counts processor time.".to_owned(),
        Command::NodeRate(rate) => format!("Gaur's clock counts {rate} nodes as a second."),
        Command::EngineClock(time) => format!("Gaur has {} left.", clock_text(*time)),
        Command::OpponentClock(time) => format!("You have {} left.", clock_text(*time)),
        Command::Include(RootMoves::All) => "Gaur searches all moves.".to_owned(),
        Command::Include(RootMoves::These(_)) => "Gaur searches these moves, too.".to_owned(),
        Command::Exclude(RootMoves::All) => "Gaur searches only moves that you include.".to_owned(),
        Command::Exclude(RootMoves::These(_)) => "Gaur does not search these moves.".to_owned(),
        Command::SetScore { .. } => "Gaur uses this score for the position.".to_owned(),
        Command::Status => match machine.activity() {
            Activity::Thinking(_) | Activity::Analysing => return None,
            _ => "Gaur reports its progress while it thinks or analyses.".to_owned(),
        },
        Command::Option { name, value } => return option(name, value.as_deref(), machine),
        Command::Nothing => "This command has no effect.".to_owned(),
        Command::TablebasePath { kind, .. } if !kind.eq_ignore_ascii_case(SYZYGY) => {
            "Gaur reads Syzygy tablebases only: egtpath syzygy FOLDER.".to_owned()
        }
        Command::TablebasePath { path, .. } if path.is_empty() => {
            "Gaur plays without tablebases.".to_owned()
        }
        // The machine reports what it finds.
        Command::TablebasePath { .. } => return None,
        Command::Bughouse => "Gaur does not play bughouse.".to_owned(),
        Command::OpponentName(name) => {
            format!("Gaur's opponent is {}.", escape_invisible(name))
        }
        Command::Computer => "Gaur's opponent is a program.".to_owned(),
        Command::Ratings { own, opponent } => {
            format!("The rating of Gaur is {own}, that of its opponent {opponent}; 0 means none.")
        }
        Command::Ics(Some(server)) => format!(
            "Gaur plays as on the server {}, and prints its messages to players there. ics - ends this.",
            escape_invisible(server)
        ),
        Command::Ics(None) => "Gaur plays as in a game without a server.".to_owned(),
        Command::Protover(_) | Command::Accepted(_) | Command::Rejected(_) => {
            "Only programs need this command; here it has no visible effect.".to_owned()
        }
        Command::Lift(_) | Command::Put(_) | Command::Hover(_) => {
            "There is nothing to highlight.".to_owned()
        }
        // Their replies come later.
        Command::Ping(_) | Command::Quit | Command::Uci => return None,
        // The client carries them out or answers them itself.
        Command::Xboard
        | Command::New
        | Command::Go
        | Command::White
        | Command::Black
        | Command::TimeControl(_)
        | Command::DepthLimit(_)
        | Command::MoveNow
        | Command::Draw
        | Command::Undo
        | Command::Remove
        | Command::UserMove(_)
        | Command::BareMove(_)
        | Command::Book
        | Command::Post
        | Command::NoPost
        | Command::Analyze
        | Command::Exit
        | Command::Help
        | Command::Hint
        | Command::Show => return None,
    })
}

/// Confirms the variant.
fn variant(machine: &Machine) -> String {
    let variant = machine.game().variant();
    let hint = match variant {
        Variant::Standard => "",
        Variant::Fischerandom => " new 960 starts from a random position.",
    };
    format!("The variant is {}.{hint} {}", variant.name(), turn(machine))
}

/// Confirms a result that the person has entered.
fn game_result(result: GameResult, machine: &Machine) -> String {
    let result = pgn_result(result).text();
    match machine.activity() {
        Activity::Over(_) => {
            format!("The game is over ({result}). Type new for another game, or undo.")
        }
        _ => format!("The result of this game is {result}."),
    }
}

/// Returns the result as a saved game has it.
pub(super) fn pgn_result(result: GameResult) -> PgnResult {
    match result {
        GameResult::WhiteWins => PgnResult::WhiteWins,
        GameResult::BlackWins => PgnResult::BlackWins,
        GameResult::Draw => PgnResult::Draw,
        GameResult::Unfinished => PgnResult::Unfinished,
    }
}

/// Confirms an option, with its value as the settings have it.
fn option(name: &str, value: Option<&str>, machine: &Machine) -> Option<String> {
    let Some(option) = find_option(name) else {
        // A search parameter of a tuning build.
        return Some(format!("{name} is set."));
    };
    let name = option.name;
    if [SAVE_SETTINGS, RESET_SETTINGS].contains(&name) {
        return None;
    }
    if name == SETTINGS_FILE && value.is_some_and(|path| !path.trim().is_empty()) {
        return None;
    }
    if name == LOG_NOTE {
        return Some("The log contains this line.".to_owned());
    }
    Some(match machine.config().option_values().get(option) {
        Some(value) if value.is_empty() => format!("{name} is empty."),
        // An error of the log follows, and resets the option.
        Some(value) if name == LOG_FOLDER => {
            format!("Gaur opens a log in {}.", escape_invisible(&value))
        }
        Some(value) => format!("{name} is {}.", escape_invisible(&value)),
        None => format!("{name} is carried out."),
    })
}

/// Describes the value of an option and how to change it. Returns `None` if the option has no value.
pub(super) fn option_value(name: &str, machine: &Machine) -> Option<String> {
    let option = find_option(name)?;
    let value = machine.config().option_values().get(option)?;
    let name = option.name;
    let state = match value.is_empty() {
        true => format!("{name} is empty."),
        false => format!("{name} is {}.", escape_invisible(&value)),
    };
    Some(format!("{state} Write option {name}=VALUE to change it."))
}

/// Describes whose turn it is, and what the person can do.
pub(super) fn turn(machine: &Machine) -> String {
    let Some(position) = machine.game().position() else {
        return NO_POSITION.to_owned();
    };
    if let Some(outcome) = position.outcome() {
        return outcome_text(outcome);
    }
    let side = position.side_to_move();
    match machine.activity() {
        Activity::Waiting(engine) if engine == side => {
            let command = match side {
                Color::White => "white",
                Color::Black => "black",
            };
            format!(
                "{side} to move. Gaur plays {side}: type go to let it move, or {command} to play {side} yourself."
            )
        }
        Activity::Waiting(_) => format!("{side} to move: you play {side}."),
        Activity::Watching | Activity::Editing => format!(
            "{side} to move. Gaur plays neither side: type moves for both, or go to let it play {side}."
        ),
        Activity::Thinking(_) => format!("{side} to move: Gaur is thinking."),
        Activity::Analysing => format!("{side} to move: Gaur analyses the position."),
        Activity::Over(_) => GAME_OVER.to_owned(),
    }
}
