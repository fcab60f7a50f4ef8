//! A small internet chess server in the manner of FICS, on the loopback interface only, for tests of chess clients.
//! It is bounded in time, connections and lines. All its state lives in one thread, which takes events one by one.

mod clock;
mod command;
mod connection;
mod door;
mod ending;
mod game;
mod house;
mod journal;
mod matches;
mod play;
mod style12;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connection::Connection;
use house::House;
pub use journal::{Journal, Kind};

/// After this time a server ends, whatever happens.
const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// More are turned away.
const MOST_CONNECTIONS: usize = 32;

/// After so many typed lines a server ends.
const MOST_LINES: usize = 50_000;

/// Somebody who is known here. Everybody else comes in as a guest.
#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub rating: u32,
}

/// What the server's thread is told.
#[derive(Debug)]
pub enum Event {
    Arrived(TcpStream),
    Line(u32, String),
    Closed(u32),
    /// This account has so much lag in each direction, also after it has come back.
    Lag(String, Duration),
    /// This account's connection breaks.
    Cut(String),
    Stop,
}

/// A running server. It ends when this is dropped.
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
        let house = House::new(accounts, Arc::clone(&journal));
        let to_house = events.clone();
        // This thread ends with the first arrival after the house is gone; `drop` sees to that.
        let doorman = events.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if doorman.send(Event::Arrived(stream)).is_err() {
                    break;
                }
            }
        });
        let thread = thread::spawn(move || serve(house, &received, &to_house));
        Ok(Server {
            port,
            events,
            journal,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Gives an account a slow line.
    pub fn set_lag(&self, name: &str, lag: Duration) {
        self.tell(Event::Lag(name.to_string(), lag));
    }

    /// Breaks an account's connection.
    pub fn cut(&self, name: &str) {
        self.tell(Event::Cut(name.to_string()));
    }

    /// What has happened so far.
    pub fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: Event) {
        // A server that has ended has no connections either.
        self.events.send(event).unwrap_or_default();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.tell(Event::Stop);
        if let Some(thread) = self.thread.take() {
            // Its panic has been printed; there is nothing to add.
            thread.join().unwrap_or_default();
        }
        // Wakes the listening thread, so that it sees that nobody wants arrivals any more.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

fn serve(mut house: House, events: &Receiver<Event>, to_house: &Sender<Event>) {
    let end = Instant::now() + LIFETIME;
    let (mut arrivals, mut lines) = (0, 0);
    while lines < MOST_LINES {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(event) = events.recv_timeout(left) else {
            return;
        };
        match event {
            Event::Arrived(stream) if house.connections() < MOST_CONNECTIONS => {
                arrivals += 1;
                if let Ok(connection) = Connection::open(stream, arrivals, to_house.clone()) {
                    house.arrived(arrivals, connection);
                }
            }
            // Too many: the stream is dropped, and so closed.
            Event::Arrived(_) => {}
            Event::Line(number, line) => {
                lines += 1;
                house.line(number, &line);
            }
            Event::Closed(number) => house.left(number),
            Event::Lag(name, lag) => house.set_lag(&name, lag),
            Event::Cut(name) => house.cut(&name),
            Event::Stop => return,
        }
    }
}
