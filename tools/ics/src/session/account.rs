//! The account on the server: a state machine that turns events into actions. It has no threads and no sockets, so that
//! tests drive it directly.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::actions::{Action, EngineOrder, Exit};
use super::back_off::BackOff;
use super::engine_watch::EngineWatch;
use super::lag::Lag;
use super::phase::Phase;
use super::resumption::Resumption;
use crate::config::Config;
use crate::engine::EngineEvent;
use crate::net::ServerEvent;
use crate::report::{Event, Level};
use crate::rules::History;
use crate::text::{self, ChallengeNotice, Creating, Request, ServerLine};

/// Time for the server to close the connection after `quit`.
const LEAVING: Duration = Duration::from_secs(5);

/// Wish to end the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// After the running game.
    AfterGame {
        /// Time at which an adjournment is requested.
        limit: Instant,
    },
    /// At once.
    Now,
}

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
    pub(super) stop: Option<Stop>,
    /// Terms of the announced game.
    pub(super) terms: Option<Creating>,
    /// Names of computers in lower case.
    pub(super) computers: HashSet<String>,
    /// The server is sending its list of computers.
    pub(super) reads_computers: bool,
    /// The next line names opponents with adjourned games.
    pub(super) expects_partners: bool,
    /// Won, lost and drawn games.
    pub(super) results: (u32, u32, u32),
    /// End of the last game.
    pub(super) last_game: Option<Instant>,
    /// Command for a rematch, and its time.
    pub(super) rematch: Option<(Instant, String)>,
    /// Moves of the game that is resumed.
    pub(super) resumption: Resumption,
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
            terms: None,
            computers: HashSet::new(),
            reads_computers: false,
            expects_partners: false,
            results: (0, 0, 0),
            last_game: None,
            rematch: None,
            resumption: Resumption::default(),
            back_off,
            actions: Vec::new(),
            config,
        };
        account.order(EngineOrder::Start);
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
                self.reads_computers = false;
                self.on_prompt(prompt, now);
            }
            ServerEvent::Line(line, arrived) => self.on_line(&line, arrived),
            ServerEvent::Closed(reason) => self.on_closed(&reason, now),
        }
    }

    /// Handles a message of the engine.
    pub(super) fn on_engine(&mut self, event: EngineEvent, now: Instant) {
        self.engine.on_output(now);
        match event {
            EngineEvent::Ready(features) => {
                self.engine.is_ready(&features);
                let name = features.myname.unwrap_or_default();
                self.report(Event::EngineStarted { name });
            }
            EngineEvent::Exited(reason) => self.on_engine_exit(&reason, now),
            EngineEvent::StandardError(line) => {
                self.log(Level::Info, format!("engine, standard error: {line}"))
            }
            EngineEvent::Error(line) => {
                self.log(Level::Warning, format!("the engine reports: {line}"))
            }
            EngineEvent::Warning(text) => self.log(Level::Warning, text),
            EngineEvent::Pong(_) => {}
            EngineEvent::Tell(tell) => self.on_engine_tell(&tell),
            event => self.on_game_event(event, now),
        }
    }

    /// Handles SIGTERM and SIGINT. The second one ends the program at once.
    pub(super) fn on_signal(&mut self, now: Instant) {
        if self.stop.is_some() {
            self.stop = Some(Stop::Now);
            self.actions.push(Action::End(Exit::Stopped));
        } else {
            self.report(Event::Stopping {
                reason: "signal".into(),
            });
            self.request_stop(now);
        }
    }

    /// Does what the time requires. Called several times a second.
    pub(super) fn on_tick(&mut self, now: Instant) {
        match &self.phase {
            Phase::Offline { until } if now >= *until => self.connect(now),
            Phase::LoggingIn { since, .. } if now >= *since + self.login_timeout() => {
                self.log(
                    Level::Warning,
                    "the server has not completed the login in time".into(),
                );
                self.actions.push(Action::Disconnect);
                self.on_closed("no login", now);
            }
            Phase::Leaving { until } if now >= *until => {
                self.actions.push(Action::End(Exit::Stopped))
            }
            Phase::Idle { .. } => self.tick_idle(now),
            Phase::Starting { .. } | Phase::Playing(_) => self.tick_game(now),
            _ => {}
        }
    }

    /// Ends the account after the running game, or as configured.
    pub(super) fn request_stop(&mut self, now: Instant) {
        let limit = now + Duration::from_secs(self.config.shutdown.limit.saturating_mul(60));
        let limit = match self.config.shutdown.on_term {
            crate::config::OnTerm::Finish => limit,
            crate::config::OnTerm::Adjourn => now,
        };
        self.stop = Some(Stop::AfterGame { limit });
        match self.phase {
            Phase::Starting { .. } | Phase::Playing(_) => {
                self.log(Level::Info, "the program ends after this game".into());
            }
            Phase::Idle { .. } => self.leave(now),
            Phase::Offline { .. } | Phase::LoggingIn { .. } => {
                self.actions.push(Action::End(Exit::Stopped))
            }
            Phase::Leaving { .. } => {}
        }
    }

    /// Logs out.
    pub(super) fn leave(&mut self, now: Instant) {
        self.send("quit");
        self.phase = Phase::Leaving {
            until: now + LEAVING,
        };
    }

    /// Handles a line of the server.
    fn on_line(&mut self, line: &str, now: Instant) {
        match text::parse(line) {
            ServerLine::Login(login) => self.on_login(login, now),
            // Before the login, everything else is the server's welcome.
            _ if matches!(self.phase, Phase::LoggingIn { .. } | Phase::Offline { .. }) => {}
            ServerLine::Chat(chat) => self.on_chat(&chat, now),
            ServerLine::Creating(creating) => self.on_creating(creating),
            ServerLine::Challenge(challenge) => self.on_challenge(&challenge, now),
            ServerLine::GameStart(start) => self.on_game_start(start, now),
            ServerLine::Board(board) => self.on_board(&board, now),
            ServerLine::GameEnd(end) => self.on_game_end(&end, now),
            ServerLine::Request { from, request } => self.on_request(&from, request, now),
            ServerLine::MoveList(line) => self.on_move_list(line, now),
            ServerLine::Refused(refusal) => self.on_refusal(&refusal, now),
            ServerLine::ChallengeNotice(ChallengeNotice::AdjournedPartner(name)) => {
                self.resume_with(&name)
            }
            ServerLine::ChallengeNotice(ChallengeNotice::AdjournedPartners(_)) => {
                self.expects_partners = true;
            }
            ServerLine::Unknown(text) => self.on_list_line(&text),
            _ => {}
        }
    }

    fn on_engine_exit(&mut self, reason: &str, now: Instant) {
        self.log(Level::Error, format!("the engine has ended: {reason}"));
        self.report(Event::EngineFailed {
            reason: reason.to_string(),
        });
        match self.engine.ended(now) {
            Ok(()) => self.order(EngineOrder::Start),
            Err(_) if matches!(self.phase, Phase::Playing(_)) => {
                // The game cannot continue. A resignation is fairer than a wait for the flag.
                self.send("resign");
                self.actions
                    .push(Action::End(Exit::Engine(reason.to_string())));
            }
            Err(_) => self
                .actions
                .push(Action::End(Exit::Engine(reason.to_string()))),
        }
        self.restart_game(now);
    }

    /// Sends a line to the server.
    pub(super) fn send(&mut self, line: impl Into<String>) {
        self.actions.push(Action::Send(line.into()));
    }

    /// Gives an order to the engine.
    pub(super) fn order(&mut self, order: EngineOrder) {
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

    /// Handles a request of the opponent.
    fn on_request(&mut self, from: &str, request: Request, now: Instant) {
        // Requests of others, for example in a simultaneous exhibition, do not concern the game.
        if self.opponent() == Some(from) {
            self.on_opponents_request(from, request, now);
        }
    }
}
