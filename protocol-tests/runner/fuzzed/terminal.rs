//! Lines of a person at a terminal: each that is not empty gets an answer, and no text of the person controls the
//! terminal.
//!
//! The machine has a simulated search, which sends its events before the next line. The results of files arrive before
//! the next line, too; the path decides whether it is an error.

use std::sync::Arc;
use std::time::Instant;

use gaur::book::{BookFile, BookSource, Learned};
use gaur::messages::{Purpose, SearchOrder};
use gaur::protocol::command::Command;
use gaur::protocol::machine::{
    Action, BookReport, FileProblem, Machine, MachineSettings, SettingsEvent, TablebaseReport,
};
use gaur::protocol::parser::parse;
use gaur::terminal::{self, Environment, Host, Saved, Style, TerminalClient};

use crate::simulated_search::SimulatedSearch;

/// Largest number of lines of a conversation.
const MAX_LINES: usize = 100;

/// Largest number of texts and actions that one line may lead to.
const MAX_STEPS: usize = 1000;

/// Escape sequence that erases the line of the cursor.
const ERASE_LINE: &str = "\r\u{1b}[K";

/// Escape sequence that erases the line above the cursor.
const ERASE_LINE_ABOVE: &str = "\u{1b}[A\u{1b}[K";

/// All escape sequences without colours. The last two begin and end a thinking line above the cursor.
const SEQUENCES: [&str; 4] = [ERASE_LINE, ERASE_LINE_ABOVE, "\u{1b}7\u{1b}[A", "\u{1b}8"];

/// Runs the conversation that the bytes describe, in plain text and with a drawn board.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for has_cursor in [false, true] {
        let mut person = Person::new(has_cursor);
        for line in text.split('\n').take(MAX_LINES) {
            if parse(line) == Ok(Command::Xboard) {
                // The machine serves a GUI from now on.
                break;
            }
            let output = person.send(line);
            if person.has_quit {
                break;
            }
            let is_answered = person.is_answered || line.trim().is_empty();
            assert!(is_answered, "no answer to {line:?}: {output:?}");
            check(&output, line, has_cursor);
        }
    }
}

/// Checks that no output after a line controls the terminal.
fn check(output: &str, line: &str, has_cursor: bool) {
    let without = |text: String, sequence| text.replace(sequence, "");
    let text = SEQUENCES.into_iter().fold(output.to_owned(), without);
    assert!(has_cursor || text == output, "{output:?} after {line:?}");
    let is_control = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(is_control), "{output:?} after {line:?}");
}

/// Returns `true` if the file with this path can be read and written.
fn is_in_reach(path: &str) -> bool {
    path.len().is_multiple_of(2)
}

/// A client with its machine.
struct Person {
    client: TerminalClient,
    machine: Machine,
    search: SimulatedSearch,
    output: String,
    /// File to which a game was to be added.
    unsaved: Option<String>,
    /// Set if the last line has got an answer: a text other than prompt, board and thinking; the board after the move
    /// that the line contains; or a search whose result the person is shown. What a search sends is no answer.
    is_answered: bool,
    /// Number of moves of the game before the last line.
    moves_before: usize,
    /// Texts and actions since the last line.
    steps: usize,
    has_quit: bool,
    now: Instant,
}

impl Person {
    fn new(has_cursor: bool) -> Person {
        let style = Style {
            has_cursor,
            has_color: false,
            has_unicode: has_cursor,
        };
        let mut person = Person {
            client: TerminalClient::new(Environment {
                style,
                width: || 80,
                height: || 24,
                home: || None,
                today: || "2026.11.25".to_owned(),
                random: || 0,
            }),
            machine: Machine::new(MachineSettings {
                is_terminal: true,
                ..MachineSettings::default()
            }),
            search: SimulatedSearch::new(true),
            output: String::new(),
            unsaved: None,
            is_answered: false,
            moves_before: 0,
            steps: 0,
            has_quit: false,
            now: Instant::now(),
        };
        terminal::greet(&mut person);
        assert!(person.output.starts_with("Gaur "), "{}", person.output);
        person.output.clear();
        person
    }

