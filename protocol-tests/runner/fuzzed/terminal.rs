//! Lines of a person at a terminal: each gets an answer, and no text of the person controls the terminal.
//!
//! The machine has a simulated search, which ends by itself.

use std::collections::VecDeque;
use std::time::Instant;

use gaur::messages::SearchEvent;
use gaur::protocol::machine::{Action, FileProblem, Machine, MachineSettings, SettingsEvent};
use gaur::terminal::{Environment, Step, Style, TerminalClient};

use crate::simulated_search::SimulatedSearch;

/// Largest number of lines of a conversation.
const MAX_LINES: usize = 100;

/// Largest number of steps and actions that one line may lead to.
const MAX_STEPS: usize = 1000;

/// Runs the conversation that the bytes describe, in plain text and with a drawn board.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for has_cursor in [false, true] {
        let mut person = Person::new(has_cursor);
        for line in text.split('\n').take(MAX_LINES) {
            let output = person.send(line);
            if person.has_quit {
                break;
            }
            check(&output, line, has_cursor);
        }
    }
}

/// Checks the output after a line.
fn check(output: &str, line: &str, has_cursor: bool) {
    // The only escape sequence without colours erases a line.
    let text = output.replace("\r\u{1b}[K", "");
    assert!(has_cursor || text == output, "{output:?} after {line:?}");
    let is_control = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(is_control), "{output:?} after {line:?}");
}

/// A client with its machine.
struct Person {
    client: TerminalClient,
    machine: Machine,
    search: SimulatedSearch,
    output: String,
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
        Person {
            client: TerminalClient::new(Environment {
                style,
                width: || 80,
                today: || "2026.11.25".to_owned(),
            }),
            machine: Machine::new(MachineSettings {
                is_terminal: true,
                ..MachineSettings::default()
            }),
            search: SimulatedSearch::new(true),
            output: String::new(),
            has_quit: false,
            now: Instant::now(),
        }
    }

    /// Types a line, lets the search end, and returns the output.
    fn send(&mut self, line: &str) -> String {
        let steps = self.client.on_line(line, &self.machine, self.now);
        self.carry_out(Vec::new(), steps);
        while let Some(event) = self.search.next_by_itself() {
            let actions = self.machine.on_event(event, self.now);
            self.carry_out(actions, Vec::new());
        }
        std::mem::take(&mut self.output)
    }

    fn carry_out(&mut self, actions: Vec<Action>, steps: Vec<Step>) {
        let mut steps = VecDeque::from(steps);
        let mut count = 0;
        self.act(actions, &mut steps);
        while let Some(step) = steps.pop_front() {
            count += 1;
            assert!(count < MAX_STEPS, "steps without an end");
            match step {
                Step::Print(text) | Step::PrintThinking(text) => self.output += &text,
                Step::Command(line) => {
                    let actions = self.machine.on_line(&line, self.now);
                    self.act(actions, &mut steps);
                }
                Step::Line(line) => {
                    let first = self.client.on_line(&line, &self.machine, self.now);
                    first
                        .into_iter()
                        .rev()
                        .for_each(|step| steps.push_front(step));
                }
                Step::SaveGame { path, .. } => {
                    let steps = self
                        .client
                        .on_saved(&path, &Err("is out of reach.".to_owned()));
                    self.print(steps);
                }
            }
        }
        let steps = self.client.finish(&self.machine);
        self.print(steps);
    }

    /// Prints steps that are only text.
    fn print(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Print(text) => self.output += &text,
                other => panic!("{other:?} instead of text"),
            }
        }
    }

    fn act(&mut self, actions: Vec<Action>, steps: &mut VecDeque<Step>) {
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            let problem = || FileProblem::Other("is out of reach".to_owned());
            actions.extend(match action {
                Action::Reply(reply) => {
                    for step in self.client.on_reply(&reply, &self.machine) {
                        match step {
                            Step::Print(text) | Step::PrintThinking(text) => self.output += &text,
                            other => steps.push_back(other),
                        }
                    }
                    Vec::new()
                }
                Action::Search(order) => match self.search.handle_order(order) {
                    Some(event) => self.on_event(event),
                    None => Vec::new(),
                },
                Action::ReadSettings(path) => {
                    let event = SettingsEvent::Read(path, Err(problem()));
                    self.machine.on_settings(event)
                }
                Action::WriteSettings { path, .. } => {
                    let event = SettingsEvent::Written(path, Err(problem()));
                    self.machine.on_settings(event)
                }
                Action::ReadNetwork(_) => self.machine.on_network(Ok(())),
                Action::QuitWithin(_) | Action::Quit => {
                    self.has_quit = true;
                    Vec::new()
                }
                Action::Log { .. }
                | Action::LogSettings(_)
                | Action::FileWithin(_)
                | Action::PrintErrors(_) => Vec::new(),
            });
        }
    }

    fn on_event(&mut self, event: SearchEvent) -> Vec<Action> {
        self.machine.on_event(event, self.now)
    }
}
