//! Tests of the main loop with a server in the same process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;
#[cfg(unix)]
use crate::engine::GameSetup;
use crate::report::{JsonLines, Log, StatusLine};

/// Longest wait for an event. Only a failure takes so long.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A runner with its account and its events, and the server that it connects to.
struct Bench {
    runner: Runner,
    account: Account,
    received: Receiver<Event>,
    listener: TcpListener,
}

impl Bench {
    fn new(outputs: Outputs) -> Bench {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut config = Config::default();
        config.server.host = "127.0.0.1".into();
        config.server.port = listener.local_addr().expect("an address").port();
        config.server.guest = true;
        config.server.timeseal = false;
        let (events, received) = unbounded();
        let account = Account::new(config.clone(), Instant::now());
        let spec = EngineSpec::default();
        Bench {
            runner: Runner::new(config, spec, None, outputs, events).expect("threads"),
            account,
            received,
            listener,
        }
    }

    /// Accepts the next connection.
    fn accept(&self) -> TcpStream {
        let (server, _) = self.listener.accept().expect("a client");
        server.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        server
    }

    fn next(&self) -> Event {
        self.received.recv_timeout(TIMEOUT).expect("an event")
    }

    /// Orders a game in which the engine has the white pieces.
    #[cfg(unix)]
    fn order_game(&mut self) {
        let setup = GameSetup {
            engine_is_white: true,
            base: Duration::from_secs(60),
            ..GameSetup::default()
        };
        let clocks = crate::engine::Clocks {
            own: setup.base,
            opponent: setup.base,
        };
        let setup = Box::new(setup);
        self.runner.order(Order::NewGame { setup, clocks });
    }

    /// Lets the loop work until a condition is met.
    #[cfg(unix)]
    fn work_until(&mut self, mut is_met: impl FnMut(&mut Bench) -> bool) {
        let until = Instant::now() + TIMEOUT;
        while !is_met(self) {
            assert!(Instant::now() < until, "the condition is not met");
            if let Ok(event) = self.received.recv_timeout(Duration::from_millis(10)) {
                self.runner.handle(&mut self.account, event);
            }
            self.runner.tick(&mut self.account, Instant::now());
        }
    }

    /// Returns the next event of the current connection.
    fn next_current(&self) -> Event {
        loop {
            match self.next() {
                Event::Opened(number, _) | Event::Server(number, _)
                    if number != self.runner.connections => {}
                event => return event,
            }
        }
    }
}

fn quiet() -> Outputs {
    Outputs {
        log: Log::to_stderr(),
        archive: None,
        json: JsonLines::none(),
        status: StatusLine::new(false),
    }
}

#[test]
fn a_late_result_of_an_abandoned_attempt_is_ignored_and_its_connection_closed() {
    let mut bench = Bench::new(quiet());
    bench.runner.connect(false);
    let mut abandoned = bench.accept();
    let late = bench.next();
    // The login has taken too long, and the next attempt begins.
    bench.runner.disconnect();
    bench.runner.connect(false);
    let mut server = bench.accept();
    bench.account.take_actions();
    bench.runner.handle(&mut bench.account, late);
    assert!(bench.runner.connection.is_none(), "the late one is used");
    assert_eq!(bench.account.take_actions(), []);
    assert_eq!(abandoned.read(&mut [0]).expect("the end"), 0);

    let current = bench.next_current();
    assert!(matches!(current, Event::Opened(_, Ok(_))), "{current:?}");
    bench.runner.handle(&mut bench.account, current);
    assert!(bench.runner.connection.is_some());
    assert!(!bench.account.take_actions().is_empty());
    bench.runner.send("hello");
    let mut line = String::new();
    let mut reader = BufReader::new(server.try_clone().expect("a stream"));
    reader.read_line(&mut line).expect("a line");
    assert_eq!(line, "hello\n");
    server.write_all(b"login: ").expect("sent");
    let event = bench.next_current();
    assert!(matches!(event, Event::Server(3, _)), "{event:?}");
}

#[test]
fn a_late_failure_of_an_abandoned_attempt_is_ignored() {
    let mut bench = Bench::new(quiet());
    bench.runner.connections = 2;
    bench.account.connect(Instant::now());
    bench.account.take_actions();
    let failure = || Err(ConnectError::Start(io::Error::other("late")));
    let late = Event::Opened(1, failure());
    bench.runner.handle(&mut bench.account, late);
    assert_eq!(bench.account.take_actions(), []);
    let current = Event::Opened(2, failure());
    bench.runner.handle(&mut bench.account, current);
    assert!(!bench.account.take_actions().is_empty());
}

