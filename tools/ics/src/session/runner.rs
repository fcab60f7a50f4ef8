//! The main loop: events to the account, and its actions to the connection, the engine and the files.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use time::OffsetDateTime;
use time::macros::format_description;

use super::account::Account;
use super::actions::{Action, Exit};
use super::engine_starts::EngineStarts;
use super::event::Event;
use super::signals;
use crate::config::{Config, Password};
use crate::engine::{Engine, EngineEvent, EngineSpec, Order};
use crate::net::{ConnectError, Connection, Endpoint, ServerEvent};
use crate::record::{Archive, ArchiveThread, GameRecord};
use crate::report::{Event as Occurrence, JsonLines, Level, Log, ReportThread, StatusLine};

/// Interval of the checks of clocks and time limits.
const TICK: Duration = Duration::from_millis(100);

/// Time for each address of the server to accept the connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Time in which the last commands are sent before the connection is closed.
const CLOSE: Duration = Duration::from_secs(2);

/// Time in which the last games are written to the archive at the end.
const ARCHIVE: Duration = Duration::from_secs(30);

/// Time in which the last reports are written at the end.
const REPORTS: Duration = Duration::from_secs(2);

/// Files and displays that the session writes.
pub struct Outputs {
    /// Log of messages and traffic.
    pub log: Log,
    /// Archive of games, if configured.
    pub archive: Option<Archive>,
    /// Events for supervision.
    pub json: JsonLines,
    /// Status line.
    pub status: StatusLine,
}

struct Runner {
    config: Config,
    spec: EngineSpec,
    password: Option<Password>,
    reports: ReportThread,
    archive: Option<ArchiveThread>,
    events: Sender<Event>,
    connection: Option<Connection>,
    engine: Option<Engine>,
    /// Number of the current connection, so that late events of an earlier one are ignored.
    connections: u32,
    /// Number of the current engine process.
    engines: u32,
    starts: EngineStarts,
    /// Time of the next start of the engine, if one is ordered.
    next_start: Option<Instant>,
    /// Orders for the engine after this start, with their times.
    waiting: Vec<(Order, Instant)>,
    /// Threads that wait for the end of earlier engine processes and connections.
    leaving: Vec<JoinHandle<()>>,
}

/// Keeps an account online until it is stopped, and returns the reason of the end.
///
/// # Errors
///
/// Returns an error if signals cannot be handled or a thread cannot be started.
pub fn run(
    config: Config,
    spec: EngineSpec,
    password: Option<Password>,
    mut outputs: Outputs,
) -> io::Result<Exit> {
    let (events, received) = unbounded();
    signals::watch(events.clone())?;
    let mut account = Account::new(config.clone(), Instant::now());
    if let Some(password) = &password {
        outputs.log.hide(password.expose());
    }
    let mut runner = Runner::new(config, spec, password, outputs, events)?;
    let exit = runner.run(&mut account, &received);
    if let Some(summary) = account.summary() {
        runner.log(Level::Notice, &summary);
    }
    Ok(runner.finish(exit))
}

impl Runner {
    fn new(
        config: Config,
        spec: EngineSpec,
        password: Option<Password>,
        outputs: Outputs,
        events: Sender<Event>,
    ) -> io::Result<Runner> {
        let reports = ReportThread::start(outputs.log, outputs.json, outputs.status)?;
        let log = reports.reports().clone();
        let start = |archive| {
            ArchiveThread::start(archive, move |error| {
                log.log(Level::Error, &error.to_string())
            })
        };
        let archive = outputs.archive.map(start).transpose()?;
        Ok(Runner {
            config,
            spec,
            password,
            reports,
            archive,
            events,
            connection: None,
            engine: None,
            connections: 0,
            engines: 0,
            starts: EngineStarts::default(),
            next_start: None,
            waiting: Vec::new(),
            leaving: Vec::new(),
        })
    }

