//! Connections to a listener in the same process.

use super::writer::{Order, Shared, Writer, clean};
use super::*;
use crate::text::LoginPrompt;
use crossbeam_channel::{Receiver, bounded, unbounded};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for an event. Only a failure takes so long.
const TIMEOUT: Duration = Duration::from_secs(20);

fn endpoint(listener: &TcpListener, timeseal: bool) -> Endpoint {
    Endpoint {
        host: "127.0.0.1".into(),
        port: listener.local_addr().expect("an address").port(),
        timeseal,
        connect_timeout: TIMEOUT,
        keep_alive: Duration::ZERO,
    }
}

fn connect(change: impl FnOnce(&mut Endpoint)) -> (Connection, Receiver<ServerEvent>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut endpoint = endpoint(&listener, false);
    change(&mut endpoint);
    let (sender, events) = unbounded();
    let sink = move |event| {
        let _ = sender.send(event);
    };
    let connection = Connection::open(&endpoint, sink).expect("a connection");
    let (server, _) = listener.accept().expect("a client");
    server.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    (connection, events, server)
}

fn next(events: &Receiver<ServerEvent>) -> ServerEvent {
    events.recv_timeout(TIMEOUT).expect("an event")
}

#[track_caller]
fn expect_line(events: &Receiver<ServerEvent>, expected: &str) {
    match next(events) {
        ServerEvent::Line(line, _) => assert_eq!(line, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_login() {
    let (connection, events, mut server) = connect(|_| ());
    server.write_all(b"\n\rWelcome\n\rlogin: ").expect("sent");
    expect_line(&events, "Welcome");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Name));
    connection.send("gaur").expect("queued");
    let mut reader = BufReader::new(server.try_clone().expect("a stream"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    assert_eq!(line, "gaur\n");
    server
        .write_all(b"\xFF\xFB\x01\n\rpassword: ")
        .expect("sent");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Password));
    server
        .write_all(b"\n\r**** Starting FICS session as gaur ****\n\rfics% ")
        .expect("sent");
    expect_line(&events, "**** Starting FICS session as gaur ****");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Command));
}

#[test]
fn the_end_of_the_connection_is_reported_once() {
    let (connection, events, mut server) = connect(|_| ());
    server.write_all(b"Logging you out.\n").expect("sent");
    drop(server);
    expect_line(&events, "Logging you out.");
    assert_eq!(
        next(&events),
        ServerEvent::Closed("the server has closed the connection".into())
    );
    assert!(events.recv_timeout(TIMEOUT).is_err(), "the sink is dropped");
    drop(connection);
}

#[test]
fn what_is_queued_is_sent_before_the_end() {
    let (connection, events, mut server) = connect(|_| ());
    connection.send("resign").expect("queued");
    connection.send("quit\n").expect("queued");
    connection.close(TIMEOUT);
    let mut received = String::new();
    server.read_to_string(&mut received).expect("text");
    assert_eq!(received, "resign\nquit\n");
    assert_eq!(
        next(&events),
        ServerEvent::Closed("closed by this program".into())
    );
}

#[test]
fn a_server_that_reads_nothing_does_not_block() {
    let (connection, _events, server) = connect(|_| ());
    let line = "x".repeat(800);
    let refused = (0..2_000_000).any(|_| connection.send(&line).is_err());
    assert!(refused, "the queue is bounded");
    drop(connection);
    drop(server);
}

#[test]
fn commands_stay_one_line() {
    assert_eq!(
        clean("tell Rabbit a\nresign\r\u{1}b"),
        "tell Rabbit a resign  b"
    );
    assert_eq!(clean("quit\r\n"), "quit");
    assert_eq!(clean("caf\u{e9} \u{1F600}"), "caf? ?");
    assert_eq!(clean(&"x".repeat(5000)).len(), 900);
}

/// Reads the next line of the client and decodes it as a server with timeseal does: its command and time.
fn decoded(reader: &mut impl BufRead) -> (String, u64) {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).expect("a line");
    timeseal::tests::decode(&line)
        .map(|(command, time)| (String::from_utf8(command).expect("ASCII"), time))
        .expect("an encoded line")
}

