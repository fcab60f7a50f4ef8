//! The machine's replies as text, and the text around them: board, prompt and thinking line.

use std::time::Instant;

use crate::messages::{Bound, SearchInfo};
use crate::notation::{PgnResult, write_fen};
use crate::protocol::format::{self, escape_invisible};
use crate::protocol::machine::{Activity, Machine};
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::Position;
use crate::types::{Color, Move};

use super::board_view;
use super::client::{CurrentLine, DrawOffer, TerminalClient, quoted};
use super::level::clock_text;
use super::steps::Step;
use super::words;

/// Moves the cursor to the beginning of its line and erases the line.
const ERASE_LINE: &str = "\r\u{1b}[K";

/// Erases the line of the cursor and the line above it.
const ERASE_TWO_LINES: &str = "\r\u{1b}[K\u{1b}[A\u{1b}[K";

/// Saves the position of the cursor, and moves it to the line above.
const GO_TO_LINE_ABOVE: &str = "\u{1b}7\u{1b}[A";

/// Moves the cursor back to the saved position.
const RETURN_TO_LINE: &str = "\u{1b}8";

/// Depth at which the analysis for a hint ends. It is reached in less than a second.
const HINT_DEPTH: i32 = 12;

impl TerminalClient {
    /// Handles a reply of the machine.
    pub(super) fn on_reply(&mut self, reply: &Reply, machine: &Machine) -> Vec<Step> {
        let is_answer = match reply {
            Reply::Move(..) | Reply::Thinking { .. } | Reply::BookLine { .. } | Reply::Pong(_) => {
                false
            }
            Reply::Hint(..) => self.awaits_hint,
            _ => true,
        };
        if is_answer {
            self.unanswered = None;
        }
        match reply {
            Reply::Move(mv, _) => self.show_move(*mv, machine),
            Reply::Thinking { info, .. } => self.on_thinking(info, machine),
            Reply::BookLine { .. } => {
                self.is_book_move = true;
                self.last_info = None;
            }
            Reply::Book(lines) => self.say(&lines.join("\n")),
            Reply::Result(outcome) => self.say(&format!(
                "{} Type new for another game, undo, or save FILE.pgn.",
                words::outcome_text(*outcome)
            )),
            Reply::Resign => self.on_resignation(machine),
            Reply::OfferDraw => self.on_draw_offer(machine),
            Reply::Hint(mv, _) if std::mem::take(&mut self.awaits_hint) => {
                self.show_hint(*mv, machine);
            }
            // The expected move would help the person.
            Reply::Hint(..) => {}
            Reply::OptionsAgain(_) => self.say("All options have their default values."),
            Reply::IllegalMove(text) => self.say(&format!("{} is not possible.", quoted(text))),
            Reply::Error { kind, line } => self.say(&error_text(*kind, &quoted(line))),
            Reply::IllegalPosition { reason, .. } => {
                self.say(&format!("This position is not possible: {reason}."));
            }
            Reply::TellUserError(text) | Reply::TellUser(text) | Reply::Console(text) => {
                // It may repeat what the person has typed.
                let lines: Vec<String> = text.lines().map(escape_invisible).collect();
                self.say(&lines.join("\n"));
            }
            // Lines that only programs ask for.
            Reply::Features(_)
            | Reply::Pong(_)
            | Reply::Status(..)
            | Reply::Highlight(_)
            | Reply::PromotionChoice
            | Reply::Tell { .. }
            | Reply::Debug(_) => self.say(format::write(reply).trim_end()),
        }
        std::mem::take(&mut self.steps)
    }

    /// Prints lines of text in place of the current line.
    pub(super) fn say(&mut self, text: &str) {
        let beginning = self.erase_current_line();
        self.steps.push(Step::Print(format!("{beginning}{text}\n")));
    }

