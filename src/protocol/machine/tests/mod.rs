//! Conversations with the machine: lines in, lines out, and a search that says what the test wants.

mod analyse;
mod configure;
mod log;
mod network;
mod pause;
mod play;
mod ponder;
mod server;
mod setup;
mod takeback;
mod time;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Action, MAX_LINE_BYTES, Machine, MachineSettings};
use crate::messages::{
    Bound, Limits, Purpose, SearchEvent, SearchId, SearchInfo, SearchOrder, SearchRequest,
    SearchStatus,
};
use crate::notation::parse_move;
use crate::protocol::format;
use crate::rules::Position;
use crate::types::{Move, Score};

/// A machine with a virtual clock and a pretended search.
struct Session {
    machine: Machine,
    now: Instant,
    said: Vec<String>,
    /// The search that the orders so far leave running, with its position.
    running: Option<SearchRequest>,
    orders: Vec<SearchOrder>,
    /// Settings that the search has taken over, by [`Session::configured`].
    configured: usize,
    /// A new game counts as settings: it is confirmed by the test.
    holds_new_games: bool,
    /// The folders that logs were to be written to.
    logs: Vec<PathBuf>,
    /// Files that are to be read or written.
    files: Vec<Action>,
    /// Network files that are to be read.
    networks: Vec<PathBuf>,
    /// Nothing more is heard, but the machine has not quit yet.
    is_leaving: bool,
    has_quit: bool,
}

impl Session {
    fn new() -> Session {
        Session::with(MachineSettings::default())
    }

    fn with(settings: MachineSettings) -> Session {
        Session {
            machine: Machine::new(settings),
            now: Instant::now(),
            said: Vec::new(),
            running: None,
            orders: Vec::new(),
            configured: 0,
            holds_new_games: false,
            logs: Vec::new(),
            files: Vec::new(),
            networks: Vec::new(),
            is_leaving: false,
            has_quit: false,
        }
    }

    /// Sends lines, separated by `;`.
    fn send(&mut self, lines: &str) -> &mut Session {
        for line in lines.split(';') {
            let actions = self.machine.on_line(line, self.now);
            self.take(actions);
        }
        self
    }

    fn event(&mut self, event: SearchEvent) -> &mut Session {
        let actions = self.machine.on_event(event, self.now);
        self.take(actions);
        self
    }

    /// Takes what the machine wants done. A new game is confirmed at once unless the session
    /// holds new games, settings by the test.
    fn take(&mut self, actions: Vec<Action>) {
        let mut new_games = 0;
        for action in actions {
            assert!(!self.has_quit, "something after quit: {action:?}");
            match action {
                Action::Reply(reply) => {
                    self.said
                        .extend(format::write(&reply).lines().map(str::to_owned));
                }
                Action::Search(order) => {
                    match &order {
                        SearchOrder::Start(request) => self.running = Some((**request).clone()),
                        SearchOrder::Abandon(id) if self.running_id() == Some(*id) => {
                            self.running = None
                        }
                        SearchOrder::PonderHit {
                            id,
                            limits,
                            started,
                        } => {
                            let request = self.running.as_mut().expect("a ponder search");
                            assert_eq!((request.id, request.purpose), (*id, Purpose::Ponder));
                            request.purpose = Purpose::Play;
                            request.limits = *limits;
                            request.started = *started;
                        }
                        SearchOrder::NewGame if !self.holds_new_games => new_games += 1,
                        SearchOrder::SetLimits { id, limits } => {
                            let request = self.running.as_mut().expect("a search for a move");
                            assert_eq!((request.id, request.purpose), (*id, Purpose::Play));
                            request.limits = *limits;
                        }
                        _ => {}
                    }
                    self.orders.push(order);
                }
                Action::Log { settings, .. } => self.logs.push(settings.folder),
                Action::ReadSettings(_) | Action::WriteSettings { .. } => self.files.push(action),
                Action::ReadNetwork(path) => self.networks.push(path),
                Action::QuitWithin(_) => self.is_leaving = true,
                Action::Quit => self.has_quit = true,
            }
        }
        for _ in 0..new_games {
            self.event(SearchEvent::Configured);
        }
    }

