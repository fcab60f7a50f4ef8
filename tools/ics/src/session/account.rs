//! The account on the server: a state machine that turns events into actions. It has no threads and no sockets, so that
//! tests drive it directly.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::actions::{Action, Exit};
use super::back_off::BackOff;
use super::engine_watch::EngineWatch;
use super::game_state::Interrupted;
use super::lag::Lag;
use super::owner_check::OwnerCheck;
use super::partners::Partners;
use super::phase::{Phase, Stop};
use super::silence::Silence;
use super::starting::Accepted;
use crate::config::{Config, SeekGame};
use crate::engine::{EngineEvent, Order};
use crate::net::ServerEvent;
use crate::report::{Event, Level};
use crate::rules::History;
use crate::text::{self, Creating, ServerLine};

/// Beginnings of the commands that answer or withdraw an offer. A takeback of this account is the answer to a request.
const ANSWERS: [&str; 4] = ["accept ", "decline ", "withdraw ", "takeback "];

/// State of the account.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) config: Config,
    /// Name after the login; that of a guest comes from the server.
    pub(super) name: String,
    pub(super) phase: Phase,
    pub(super) engine: EngineWatch,
    pub(super) history: History,
    pub(super) lag: Lag,
    /// Wish to end the program.
    pub(super) stop: Option<Stop>,
    /// Number of signals that ask for the end of the program.
    pub(super) signals: u32,
    /// End of the program after the resignation of the running game, at this time at the latest.
    pub(super) exit: Option<(Instant, Exit)>,
    /// Time of the request for an adjournment.
    pub(super) adjournment: Option<Instant>,
    /// Seek that has been sent, and since then has not been refused, nor has a game begun.
    pub(super) seek_sent: Option<SeekGame>,
    /// Last command that answers or withdraws an offer, until it is refused.
    pub(super) last_answer: Option<String>,
    /// The server knows seeks.
    pub(super) can_seek: bool,
    /// Seeks that the server has refused since the login.
    pub(super) refused_seeks: Vec<SeekGame>,
    /// Players, in lower case, who have begun a game that the account does not play.
    pub(super) unwanted: HashSet<String>,
    pub(super) silence: Silence,
    /// Challenges whose games have not begun.
    pub(super) accepted: Vec<Accepted>,
    /// Terms of the announced game.
    pub(super) terms: Option<Creating>,
    /// Names of computers in lower case.
    pub(super) computers: HashSet<String>,
    /// Number of names that the server has not sent of its list of computers.
    pub(super) computers_to_read: u32,
    pub(super) partners: Partners,
    pub(super) owner_check: OwnerCheck,
    /// Names of owners, in lower case, of which a warning says that the server does not know them.
    pub(super) unknown_owners: HashSet<String>,
    /// Won, lost and drawn games.
    pub(super) results: (u32, u32, u32),
    /// End of the last game.
    pub(super) last_game: Option<Instant>,
    /// Command for a rematch, and its time.
    pub(super) rematch: Option<(Instant, String)>,
    /// Game that the server may resume.
    pub(super) interrupted: Option<Interrupted>,
    pub(super) back_off: BackOff,
    pub(super) actions: Vec<Action>,
}

impl Account {
    /// Creates an account that connects at once.
    pub(super) fn new(config: Config, now: Instant) -> Account {
        let back_off = BackOff::new(
            Duration::from_secs(config.server.reconnect_min),
            Duration::from_secs(config.server.reconnect_max),
        );
        let mut account = Account {
            name: config.server.account.clone(),
            phase: Phase::Offline { until: now },
            engine: EngineWatch::new(Duration::from_secs(config.engine.stall_timeout)),
            history: History::default(),
            lag: Lag::default(),
            stop: None,
            signals: 0,
            exit: None,
            adjournment: None,
            seek_sent: None,
            last_answer: None,
            can_seek: true,
            refused_seeks: Vec::new(),
            unknown_owners: HashSet::new(),
            unwanted: HashSet::new(),
            silence: Silence::new(now),
            accepted: Vec::new(),
            terms: None,
            computers: HashSet::new(),
            computers_to_read: 0,
            partners: Partners::default(),
            owner_check: OwnerCheck::default(),
            results: (0, 0, 0),
            last_game: None,
            rematch: None,
            interrupted: None,
            back_off,
            actions: Vec::new(),
            config,
        };
        account.actions.push(Action::StartEngine);
        account
    }

    /// Returns the actions since the last call.
    pub(super) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Handles what the connection reports.
    pub(super) fn on_server(&mut self, event: ServerEvent, now: Instant) {
        match event {
            ServerEvent::Prompt(prompt) => {
                self.silence.is_broken(now);
                self.end_lists();
                self.on_prompt(prompt, now);
            }
            ServerEvent::Line(line, arrived) => {
                self.silence.is_broken(arrived);
                self.on_line(&line, arrived);
            }
            ServerEvent::Closed(reason) => self.on_closed(&reason, now),
        }
    }

