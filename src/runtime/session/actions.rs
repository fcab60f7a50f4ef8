//! Inputs and actions of a session: what each line, reply and order leads to.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::super::file_work::Work;
use super::super::standard_error::print_without_waiting;
use super::{Notice, Session};
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::command::Command;
use crate::protocol::format;
use crate::protocol::machine::Action;
use crate::protocol::parser;
use crate::protocol::reply::Reply;
use crate::terminal::{Step, TerminalClient};

impl Session {
    /// Handles a line: by the client at a terminal, until `xboard` ends it, or by the machine.
    pub(super) fn on_line(&mut self, line: &str, arrived: Instant) {
        if self.terminal.is_some() && parser::parse(line) == Ok(Command::Xboard) {
            self.leave_terminal();
            self.terminal = None;
            self.is_interactive.store(false, Ordering::Release);
        }
        match &mut self.terminal {
            Some(terminal) => {
                let steps = terminal.on_line(line, &self.machine, arrived);
                self.carry_out_steps(steps);
            }
            None => {
                let actions = self.machine.on_line(line, arrived);
                self.carry_out(actions);
            }
        }
    }

    /// Carries out actions, and those that follow from moves without a search or from the client at a terminal.
    pub(super) fn carry_out(&mut self, actions: Vec<Action>) {
        let mut steps = VecDeque::new();
        self.carry_out_actions(actions, &mut steps);
        self.carry_out_steps(steps);
    }

    /// Carries out steps of the client at a terminal, if there is one.
    pub(super) fn carry_out_steps(&mut self, steps: impl Into<VecDeque<Step>>) {
        let mut steps = steps.into();
        while let Some(step) = steps.pop_front() {
            match step {
                Step::Print(text) => self.output.print_text(text),
                Step::PrintThinking(text) => self.output.print_thinking_text(text),
                Step::Command(line) => {
                    let actions = self.machine.on_line(&line, Instant::now());
                    self.carry_out_actions(actions, &mut steps);
                }
                Step::Line(line) => {
                    if let Some(terminal) = &mut self.terminal {
                        let first = terminal.on_line(&line, &self.machine, Instant::now());
                        for step in first.into_iter().rev() {
                            steps.push_front(step);
                        }
                    }
                }
                Step::SaveGame { path, text } => {
                    self.is_saving_game = true;
                    self.files.start(Work::AddGame { path, text });
                }
            }
        }
        if let Some(terminal) = &mut self.terminal
            && !self.has_ended
        {
            for step in terminal.finish(&self.machine) {
                if let Step::Print(text) = step {
                    self.output.print_text(text);
                }
            }
        }
    }

    /// Prints a reply. At a terminal it is printed as text, and the other steps that follow from it are added to
    /// `steps`: they must not precede the actions that follow the reply.
    fn reply(&mut self, reply: Reply, steps: &mut VecDeque<Step>) {
        if let Some(terminal) = &mut self.terminal {
            for step in terminal.on_reply(&reply, &self.machine) {
                match step {
                    Step::Print(text) => self.output.print_text(text),
                    Step::PrintThinking(text) => self.output.print_thinking_text(text),
                    other => steps.push_back(other),
                }
            }
            return;
        }
        let lines = format::write(&reply);
        match reply {
            Reply::Thinking { .. } => self.output.print_thinking(lines),
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

    /// Carries out actions, and those that follow from moves without a search. Adds the steps that follow from replies.
    fn carry_out_actions(&mut self, actions: Vec<Action>, steps: &mut VecDeque<Step>) {
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Reply(reply) => self.reply(reply, steps),
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
                Action::FileWithin(time) => self.files.limit(time),
                Action::PrintErrors(errors) => {
                    self.log.comment(&errors.join("\n"));
                    if let Some(printer) = print_without_waiting(&errors) {
                        self.error_printer = Some(printer);
                    }
                }
                Action::Search(order) => {
                    let answer = self.immediate_answer(&order);
                    if answer.is_empty() {
                        self.send_order(order);
                    }
                    for event in answer {
                        actions.extend(self.machine.on_event(event, Instant::now()));
                    }
                }
                Action::Log { settings, summary } => self.log.configure(&settings, &summary),
                Action::LogSettings(summary) => self.log.comment(&summary),
                Action::QuitWithin(time) => {
                    self.is_quitting = true;
                    self.notify(Notice::Deadline(Instant::now() + time));
                }
                Action::Quit => self.finish(),
            }
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