    fn run(&mut self, account: &mut Account, received: &Receiver<Event>) -> Exit {
        let mut next_tick = Instant::now();
        loop {
            let wait = next_tick.saturating_duration_since(Instant::now());
            match received.recv_timeout(wait) {
                Ok(event) => self.handle(account, event),
                // The runner holds a sender.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            let now = Instant::now();
            if now >= next_tick {
                next_tick = now + TICK;
                self.tick(account, now);
            }
            for action in account.take_actions() {
                if let Some(exit) = self.carry_out(action) {
                    return exit;
                }
            }
        }
    }

    /// Does what the time requires.
    fn tick(&mut self, account: &mut Account, now: Instant) {
        account.on_tick(now);
        self.start_if_due(now);
        let events = self.engine.as_mut().map(|engine| engine.tick(now));
        self.report_engine(account, events.unwrap_or_default(), now);
        if self.reports.reports().has_status() {
            self.reports.reports().status(account.view(now));
        }
    }

    fn handle(&mut self, account: &mut Account, event: Event) {
        let now = Instant::now();
        match event {
            Event::Opened(number, Ok(connection)) if number == self.connections => {
                self.connection = Some(connection);
                account.on_connected();
            }
            Event::Opened(number, Err(error)) if number == self.connections => {
                account.on_no_connection(&error.to_string(), now);
            }
            Event::Server(number, event) if number == self.connections => {
                if let ServerEvent::Line(line, _) = &event {
                    self.log(Level::FromServer, line);
                }
                account.on_server(event, now);
            }
            Event::Engine(number, output) if number == self.engines => {
                let reports = match &mut self.engine {
                    Some(engine) => engine.handle(output),
                    None => Vec::new(),
                };
                self.report_engine(account, reports, now);
            }
            Event::NoEngine(number, reason) if number == self.engines => match number {
                // A program that has never started does not do so later.
                1 => account.end(Exit::Engine(reason)),
                _ => account.on_engine(EngineEvent::Exited(reason), now),
            },
            Event::Signal => account.on_signal(now),
            // Of an earlier attempt, connection or process. A connection that is dropped is closed.
            Event::Opened(..) | Event::Server(..) | Event::Engine(..) | Event::NoEngine(..) => {}
        }
    }

    fn report_engine(&mut self, account: &mut Account, events: Vec<EngineEvent>, now: Instant) {
        for event in events {
            account.on_engine(event, now);
        }
    }

    /// Carries out an action. Returns the reason if the program must end.
    fn carry_out(&mut self, action: Action) -> Option<Exit> {
        match action {
            Action::Connect { timeseal } => self.connect(timeseal),
            Action::Disconnect => self.disconnect(),
            Action::Send(line) => {
                self.log(Level::ToServer, &line);
                self.send(&line);
            }
            Action::SendPassword => {
                self.log(Level::ToServer, "(password)");
                let password = self
                    .password
                    .as_ref()
                    .map(|password| password.expose().to_string());
                self.send(&password.unwrap_or_default());
            }
            Action::StartEngine => self.restart_engine(Instant::now()),
            Action::Engine(order) => self.order(order),
            Action::Record { record, started } => self.record(*record, started),
            Action::Log(level, text) => self.log(level, &text),
            Action::Report(event) => self.reports.reports().event(event),
            Action::End(exit) => return Some(exit),
        }
        None
    }

    fn connect(&mut self, timeseal: bool) {
        self.connections += 1;
        let number = self.connections;
        let server = &self.config.server;
        let endpoint = Endpoint {
            host: server.host.clone(),
            port: server.port,
            timeseal,
            connect_timeout: CONNECT_TIMEOUT,
            keep_alive: Duration::from_secs(server.keep_alive),
        };
        let events = self.events.clone();
        let sink = self.events.clone();
        let attempt = move || {
            // The server's first lines must not overtake the connection on which they are answered.
            let (opened, is_opened) = bounded::<()>(0);
            let to_loop = move |event| {
                let _ = is_opened.recv();
                // An event without a receiver comes after the end of the program.
                drop(sink.send(Event::Server(number, event)));
            };
            let result = Connection::open(&endpoint, to_loop);
            drop(events.send(Event::Opened(number, result)));
            drop(opened);
        };
        if let Err(error) = thread::Builder::new().name("connect".into()).spawn(attempt) {
            let result = Err(ConnectError::Start(error));
            drop(self.events.send(Event::Opened(number, result)));
        }
    }

    fn disconnect(&mut self) {
        self.connections += 1;
        let Some(connection) = self.connection.take() else {
            return;
        };
        // A server that reads nothing must not delay the loop. Without a thread, the connection is dropped.
        let thread = thread::Builder::new()
            .name("disconnect".into())
            .spawn(|| connection.close(CLOSE));
        self.leaving.retain(|thread| !thread.is_finished());
        self.leaving.extend(thread);
    }

    fn send(&mut self, line: &str) {
        // A connection that accepts nothing reports its end as an event.
        if let Some(connection) = &self.connection {
            let _ = connection.send(line);
        }
    }

    fn order(&mut self, order: Order) {
        let begins = matches!(order, Order::NewGame { .. });
        let ends = matches!(order, Order::GameOver { .. });
        // Normally the engine is started again after the game, so that it is ready for the next one.
        if begins {
            self.start_for_next_game();
        }
        self.order_running(order, Instant::now());
        if ends {
            self.start_for_next_game();
        }
    }

    /// Passes an order to the engine, after its next start if one is ordered.
    fn order_running(&mut self, order: Order, at: Instant) {
        if self.next_start.is_some() {
            self.waiting.push((order, at));
        } else if let Some(engine) = &mut self.engine {
            engine.order(order, at);
        }
    }

    /// Ends the engine and starts it again, after a pause if it has ended soon after its last start.
    fn restart_engine(&mut self, now: Instant) {
        self.stop_engine();
        // They belong to the state of the engine that has ended.
        self.waiting.clear();
        self.next_start = Some(self.starts.next(now));
        self.start_if_due(now);
    }

    fn start_if_due(&mut self, now: Instant) {
        if self.next_start.take_if(|due| now >= *due).is_none() {
            return;
        }
        self.start_engine();
        for (order, at) in std::mem::take(&mut self.waiting) {
            self.order_running(order, at);
        }
    }

    /// Starts an engine again that has played a game and plays no other one (`feature reuse=0`).
    fn start_for_next_game(&mut self) {
        if self.engine.as_ref().is_some_and(Engine::needs_restart) {
            self.start_engine();
        }
    }

    fn start_engine(&mut self) {
        self.stop_engine();
        self.engines += 1;
        let number = self.engines;
        let events = self.events.clone();
        let sink = move |event| drop(events.send(Event::Engine(number, event)));
        let reports = self.reports.reports().clone();
        let log = move |to_engine: bool, line: &str| {
            let level = if to_engine {
                Level::ToEngine
            } else {
                Level::FromEngine
            };
            reports.log(level, line);
        };
        match Engine::start(&self.spec, log, sink) {
            Ok(engine) => self.engine = Some(engine),
            Err(error) => {
                drop(self.events.send(Event::NoEngine(number, error.to_string())));
            }
        }
    }

    fn stop_engine(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.leaving.extend(engine.quit());
        }
        self.leaving.retain(|thread| !thread.is_finished());
    }

