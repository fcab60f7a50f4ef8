//! The loop that joins input, search and output. It waits for whatever comes first and never for one of them alone,
//! so the engine hears everything at any time.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, at, never, select};

use super::files;
use super::input::Input;
use super::log::{Log, LogTrouble};
use super::network_file::NetworkReader;
use super::output::Output;
use super::signals::Terminate;
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::format;
use crate::protocol::machine::{Action, Machine, SettingsEvent};
use crate::protocol::reply::Reply;

/// How often we look whether a GUI that lets too much wait reads again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long the GUI's next line may wait for a move that `?` has asked for. It comes within a few milliseconds; should
/// it not, `quit` must still be heard in time.
const PATIENCE_AT_MOVE_NOW: Duration = Duration::from_millis(150);

/// Everything the loop joins.
pub struct Driver {
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
    /// Until when the next line waits for a move that `?` has asked for.
    pub hurried: Option<Instant>,
    /// Reads network files.
    pub networks: NetworkReader,
    /// Where all traffic is noted, if that is wanted.
    pub log: Log,
    /// Why a log had to be given up.
    pub log_trouble: Receiver<LogTrouble>,
    /// Lines to the GUI.
    pub output: Output,
}

impl Driver {
    /// Runs until `quit`, the end of input, a signal, or a GUI that has closed its end. The search has been told to
    /// quit then. Returns the output, where the last lines may still wait.
    pub fn run(mut self) -> Output {
        while self.step().is_continue() {}
        // The machine may not have had a chance to say it; a search that is gone needs no order.
        let _ = self.orders.send(SearchOrder::Quit);
        self.output
    }

    /// Handles one thing that has happened.
    fn step(&mut self) -> ControlFlow<()> {
        self.hurried = self.machine.is_hurried().then(|| {
            self.hurried
                .unwrap_or_else(|| Instant::now() + PATIENCE_AT_MOVE_NOW)
        });
        let (input, look_again) = if self.output.is_full() || self.machine.has_many_waiting() {
            (never(), after(LOOK_AGAIN))
        } else {
            match self.hurried.filter(|&until| Instant::now() < until) {
                Some(until) => (never(), at(until)),
                None => (self.input.clone(), never()),
            }
        };
        let actions = select! {
            recv(input) -> input => match input {
                Ok(Input::Line(line, arrived)) => {
                    // First of all: should the line bring us down, the log must have it.
                    self.log.received(&line, arrived);
                    self.machine.on_line(&line, arrived)
                }
                Ok(Input::End) | Err(_) => {
                    self.log.remark("end of input");
                    self.machine.on_end_of_input(Instant::now())
                }
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
                Ok(Terminate) => return self.leave("asked to leave by a signal"),
                Err(_) => {
                    self.signals = never();
                    Vec::new()
                }
            },
            recv(self.networks.results) -> result => match result {
                Ok(Ok(network)) => {
                    self.send_order(SearchOrder::UseNetwork(network));
                    self.machine.on_network(Ok(()))
                }
                Ok(Err(error)) => self.machine.on_network(Err(error.to_string())),
                Err(_) => Vec::new(),
            },
            recv(self.log_trouble) -> trouble => match trouble {
                Ok(trouble) => self.machine.on_log_trouble(&trouble.folder, &trouble.reason),
                Err(_) => {
                    self.log_trouble = never();
                    Vec::new()
                }
            },
            recv(self.deadline) -> _ => return self.leave("no time left for what is owed"),
            // A GUI that has closed its end has gone.
            recv(self.output.ended()) -> _ => return self.leave("standard output is closed"),
            recv(look_again) -> _ => Vec::new(),
        };
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Reply(reply) => {
                    let lines = format::write(&reply);
                    match reply {
                        Reply::Thinking { .. } => self.output.print_if_read(lines),
                        _ => self.output.print(lines),
                    }
                }
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
                Action::ReadNetwork(path) => self.networks.read(path),
                Action::Search(order) => self.send_order(order),
                Action::Log { settings, summary } => self.log.configure(&settings, &summary),
                Action::QuitWithin(time) => {
                    self.input = never();
                    self.deadline = after(time);
                }
                Action::Quit => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    /// Sends an order to the search, unless its thread has ended.
    fn send_order(&self, order: SearchOrder) {
        self.orders.send(order).unwrap_or_default();
    }

    /// Ends the loop for a reason that the machine knows nothing of.
    fn leave(&self, reason: &str) -> ControlFlow<()> {
        self.log.remark(reason);
        ControlFlow::Break(())
    }
}
