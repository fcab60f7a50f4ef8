//! The protocol machine in this process, with a simulated search and a clock that only scripts advance.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gaur::book::{BookFile, BookSource, Learned};
use gaur::config::{Config, OWN_BOOK};
use gaur::messages::SearchEvent;
use gaur::protocol::format;
use gaur::protocol::machine::{
    Action, BookReport, FileProblem, Machine, MachineSettings, SettingsEvent, TablebaseReport,
};

use crate::directive::Directive;
use crate::events::{best_event, info_event, status_event};
use crate::peer::{Peer, Received};
use crate::simulated_search::SimulatedSearch;

/// The machine with its simulated environment.
pub struct InProcess {
    machine: Machine,
    lines: VecDeque<String>,
    search: SimulatedSearch,
    started: Instant,
    /// Time on the simulated clock.
    passed: Duration,
    has_quit: bool,
}

impl InProcess {
    /// Creates a machine. With `is_autonomous`, the search sends output by itself when a script waits for a line.
    pub fn new(is_autonomous: bool) -> InProcess {
        // As the program is started: most scripts test the search.
        let mut config = Config::default();
        let result = config.set(OWN_BOOK, Some("0"));
        assert!(result.is_ok(), "an option");
        InProcess {
            machine: Machine::new(MachineSettings {
                is_terminal: false,
                config,
                built_in_book: Some(Arc::new(BookFile::built_in())),
                ..MachineSettings::default()
            }),
            lines: VecDeque::new(),
            search: SimulatedSearch::new(is_autonomous),
            started: Instant::now(),
            passed: Duration::ZERO,
            has_quit: false,
        }
    }

    fn instant(&self) -> Instant {
        self.started + self.passed
    }

    /// Carries out the actions of the machine and feeds the immediate events of the search back.
    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Reply(reply) => self
                    .lines
                    .extend(format::write(&reply).lines().map(str::to_string)),
                Action::Search(order) => {
                    if let Some(event) = self.search.handle_order(order) {
                        self.send_event(event);
                    }
                }
                // This environment has no log.
                Action::Log { .. } => {}
                // The result comes at once.
                Action::FileWithin(_) => {}
                // There are no settings from the command line.
                Action::PrintErrors(_) | Action::LogSettings(_) => {}
                // Only the program has files.
                Action::ReadSettings(path) => {
                    let problem = FileProblem::Other("is out of reach".to_string());
                    self.send_settings_event(SettingsEvent::Read(path, Err(problem)));
                }
                // The simulated search uses no network.
                Action::ReadNetwork(_) => {
                    let actions = self.machine.on_network(Ok(()));
                    self.carry_out(actions);
                }
                // The simulated search probes no tablebases.
                Action::ReadTablebases(path) => {
                    let is_named = !path.is_empty();
                    let actions = self.machine.on_tablebases(TablebaseReport {
                        problem: is_named.then(|| format!("{path} is out of reach")),
                        is_absence: true,
                        ..TablebaseReport::default()
                    });
                    self.carry_out(actions);
                }
                Action::ReadBook { file, learns } => {
                    let book: Result<Arc<dyn BookSource>, String> = match file.as_str() {
                        "" => Ok(Arc::new(BookFile::built_in())),
                        file => Err(format!("{file} is out of reach")),
                    };
                    let actions = self.machine.on_book(BookReport {
                        book,
                        learned: learns.then(Learned::default),
                        problem: None,
                    });
                    self.carry_out(actions);
                }
                Action::LearnBook { moves, .. } => {
                    let mut learned = Learned::default();
                    learned.add(&moves);
                    let actions = self.machine.on_learned(Ok(learned));
                    self.carry_out(actions);
                }
                Action::WriteSettings { path, .. } => {
                    let problem = FileProblem::Other("is out of reach".to_string());
                    self.send_settings_event(SettingsEvent::Written(path, Err(problem)));
                }
                // The timeouts of the program for pending answers expire at once.
                Action::QuitWithin(_) | Action::Quit => self.has_quit = true,
            }
        }
    }

    fn send_settings_event(&mut self, event: SettingsEvent) {
        let actions = self.machine.on_settings(event);
        self.carry_out(actions);
    }

    fn send_event(&mut self, event: SearchEvent) {
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

    fn receive(&mut self, timeout: Duration) -> Received {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Received::Line(line);
            }
            if self.has_quit {
                return Received::Closed;
            }
            match self.search.next_by_itself() {
                Some(event) => self.send_event(event),
                None => {
                    self.passed += timeout;
                    return Received::Nothing;
                }
            }
        }
    }

    fn receive_without_simulation(&mut self, time: Duration) -> Received {
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
                self.send_event(event);
            }
            Directive::LateBest(best) => {
                let request = self.search.previous()?;
                self.send_event(best_event(request, best)?);
            }
            Directive::Info(info) => {
                let request = self.search.current()?;
                self.send_event(info_event(request, info)?);
            }
            Directive::LateInfo(info) => {
                let request = self.search.previous()?;
                self.send_event(info_event(request, info)?);
            }
            Directive::Status(status) => {
                let event = status_event(self.search.asked_for_status()?, status)?;
                self.send_event(event);
            }
            Directive::Hold => self.search.hold_settings(),
            Directive::Configured => {
                self.search.apply_settings()?;
                self.send_event(SearchEvent::Configured);
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