    fn record(&self, mut record: GameRecord, started: Instant) {
        let Some(archive) = &self.archive else {
            return;
        };
        let begun = SystemTime::now() - started.elapsed();
        let begun = OffsetDateTime::from(begun);
        let date = format_description!("[year].[month].[day]");
        let time = format_description!("[hour]:[minute]:[second]");
        record.date = begun.format(&date).unwrap_or_default();
        record.utc_time = begun.format(&time).unwrap_or_default();
        archive.append(record);
    }

    fn log(&self, level: Level, text: &str) {
        self.reports.reports().log(level, text);
    }

    /// Closes everything, in a limited time. Returns the reason of the end: games that could not be stored, if there is
    /// no other failure.
    fn finish(mut self, exit: Exit) -> Exit {
        self.disconnect();
        self.stop_engine();
        for thread in self.leaving.drain(..) {
            // It does not panic, and ends within seconds.
            let _ = thread.join();
        }
        let exit = match (self.finish_archive(), exit) {
            (Some(text), Exit::Stopped) => Exit::NotStored(text),
            (Some(text), exit) => {
                self.log(Level::Error, &text);
                exit
            }
            (None, exit) => exit,
        };
        let status = exit.status() as u8;
        // The reason of a failure is printed by `main`, so that it is not printed twice.
        let text = format!("the program ends with exit status {status}: {exit}");
        self.log(Level::Info, &text);
        let reason = exit.to_string();
        self.reports
            .reports()
            .event(Occurrence::Stopped { status, reason });
        // If an output takes nothing, its last reports are lost.
        self.reports.finish(REPORTS);
        exit
    }

    /// Writes the last games. Returns a message if games are lost.
    fn finish_archive(&mut self) -> Option<String> {
        match self.archive.take()?.finish(ARCHIVE) {
            Some(0) => None,
            Some(1) => Some("one game could not be written to the PGN file and is lost".into()),
            Some(count) => Some(format!(
                "{count} games could not be written to the PGN file and are lost"
            )),
            None => Some(format!(
                "the last games are not written to the PGN file within {} s: check the disk",
                ARCHIVE.as_secs()
            )),
        }
    }
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod tests;
