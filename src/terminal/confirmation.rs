//! Confirmation of commands of the protocol, which are silent for a GUI.

use crate::config::{LOG_NOTE, OPTIONS, RESET_SETTINGS, SAVE_SETTINGS, SETTINGS_FILE};
use crate::protocol::command::Command;
use crate::protocol::format::escape_invisible;
use crate::protocol::machine::{Activity, Machine};
use crate::rules::{Position, Variant};

use super::level::clock_text;
use super::words::{NO_POSITION, outcome_text};

/// Confirms a command that the machine has carried out without a reply. Returns `None` if a later reply answers it.
pub(super) fn confirmation(command: &Command, machine: &Machine) -> Option<String> {
    let config = machine.config();
    let is_over = matches!(machine.activity(), Activity::Over(_));
    Some(match command {
        Command::SetBoard(_)
        | Command::Edit
        | Command::Force
        | Command::PlayOther
        | Command::White
        | Command::Black => turn(machine),
        Command::Variant(_) => {
            let variant = machine.game().variant();
            let hint = match variant {
                Variant::Standard => "",
                Variant::Fischerandom => " new 960 starts from a random position.",
            };
            format!("The variant is {}.{hint} {}", variant.name(), turn(machine))
        }
        Command::GameResult(_) if is_over => {
            "The game is over. Type new for another game, or undo.".to_owned()
        }
        Command::Hint => "There is no hint yet.".to_owned(),
        Command::Hard => "Gaur thinks while you think, too.".to_owned(),
        Command::Easy => "Gaur thinks about its own moves only.".to_owned(),
        Command::Random => {
            "Gaur varies its moves if you set the option Variety: option Variety=30.".to_owned()
        }
        Command::Pause => "The game is paused. Type resume to continue.".to_owned(),
        Command::Resume => "The game is not paused any more.".to_owned(),
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
        Command::Exclude(_) | Command::Include(_) => {
            "Gaur searches other moves from now on.".to_owned()
        }
        Command::SetScore { .. } => "Gaur uses this score for the position.".to_owned(),
        Command::Status => match machine.activity() {
            Activity::Thinking(_) | Activity::Analysing => return None,
            _ => "Gaur reports its progress while it thinks or analyses.".to_owned(),
        },
        Command::Option { name, value } => return option(name, value.as_deref(), machine),
        // Their replies come later.
        Command::Ping(_) | Command::Quit => return None,
        _ => "Only programs need this command; here it has no visible effect.".to_owned(),
    })
}

/// Confirms an option, with its value as the settings have it.
fn option(name: &str, value: Option<&str>, machine: &Machine) -> Option<String> {
    let mut options = OPTIONS.iter();
    let Some(option) = options.find(|option| option.name.eq_ignore_ascii_case(name)) else {
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
        Some(value) => format!("{name} is {}.", escape_invisible(&value)),
        None => format!("{name} is carried out."),
    })
}

/// Describes whose turn it is, and what the person can do.
pub(super) fn turn(machine: &Machine) -> String {
    let Some(position) = machine.game().position() else {
        return NO_POSITION.to_owned();
    };
    if let Some(outcome) = position.outcome() {
        return outcome_text(outcome);
    }
    let side = Position::side_to_move(position);
    match machine.activity() {
        Activity::Waiting(engine) if engine == side => format!(
            "{side} to move. Gaur plays {side}: type go to let it move, or playother to play {side} yourself."
        ),
        Activity::Waiting(_) => format!("{side} to move: you play {side}."),
        Activity::Watching | Activity::Editing => format!(
            "{side} to move. Gaur plays neither side: type moves for both, or go to let it play {side}."
        ),
        Activity::Thinking(_) => format!("{side} to move: Gaur is thinking."),
        Activity::Analysing => format!("{side} to move: Gaur analyses the position."),
        Activity::Over(_) => "The game is over. Type new for another game, or undo.".to_owned(),
    }
}
