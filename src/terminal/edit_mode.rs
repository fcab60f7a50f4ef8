//! Edit mode, in which a person puts pieces on the board one by one.

use crate::protocol::command::{Command, EditCommand};
use crate::protocol::parser::parse_edit;
use crate::types::Color;

use super::client::{TerminalClient, quoted};
use super::help::EDIT_HELP;

impl TerminalClient {
    /// Handles a line in edit mode, in which pieces of this colour are placed.
    pub(super) fn edit_line(&mut self, line: &str, color: Color) {
        match parse_edit(line) {
            Ok(command) => {
                self.command(line);
                match command {
                    EditCommand::Done => {
                        self.drawn = None;
                        self.unanswered = Some(Command::Edit);
                    }
                    EditCommand::Clear => self.say("The board is empty."),
                    EditCommand::ChangeColor => {
                        self.say(&format!("The pieces that follow are {}.", !color));
                    }
                    EditCommand::Put(kind, square) => {
                        self.say(&format!("{color}: {} {square}.", kind.name()));
                    }
                    EditCommand::Empty(square) => self.say(&format!("{square} is empty.")),
                    EditCommand::Nothing if line.trim().is_empty() => {}
                    EditCommand::Nothing => self.say("This line changes nothing."),
                    EditCommand::Ping(_) | EditCommand::Quit => {}
                }
            }
            Err(_) if ["help", "h"].contains(&line.trim().to_lowercase().as_str()) => {
                self.say(EDIT_HELP);
            }
            Err(_) => self.say(&format!(
                "{} is no line of edit mode. Write a piece such as Ke1, a dot to end edit mode, or help.",
                quoted(line)
            )),
        }
    }
}