#[test]
fn a_server_that_reads_nothing_does_not_delay_the_end_of_the_connection() {
    let mut bench = Bench::new(quiet());
    bench.runner.connect(false);
    let _server = bench.accept();
    let opened = bench.next();
    bench.runner.handle(&mut bench.account, opened);
    let line = "x".repeat(800);
    while let Some(connection) = &bench.runner.connection
        && connection.send(&line).is_ok()
    {}
    let begin = Instant::now();
    bench.runner.disconnect();
    assert!(begin.elapsed() < CLOSE, "{:?}", begin.elapsed());
}

/// Returns the command of an engine that appends its process number and each of its lines to a file.
#[cfg(unix)]
fn recorder(file: &std::path::Path, features: &str, rules: &str) -> Vec<String> {
    let script = format!(
        "while read -r line; do echo \"$$ $line\" >> '{}'; case \"$line\" in
            protover*) echo 'feature ping=1 usermove=1 {features} done=1' ;;
            ping*) echo \"pong ${{line#ping }}\" ;;
            {rules}
            quit) exit ;;
        esac; done",
        file.display()
    );
    vec!["/bin/sh".into(), "-c".into(), script]
}

/// Returns the processes that have received a line, from the file of a recorder.
#[cfg(unix)]
fn receivers(file: &std::path::Path, line: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .filter_map(|entry| entry.split_once(' '))
        .filter(|(_, received)| received.starts_with(line))
        .map(|(process, _)| process.to_string())
        .collect()
}

/// Returns the number of engines that have become ready since the last call, and forgets the other actions.
#[cfg(unix)]
fn ready(bench: &mut Bench) -> usize {
    let is_ready =
        |action: &Action| matches!(action, Action::Report(Occurrence::EngineStarted { .. }));
    let actions = bench.account.take_actions();
    actions.into_iter().filter(is_ready).count()
}

#[test]
fn a_late_failure_to_start_an_engine_is_ignored() {
    let mut bench = Bench::new(quiet());
    bench.runner.engines = 2;
    let ready = EngineEvent::Ready(crate::engine::Features::default());
    bench.account.on_engine(ready, Instant::now());
    bench.account.take_actions();
    let failure = |number| Event::NoEngine(number, "late".into());
    bench.runner.handle(&mut bench.account, failure(1));
    assert_eq!(bench.account.take_actions(), []);
    bench.runner.handle(&mut bench.account, failure(2));
    assert!(bench.account.take_actions().contains(&Action::StartEngine));
}

#[test]
#[cfg(unix)]
fn an_engine_that_plays_one_game_is_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines");
    let mut bench = Bench::new(quiet());
    bench.runner.spec.command = recorder(&file, "reuse=0", "");
    bench.runner.restart_engine(Instant::now());
    bench.order_game();
    bench.work_until(|_| receivers(&file, "go").len() == 1);
    assert_eq!(ready(&mut bench), 1);
    let comment = String::new();
    let result = "1-0";
    bench.runner.order(Order::GameOver { result, comment });
    // The engine is ready before the next game.
    bench.work_until(|bench| ready(bench) == 1);
    bench.order_game();
    bench.work_until(|_| receivers(&file, "go").len() == 2);
    // The game has begun again, without its end.
    bench.order_game();
    bench.work_until(|_| receivers(&file, "go").len() == 3);
    let processes = receivers(&file, "go");
    assert_ne!(processes[0], processes[1]);
    assert_ne!(processes[1], processes[2]);
    assert_eq!(receivers(&file, "result"), processes[..1]);
    bench.work_until(|_| receivers(&file, "quit") == processes[..2]);
}

#[test]
fn games_that_cannot_be_stored_are_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = || {
        Bench::new(Outputs {
            // No file can have the name of a folder.
            archive: Some(Archive::new(folder.path())),
            ..quiet()
        })
    };
    let bench = new();
    bench.runner.record(GameRecord::default(), Instant::now());
    let exit = bench.runner.finish(Exit::Stopped);
    assert!(
        matches!(&exit, Exit::NotStored(text) if text.contains("one game")),
        "{exit:?}"
    );
    assert_eq!(exit.status() as u8, 1);
    // Another failure keeps its status.
    let bench = new();
    bench.runner.record(GameRecord::default(), Instant::now());
    let exit = bench.runner.finish(Exit::LoggedInElsewhere);
    assert_eq!(exit, Exit::LoggedInElsewhere);
    assert_eq!(new().runner.finish(Exit::Stopped), Exit::Stopped);
}

