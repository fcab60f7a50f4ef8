//! The person's commands about the game: moves, takebacks, hints, draws and analysis.

use crate::notation::{PgnResult, parse_move, write_san};
use crate::protocol::machine::{Activity, Machine};
use crate::rules::{Position, Variant};
use crate::types::{Color, Move};

use super::client::{DrawOffer, TerminalClient, quoted};
use super::fischer_random::start_position;
use super::words::{self, GAME_OVER, IS_THINKING};

impl TerminalClient {
    pub(super) fn play(&mut self, text: &str, machine: &Machine) {
        let Some(position) = self.playable(machine) else {
            return;
        };
        match machine.activity() {
            Activity::Thinking(_) => {
                return self.say(IS_THINKING);
            }
            Activity::Over(_) => {
                return self.say(GAME_OVER);
            }
            Activity::Waiting(engine) if engine == position.side_to_move() => {
                return self.say("It is Gaur's turn. Type go.");
            }
            _ => {}
        }
        match parse_move(position, text) {
            Ok(mv) => {
                // Castling and promotion have one spelling in the protocol.
                let san = write_san(position, mv);
                if !self.environment.style.has_cursor {
                    let played = self.move_text(position, mv);
                    self.say(&format!("You play {played}."));
                }
                self.command(&format!("usermove {san}"));
            }
            Err(error) => self.say(&format!("{} is not possible: {error}.", quoted(text))),
        }
    }

    pub(super) fn new_game(&mut self, variant: Variant, color: Color) {
        self.forget_game();
        self.engine_before_analysis = None;
        self.command("exit");
        self.command("new");
        let mut game = "New game.";
        if variant == Variant::Fischerandom {
            game = "New game of Fischer Random chess.";
            self.command(&format!("variant {}", variant.name()));
            let fen = start_position((self.environment.random)() as usize);
            self.command(&format!("setboard {fen}"));
        }
        self.command(&self.level.line.clone());
        self.say(&format!("{game} You play {color}."));
        if color == Color::Black {
            self.command("go");
        }
    }

    pub(super) fn go(&mut self, machine: &Machine) {
        if self.playable(machine).is_none() {
            return;
        }
        match machine.activity() {
            Activity::Thinking(_) => self.say("Gaur is thinking already."),
            Activity::Over(_) => self.say(GAME_OVER),
            _ => {
                self.result = None;
                self.command("go");
            }
        }
    }

    /// Lets the person play this side from now on. In the protocol, this command sets the side to move.
    pub(super) fn choose_side(&mut self, color: Color, machine: &Machine) {
        let Some(position) = self.playable(machine) else {
            return;
        };
        let activity = machine.activity();
        match activity {
            Activity::Thinking(_) => return self.say(IS_THINKING),
            Activity::Over(_) => return self.say(GAME_OVER),
            _ if position.outcome().is_some() => return self.say(GAME_OVER),
            _ => {}
        }
        self.engine_before_analysis = None;
        if activity == Activity::Analysing {
            self.command("exit");
        }
        self.result = None;
        // The board is drawn again, as this side sees it.
        self.drawn = None;
        self.say(&format!("You play {color}."));
        let is_to_move = position.side_to_move() == color;
        self.command(if is_to_move { "playother" } else { "go" });
    }

    pub(super) fn undo(&mut self, machine: &Machine) {
        let game = machine.game();
        let turn = game.position().map(Position::side_to_move);
        let engine = own_side(machine);
        // The person is to move afterwards. Gaur's first move alone can be taken back, too.
        let count = if engine.is_some() && turn != engine {
            2
        } else {
            1
        };
        let count = count.min(game.len());
        self.take_back(count, machine);
    }

    /// Takes back a move of each side.
    pub(super) fn remove(&mut self, machine: &Machine) {
        if machine.game().len() < 2 {
            return self.say("There are no two moves to take back. undo takes back one.");
        }
        self.take_back(2, machine);
    }

