//! Tests of the machine: lines in, lines out, and search events that the test sends.

mod analyse;
mod book;
mod book_files;
mod book_learning;
mod configure;
mod contempt;
mod files;
mod log;
mod network;
mod pause;
mod play;
mod ponder;
mod server;
mod setup;
mod start;
mod strength;
mod tablebases;
mod takeback;
mod time;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Action, MAX_LINE_BYTES, Machine, MachineSettings, TablebaseReport};
use crate::messages::{
    Bound, Limits, LineRate, Purpose, SearchEvent, SearchId, SearchInfo, SearchOrder,
    SearchRequest, SearchStatus,
};
use crate::notation::parse_move;
use crate::protocol::format;
use crate::rules::Position;
use crate::types::{Move, Score};

/// A machine with a virtual clock and a simulated search.
struct Session {
    machine: Machine,
    now: Instant,
    replies: Vec<String>,
    /// The running search according to the orders.
    running: Option<SearchRequest>,
    orders: Vec<SearchOrder>,
    /// Number of settings that the search has applied by [`Session::configured`].
    configured: usize,
    /// Set if the test confirms new games; otherwise they are confirmed at once.
    holds_new_games: bool,
    /// Folders of the log settings.
    logs: Vec<PathBuf>,
    /// Requests to read or write settings files.
    files: Vec<Action>,
    /// Requested network files.
    networks: Vec<PathBuf>,
    tablebases: Vec<String>,
    /// Requests to open books and to learn.
    books: Vec<Action>,
    /// Number of times that the time of a file was limited.
    file_limits: usize,
    /// Messages for standard error.
    errors: Vec<String>,
    /// Summaries of the settings for the log.
    logged_settings: Vec<String>,
    /// Set if the machine reads no more commands but has not quit.
    is_quitting: bool,
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
            replies: Vec::new(),
            running: None,
            orders: Vec::new(),
            configured: 0,
            holds_new_games: false,
            logs: Vec::new(),
            files: Vec::new(),
            networks: Vec::new(),
            tablebases: Vec::new(),
            books: Vec::new(),
            file_limits: 0,
            errors: Vec::new(),
            logged_settings: Vec::new(),
            is_quitting: false,
            has_quit: false,
        }
    }

    /// Sends lines, separated by `;`.
    fn send(&mut self, lines: &str) -> &mut Session {
        for line in lines.split(';') {
            let actions = self.machine.on_line(line, self.now);
            self.carry_out(actions);
        }
        self
    }

    fn event(&mut self, event: SearchEvent) -> &mut Session {
        let actions = self.machine.on_event(event, self.now);
        self.carry_out(actions);
        self
    }

    /// Carries out actions. New games are confirmed at once unless `holds_new_games` is set.
    fn carry_out(&mut self, actions: Vec<Action>) {
        let mut new_games = 0;
        for action in actions {
            assert!(!self.has_quit, "an action after quit: {action:?}");
            match action {
                Action::Reply(reply) => {
                    self.replies
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
                Action::ReadTablebases(path) => self.tablebases.push(path),
                Action::ReadBook { .. } | Action::LearnBook { .. } => self.books.push(action),
                Action::FileWithin(_) => self.file_limits += 1,
                Action::PrintErrors(errors) => self.errors.extend(errors),
                Action::LogSettings(summary) => self.logged_settings.push(summary),
                Action::QuitWithin(_) => self.is_quitting = true,
                Action::Quit => self.has_quit = true,
            }
        }
        for _ in 0..new_games {
            self.event(SearchEvent::Configured);
        }
    }

    /// Sends `quit`, or ends the input.
    fn quit(&mut self, by_quit: bool) -> &mut Session {
        if by_quit {
            return self.send("quit");
        }
        let actions = self.machine.on_end_of_input(self.now);
        self.carry_out(actions);
        self
    }

    fn wait(&mut self, time: Duration) -> &mut Session {
        self.now += time;
        self
    }

    /// Reports the result for the oldest requested network file.
    fn network(&mut self, result: Result<(), String>) -> &mut Session {
        self.networks.remove(0);
        let actions = self.machine.on_network(result);
        self.carry_out(actions);
        self
    }

    /// Reports what the oldest requested directories of tablebases contain.
    fn found_tablebases(&mut self, report: TablebaseReport) -> &mut Session {
        self.tablebases.remove(0);
        let actions = self.machine.on_tablebases(report);
        self.carry_out(actions);
        self
    }

    /// Loads a requested network and confirms all settings sent so far.
    fn configured(&mut self) -> &mut Session {
        if !self.networks.is_empty() {
            self.network(Ok(()));
        }
        self.configured_up_to(self.configurations())
    }

    /// Confirms the first `count` settings sent.
    fn configured_up_to(&mut self, count: usize) -> &mut Session {
        for _ in self.configured..count {
            self.event(SearchEvent::Configured);
        }
        self.configured = count;
        self
    }

    /// Returns the number of settings sent to the search.
    fn configurations(&self) -> usize {
        let sent = self.orders.iter();
        sent.filter(|order| match order {
            SearchOrder::Configure(_) => true,
            SearchOrder::NewGame => self.holds_new_games,
            _ => false,
        })
        .count()
    }

    /// Returns the reply lines since the last call.
    fn lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.replies)
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

    /// Returns the first two FEN fields of the searched position.
    fn searched(&self) -> String {
        fen(&self.request().position)
    }

    /// Returns the first two FEN fields of the game's position.
    fn board(&self) -> String {
        fen(self.machine.game.position().expect("a legal position"))
    }

    fn mv(&self, text: &str) -> Move {
        parse_move(&self.request().position, text).expect("a legal move in the searched position")
    }

    /// Ends the search with this move.
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
            is_tablebase_draw: false,
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
            tablebase_hits: 0,
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

    /// Returns a session in which the engine has answered 1.e4 with `reply`.
    fn after_e4(reply: &str, ponder: Option<&str>) -> Session {
        let mut session = Session::new();
        session.send("usermove e2e4").best_with(reply, ponder, 10);
        session.lines();
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