#[test]
fn a_server_that_cannot_be_reached_was_never_connected() {
    let mut bench = Bench::new(quiet());
    bench.account.connect(Instant::now());
    bench.account.take_actions();
    let failure = Err(ConnectError::Start(io::Error::other("no")));
    let number = bench.runner.connections;
    bench
        .runner
        .handle(&mut bench.account, Event::Opened(number, failure));
    let actions = bench.account.take_actions();
    let is_warning = |action: &Action| {
        matches!(action, Action::Log(Level::Warning, text)
            if text.starts_with("no connection: ") && text.ends_with("; next attempt in 5 s"))
    };
    assert!(actions.iter().any(is_warning), "{actions:?}");
}

#[test]
fn an_engine_that_does_not_start_at_first_ends_the_program() {
    let mut bench = Bench::new(quiet());
    bench.runner.spec.command = vec!["/nonexistent/engine".into()];
    let exit = bench.runner.run(&mut bench.account, &bench.received);
    assert!(
        matches!(&exit, Exit::Engine(reason) if reason.contains("/nonexistent/engine")),
        "{exit:?}"
    );
    assert_eq!(bench.runner.engines, 1);
}

#[test]
#[cfg(unix)]
fn an_engine_that_plays_several_games_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines");
    let mut bench = Bench::new(quiet());
    bench.runner.spec.command = recorder(&file, "", "");
    bench.runner.restart_engine(Instant::now());
    bench.order_game();
    bench.order_game();
    bench.work_until(|_| receivers(&file, "go").len() == 2);
    let processes = receivers(&file, "go");
    assert_eq!(processes[0], processes[1]);
}

#[test]
#[cfg(unix)]
fn an_engine_that_ends_again_and_again_is_started_after_pauses() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines");
    let mut bench = Bench::new(quiet());
    // It ends in each game.
    bench.runner.spec.command = recorder(&file, "", "go) exit 1 ;;");
    for ends in 1..=3 {
        bench.runner.restart_engine(Instant::now());
        bench.order_game();
        // The third start is a second later.
        assert_eq!(bench.runner.next_start.is_some(), ends == 3);
        bench.work_until(|_| receivers(&file, "go").len() == ends);
    }
    // Meanwhile the clock of the game has run.
    let text = std::fs::read_to_string(&file).expect("lines");
    let clocks: Vec<u32> = text
        .lines()
        .filter_map(|line| line.split_once(" time ")?.1.parse().ok())
        .collect();
    assert!(clocks.len() == 3 && clocks[2] <= 5900, "{clocks:?}");
}

#[test]
#[cfg(unix)]
fn a_start_replaces_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines");
    let mut bench = Bench::new(quiet());
    bench.runner.spec.command = recorder(&file, "", "");
    for _ in 0..3 {
        bench.runner.restart_engine(Instant::now());
        bench.order_game();
    }
    assert!(
        bench.runner.engine.is_none(),
        "the third start is not at once"
    );
    assert_eq!(bench.runner.waiting.len(), 1);
    bench.work_until(|bench| bench.runner.engine.is_some());
    bench.work_until(|_| !receivers(&file, "go").is_empty());
    assert!(bench.runner.waiting.is_empty());
}

/// An output that takes nothing while its channel is open.
#[cfg(unix)]
struct Stopped(Receiver<()>);

#[cfg(unix)]
impl Write for Stopped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv_timeout(2 * TIMEOUT);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
#[cfg(unix)]
fn an_output_that_takes_nothing_delays_neither_the_server_nor_the_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgn");
    let (stopped, waits) = bounded::<()>(0);
    let mut bench = Bench::new(Outputs {
        archive: Some(Archive::new(&file)),
        json: JsonLines::to(Box::new(Stopped(waits)), "Gaur"),
        ..quiet()
    });
    // A program that does not end.
    bench.runner.spec.command = vec!["cat".into()];
    let events = bench.runner.events.clone();
    let listener = bench.listener.try_clone().expect("a listener");
    let server = std::thread::spawn(move || {
        let (mut server, _) = listener.accept().expect("a client");
        server.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        server.write_all(b"login: ").expect("sent");
        let mut line = String::new();
        let answer = BufReader::new(server).read_line(&mut line);
        drop(events.send(Event::Signal));
        answer.expect("an answer");
        line
    });
    let exit = bench.runner.run(&mut bench.account, &bench.received);
    assert_eq!(exit, Exit::Stopped);
    assert_eq!(server.join().expect("no panic"), "guest\n");
    let record = GameRecord {
        white: "Gaur".into(),
        ..GameRecord::default()
    };
    bench.runner.record(record, Instant::now());
    let begin = Instant::now();
    assert_eq!(bench.runner.finish(exit), Exit::Stopped);
    assert!(begin.elapsed() < TIMEOUT, "the end waits for the output");
    let games = std::fs::read_to_string(&file).expect("a game");
    assert!(games.contains("[White \"Gaur\"]"));
    drop(stopped);
}