    /// Types a line, lets the search end, and returns the output.
    fn send(&mut self, line: &str) -> String {
        self.steps = 0;
        self.is_answered = false;
        self.moves_before = self.machine.game().len();
        terminal::on_line(self, line);
        if let Some(path) = self.unsaved.take() {
            let result = match is_in_reach(&path) {
                true => Ok(Saved::Alone),
                false => Err("is out of reach.".to_owned()),
            };
            terminal::on_saved(self, &path, &result);
        }
        let is_answered = self.is_answered;
        while let Some(event) = self.search.next_by_itself() {
            let actions = self.machine.on_event(event, self.now);
            terminal::carry_out(self, actions);
        }
        self.is_answered = is_answered;
        std::mem::take(&mut self.output)
    }

    fn count_step(&mut self) {
        self.steps += 1;
        assert!(self.steps < MAX_STEPS, "steps without an end");
    }
}

impl Host for Person {
    fn parts(&mut self) -> Option<(&mut TerminalClient, &mut Machine)> {
        Some((&mut self.client, &mut self.machine))
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn has_ended(&self) -> bool {
        self.has_quit
    }

    fn print(&mut self, text: String) {
        self.count_step();
        // A prompt has no line end, the line for thinking lines is empty, and a board begins with an empty line.
        let content = text.strip_prefix(ERASE_LINE).unwrap_or(&text);
        let content = content.strip_prefix(ERASE_LINE_ABOVE).unwrap_or(content);
        let is_board = content.starts_with('\n');
        let shows_move = is_board && self.machine.game().len() > self.moves_before;
        let is_text = !is_board && content.ends_with('\n');
        self.is_answered |= content != "\n" && (shows_move || is_text);
        self.output += &text;
    }

    fn print_thinking(&mut self, text: String) {
        self.count_step();
        self.output += &text;
    }

    fn save_game(&mut self, path: String, _: String) {
        self.unsaved = Some(path);
    }

    fn act(&mut self, action: Action) -> Vec<Action> {
        self.count_step();
        let result = |path: &str| match is_in_reach(path) {
            true => Ok(()),
            false => Err(FileProblem::Other("is out of reach".to_owned())),
        };
        match action {
            Action::Search(order) => {
                if let SearchOrder::Start(request) = &order {
                    self.is_answered |= request.purpose != Purpose::Ponder;
                }
                match self.search.handle_order(order) {
                    Some(event) => self.machine.on_event(event, self.now),
                    None => Vec::new(),
                }
            }
            Action::ReadSettings(path) => {
                let text = result(&path).map(|()| "MultiPV=2".to_owned());
                let event = SettingsEvent::Read(path, text);
                self.machine.on_settings(event)
            }
            Action::WriteSettings { path, .. } => {
                let result = result(&path);
                let event = SettingsEvent::Written(path, result);
                self.machine.on_settings(event)
            }
            Action::ReadNetwork(_) => self.machine.on_network(Ok(())),
            Action::ReadTablebases(path) => {
                let problem = result(&path)
                    .err()
                    .map(|_| format!("{path} is out of reach"));
                self.machine.on_tablebases(TablebaseReport {
                    problem,
                    ..TablebaseReport::default()
                })
            }
            Action::ReadBook { file, .. } => {
                let book: Arc<dyn BookSource> = Arc::new(BookFile::built_in());
                self.machine.on_book(BookReport {
                    book: result(&file)
                        .map(|()| book)
                        .map_err(|_| format!("{file} is out of reach")),
                    learned: Some(Learned::default()),
                    problem: None,
                })
            }
            Action::LearnBook { file, .. } => {
                let learned = result(&file).map(|()| Learned::default());
                self.machine
                    .on_learned(learned.map_err(|_| format!("{file} is out of reach")))
            }
            Action::QuitWithin(_) | Action::Quit => {
                self.has_quit = true;
                Vec::new()
            }
            Action::Reply(_)
            | Action::Log { .. }
            | Action::LogSettings(_)
            | Action::FileWithin(_)
            | Action::PrintErrors(_) => Vec::new(),
        }
    }
}
