//! Tests of the main loop with a server in the same process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;
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
    bench.runner.connect();
    let mut abandoned = bench.accept();
    let late = bench.next();
    // The login has taken too long, and the next attempt begins.
    bench.runner.disconnect();
    bench.runner.connect();
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
    bench.runner.connect();
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
    bench.runner.finish(&exit);
    assert!(begin.elapsed() < TIMEOUT, "the end waits for the output");
    let games = std::fs::read_to_string(&file).expect("a game");
    assert!(games.contains("[White \"Gaur\"]"));
    drop(stopped);
}