    /// Sends `quit`, or ends the input.
    fn leave(&mut self, by_quit: bool) -> &mut Session {
        if by_quit {
            return self.send("quit");
        }
        let actions = self.machine.on_end_of_input(self.now);
        self.take(actions);
        self
    }

    fn wait(&mut self, time: Duration) -> &mut Session {
        self.now += time;
        self
    }

    /// Reports the result of reading the oldest network file that is to be read.
    fn network(&mut self, result: Result<(), String>) -> &mut Session {
        self.networks.remove(0);
        let actions = self.machine.on_network(result);
        self.take(actions);
        self
    }

    /// A network that is to be read is loaded, and the search takes over all settings that it has been sent so far.
    fn configured(&mut self) -> &mut Session {
        if !self.networks.is_empty() {
            self.network(Ok(()));
        }
        self.configured_up_to(self.configurations())
    }

    /// The search takes over so many of the settings that it has been sent.
    fn configured_up_to(&mut self, count: usize) -> &mut Session {
        for _ in self.configured..count {
            self.event(SearchEvent::Configured);
        }
        self.configured = count;
        self
    }

    /// Settings sent to the search.
    fn configurations(&self) -> usize {
        let sent = self.orders.iter();
        sent.filter(|order| match order {
            SearchOrder::Configure(_) => true,
            SearchOrder::NewGame => self.holds_new_games,
            _ => false,
        })
        .count()
    }

    /// What was said since the last call.
    fn hears(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn running_id(&self) -> Option<SearchId> {
        self.running.as_ref().map(|request| request.id)
    }

    fn request(&self) -> &SearchRequest {
        self.running.as_ref().expect("a running search")
    }

    fn purpose(&self) -> Option<Purpose> {
        self.running.as_ref().map(|request| request.purpose)
    }

    fn limits(&self) -> Limits {
        assert_eq!(self.purpose(), Some(Purpose::Play));
        self.request().limits
    }

    fn hard(&self) -> Duration {
        self.limits().budget.expect("a time budget").hard
    }

    /// The FEN's first two fields of what is being searched.
    fn searched(&self) -> String {
        fen(&self.request().position)
    }

    /// The FEN's first two fields of where the game stands.
    fn board(&self) -> String {
        fen(self.machine.game.position().expect("a legal position"))
    }

    fn mv(&self, text: &str) -> Move {
        parse_move(&self.request().position, text).expect("a legal move in the searched position")
    }

    /// The search ends with this move.
    fn best(&mut self, text: &str) -> &mut Session {
        self.best_with(text, None, 10)
    }

    fn best_with(&mut self, text: &str, ponder: Option<&str>, score: i32) -> &mut Session {
        let event = self.best_event(text, ponder, score);
        self.event(event)
    }

    fn best_event(&self, text: &str, ponder: Option<&str>, score: i32) -> SearchEvent {
        let best = self.mv(text);
        let mut after = self.request().position.clone();
        let _ = after.play(best);
        let ponder = ponder.map(|text| parse_move(&after, text).expect("a legal reply"));
        SearchEvent::Best {
            id: self.request().id,
            best: Some(best),
            ponder,
            score: Score(score),
            time: Duration::ZERO,
            nodes: 0,
        }
    }

    fn info_event(&self, text: &str) -> SearchEvent {
        let info = SearchInfo {
            depth: 5,
            selective_depth: 8,
            score: Score(21),
            bound: Bound::Exact,
            time: Duration::from_millis(120),
            nodes: 4000,
            rank: 0,
            pv: vec![self.mv(text)],
        };
        SearchEvent::Info(self.request().id, info)
    }

    fn info(&mut self, text: &str) -> &mut Session {
        let event = self.info_event(text);
        self.event(event)
    }

    fn status_event(&self) -> SearchEvent {
        SearchEvent::Status(
            self.request().id,
            SearchStatus {
                nodes: 77,
                ..SearchStatus::default()
            },
        )
    }

    /// An engine that has answered 1.e4 with `reply`.
    fn after_e4(reply: &str, ponder: Option<&str>) -> Session {
        let mut session = Session::new();
        session.send("usermove e2e4").best_with(reply, ponder, 10);
        session.hears();
        session
    }
}

fn fen(position: &Position) -> String {
    let fen = crate::notation::write_fen(position.board(), position.variant());
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
