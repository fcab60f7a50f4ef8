//! Inputs and actions of a session: what each line, reply and order leads to.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::super::file_work::Work;
use super::super::standard_error::print_without_waiting;
use super::{Notice, Session};
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::command::Command;
use crate::protocol::format;
use crate::protocol::machine::{Action, Machine};
use crate::protocol::parser;
use crate::protocol::reply::Reply;
use crate::terminal::{self, Host, TerminalClient};

impl Session {
    /// Handles a line: by the client at a terminal, until `xboard` ends it, or by the machine.
    pub(super) fn on_line(&mut self, line: &str, arrived: Instant) {
        if self.terminal.is_some() && parser::parse(line) == Ok(Command::Xboard) {
            self.leave_terminal();
            self.terminal = None;
            self.is_interactive.store(false, Ordering::Release);
        }
        if self.terminal.is_some() {
            terminal::on_line(self, line);
        } else {
            let actions = self.machine.on_line(line, arrived);
            self.carry_out(actions);
        }
    }

    /// Carries out actions, and those that follow from moves without a search or from the client at a terminal.
    pub(super) fn carry_out(&mut self, actions: Vec<Action>) {
        terminal::carry_out(self, actions);
    }

    /// Prints a reply to a GUI.
    fn reply(&mut self, reply: &Reply) {
        let lines = format::write(reply);
        match reply {
            Reply::Thinking { .. } | Reply::BookLine { .. } => self.output.print_thinking(lines),
            // It belongs to the thinking lines around it.
            Reply::Status(..) => self.output.print_in_order(lines),
            _ => self.output.print(lines),
        }
    }

    /// Ends the line of a terminal in which the cursor is.
    pub(super) fn leave_terminal(&mut self) {
        if let Some(text) = self.terminal.as_mut().and_then(TerminalClient::leave) {
            self.output.print_text(text);
        }
    }

    /// Returns the answer to an order that leaves no time to wake the search thread; nothing if no move is available.
    /// The machine has abandoned the earlier search.
    fn immediate_answer(&self, order: &SearchOrder) -> Vec<SearchEvent> {
        match order {
            SearchOrder::Start(request) => self.immediate.answer(request),
            _ => Vec::new(),
        }
    }
}

impl Host for Session {
    fn parts(&mut self) -> Option<(&mut TerminalClient, &mut Machine)> {
        Some((self.terminal.as_mut()?, &mut self.machine))
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn print(&mut self, text: String) {
        self.output.print_text(text);
    }

    fn print_thinking(&mut self, text: String) {
        self.output.print_thinking_text(text);
    }

    fn save_game(&mut self, path: String, text: String) {
        self.is_saving_game = true;
        self.files.start(Work::AddGame { path, text });
    }

    fn act(&mut self, action: Action) -> Vec<Action> {
        match action {
            Action::Reply(reply) => self.reply(&reply),
            Action::ReadSettings(path) => self.files.start(Work::ReadSettings(path)),
            Action::WriteSettings {
                path,
                text,
                may_replace,
            } => self.files.start(Work::WriteSettings {
                path,
                text,
                may_replace,
            }),
            Action::ReadNetwork(path) => self.files.start(Work::ReadNetwork(path)),
            Action::ReadTablebases(path) => self.files.start(Work::ReadTablebases(path)),
            Action::ReadBook { file, learns } => self.files.start(Work::ReadBook { file, learns }),
            Action::LearnBook { file, moves } => self.files.start(Work::LearnBook { file, moves }),
            Action::FileWithin(time) => self.files.limit(time),
            Action::PrintErrors(errors) => {
                self.log.comment(&errors.join("\n"));
                if self.terminal.is_some() {
                    // Standard error would not keep the order of errors, board and prompt.
                    terminal::on_errors(self, &errors);
                } else if let Some(printer) = print_without_waiting(&errors) {
                    self.error_printer = Some(printer);
                }
            }
            Action::Search(order) => {
                let answer = self.immediate_answer(&order);
                if answer.is_empty() {
                    self.send_order(order);
                }
                let events = answer.into_iter();
                return events
                    .flat_map(|event| self.machine.on_event(event, Instant::now()))
                    .collect();
            }
            Action::Log { settings, summary } => self.log.configure(&settings, &summary),
            Action::LogSettings(summary) => self.log.comment(&summary),
            Action::QuitWithin(time) => {
                self.is_quitting = true;
                self.notify(Notice::Deadline(Instant::now() + time));
            }
            Action::Quit => self.finish(),
        }
        Vec::new()
    }
}
