//! A client with its machine, and a search that the test answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::book::BookFile;
use crate::messages::{Bound, Purpose, SearchEvent, SearchInfo, SearchOrder, SearchRequest};
use crate::notation::parse_move;
use crate::protocol::machine::{Action, Machine, MachineSettings, TablebaseReport};
use crate::terminal::{self, Environment, Host, Style, TerminalClient};
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
        Terminal::with_height(style, || 24)
    }

    /// Starts a client whose machine has the built-in opening book.
    pub(super) fn with_book(style: Style) -> Terminal {
        let settings = MachineSettings {
            built_in_book: Some(Arc::new(BookFile::built_in())),
            ..MachineSettings::default()
        };
        Terminal::with_settings(style, || 24, settings)
    }

    /// Starts a client at a terminal with this number of lines.
    pub(super) fn with_height(style: Style, height: fn() -> usize) -> Terminal {
        Terminal::with_settings(style, height, MachineSettings::default())
    }

    fn with_settings(style: Style, height: fn() -> usize, settings: MachineSettings) -> Terminal {
        let mut terminal = Terminal {
            client: TerminalClient::new(Environment {
                style,
                width: || 60,
                height,
                home: || Some("/home/ann".to_owned()),
                today: || "2026.11.25".to_owned(),
                random: || 0,
            }),
            machine: Machine::new(MachineSettings {
                is_terminal: true,
                ..settings
            }),
            search: None,
            saved: Vec::new(),
            has_quit: false,
            text: String::new(),
            now: Instant::now(),
        };
        let actions = terminal.machine.start();
        terminal::carry_out(&mut terminal, actions);
        terminal::greet(&mut terminal);
        terminal
    }

    /// Types a line and returns what is printed.
    pub(super) fn send(&mut self, line: &str) -> String {
        terminal::on_line(self, line);
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
            tablebase_hits: 0,
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
            is_tablebase_draw: false,
        };
        self.event(event)
    }

    pub(super) fn event(&mut self, event: SearchEvent) -> String {
        let actions = self.machine.on_event(event, self.now);
        terminal::carry_out(self, actions);
        self.take_text()
    }
}

impl Host for Terminal {
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
        self.text.push_str(&text);
    }

    fn print_thinking(&mut self, text: String) {
        self.text.push_str(&text);
    }

    fn save_game(&mut self, path: String, text: String) {
        self.saved.push((path, text));
    }

    fn act(&mut self, action: Action) -> Vec<Action> {
        match action {
            Action::Search(SearchOrder::Start(request)) => self.search = Some(*request),
            Action::Search(SearchOrder::Abandon(_)) => self.search = None,
            Action::Search(SearchOrder::NewGame | SearchOrder::Configure(_)) => {
                return self.machine.on_event(SearchEvent::Configured, self.now);
            }
            Action::ReadTablebases(path) if !path.is_empty() => {
                return self.machine.on_tablebases(TablebaseReport {
                    problem: Some(format!("{path} does not exist")),
                    ..TablebaseReport::default()
                });
            }
            Action::ReadTablebases(_) => {
                return self.machine.on_tablebases(TablebaseReport::default());
            }
            Action::Quit => self.has_quit = true,
            _ => {}
        }
        Vec::new()
    }
}
