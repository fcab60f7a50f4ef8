//! Edit mode, in which a person puts pieces on the board one by one.
//!
//! The machine gets the pieces when the person has placed all of them, so that the game is kept until then.

use crate::protocol::command::{Command, EditCommand};
use crate::protocol::machine::{Activity, Machine};
use crate::protocol::parser::parse_edit;
use crate::rules::Position;
use crate::types::{Color, Piece, Square};

use super::client::{TerminalClient, quoted};
use super::confirmation::turn;
use super::edit_board::EditBoard;
use super::help::EDIT_HELP;
use super::words::IS_THINKING;

impl TerminalClient {
    /// Begins edit mode.
    pub(super) fn begin_edit(&mut self, machine: &Machine) {
        if matches!(machine.activity(), Activity::Thinking(_)) {
            return self.say(IS_THINKING);
        }
        self.edit = Some(EditBoard {
            setup: machine.game().setup(),
            color: Color::White,
        });
        self.say(EDIT_HELP);
    }

    /// Handles a line in edit mode.
    pub(super) fn edit_line(&mut self, line: &str, mut edit: EditBoard, machine: &Machine) {
        let word = line.trim().to_lowercase();
        let color = edit.color;
        match parse_edit(line) {
            Ok(EditCommand::Done) => return self.end_edit(edit, machine),
            Ok(EditCommand::Clear) => {
                for square in Square::all() {
                    edit.setup.set(square, None);
                }
                self.say("The board is empty.");
            }
            Ok(EditCommand::ChangeColor) => {
                edit.color = !color;
                self.say(&format!("The pieces that follow are {}.", edit.color));
            }
            Ok(EditCommand::Put(kind, square)) => {
                edit.setup.set(square, Some(Piece::new(color, kind)));
                self.say(&format!("{color}: {} {square}.", kind.name()));
            }
            Ok(EditCommand::Empty(square)) => {
                edit.setup.set(square, None);
                self.say(&format!("{square} is empty."));
            }
            Ok(EditCommand::Nothing) if word.is_empty() => {}
            Ok(EditCommand::Nothing) => self.say("This line changes nothing."),
            Ok(EditCommand::Ping(_) | EditCommand::Quit) => self.command(line),
            Err(_) => match word.as_str() {
                "help" | "h" => self.say(EDIT_HELP),
                "q" | "bye" => self.command("quit"),
                "cancel" | "exit" => {
                    self.say(&format!(
                        "The position stays as it was. {}",
                        turn(machine)
                    ));
                    return;
                }
                _ => self.say(&format!(
                    "{} is no line of edit mode. Write a piece such as Ke1, a dot to end edit mode, cancel to keep the game as it was, or help.",
                    quoted(line)
                )),
            },
        }
        self.edit = Some(edit);
    }

    /// Ends edit mode if the position is legal. Another position begins another game.
    fn end_edit(&mut self, edit: EditBoard, machine: &Machine) {
        let game = machine.game();
        if edit.setup.pieces == game.setup().pieces {
            return self.say(&format!("The position is the same. {}", turn(machine)));
        }
        if let Err(reason) = Position::from_setup(&edit.setup, game.variant()) {
            self.say(&format!(
                "This position is not possible: {reason}. Change it, or write cancel to keep the game as it was."
            ));
            self.edit = Some(edit);
            return;
        }
        self.command("edit");
        self.command("#");
        for color in Color::ALL {
            for square in Square::all() {
                if let Some(piece) = edit.setup.piece_on(square).filter(|p| p.color == color) {
                    self.command(&format!("{}{square}", piece.kind.letter()));
                }
            }
            self.command("c");
        }
        self.command(".");
        self.unanswered = Some(Command::Edit);
    }
}