    /// Returns the text that erases the line of the cursor, if there is something in it.
    fn erase_current_line(&mut self) -> &'static str {
        match std::mem::take(&mut self.current_line) {
            CurrentLine::Empty => "",
            CurrentLine::Prompt => ERASE_LINE,
            CurrentLine::BelowThinking => ERASE_TWO_LINES,
        }
    }

    fn show_move(&mut self, mv: Move, machine: &Machine) {
        let Some((earlier, _)) = machine.game().with_moves_removed(1, 0) else {
            return;
        };
        let Some(position) = earlier.position() else {
            return;
        };
        let mut text = format!("Gaur plays {}", self.move_text(position, mv));
        if let Some(info) = self.last_info.take().filter(|_| self.shows_thinking) {
            let assessment = words::assessment(info.score, position.side_to_move());
            text.push_str(&format!(" ({assessment}, depth {})", info.depth.max(1)));
        }
        if std::mem::take(&mut self.is_book_move) && self.shows_thinking {
            text.push_str(" (from the opening book)");
        }
        self.say(&format!("{text}."));
        if self.draw_offer == DrawOffer::Open {
            self.draw_offer = DrawOffer::None;
            self.say("Gaur declines the draw.");
        }
    }

    fn on_thinking(&mut self, info: &SearchInfo, machine: &Machine) {
        let Some(position) = machine.game().position() else {
            return;
        };
        if self.seeks_hint {
            // A move that only misses the window is not proved to be the best one.
            let is_final = info.bound == Bound::Exact;
            let is_found = is_final && (info.depth >= HINT_DEPTH || info.score.is_mate());
            if let Some(&mv) = info.pv.first().filter(|_| is_found && info.rank == 0) {
                self.end_hint();
                self.show_hint(mv, machine);
            }
            return;
        }
        if info.rank == 0 && matches!(machine.activity(), Activity::Thinking(_)) {
            self.last_info = Some(info.clone());
        }
        if !self.shows_thinking_of(machine.activity()) {
            return;
        }
        let text = words::thinking(info, position);
        if !self.environment.style.has_cursor {
            // Every line remains on the screen, so only final ones are worth one.
            if info.bound == Bound::Exact {
                self.steps.push(Step::PrintThinking(format!("{text}\n")));
            }
        } else if info.rank == 0 {
            let width = (self.environment.width)().saturating_sub(1);
            let text: String = text.chars().take(width).collect();
            self.reserve_thinking_line();
            self.steps.push(Step::PrintThinking(format!(
                "{GO_TO_LINE_ABOVE}{ERASE_LINE}{text}{RETURN_TO_LINE}"
            )));
        }
    }

    /// Returns `true` if thinking lines are shown during this activity.
    fn shows_thinking_of(&self, activity: Activity) -> bool {
        self.edit.is_none()
            && match activity {
                Activity::Thinking(_) => self.shows_thinking,
                activity => activity == Activity::Analysing,
            }
    }

    /// Leaves a line for thinking lines above that of the cursor, in which the terminal shows what the person types.
    fn reserve_thinking_line(&mut self) {
        if self.current_line != CurrentLine::BelowThinking {
            let beginning = self.erase_current_line();
            self.current_line = CurrentLine::BelowThinking;
            self.steps.push(Step::Print(format!("{beginning}\n")));
        }
    }

    fn show_hint(&mut self, mv: Move, machine: &Machine) {
        if let Some(position) = machine.game().position() {
            let text = self.move_text(position, mv);
            self.say(&format!("Hint: {text}."));
        }
    }

    fn on_resignation(&mut self, machine: &Machine) {
        let winner = match machine.activity() {
            Activity::Over(engine) => !engine,
            _ => return,
        };
        let result = PgnResult::win(winner);
        self.result = Some(result);
        self.say(&format!(
            "Gaur resigns. {winner} wins ({}). Type new for another game, or save FILE.pgn.",
            result.text()
        ));
    }

    /// Handles an acceptance of the person's offer, or an offer of Gaur. With a move that ends the game it is the claim
    /// of a draw on the board, which follows.
    fn on_draw_offer(&mut self, machine: &Machine) {
        if self.draw_offer != DrawOffer::None {
            self.draw_offer = DrawOffer::Accepted;
            self.result = Some(PgnResult::Draw);
            self.command("result 1/2-1/2 {Draw agreed}");
        } else if machine.game().outcome().is_none() {
            self.draw_offer = DrawOffer::ByGaur;
        }
    }

    /// Shows board, clocks and FEN, or the pieces if no board is drawn.
    pub(super) fn show_board(&mut self, machine: &Machine, now: Instant) {
        let Some(position) = self.playable(machine) else {
            return;
        };
        if self.environment.style.has_cursor {
            self.draw_board(machine);
        } else {
            self.list_position(machine);
        }
        self.show_clocks(machine, now);
        self.say(&write_fen(position.board(), position.variant()));
    }

    /// Shows the times of both sides if the time control has clocks.
    pub(super) fn show_clocks(&mut self, machine: &Machine, now: Instant) {
        if self.level.has_clocks() {
            let (engine, opponent) = machine.remaining_times(now);
            let (engine, opponent) = (clock_text(engine), clock_text(opponent));
            self.say(&format!("Time left: Gaur {engine}, you {opponent}."));
        }
    }

    /// Lists the pieces and the side to move.
    pub(super) fn list_position(&mut self, machine: &Machine) {
        if let Some(position) = self.playable(machine) {
            self.list_pieces(position);
            self.say(&format!("{} to move.", position.side_to_move()));
        }
    }

    /// Lists the pieces of both sides.
    pub(super) fn list_pieces(&mut self, position: &Position) {
        for color in Color::ALL {
            self.say(&words::piece_list(position.board(), color));
        }
    }

    /// Draws the board as the person sees it.
    pub(super) fn draw_board(&mut self, machine: &Machine) {
        let bottom = match self.engine(machine) {
            Some(engine) => !engine,
            None => Color::White,
        };
        if let Some(position) = machine.game().position() {
            let last = machine.game().last_move();
            let style = self.environment.style;
            let height = (self.environment.height)();
            let board = board_view::draw(position.board(), bottom, last, style, height);
            self.say(&board);
        }
    }

    /// Prompts for a line, unless the terminal only shows whole lines. While Gaur is busy, there is no prompt, and its
    /// thinking lines get a line of their own.
    pub(super) fn prompt(&mut self, machine: &Machine) {
        if !self.environment.style.has_cursor || self.seeks_hint {
            return;
        }
        if self.shows_thinking_of(machine.activity()) {
            return self.reserve_thinking_line();
        }
        let edited = self.edit.as_ref().map(|edit| edit.color);
        let turn = machine.game().position().map(Position::side_to_move);
        let text = match (edited, machine.activity(), turn) {
            (Some(color), ..) => format!("Edit {color}: "),
            (_, Activity::Thinking(_) | Activity::Analysing, _) => return,
            (_, Activity::Waiting(engine), Some(turn)) if turn != engine => {
                "Your move: ".to_owned()
            }
            (_, Activity::Watching, Some(turn)) => format!("{turn}: "),
            _ => "> ".to_owned(),
        };
        if self.current_line != CurrentLine::Prompt {
            let beginning = self.erase_current_line();
            self.current_line = CurrentLine::Prompt;
            self.steps.push(Step::Print(format!("{beginning}{text}")));
        }
    }
}

/// Returns an error of a command in a sentence.
fn error_text(kind: ErrorKind, line: &str) -> String {
    match kind {
        ErrorKind::UnknownCommand => format!("There is no command {line}. Type help for a list."),
        ErrorKind::NotLegalNow => format!("This is not possible now: {line}."),
        ErrorKind::BadArgument => format!("This command does not accept that argument: {line}."),
        ErrorKind::AmbiguousMove => {
            format!("Several pieces can play {line}. Add the file or rank, or write both squares.")
        }
        ErrorKind::UnknownOption => {
            format!("There is no such option: {line}. Type option for a list.")
        }
        ErrorKind::UnknownVariant => {
            format!("Gaur does not play this variant: {line}. It plays normal and fischerandom.")
        }
        ErrorKind::LineTooLong => "This line is too long.".to_owned(),
        ErrorKind::OtherProtocol => {
            "Gaur speaks the xboard protocol, not UCI. Add it to your GUI as an xboard engine."
                .to_owned()
        }
    }
}
