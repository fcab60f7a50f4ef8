//! A client with its machine, and a search that the test answers.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::messages::{Bound, Purpose, SearchEvent, SearchInfo, SearchOrder, SearchRequest};
use crate::notation::parse_move;
use crate::protocol::machine::{Action, Machine, MachineSettings};
use crate::terminal::{Environment, Step, Style, TerminalClient};
use crate::types::Score;

/// A client with its machine. The test answers the searches.
pub(super) struct Terminal {
    pub(super) client: TerminalClient,
    pub(super) machine: Machine,
    /// Running search.
    pub(super) search: Option<SearchRequest>,
    /// Requests to save games.
    pub(super) saved: Vec<(String, String)>,
    pub(super) has_quit: bool,
    text: String,
    now: Instant,
}

impl Terminal {
    pub(super) fn new(style: Style) -> Terminal {
        let mut terminal = Terminal {
            client: TerminalClient::new(Environment {
                style,
                width: || 60,
                today: || "2026.11.25".to_owned(),
            }),
            machine: Machine::new(MachineSettings {
                is_terminal: true,
                ..MachineSettings::default()
            }),
            search: None,
            saved: Vec::new(),
            has_quit: false,
            text: String::new(),
            now: Instant::now(),
        };
        let actions = terminal.machine.start();
        terminal.carry_out(actions, Vec::new());
        let steps = terminal.client.start(&terminal.machine);
        terminal.carry_out(Vec::new(), steps);
        terminal
    }

    /// Types a line and returns what is printed.
    pub(super) fn send(&mut self, line: &str) -> String {
        let steps = self.client.on_line(line, &self.machine, self.now);
        self.carry_out(Vec::new(), steps);
        self.take_text()
    }

    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Reports a line of the running search.
    pub(super) fn think(&mut self, depth: i32, score: i32, moves: &str) -> String {
        let request = self.search.as_ref().expect("a search");
        let mut position = request.position.clone();
        let pv = moves.split(' ').map(|text| {
            let mv = parse_move(&position, text).expect("a move");
            let _ = position.play(mv);
            mv
        });
        let info = SearchInfo {
            depth,
            selective_depth: 0,
            score: Score(score),
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 1,
            rank: 0,
            pv: pv.collect(),
        };
        let event = SearchEvent::Info(request.id, info);
        self.event(event)
    }

    /// Ends the running search with a move, and an expected reply if there is one.
    pub(super) fn answer(&mut self, moves: &str) -> String {
        let request = self.search.take().expect("a search");
        assert_eq!(request.purpose, Purpose::Play);
        let mut position = request.position.clone();
        let mut moves = moves.split(' ').map(|text| {
            let mv = parse_move(&position, text).expect("a move");
            let _ = position.play(mv);
            mv
        });
        let event = SearchEvent::Best {
            id: request.id,
            best: moves.next(),
            ponder: moves.next(),
            score: Score(0),
            time: Duration::ZERO,
            nodes: 1,
        };
        self.event(event)
    }

    pub(super) fn event(&mut self, event: SearchEvent) -> String {
        let actions = self.machine.on_event(event, self.now);
        self.carry_out(actions, Vec::new());
        self.take_text()
    }

    fn carry_out(&mut self, actions: Vec<Action>, steps: Vec<Step>) {
        let mut steps = VecDeque::from(steps);
        self.act(actions, &mut steps);
        while let Some(step) = steps.pop_front() {
            match step {
                Step::Print(text) | Step::PrintThinking(text) => self.text.push_str(&text),
                Step::Command(line) => {
                    let actions = self.machine.on_line(&line, self.now);
                    self.act(actions, &mut steps);
                }
                Step::Line(line) => {
                    let first = self.client.on_line(&line, &self.machine, self.now);
                    for step in first.into_iter().rev() {
                        steps.push_front(step);
                    }
                }
                Step::SaveGame { path, text } => self.saved.push((path, text)),
            }
        }
        for step in self.client.finish(&self.machine) {
            let Step::Print(text) = step else {
                panic!("only text: {step:?}");
            };
            self.text.push_str(&text);
        }
    }

    fn act(&mut self, actions: Vec<Action>, steps: &mut VecDeque<Step>) {
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Reply(reply) => {
                    for step in self.client.on_reply(&reply, &self.machine) {
                        match step {
                            Step::Print(text) | Step::PrintThinking(text) => {
                                self.text.push_str(&text);
                            }
                            other => steps.push_back(other),
                        }
                    }
                }
                Action::Search(SearchOrder::Start(request)) => self.search = Some(*request),
                Action::Search(SearchOrder::Abandon(_)) => self.search = None,
                Action::Search(SearchOrder::NewGame | SearchOrder::Configure(_)) => {
                    actions.extend(self.machine.on_event(SearchEvent::Configured, self.now));
                }
                Action::Quit => self.has_quit = true,
                _ => {}
            }
        }
    }
}