#[test]
fn timeseal_begins_with_its_name_and_answers_pings() {
    let (connection, events, mut server) = connect(|endpoint| endpoint.timeseal = true);
    let mut reader = BufReader::new(server.try_clone().expect("a stream"));
    assert_eq!(decoded(&mut reader).0, timeseal::HELLO);
    server.write_all(b"fics% [G]\0").expect("sent");
    let (reply, first) = decoded(&mut reader);
    assert_eq!(reply, timeseal::REPLY);
    connection.send("e2e4").expect("queued");
    let (command, second) = decoded(&mut reader);
    assert_eq!(command, "e2e4");
    assert!(second >= first);
    server.write_all(b"\n[G]\n").expect("sent");
    assert_eq!(decoded(&mut reader).0, timeseal::REPLY);
    server
        .write_all(b"Rabbit tells you: [G]\nend\n")
        .expect("sent");
    assert!(matches!(
        next(&events),
        ServerEvent::Prompt(LoginPrompt::Command)
    ));
    expect_line(&events, "Rabbit tells you: [G]");
}

#[test]
fn empty_lines_keep_the_session_open() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let stream = TcpStream::connect(address).expect("a connection");
    let (mut server, _) = listener.accept().expect("a client");
    server.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    let (orders, queue) = bounded(1);
    let (done, writer_done) = bounded(0);
    let shared = Arc::new(Shared::default());
    shared.logged_in.store(true, Ordering::Relaxed);
    let writer = Writer {
        stream,
        orders: queue,
        shared,
        timeseal: false,
        keep_alive: Duration::from_millis(50),
        begin: Instant::now(),
        done,
    };
    let thread = thread::spawn(|| writer.run());
    let mut bytes = [0; 2];
    server.read_exact(&mut bytes).expect("two empty lines");
    assert_eq!(bytes, *b"\n\n");
    orders.send(Order::Close).expect("queued");
    assert!(
        writer_done.recv_timeout(TIMEOUT).is_err(),
        "the channel is closed"
    );
    thread.join().expect("no panic");
}

#[test]
fn a_silent_server_is_given_up() {
    let interval = Duration::from_millis(100);
    let (_connection, events, mut server) = connect(|endpoint| endpoint.keep_alive = interval);
    server
        .write_all(b"**** Starting FICS session as gaur ****\nfics% ")
        .expect("sent");
    let closed = (0..10)
        .map(|_| next(&events))
        .find_map(|event| match event {
            ServerEvent::Closed(cause) => Some(cause),
            _ => None,
        });
    assert!(closed.is_some_and(|cause| cause.starts_with("the server has sent nothing for")));
}

#[test]
fn a_session_without_an_announcement_is_kept_open() {
    let interval = Duration::from_secs(2);
    let (_connection, events, mut server) = connect(|endpoint| endpoint.keep_alive = interval);
    server.write_all(b"login: ").expect("sent");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Name));
    server.write_all(b"password: ").expect("sent");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Password));
    server.write_all(b"\n\rfics% ").expect("sent");
    assert_eq!(next(&events), ServerEvent::Prompt(LoginPrompt::Command));
    let mut byte = [0];
    server.read_exact(&mut byte).expect("an empty line");
    assert_eq!(byte, *b"\n");
}

#[test]
fn failures_to_connect_name_cause_and_remedy() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut endpoint = endpoint(&listener, false);
    drop(listener);
    let error = Connection::open(&endpoint, |_| ()).expect_err("no server");
    assert!(matches!(error, ConnectError::Connect { .. }));
    assert!(
        error
            .to_string()
            .contains(&format!("port {}", endpoint.port))
    );
    endpoint.host = "name.invalid".into();
    let error = Connection::open(&endpoint, |_| ()).expect_err("no host");
    assert!(matches!(error, ConnectError::Resolve { .. }));
    assert!(error.to_string().contains("check `host`"));
}
