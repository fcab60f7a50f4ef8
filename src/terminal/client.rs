//! The client: the person's commands as lines of the protocol and replies.

use std::time::Instant;

use crate::messages::SearchInfo;
use crate::notation::{Pgn, PgnResult, parse_fen_for, write_san};
use crate::protocol::command::Command;
use crate::protocol::format::escape_invisible;
use crate::protocol::machine::{Activity, Machine};
use crate::protocol::parser;
use crate::rules::{Position, Variant};
use crate::types::{Color, Move};

use super::confirmation::{confirmation, pgn_result};
use super::edit_board::EditBoard;
use super::environment::Environment;
use super::help::help;
use super::level::{Level, depth_limit};
use super::steps::{Saved, Step};
use super::usage::usage;
use super::user_command::{Misunderstood, UserCommand};
use super::words::{self, NO_POSITION};

/// Text that may be in the line of the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CurrentLine {
    /// Nothing.
    #[default]
    Empty,
    /// The prompt, perhaps followed by what the person types.
    Prompt,
    /// Only what the person types. The line above is the thinking line, which the next one replaces.
    BelowThinking,
}

/// The state of a draw offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DrawOffer {
    /// There is none.
    #[default]
    None,
    /// The person has just made it, and Gaur can accept it at once.
    Made,
    /// Gaur answers it with its next move.
    Open,
    /// Gaur has accepted it, and the person does not know yet.
    Accepted,
    /// Gaur has made it, and the person does not know yet.
    ByGaur,
}

/// A game position that has been drawn: the number of moves before it and its key.
pub(super) type DrawnPosition = (usize, u64);

/// Largest number of characters of a line that is repeated in a message.
const MAX_QUOTED_CHARS: usize = 60;

/// Returns the beginning of a line that is repeated in a message, without characters that control the terminal.
pub(super) fn quoted(line: &str) -> String {
    let beginning: String = line.trim().chars().take(MAX_QUOTED_CHARS).collect();
    escape_invisible(&beginning)
}