    /// Handles a message of the engine.
    pub(super) fn on_engine(&mut self, event: EngineEvent, now: Instant) {
        self.engine.on_output(now);
        match event {
            EngineEvent::Ready(features) => {
                self.engine.is_ready(&features, now);
                let name = features.myname.unwrap_or_default();
                self.report(Event::EngineStarted { name });
                self.check_variant(now);
            }
            EngineEvent::Exited(reason) => self.on_engine_exit(&reason, now),
            EngineEvent::StandardError(line) => {
                self.log(Level::Info, format!("engine, standard error: {line}"))
            }
            EngineEvent::Error(line) => {
                self.log(Level::Warning, format!("the engine reports: {line}"))
            }
            EngineEvent::Warning(text) => self.log(Level::Warning, text),
            EngineEvent::Note(text) => self.log(Level::Info, text),
            EngineEvent::Pong(_) => {}
            EngineEvent::Tell(tell) => self.on_engine_tell(&tell, now),
            event => self.on_game_event(event, now),
        }
    }

    /// Does what the time requires. Called several times a second.
    pub(super) fn on_tick(&mut self, now: Instant) {
        match &self.phase {
            // An engine that does not run must not keep opponents waiting.
            Phase::Offline { until } if now >= *until && self.engine.has_started() => {
                self.connect(now)
            }
            Phase::LoggingIn { since, .. } if now >= *since + self.login_timeout() => {
                self.log(
                    Level::Warning,
                    "the server has not completed the login in time".into(),
                );
                self.actions.push(Action::Disconnect);
                self.on_closed("no login", now);
            }
            Phase::Idle { .. } => self.tick_idle(now),
            Phase::Starting(_) => self.tick_starting(now),
            Phase::Playing(_) => self.tick_game(now),
            _ => {}
        }
        self.tick_end(now);
    }

    /// Handles a line of the server.
    fn on_line(&mut self, line: &str, now: Instant) {
        let line = text::parse(line);
        if !matches!(line, ServerLine::Unknown(_) | ServerLine::Blank) {
            self.end_lists();
        }
        match line {
            ServerLine::Login(login) => self.on_login(login, now),
            // FICS 1.6 names them before the first prompt, by which the account learns of its login.
            ServerLine::ChallengeNotice(notice) if self.has_answered() => {
                self.on_challenge_notice(&notice, now);
            }
            ServerLine::Unknown(text) if self.has_answered() => self.on_list_line(&text, now),
            // Before the login, everything else is the server's welcome.
            _ if matches!(self.phase, Phase::LoggingIn { .. } | Phase::Offline { .. }) => {}
            ServerLine::Chat(chat) => self.on_chat(&chat, now),
            ServerLine::Creating(creating) => self.on_creating(creating),
            ServerLine::Challenge(challenge) => self.on_challenge(&challenge, now),
            ServerLine::ChallengeNotice(notice) => self.on_challenge_notice(&notice, now),
            ServerLine::GameStart(start) => self.on_game_start(start, now),
            ServerLine::Board(board) => self.on_board(&board, now),
            ServerLine::GameEnd(end) => self.on_game_end(&end, now),
            ServerLine::GameNotice(notice) => self.on_game_notice(&notice, now),
            ServerLine::Request { from, request } => self.on_request(&from, request, now),
            ServerLine::RequestNotice(notice) => self.on_request_notice(&notice, now),
            ServerLine::MoveList(line) => self.on_move_list(line, now),
            ServerLine::Finger(finger) => self.on_finger(&finger),
            ServerLine::Refused(refusal) => self.on_refusal(&refusal, now),
            ServerLine::Unknown(text) => self.on_list_line(&text, now),
            ServerLine::Seek(_)
            | ServerLine::Arrived(_)
            | ServerLine::Departed(_)
            | ServerLine::Blank => {}
        }
    }

    /// Returns `true` between the last answer of the login and the first prompt.
    fn has_answered(&self) -> bool {
        matches!(self.phase, Phase::LoggingIn { has_answered, .. } if has_answered)
    }

    /// Returns `true` for the name of this account. Some servers answer in the spelling of the login.
    pub(super) fn is_own_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn on_engine_exit(&mut self, reason: &str, now: Instant) {
        self.log(Level::Error, format!("the engine has ended: {reason}"));
        if !self.engine.has_started() {
            self.report_failure(reason);
            let text = format!("it has ended before it was ready ({reason}): start it by hand");
            self.end(Exit::Engine(text));
            return;
        }
        self.restart_engine(reason, now);
    }

    /// Sends a line to the server.
    pub(super) fn send(&mut self, line: impl Into<String>) {
        let line = line.into();
        if ANSWERS.iter().any(|verb| line.starts_with(verb)) {
            self.last_answer = Some(line.clone());
        }
        self.actions.push(Action::Send(line));
    }

    /// Gives an order to the engine.
    pub(super) fn order(&mut self, order: Order) {
        self.actions.push(Action::Engine(order));
    }

    /// Reports an event to programs that supervise the account.
    pub(super) fn report(&mut self, event: Event) {
        self.actions.push(Action::Report(event));
    }

    /// Writes a line to the log.
    pub(super) fn log(&mut self, level: Level, text: String) {
        self.actions.push(Action::Log(level, text));
    }

    fn login_timeout(&self) -> Duration {
        Duration::from_secs(self.config.server.login_timeout)
    }
}
