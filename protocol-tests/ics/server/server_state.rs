//! State of the server: users, games and challenges; dispatch of lines.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Account;
use super::command::Command;
use super::connection::Connection;
use super::game::Game;
use super::journal::{Journal, Kind};
use super::login::Stage;
use super::matches::{Challenge, Seek};
use super::play::NO_GAME;

/// Prompt of the server.
const PROMPT: &str = "fics% ";

/// Connection and its user.
#[derive(Debug)]
pub struct Session {
    pub connection: Connection,
    pub stage: Stage,
    /// Times in milliseconds.
    pub precise: bool,
}

/// State of the server.
#[derive(Debug)]
pub struct ServerState {
    pub accounts: Vec<Account>,
    pub sessions: BTreeMap<u32, Session>,
    /// Running games.
    pub games: Vec<Game>,
    /// Adjourned games.
    pub shelf: Vec<Game>,
    pub challenges: Vec<Challenge>,
    pub seeks: Vec<Seek>,
    pub journal: Arc<Mutex<Journal>>,
    /// Last opponent of each user.
    partners: BTreeMap<String, String>,
    lags: BTreeMap<String, Duration>,
}

impl ServerState {
    /// Returns the state without users.
    pub fn new(accounts: Vec<Account>, journal: Arc<Mutex<Journal>>) -> ServerState {
        ServerState {
            accounts,
            sessions: BTreeMap::new(),
            games: Vec::new(),
            shelf: Vec::new(),
            challenges: Vec::new(),
            seeks: Vec::new(),
            journal,
            partners: BTreeMap::new(),
            lags: BTreeMap::new(),
        }
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.sessions.len()
    }

    /// Handles a line from a connection.
    pub fn line(&mut self, number: u32, line: &str) {
        let Some(session) = self.sessions.get(&number) else {
            return;
        };
        let Stage::In(name) = session.stage.clone() else {
            self.login_line(number, line);
            return;
        };
        self.note(&name, Kind::Typed, line);
        let printable: String = line.chars().filter(|c| !c.is_control()).collect();
        self.command(&name, Command::parse(&printable), Instant::now());
    }

    fn command(&mut self, name: &str, command: Command, now: Instant) {
        match command {
            Command::Precise(precise) => {
                if let Some(session) = self.session_of(name) {
                    session.precise = precise;
                }
                self.prompt(name);
            }
            Command::Setting => self.prompt(name),
            Command::Match(whom, proposal) => self.challenge(name, &whom, proposal),
            Command::Seek(proposal) => self.seek(name, proposal),
            Command::Unseek => self.unseek(name),
            Command::Play(whom) => self.answer_seek(name, &whom, now),
            Command::Accept(what) => self.accept(name, what.as_deref(), now),
            Command::Decline(what) => self.decline(name, what.as_deref()),
            Command::Ask(wish) => self.ask(name, wish, now),
            Command::Resign => self.resign(name),
            Command::Flag => self.call_flag(name, now),
            Command::Moretime(seconds) => self.moretime(name, seconds),
            Command::Refresh => self.refresh(name, now),
            Command::Moves => self.show_moves(name),
            Command::Tell(whom, text) => {
                if self.session_of(&whom).is_some() {
                    self.tell(&whom, &format!("{name} tells you: {text}"));
                    self.tell(name, &format!("(told {whom})"));
                } else {
                    self.refuse(name, &format!("{whom} is not logged in."));
                }
            }
            Command::Say(text) => self.say(name, &text),
            Command::Kibitz(text) => match self.opponent_of(name) {
                Some(opponent) => {
                    self.tell_other(name, &opponent, &format!("[1] kibitzes: {text}"))
                }
                None => self.refuse(name, NO_GAME),
            },
            // This server has no observers.
            Command::Whisper(_) => self.tell(name, "(whispered to 0 players)"),
            Command::Quit => {
                self.tell(name, "Thank you for playing.");
                self.cut(name);
            }
            Command::Other(text) => self.play(name, &text, now),
        }
    }

    /// Handles `say`: sends a message to the opponent, or after the game to the last one.
    fn say(&mut self, name: &str, text: &str) {
        let partner = self.opponent_of(name);
        match partner.or_else(|| self.partners.get(name).cloned()) {
            Some(partner) if self.session_of(&partner).is_some() => {
                self.tell_other(name, &partner, &format!(" says: {text}"));
            }
            Some(partner) => self.refuse(name, &format!("{partner} is not logged in.")),
            None => self.refuse(name, "You have not played with anybody."),
        }
    }

    fn opponent_of(&mut self, name: &str) -> Option<String> {
        let (game, side) = self.game_of(name)?;
        Some(game.names[!side].clone())
    }

    /// Records that these two have played.
    pub fn have_played(&mut self, one: &str, other: &str) {
        self.partners.insert(one.to_string(), other.to_string());
        self.partners.insert(other.to_string(), one.to_string());
    }

    fn tell_other(&mut self, name: &str, other: &str, words: &str) {
        self.tell(other, &format!("{name}{words}"));
        self.tell(name, &format!("(told {other})"));
    }

    /// Sends text and the prompt.
    pub fn tell(&mut self, name: &str, text: &str) {
        self.note(name, Kind::Told, text);
        self.send(name, format!("\n{text}\n{PROMPT}"));
    }

    /// Sends and records the reason of a refusal.
    pub fn refuse(&mut self, name: &str, text: &str) {
        self.note(name, Kind::Refused, text);
        self.send(name, format!("\n{text}\n{PROMPT}"));
    }

    /// Sends the prompt.
    pub fn prompt(&mut self, name: &str) {
        self.send(name, format!("\n{PROMPT}"));
    }

    fn send(&mut self, name: &str, text: String) {
        if let Some(session) = self.session_of(name) {
            session.connection.send(text);
        }
    }

    /// Returns the connection of a logged-in user.
    pub fn session_of(&mut self, name: &str) -> Option<&mut Session> {
        self.sessions
            .values_mut()
            .find(|session| session.stage == Stage::In(name.to_string()))
    }

    /// Returns the running game of a user, and the side.
    pub fn game_of(&mut self, name: &str) -> Option<(&mut Game, shakmaty::Color)> {
        self.games.iter_mut().find_map(|game| {
            let side = game.side_of(name)?;
            Some((game, side))
        })
    }

    /// Returns the rating of an account; `None` for guests.
    pub fn rating(&self, name: &str) -> Option<u32> {
        let account = self.accounts.iter().find(|account| account.name == name);
        account.map(|account| account.rating)
    }

    /// Sets the lag of an account, also for later connections.
    pub fn set_lag(&mut self, name: &str, lag: Duration) {
        self.lags.insert(name.to_string(), lag);
        self.apply_lag(name);
    }

    /// Applies the lag of an account to its new connection.
    pub fn apply_lag(&mut self, name: &str) {
        let lag = self.lags.get(name).copied().unwrap_or_default();
        if let Some(session) = self.session_of(name) {
            session.connection.set_lag(lag);
        }
    }

    /// Breaks the connection of an account. The server notices it as for any closed connection.
    pub fn cut(&mut self, name: &str) {
        if let Some(session) = self.session_of(name) {
            session.connection.cut();
        }
    }

    /// Records a journal line.
    pub fn note(&self, name: &str, kind: Kind, text: &str) {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.note(name, kind, text);
    }
}