    /// Takes back one or two half-moves.
    fn take_back(&mut self, count: usize, machine: &Machine) {
        let game = machine.game();
        let Some((earlier, _)) = game.with_moves_removed(count, 0) else {
            return self.say("There is no move to take back.");
        };
        let moves: Vec<Move> = game.moves().skip(earlier.len()).collect();
        if let Some(position) = earlier.position() {
            self.say(&format!("Taken back: {}.", words::line(position, &moves)));
        }
        self.result = None;
        self.draw_offer = DrawOffer::None;
        self.command(if count == 2 { "remove" } else { "undo" });
        if earlier.position().map(Position::side_to_move) == own_side(machine) {
            self.say("It is Gaur's turn. Type go.");
        }
    }

    pub(super) fn offer_draw(&mut self, machine: &Machine) {
        match machine.activity() {
            Activity::Waiting(_) | Activity::Thinking(_) => {
                self.draw_offer = DrawOffer::Made;
                self.command("draw");
            }
            Activity::Over(_) => self.say(GAME_OVER),
            _ if machine.game().outcome().is_some() => self.say(GAME_OVER),
            _ => self.say("There is no opponent to offer a draw to."),
        }
    }

    pub(super) fn resign(&mut self, machine: &Machine) {
        match machine.activity() {
            Activity::Waiting(engine) | Activity::Thinking(engine) => {
                let result = PgnResult::win(engine);
                self.result = Some(result);
                self.command(&format!("result {} {{{} resigns}}", result.text(), !engine));
                self.say(&format!(
                    "You resign. {engine} wins ({}). Type new for another game.",
                    result.text()
                ));
            }
            _ => self.say("There is no game to resign."),
        }
    }

    pub(super) fn analyze(&mut self, machine: &Machine) {
        if self.playable(machine).is_none() {
            return;
        }
        if machine.activity() != Activity::Analysing {
            self.engine_before_analysis = self.engine(machine);
            self.command("analyze");
            self.say("Gaur analyses. Type moves, undo, or exit.");
        } else {
            self.say("Gaur analyses already. Type moves, undo, or exit.");
        }
    }

    pub(super) fn exit(&mut self, machine: &Machine) {
        if machine.activity() != Activity::Analysing {
            return self.say("There is no analysis to end. Type quit to leave.");
        }
        self.leave_analysis(machine);
        self.say("The analysis has ended.");
    }

    /// Ends an analysis. If Gaur has played a side before, it plays that side again.
    fn leave_analysis(&mut self, machine: &Machine) {
        self.command("exit");
        let engine = self.engine_before_analysis.take();
        let turn = machine.game().position().map(Position::side_to_move);
        if engine.is_some() && machine.game().outcome().is_none() {
            self.command(if engine == turn { "go" } else { "playother" });
        }
    }

    pub(super) fn hint(&mut self, machine: &Machine) {
        let Some(position) = self.playable(machine) else {
            return;
        };
        match machine.activity() {
            Activity::Thinking(_) => self.say("Gaur is thinking about its own move."),
            Activity::Over(_) => self.say("The game is over."),
            Activity::Waiting(engine) if engine == position.side_to_move() => {
                self.say("It is Gaur's turn. Type go.");
            }
            _ if position.outcome().is_some() => self.say("The game is over."),
            // The machine answers with the move that Gaur expects, the best move of the book or of the analysis.
            _ => {
                self.awaits_hint = true;
                self.command("hint");
            }
        }
    }

    /// Handles the end of the command `hint`, to which the machine had no answer.
    pub(super) fn on_missing_hint(&mut self, machine: &Machine) {
        if machine.activity() == Activity::Analysing {
            return self.say("There is no hint yet.");
        }
        self.say("Gaur looks for a good move.");
        self.seeks_hint = true;
        self.engine_before_analysis = self.engine(machine);
        self.command("analyze");
    }

    /// Ends the analysis that looks for a hint.
    pub(super) fn end_hint(&mut self) {
        self.seeks_hint = false;
        self.command("exit");
        if self.engine_before_analysis.take().is_some() {
            self.command("playother");
        }
    }
}

/// Returns the side that Gaur plays; `None` if it plays neither.
fn own_side(machine: &Machine) -> Option<Color> {
    match machine.activity() {
        Activity::Waiting(engine) | Activity::Thinking(engine) | Activity::Over(engine) => {
            Some(engine)
        }
        _ => None,
    }
}
