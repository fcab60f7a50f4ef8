//! A small internet chess server in the manner of FICS, on the loopback interface only, for tests of chess clients.
//! It is bounded in time, connections and lines. One thread owns the state and handles events one by one.

mod clock;
mod command;
mod connection;
mod game;
mod game_end;
mod journal;
mod login;
mod matches;
mod play;
mod server_state;
mod style12;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connection::Connection;
pub use journal::{Journal, Kind};
use server_state::ServerState;

/// Maximum duration of a server.
const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 32;

/// Number of received lines after which a server ends.
const MAX_LINES: usize = 50_000;

/// Account of the server. All other users are guests.
#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub rating: u32,
}

/// Event for the thread of the server.
#[derive(Debug)]
pub enum Event {
    Arrived(TcpStream),
    Line(u32, String),
    Closed(u32),
    /// Sets the lag of this account in each direction, also for later connections.
    Lag(String, Duration),
    /// Breaks the connection of this account.
    Cut(String),
    Stop,
}

/// A running server; ends when dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    events: Sender<Event>,
    journal: Arc<Mutex<Journal>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on this port of the loopback interface; 0 is any free one.
    pub fn start(accounts: Vec<Account>, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let (events, received) = channel();
        let journal = Arc::new(Mutex::new(Journal::new()));
        let server_state = ServerState::new(accounts, Arc::clone(&journal));
        let to_house = events.clone();
        // This thread ends with the first connection after the end of the server, which `drop` makes.
        let doorman = events.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if doorman.send(Event::Arrived(stream)).is_err() {
                    break;
                }
            }
        });
        let thread = thread::spawn(move || serve(server_state, &received, &to_house));
        Ok(Server {
            port,
            events,
            journal,
            thread: Some(thread),
        })
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets the lag of an account in each direction.
    pub fn set_lag(&self, name: &str, lag: Duration) {
        self.tell(Event::Lag(name.to_string(), lag));
    }

    /// Breaks an account's connection.
    pub fn cut(&self, name: &str) {
        self.tell(Event::Cut(name.to_string()));
    }

    /// Returns the journal.
    pub fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: Event) {
        // A server that has ended has no connections.
        self.events.send(event).unwrap_or_default();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.tell(Event::Stop);
        if let Some(thread) = self.thread.take() {
            // Its panic has been printed.
            thread.join().unwrap_or_default();
        }
        // Wakes the listening thread, so that it notices the end.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

fn serve(mut server_state: ServerState, events: &Receiver<Event>, to_house: &Sender<Event>) {
    let end = Instant::now() + LIFETIME;
    let (mut arrivals, mut lines) = (0, 0);
    while lines < MAX_LINES {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(event) = events.recv_timeout(left) else {
            return;
        };
        match event {
            Event::Arrived(stream) if server_state.connections() < MAX_CONNECTIONS => {
                arrivals += 1;
                if let Ok(connection) = Connection::open(stream, arrivals, to_house.clone()) {
                    server_state.arrived(arrivals, connection);
                }
            }
            // Too many connections: dropping the stream closes it.
            Event::Arrived(_) => {}
            Event::Line(number, line) => {
                lines += 1;
                server_state.line(number, &line);
            }
            Event::Closed(number) => server_state.left(number),
            Event::Lag(name, lag) => server_state.set_lag(&name, lag),
            Event::Cut(name) => server_state.cut(&name),
            Event::Stop => return,
        }
    }
}