/// Returns why a FEN is no legal position. The machine would give up the game for it.
fn check_position(fen: &str, variant: Variant) -> Result<(), String> {
    let setup = parse_fen_for(fen, variant).map_err(|error| error.to_string())?;
    match Position::from_setup(&setup, variant) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// The client for a person at a terminal.
#[derive(Debug)]
pub struct TerminalClient {
    pub(super) environment: Environment,
    /// Time control that the person has chosen.
    pub(super) level: Level,
    /// Set once the machine has got its settings.
    is_started: bool,
    /// Set by the greeting. Nothing is drawn before it.
    is_greeted: bool,
    /// Set if thinking lines are shown.
    pub(super) shows_thinking: bool,
    /// Set if moves are described in words.
    pub(super) uses_words: bool,
    pub(super) current_line: CurrentLine,
    pub(super) drawn: Option<DrawnPosition>,
    /// Newest thinking line of the search for a move.
    pub(super) last_info: Option<SearchInfo>,
    /// Set if the next move of Gaur is from the opening book.
    pub(super) is_book_move: bool,
    /// Draw offer of the person.
    pub(super) draw_offer: DrawOffer,
    /// Result that the position does not show: a draw by agreement, or a resignation.
    pub(super) result: Option<PgnResult>,
    /// The board in edit mode.
    pub(super) edit: Option<EditBoard>,
    /// Gaur's side before the analysis; `None` if it played neither.
    pub(super) engine_before_analysis: Option<Color>,
    /// Set while an analysis looks for a hint.
    pub(super) seeks_hint: bool,
    /// Set while the machine has not answered `hint`. It also sends the moves on which it ponders as hints.
    pub(super) awaits_hint: bool,
    /// Command of the person that no reply has answered.
    pub(super) unanswered: Option<Command>,
    pub(super) steps: Vec<Step>,
}

impl TerminalClient {
    /// Creates a client. Moves are in algebraic notation, and thinking lines are shown if they can replace one another.
    pub fn new(environment: Environment) -> TerminalClient {
        TerminalClient {
            environment,
            level: Level::default(),
            is_started: false,
            is_greeted: false,
            shows_thinking: environment.style.has_cursor,
            uses_words: false,
            current_line: CurrentLine::Empty,
            drawn: None,
            last_info: None,
            is_book_move: false,
            draw_offer: DrawOffer::None,
            result: None,
            edit: None,
            engine_before_analysis: None,
            seeks_hint: false,
            awaits_hint: false,
            unanswered: None,
            steps: Vec::new(),
        }
    }

    /// Greets the person.
    pub(super) fn start(&mut self, machine: &Machine) -> Vec<Step> {
        self.say(concat!(
            "Gaur ",
            env!("CARGO_PKG_VERSION"),
            ", a chess engine. You play White: type a move such as e4, or help, or quit."
        ));
        self.is_greeted = true;
        self.finish(machine)
    }

    /// Handles a line of the person.
    pub(super) fn on_line(&mut self, line: &str, machine: &Machine, now: Instant) -> Vec<Step> {
        self.current_line = CurrentLine::Empty;
        self.awaits_hint = false;
        self.unanswered = None;
        if !self.is_started {
            self.is_started = true;
            self.command("post");
            self.command(&self.level.line.clone());
        }
        if self.seeks_hint {
            self.end_hint();
            self.steps.push(Step::Line(line.to_owned()));
        } else if let Some(edit) = self.edit.take() {
            self.edit_line(line, edit, machine);
        } else {
            match UserCommand::parse(line) {
                Ok(command) => self.carry_out(command, machine, now),
                Err(error) => self.report(line, &error),
            }
        }
        std::mem::take(&mut self.steps)
    }

    /// Ends the handling of an input, whose steps have been carried out: draws a new position and prompts for a line.
    pub(super) fn finish(&mut self, machine: &Machine) -> Vec<Step> {
        if !self.is_greeted {
            return Vec::new();
        }
        if !self.seeks_hint && machine.activity() != Activity::Analysing {
            self.engine_before_analysis = None;
        }
        if self.draw_offer == DrawOffer::Made {
            self.draw_offer = DrawOffer::Open;
            self.say(match machine.activity() {
                Activity::Thinking(_) => "Gaur answers the offer with its move.",
                _ => "Gaur answers the offer after your move.",
            });
        }
        let position = machine.game().position();
        let drawn = position.map(|position| (machine.game().len(), position.board().key().0));
        let game_continues = match machine.activity() {
            Activity::Waiting(_) | Activity::Thinking(_) => true,
            Activity::Watching | Activity::Analysing | Activity::Editing => self.drawn != drawn,
            Activity::Over(_) => false,
        };
        if game_continues {
            self.result = None;
        }
        if self.drawn != drawn && !self.seeks_hint {
            self.drawn = drawn;
            if self.environment.style.has_cursor && position.is_some() {
                self.draw_board(machine);
            }
        }
        // After the move that Gaur plays with it.
        if self.draw_offer == DrawOffer::Accepted {
            self.draw_offer = DrawOffer::None;
            self.say(
                "Gaur accepts: the game is drawn. Type new for another game, or save FILE.pgn.",
            );
        }
        if self.draw_offer == DrawOffer::ByGaur {
            self.draw_offer = DrawOffer::None;
            self.say("Gaur offers a draw. Type draw to accept it, or play on.");
        }
        if !machine.has_pending_work() {
            if std::mem::take(&mut self.awaits_hint) {
                self.on_missing_hint(machine);
            }
            if let Some(command) = self.unanswered.take() {
                self.confirm(&command, machine);
            }
        }
        self.prompt(machine);
        std::mem::take(&mut self.steps)
    }

    /// Reports whether a game has been saved.
    pub(super) fn on_saved(&mut self, path: &str, result: &Result<Saved, String>) -> Vec<Step> {
        let path = escape_invisible(path);
        match result {
            Ok(Saved::Alone) => self.say(&format!("The game is saved in {path}.")),
            Ok(Saved::Added) => {
                self.say(&format!("The game is added to the other games in {path}."));
            }
            Err(reason) => self.say(&format!("{path} {}", escape_invisible(reason))),
        }
        std::mem::take(&mut self.steps)
    }

    /// Prints errors with which Gaur plays on.
    pub(super) fn on_errors(&mut self, errors: &[String]) -> Vec<Step> {
        for error in errors {
            self.say(&format!("gaur: {}", escape_invisible(error)));
        }
        std::mem::take(&mut self.steps)
    }

    /// Returns the text that ends the line of the cursor if something is in it, because the program ends.
    pub fn leave(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.current_line);
        (line != CurrentLine::Empty).then(|| "\n".to_owned())
    }

    fn report(&mut self, line: &str, error: &Misunderstood) {
        let line = quoted(line);
        self.say(&match error {
            Misunderstood::UnknownCommand(Some(name)) => {
                format!("There is no command {line}. Did you mean {name}? Type help for a list.")
            }
            Misunderstood::UnknownCommand(None) => {
                format!("{line} is neither a move nor a command. Type help for a list.")
            }
            Misunderstood::OptionName(name, setting) => {
                format!("{name} is an option. Write option {}.", quoted(setting))
            }
            Misunderstood::BadArgument(name) => {
                let has_argument = !line.eq_ignore_ascii_case(name);
                match usage(name) {
                    Some(usage) if has_argument => {
                        format!("This command does not accept that argument: {line}. {usage}")
                    }
                    Some(usage) => usage.to_owned(),
                    None if has_argument => format!(
                        "This command does not accept that argument: {line}. Programs send it, and people need it rarely."
                    ),
                    None => format!(
                        "{line} needs an argument. Programs send this command, and people need it rarely."
                    ),
                }
            }
            Misunderstood::SuperfluousArgument(name) => {
                format!("This command has no argument: {line}. Write {name} alone.")
            }
        });
    }

    fn carry_out(&mut self, command: UserCommand, machine: &Machine, now: Instant) {
        match command {
            UserCommand::Nothing => {}
            UserCommand::Move(text) => self.play(&text, machine),
            UserCommand::Board => self.show_board(machine, now),
            UserCommand::Pieces => self.list_position(machine),
            UserCommand::Moves => self.list_moves(machine),
            UserCommand::New(variant, color) => self.new_game(variant, color),
            UserCommand::Go => self.go(machine),
            UserCommand::ChooseSide(color) => self.choose_side(color, machine),
            UserCommand::Undo => self.undo(machine),
            UserCommand::Remove => self.remove(machine),
            UserCommand::Hint => self.hint(machine),
            UserCommand::Level(text) => self.set_level(&text, machine, now),
            UserCommand::Save(path) => self.save(&path, machine),
            UserCommand::Draw => self.offer_draw(machine),
            UserCommand::Resign => self.resign(machine),
            UserCommand::Analyze => self.analyze(machine),
            UserCommand::Exit => self.exit(machine),
            UserCommand::Thinking(is_shown) => {
                self.shows_thinking = is_shown;
                let state = if is_shown { "shown" } else { "hidden" };
                self.say(&format!("Gaur's thinking is {state}."));
            }
            UserCommand::Words(is_on) => {
                self.uses_words = is_on;
                let form = if is_on { "in words" } else { "in notation" };
                self.say(&format!("Moves are shown {form}."));
            }
            UserCommand::Options => self.list_options(machine),
            UserCommand::Help(name) => self.say(&help(&name)),
            UserCommand::Protocol(line) => self.pass_on(&line, machine),
        }
    }

    /// Returns the position, or prints why there is none.
    pub(super) fn playable<'a>(&mut self, machine: &'a Machine) -> Option<&'a Position> {
        let position = machine.game().position();
        if position.is_none() {
            self.say(NO_POSITION);
        }
        position
    }

    /// Returns a move as the person wants to read it.
    pub(super) fn move_text(&self, position: &Position, mv: Move) -> String {
        if self.uses_words {
            words::in_words(position, mv)
        } else {
            words::numbered(position, mv)
        }
    }

    fn list_moves(&mut self, machine: &Machine) {
        let Some(position) = self.playable(machine) else {
            return;
        };
        let mut moves: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|&mv| match self.uses_words {
                true => words::in_words(position, mv),
                false => write_san(position, mv),
            })
            .collect();
        moves.sort();
        let separator = if self.uses_words { "\n" } else { " " };
        if moves.is_empty() {
            self.say("There are no legal moves.");
        } else {
            self.say(&moves.join(separator));
        }
    }

    /// Forgets what concerns the game, because another one begins.
    pub(super) fn forget_game(&mut self) {
        self.result = None;
        self.draw_offer = DrawOffer::None;
        self.drawn = None;
    }

    fn set_level(&mut self, text: &str, machine: &Machine, now: Instant) {
        if !text.is_empty() {
            let level = Level::parse(text).filter(|level| !level.gives_no_time());
            let Some(level) = level else {
                return self.say("Write level 5 (minutes), level 5+3, level 40/5 or level off.");
            };
            self.command(&level.line);
            self.level = level;
        }
        self.say(&self.level.describe());
        if text.is_empty() {
            self.show_clocks(machine, now);
        }
    }

    fn save(&mut self, path: &str, machine: &Machine) {
        if path.is_empty() {
            return self.say("Write the name of the file, such as save game.pgn.");
        }
        let game = machine.game();
        let Some(start) = game.start() else {
            return self.say(NO_POSITION);
        };
        let gaur = concat!("Gaur ", env!("CARGO_PKG_VERSION"));
        let (white, black) = match self.engine(machine) {
            Some(Color::White) => (gaur, "Human"),
            Some(Color::Black) => ("Human", gaur),
            None => ("", ""),
        };
        let result = game.outcome().map(PgnResult::from).or(self.result);
        let moves: Vec<Move> = game.moves().collect();
        let pgn = Pgn {
            event: "Game against Gaur",
            date: &(self.environment.today)(),
            white,
            black,
            result: result.unwrap_or_default(),
            start: &start,
            moves: &moves,
        };
        self.steps.push(Step::SaveGame {
            path: self.environment.with_home(path),
            text: pgn.write(),
        });
    }

    /// Returns Gaur's side; `None` if it plays neither.
    pub(super) fn engine(&self, machine: &Machine) -> Option<Color> {
        match machine.activity() {
            Activity::Waiting(engine) | Activity::Thinking(engine) | Activity::Over(engine) => {
                Some(engine)
            }
            _ => self.engine_before_analysis,
        }
    }

    /// Passes a line of the protocol on to the machine.
    fn pass_on(&mut self, line: &str, machine: &Machine) {
        if let Some(level) = Level::from_line(line) {
            if level.gives_no_time() {
                return self.say("Gaur needs some time: st 5 gives it five seconds per move.");
            }
            self.say(&level.describe());
            self.level = level;
            return self.command(line);
        }
        match parser::parse(line) {
            Ok(Command::DepthLimit(depth)) => self.say(&depth_limit(depth)),
            // The client has ended at `xboard`, and the machine must not believe otherwise.
            Ok(Command::Xboard) => return self.say("A GUI writes xboard in small letters."),
            Ok(Command::MoveNow) => {
                if !matches!(machine.activity(), Activity::Thinking(_)) {
                    return self
                        .say("Gaur is not thinking. Type go to let it play the side to move.");
                }
            }
            Ok(Command::Option { name, value }) => return self.set_option(name, value, machine),
            Ok(Command::TablebasePath { kind, path }) => {
                return self.set_tablebase_path(kind, &path);
            }
            Ok(Command::Edit) => return self.begin_edit(machine),
            Ok(Command::SetBoard(fen)) => {
                if let Err(reason) = check_position(&fen, machine.game().variant()) {
                    return self.say(&format!("This position is not possible: {reason}."));
                }
                self.unanswered = Some(Command::SetBoard(fen));
            }
            Ok(command) => {
                if let Command::GameResult(result) = command {
                    self.result = Some(pgn_result(result));
                }
                self.unanswered = Some(command);
            }
            Err(_) => {}
        }
        self.command(line);
    }

    /// Confirms a command that no reply has answered.
    fn confirm(&mut self, command: &Command, machine: &Machine) {
        let Some(text) = confirmation(command, machine) else {
            return;
        };
        let is_set_up = matches!(command, Command::SetBoard(_) | Command::Edit);
        if let Some(position) = machine.game().position()
            && is_set_up
            && !self.environment.style.has_cursor
        {
            // The text names the side to move.
            self.list_pieces(position);
        }
        self.say(&text);
    }

    /// Appends a line for the machine.
    pub(super) fn command(&mut self, line: &str) {
        self.steps.push(Step::Command(line.to_owned()));
    }
}
