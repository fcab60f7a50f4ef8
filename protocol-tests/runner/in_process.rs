//! The protocol machine in this process, with a pretended search and a clock that only scripts move.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gaur::messages::SearchEvent;
use gaur::protocol::format;
use gaur::protocol::machine::{Action, FileProblem, Machine, MachineSettings, SettingsEvent};

use crate::directive::Directive;
use crate::events::{best_event, info_event, status_event};
use crate::peer::{Peer, Received};
use crate::pretended_search::PretendedSearch;

/// The machine and everything it is connected to here.
pub struct InProcess {
    machine: Machine,
    lines: VecDeque<String>,
    search: PretendedSearch,
    started: Instant,
    /// What the clock has been moved on by.
    passed: Duration,
    has_quit: bool,
}

impl InProcess {
    /// A fresh machine. `by_itself`: the search answers on its own when a script waits for a line.
    pub fn new(by_itself: bool) -> InProcess {
        InProcess {
            machine: Machine::new(MachineSettings {
                terminal: false,
                ..MachineSettings::default()
            }),
            lines: VecDeque::new(),
            search: PretendedSearch::new(by_itself),
            started: Instant::now(),
            passed: Duration::ZERO,
            has_quit: false,
        }
    }

    fn instant(&self) -> Instant {
        self.started + self.passed
    }

    /// Carries out what the machine wants, and what the search says to it at once.
    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Reply(reply) => self
                    .lines
                    .extend(format::write(&reply).lines().map(str::to_string)),
                Action::Search(order) => {
                    if let Some(event) = self.search.obey(order) {
                        self.tell(event);
                    }
                }
                // There is no log here.
                Action::Log { .. } => {}
                // Files are for the real program.
                Action::ReadSettings(path) => {
                    let problem = FileProblem::Other("is out of reach".to_string());
                    self.settle(SettingsEvent::Read(path, Err(problem)));
                }
                // The pretended search uses no network.
                Action::ReadNetwork(_) => {
                    let actions = self.machine.on_network(Ok(()));
                    self.carry_out(actions);
                }
                Action::WriteSettings { path, .. } => {
                    let problem = FileProblem::Other("is out of reach".to_string());
                    self.settle(SettingsEvent::Written(path, Err(problem)));
                }
                // The time that the program would give for what is owed is over at once.
                Action::QuitWithin(_) | Action::Quit => self.has_quit = true,
            }
        }
    }

    fn settle(&mut self, event: SettingsEvent) {
        let actions = self.machine.on_settings(event);
        self.carry_out(actions);
    }

    fn tell(&mut self, event: SearchEvent) {
        let actions = self.machine.on_event(event, self.instant());
        self.carry_out(actions);
    }
}

impl Peer for InProcess {
    fn send(&mut self, line: &str) -> Result<(), String> {
        if self.has_quit {
            return Err("the machine has quit".to_string());
        }
        let actions = self.machine.on_line(line, self.instant());
        self.carry_out(actions);
        Ok(())
    }

    fn receive(&mut self, patience: Duration) -> Received {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Received::Line(line);
            }
            if self.has_quit {
                return Received::Closed;
            }
            match self.search.next_by_itself() {
                Some(event) => self.tell(event),
                None => {
                    self.passed += patience;
                    return Received::Nothing;
                }
            }
        }
    }

    fn receive_silently(&mut self, time: Duration) -> Received {
        match self.lines.pop_front() {
            Some(line) => Received::Line(line),
            None => {
                self.passed += time;
                Received::Nothing
            }
        }
    }

    fn wait(&mut self, time: Duration) {
        self.passed += time;
    }

    fn now(&self) -> Duration {
        self.passed
    }

    fn pretend(&mut self, directive: &Directive) -> Result<(), String> {
        match directive {
            Directive::Best(best) => {
                let event = self.search.best(best)?;
                self.tell(event);
            }
            Directive::LateBest(best) => {
                let request = self.search.previous()?;
                self.tell(best_event(request, best)?);
            }
            Directive::Info(info) => {
                let request = self.search.present()?;
                self.tell(info_event(request, info)?);
            }
            Directive::LateInfo(info) => {
                let request = self.search.previous()?;
                self.tell(info_event(request, info)?);
            }
            Directive::Status(status) => {
                let event = status_event(self.search.asked_for_status()?, status)?;
                self.tell(event);
            }
            Directive::Hold => self.search.hold_settings(),
            Directive::Configured => {
                self.search.take_over_settings()?;
                self.tell(SearchEvent::Configured);
            }
            Directive::Expect(expectation) => self.search.expect(expectation)?,
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<String>, String> {
        if !self.has_quit {
            self.send("quit")?;
        }
        if !self.has_quit {
            return Err("the machine did not quit".to_string());
        }
        Ok(self.lines.drain(..).collect())
    }
}
