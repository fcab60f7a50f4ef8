//! A small internet chess server in the manner of FICS, on the loopback interface only, for tests of chess clients.
//! It is bounded in time, connections and lines. One thread owns the state and handles events one by one.

mod chat;
mod clock;
mod command;
mod connection;
mod family;
mod game;
mod game_end;
mod information;
mod journal;
mod login;
mod matches;
mod offers;
mod play;
mod proposal;
mod seeks;
mod server_state;
mod settings;
mod style12;
pub mod timeseal;
mod variant;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connection::{Connection, Received};
pub use family::Family;
pub use journal::{Finished, Journal, Kind};
use server_state::ServerState;
pub use variant::Variant;

/// Maximum duration of a server.
const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 32;

/// Number of received lines after which a server ends.
const MAX_LINES: usize = 50_000;

/// Account of the server. All other users are guests.
#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub rating: u32,
    /// `None` if any password is right.
    pub password: Option<String>,
    /// Titles behind the name in messages, such as `(C)`.
    pub titles: String,
}

impl Account {
    /// Returns an account for which any password is right.
    pub fn new(name: &str, rating: u32) -> Account {
        Account {
            name: name.to_string(),
            rating,
            password: None,
            titles: String::new(),
        }
    }
}

/// Accounts and limits of a server.
#[derive(Clone, Debug)]
pub struct Rules {
    pub accounts: Vec<Account>,
    /// Number of users at which the server is full.
    pub most_users: usize,
    /// Wrong passwords after which the server closes a connection.
    pub password_attempts: usize,
    /// Maximum number of bytes in each write, so that clients receive lines in parts.
    pub chunk: Option<usize>,
    pub family: Family,
}

impl Rules {
    /// Returns the usual limits.
    pub fn new(accounts: Vec<Account>) -> Rules {
        Rules {
            accounts,
            most_users: MAX_CONNECTIONS,
            password_attempts: 3,
            chunk: None,
            family: Family::Fics,
        }
    }
}

/// Event for the thread of the server.
#[derive(Debug)]
pub enum Event {
    Arrived(TcpStream),
    Line(u32, Received),
    Closed(u32),
    /// Sets the lag of this account in each direction, also for later connections.
    Lag(String, Duration),
    /// Breaks the connection of this account.
    Cut(String),
    /// Loses all further data from and to this account's connection, without closing it.
    Freeze(String),
    /// Sends this text to the account, as the server's own.
    Announce(String, String),
    /// Sets the number of users at which the server is full.
    Limit(usize),
    /// Answers that all earlier events have taken effect.
    Handled(Sender<()>),
    Stop,
}

/// State of a stopped server: its rules and the interrupted games.
type Kept = ServerState;

/// A running server; ends when dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    events: Sender<Event>,
    journal: Arc<Mutex<Journal>>,
    threads: Option<Threads>,
    /// State of a stopped server.
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Threads {
    listener: JoinHandle<()>,
    server: JoinHandle<Kept>,
}

impl Server {
    /// Starts a server with the usual limits on this port of the loopback interface; 0 is any free one.
    pub fn start(accounts: Vec<Account>, port: u16) -> io::Result<Server> {
        Server::start_with(Rules::new(accounts), port)
    }

    /// Starts a server on this port of the loopback interface; 0 is any free one.
    pub fn start_with(rules: Rules, port: u16) -> io::Result<Server> {
        let journal = Arc::new(Mutex::new(Journal::new()));
        let state = ServerState::new(rules, Arc::clone(&journal));
        let (port, events, threads) = open(state, port)?;
        Ok(Server {
            port,
            events,
            journal,
            threads: Some(threads),
            kept: None,
        })
    }

    /// Breaks all connections and closes the port. Games of accounts become adjourned games.
    pub fn stop(&mut self) {
        self.events.send(Event::Stop).unwrap_or_default();
        let Some(threads) = self.threads.take() else {
            return;
        };
        // A panic of the thread has been printed; without its state the server cannot start again.
        self.kept = threads.server.join().ok();
        // Wakes the listening thread, so that it notices the end.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
        threads.listener.join().unwrap_or_default();
    }

    /// Opens the port of a stopped server again, with its accounts, adjourned games and journal.
    pub fn start_again(&mut self) -> io::Result<()> {
        let Some(state) = self.kept.take() else {
            return Err(io::Error::other("the server was not stopped"));
        };
        let (_, events, threads) = open(state, self.port)?;
        self.events = events;
        self.threads = Some(threads);
        Ok(())
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets the lag of an account in each direction.
    pub fn set_lag(&self, name: &str, lag: Duration) {
        self.send(Event::Lag(name.to_string(), lag));
    }

    /// Breaks an account's connection.
    pub fn cut(&self, name: &str) {
        self.send(Event::Cut(name.to_string()));
    }

    /// Loses all further data of an account's connection in both directions, without closing it, like a broken route.
    pub fn freeze(&self, name: &str) {
        self.send(Event::Freeze(name.to_string()));
    }

    /// Sends a text of the server itself to an account.
    pub fn announce(&self, name: &str, text: &str) {
        self.send(Event::Announce(name.to_string(), text.to_string()));
    }

    /// Sets the number of users at which the server is full.
    pub fn set_limit(&self, users: usize) {
        self.send(Event::Limit(users));
    }

    /// Returns the journal.
    pub fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event and waits until it has taken effect: what an account types next could otherwise overtake it.
    fn send(&self, event: Event) {
        let (done, handled) = channel();
        for event in [event, Event::Handled(done)] {
            // A server that has ended has no connections.
            self.events.send(event).unwrap_or_default();
        }
        // Without an answer the server has ended.
        handled.recv().unwrap_or_default();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Opens the port and starts the threads of a server.
fn open(state: ServerState, port: u16) -> io::Result<(u16, Sender<Event>, Threads)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = listener.local_addr()?.port();
    let (events, received) = channel();
    let to_house = events.clone();
    // This thread ends with the first connection after the end of the server, which `Server::stop` makes.
    let doorman = events.clone();
    let listener = thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            if doorman.send(Event::Arrived(stream)).is_err() {
                break;
            }
        }
    });
    let server = thread::spawn(move || {
        let mut state = state;
        serve(&mut state, &received, &to_house);
        state.close();
        state
    });
    Ok((port, events, Threads { listener, server }))
}

fn serve(state: &mut ServerState, events: &Receiver<Event>, to_house: &Sender<Event>) {
    let end = Instant::now() + LIFETIME;
    let mut lines = 0;
    while lines < MAX_LINES {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(event) = events.recv_timeout(left) else {
            return;
        };
        match event {
            Event::Arrived(stream) if state.connections() < MAX_CONNECTIONS => {
                let number = state.next_connection();
                let chunk = state.rules.chunk;
                if let Ok(connection) = Connection::open(stream, number, to_house.clone(), chunk) {
                    state.arrived(number, connection);
                }
            }
            // Too many connections: dropping the stream closes it.
            Event::Arrived(_) => {}
            Event::Line(number, line) => {
                lines += 1;
                state.received(number, line);
            }
            Event::Closed(number) => state.left(number),
            Event::Lag(name, lag) => state.set_lag(&name, lag),
            Event::Cut(name) => state.cut(&name),
            Event::Freeze(name) => state.freeze(&name),
            Event::Announce(name, text) => state.tell(&name, &text),
            Event::Limit(users) => state.rules.most_users = users,
            // A test that has ended waits no longer.
            Event::Handled(done) => done.send(()).unwrap_or_default(),
            Event::Stop => return,
        }
    }
}
