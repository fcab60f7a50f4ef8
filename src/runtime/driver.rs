//! The loop that joins input, search and output. It waits for whatever comes first and never for one of them alone,
//! so the engine hears everything at any time.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, after, never, select};

use super::files;
use super::input::Input;
use super::output::Output;
use super::signals::Terminate;
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::format;
use crate::protocol::machine::{Action, Machine, SettingsEvent};

/// Everything the loop joins.
pub struct Driver<W> {
    /// Decides what to do.
    pub machine: Machine,
    /// Lines from the GUI.
    pub input: Receiver<Input>,
    /// Reports of the search.
    pub events: Receiver<SearchEvent>,
    /// Orders to the search.
    pub orders: Sender<SearchOrder>,
    /// Requests to leave.
    pub signals: Receiver<Terminate>,
    /// When to leave although an answer is still owed; never, until the machine says so.
    pub deadline: Receiver<Instant>,
    /// Lines to the GUI.
    pub output: Output<W>,
}

impl<W: Write> Driver<W> {
    /// Runs until `quit`, the end of input, a signal, or a GUI that no longer reads. The search has been told to quit
    /// then.
    pub fn run(mut self) {
        while self.step().is_continue() {}
        // The machine may not have had a chance to say it; a search that is gone needs no order.
        let _ = self.orders.send(SearchOrder::Quit);
    }

    /// Handles one thing that has happened.
    fn step(&mut self) -> ControlFlow<()> {
        let actions = select! {
            recv(self.input) -> input => match input {
                Ok(Input::Line(line, arrived)) => self.machine.on_line(&line, arrived),
                Ok(Input::End) | Err(_) => self.machine.on_end_of_input(Instant::now()),
            },
            recv(self.events) -> event => match event {
                Ok(event) => self.machine.on_event(event, Instant::now()),
                Err(_) => {
                    // The search is gone. Talk goes on without it, but nothing may be asked of this channel.
                    self.events = never();
                    Vec::new()
                }
            },
            recv(self.signals) -> signal => match signal {
                Ok(Terminate) => return ControlFlow::Break(()),
                Err(_) => {
                    self.signals = never();
                    Vec::new()
                }
            },
            recv(self.deadline) -> _ => return ControlFlow::Break(()),
        };
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                // A GUI that no longer reads has gone.
                Action::Reply(reply) => match self.print(&format::write(&reply)) {
                    Ok(()) => {}
                    Err(_) => return ControlFlow::Break(()),
                },
                Action::ReadSettings(path) => {
                    let content = files::read_text(&path);
                    let event = SettingsEvent::Read(path, content);
                    actions.extend(self.machine.on_settings(event));
                }
                Action::WriteSettings { path, text } => {
                    let result = files::write_text(&path, &text);
                    let event = SettingsEvent::Written(path, result);
                    actions.extend(self.machine.on_settings(event));
                }
                // If the search is gone there is nobody to tell.
                Action::Search(order) => self.orders.send(order).unwrap_or_default(),
                Action::QuitWithin(time) => {
                    self.input = never();
                    self.deadline = after(time);
                }
                Action::Quit => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn print(&mut self, lines: &str) -> io::Result<()> {
        self.output.print(lines)
    }
}
