//! The event loop, which connects the protocol machine with input, search, files and output.
//!
//! The loop waits for all sources of events at once and never for one of them alone.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, at, never, select};

use super::file_work::{FileResult, FileWork, Work};
use super::input::Input;
use super::log::{Log, LogFailure};
use super::output::Output;
use super::signals::Terminate;
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::format;
use crate::protocol::machine::{Action, Machine};
use crate::protocol::reply::Reply;

/// Time between two checks of a full output or backlog.
const RECHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Longest time that the next line waits for the move after `?`. The move takes a few milliseconds; if it takes longer,
/// the loop must still read `quit` in time.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_millis(150);

/// The event loop with everything that it connects.
pub struct Driver {
    /// The protocol machine.
    pub machine: Machine,
    /// Lines from the GUI.
    pub input: Receiver<Input>,
    /// Events of the search.
    pub events: Receiver<SearchEvent>,
    /// Orders to the search.
    pub orders: Sender<SearchOrder>,
    /// Requests to end the program.
    pub signals: Receiver<Terminate>,
    /// Time to end although a move or pong is pending; set by [`Action::QuitWithin`].
    pub deadline: Receiver<Instant>,
    /// End of the time that the next line waits for the move after `?`.
    pub move_now_deadline: Option<Instant>,
    /// Reads and writes files.
    pub files: FileWork,
    /// Log of all traffic.
    pub log: Log,
    /// Failures of the log.
    pub log_failures: Receiver<LogFailure>,
    /// Lines to the GUI.
    pub output: Output,
}

impl Driver {
    /// Runs until `quit`, the end of input, a signal, or until the GUI closes its end.
    ///
    /// Orders the search to quit. Returns the output, where the last lines may still wait, and the files in work.
    pub fn run(mut self) -> (Output, FileWork) {
        while let ControlFlow::Continue(actions) = self.next_actions() {
            if self.carry_out(actions).is_break() {
                break;
            }
        }
        // The loop may have ended without the machine's order. The search may have ended, too.
        let _ = self.orders.send(SearchOrder::Quit);
        (self.output, self.files)
    }

    /// Waits for an event and returns the machine's actions, or ends the loop.
    fn next_actions(&mut self) -> ControlFlow<(), Vec<Action>> {
        self.move_now_deadline = self.machine.is_move_now_pending().then(|| {
            self.move_now_deadline
                .unwrap_or_else(|| Instant::now() + MOVE_NOW_TIMEOUT)
        });
        let (input, recheck) = if self.output.is_full() || self.machine.is_backlog_full() {
            (never(), after(RECHECK_INTERVAL))
        } else {
            match self
                .move_now_deadline
                .filter(|&until| Instant::now() < until)
            {
                Some(until) => (never(), at(until)),
                None => (self.input.clone(), never()),
            }
        };
        let actions = select! {
            recv(input) -> input => match input {
                Ok(Input::Line(line, arrived)) => {
                    // Before the machine, so that the log contains a line that makes it panic.
                    self.log.received(&line, arrived);
                    self.machine.on_line(&line, arrived)
                }
                Ok(Input::End) | Err(_) => {
                    self.log.comment("end of input");
                    self.machine.on_end_of_input(Instant::now())
                }
            },
            recv(self.events) -> event => match event {
                Ok(event) => self.machine.on_event(event, Instant::now()),
                Err(_) => {
                    // The search has ended. The conversation continues, but the channel must not be selected again.
                    self.events = never();
                    Vec::new()
                }
            },
            recv(self.signals) -> signal => match signal {
                Ok(Terminate) => return self.end("ended by a signal"),
                Err(_) => {
                    self.signals = never();
                    Vec::new()
                }
            },
            recv(self.files.results) -> result => result.map_or(Vec::new(), |result| self.on_file(result)),
            recv(self.log_failures) -> failure => match failure {
                Ok(failure) => self.machine.on_log_error(&failure.folder, &failure.reason),
                Err(_) => {
                    self.log_failures = never();
                    Vec::new()
                }
            },
            recv(self.deadline) -> _ => return self.end("no time left for a pending move or pong"),
            recv(self.output.ended()) -> _ => return self.end("standard output is closed"),
            recv(recheck) -> _ => Vec::new(),
        };
        ControlFlow::Continue(actions)
    }

    /// Passes the result for a file to the search and to the machine.
    fn on_file(&mut self, result: FileResult) -> Vec<Action> {
        match result {
            FileResult::Network(Ok(network)) => {
                self.send_order(SearchOrder::UseNetwork(network));
                self.machine.on_network(Ok(()))
            }
            FileResult::Network(Err(error)) => self.machine.on_network(Err(error.to_string())),
            FileResult::Settings(event) => self.machine.on_settings(event),
        }
    }

    /// Carries out actions.
    fn carry_out(&mut self, actions: Vec<Action>) -> ControlFlow<()> {
        for action in actions {
            match action {
                Action::Reply(reply) => {
                    let lines = format::write(&reply);
                    match reply {
                        Reply::Thinking { .. } => self.output.print_thinking(lines),
                        _ => self.output.print(lines),
                    }
                }
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

    /// Ends the loop for a reason that the machine does not know.
    fn end(&self, reason: &str) -> ControlFlow<(), Vec<Action>> {
        self.log.comment(reason);
        ControlFlow::Break(())
    }
}
