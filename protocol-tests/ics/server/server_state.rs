//! State of the server: users, games and challenges; dispatch of lines.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::command::Command;
use super::connection::{Connection, Received};
use super::game::{Game, Terms};
use super::journal::{Journal, Kind};
use super::login::Stage;
use super::matches::Challenge;
use super::seeks::Seek;
use super::settings::Variables;
use super::{Account, Rules, timeseal};

/// Prompt of the server.
const PROMPT: &str = "fics% ";

/// Connection and its user.
#[derive(Debug)]
pub struct Session {
    pub connection: Connection,
    pub stage: Stage,
    pub variables: Variables,
    /// Wrong passwords so far.
    pub wrong_passwords: usize,
    /// Set for a client with timeseal.
    pub is_sealed: bool,
    /// Clock of a client with timeseal at its last line, in milliseconds.
    pub stamp: u32,
    pub since: Instant,
}

/// State of the server.
#[derive(Debug)]
pub struct ServerState {
    pub rules: Rules,
    pub sessions: BTreeMap<u32, Session>,
    /// Running games.
    pub games: Vec<Game>,
    /// Adjourned games.
    pub shelf: Vec<Game>,
    pub challenges: Vec<Challenge>,
    pub seeks: Vec<Seek>,
    pub journal: Arc<Mutex<Journal>>,
    /// Number of games of Fischer Random so far.
    pub shuffled: usize,
    /// Number of guests without a name of their own so far.
    pub guests: usize,
    /// Number of seeks so far.
    pub sought: usize,
    /// Last opponent of each user, and the terms of that game.
    partners: BTreeMap<String, (String, Terms)>,
    lags: BTreeMap<String, Duration>,
    /// Number of the last connection.
    arrivals: u32,
}

impl ServerState {
    /// Returns the state without users.
    pub fn new(rules: Rules, journal: Arc<Mutex<Journal>>) -> ServerState {
        ServerState {
            rules,
            sessions: BTreeMap::new(),
            games: Vec::new(),
            shelf: Vec::new(),
            challenges: Vec::new(),
            seeks: Vec::new(),
            journal,
            shuffled: 0,
            guests: 0,
            sought: 0,
            partners: BTreeMap::new(),
            lags: BTreeMap::new(),
            arrivals: 0,
        }
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.sessions.len()
    }

    /// Returns the number of the next connection. Numbers are not used again after a restart.
    pub fn next_connection(&mut self) -> u32 {
        self.arrivals += 1;
        self.arrivals
    }

    /// Breaks all connections at the end of the server. Games of accounts become adjourned games.
    pub fn close(&mut self) {
        let numbers: Vec<u32> = self.sessions.keys().copied().collect();
        for number in &numbers {
            if let Some(session) = self.sessions.get(number) {
                session.connection.cut();
            }
        }
        for number in numbers {
            self.left(number);
        }
    }

    /// Handles a line from a connection.
    pub fn received(&mut self, number: u32, line: Received) {
        let now = Instant::now();
        let Some(session) = self.sessions.get_mut(&number) else {
            return;
        };
        let user = session.stage.user().unwrap_or("?").to_string();
        match line {
            Received::Plain(text) => self.line(number, &text, now),
            Received::Hello(text) => {
                session.is_sealed = true;
                self.note("?", Kind::Typed, &text);
            }
            Received::Sealed(text, stamp) => {
                session.stamp = stamp;
                if text == timeseal::PONG {
                    self.pong(&user, stamp);
                } else {
                    self.line(number, &text, now);
                }
            }
            Received::Unsealed(text) => {
                let fault = format!("a line without timeseal on a connection with it: {text}");
                self.note(&user, Kind::Fault, &fault);
            }
        }
    }

    fn line(&mut self, number: u32, line: &str, now: Instant) {
        let Some(session) = self.sessions.get(&number) else {
            return;
        };
        let Stage::In(name) = session.stage.clone() else {
            self.login_line(number, line);
            return;
        };
        self.note(&name, Kind::Typed, line);
        let printable: String = line
            .chars()
            .filter(|letter| letter.is_ascii() && !letter.is_control())
            .collect();
        for part in self.rules.family.commands(&printable) {
            let verb = part.split_whitespace().next().unwrap_or_default();
            if self.rules.family.has_command(verb) {
                self.command(&name, Command::parse(part), now);
            } else {
                self.refuse(&name, &format!("{verb}: Command not found."));
            }
        }
    }

    fn command(&mut self, name: &str, command: Command, now: Instant) {
        match command {
            Command::Nothing => self.prompt(name),
            Command::Set(variable, value) => self.set(name, &variable, &value),
            Command::SetInterface(variable, value) => self.set_interface(name, &variable, &value),
            Command::Match(whom, proposal) => self.challenge(name, &whom, proposal, now),
            Command::Rematch => self.rematch(name, now),
            Command::Seek(words) => self.seek(name, &words),
            Command::Unseek => self.unseek(name),
            Command::Play(whom) => self.answer_seek(name, &whom, now),
            Command::Accept(what) => self.accept(name, what.as_deref(), now),
            Command::Decline(what) => self.decline(name, what.as_deref()),
            Command::Withdraw(what) => self.withdraw(name, what.as_deref()),
            Command::Ask(wish) => self.ask(name, wish, now),
            Command::Resign => self.resign(name),
            Command::Flag => self.call_flag(name, now),
            Command::Moretime(seconds) => self.moretime(name, seconds),
            Command::Refresh => self.refresh(name, now),
            Command::Moves => self.show_moves(name),
            Command::Inform(what, whom) => self.inform(name, what, whom.as_deref()),
            Command::Message(message) => self.deliver(name, message),
            Command::Quit => self.quit(name),
            Command::Other(text) => self.play(name, &text, now),
        }
    }

    fn set(&mut self, name: &str, variable: &str, value: &str) {
        if let Some(session) = self.session_of(name) {
            let answer = session.variables.set(variable, value);
            self.answer(name, answer);
        }
    }

    fn set_interface(&mut self, name: &str, variable: &str, value: &str) {
        if let Some(session) = self.session_of(name) {
            let answer = session.variables.set_interface(variable, value);
            self.answer(name, answer);
        }
    }

    fn answer(&mut self, name: &str, answer: Result<String, String>) {
        match answer {
            Ok(text) => self.tell(name, &text),
            Err(why) => self.refuse(name, &why),
        }
    }

    /// Returns the last opponent of a user, and the terms of that game.
    pub fn partner(&self, name: &str) -> Option<&(String, Terms)> {
        self.partners.get(name)
    }

    /// Records that these two have played.
    pub fn have_played(&mut self, game: &Game) {
        for (side, name) in game.names.clone().zip_color() {
            let opponent = game.names[!side].clone();
            self.partners.insert(name, (opponent, game.terms.clone()));
        }
    }

    /// Sends text and the prompt.
    pub fn tell(&mut self, name: &str, text: &str) {
        self.note(name, Kind::Told, text);
        self.send(name, text);
    }

    /// Sends a board line, then a ping to a client with timeseal if it is its turn, then the prompt.
    pub fn tell_board(&mut self, name: &str, line: &str, is_own_turn: bool) {
        self.note(name, Kind::Told, line);
        if let Some(session) = self.session_of(name) {
            // The answer to a ping on the other turn could arrive after the opponent's move.
            let ping = if session.is_sealed && is_own_turn {
                timeseal::PING
            } else {
                ""
            };
            session
                .connection
                .send(&format!("\n{line}\n{ping}{PROMPT}"));
        }
    }

    /// Sends text of several lines as it is.
    pub fn tell_unwrapped(&mut self, name: &str, text: &str) {
        self.note(name, Kind::Told, text);
        if let Some(session) = self.session_of(name) {
            session.connection.send(&format!("\n{text}\n{PROMPT}"));
        }
    }

    /// Sends and records the reason of a refusal.
    pub fn refuse(&mut self, name: &str, text: &str) {
        self.note(name, Kind::Refused, text);
        self.send(name, text);
    }

    /// Sends the prompt.
    pub fn prompt(&mut self, name: &str) {
        if let Some(session) = self.session_of(name) {
            session.connection.send(&format!("\n{PROMPT}"));
        }
    }

    fn send(&mut self, name: &str, text: &str) {
        if let Some(session) = self.session_of(name) {
            let text = session.variables.wrap(text);
            session.connection.send(&format!("\n{text}\n{PROMPT}"));
        }
    }

    /// Returns the connection of a logged-in user.
    pub fn session_of(&mut self, name: &str) -> Option<&mut Session> {
        self.sessions
            .values_mut()
            .find(|session| session.stage.user() == Some(name))
    }

    /// Returns the names of all logged-in users.
    pub fn user_names(&self) -> Vec<String> {
        self.sessions
            .values()
            .filter_map(|session| session.stage.user().map(str::to_string))
            .collect()
    }

    /// Returns the name of a logged-in user as the user writes it; capitals do not matter.
    pub fn find_user(&self, name: &str) -> Option<String> {
        self.user_names()
            .into_iter()
            .find(|user| user.eq_ignore_ascii_case(name))
    }

    /// Returns the running game of a user, and the side.
    pub fn game_of(&mut self, name: &str) -> Option<(&mut Game, shakmaty::Color)> {
        self.games.iter_mut().find_map(|game| {
            let side = game.side_of(name)?;
            Some((game, side))
        })
    }

    /// Returns the account of this name; capitals do not matter.
    pub fn account(&self, name: &str) -> Option<&Account> {
        self.rules
            .accounts
            .iter()
            .find(|account| account.name.eq_ignore_ascii_case(name))
    }

    /// Returns the rating of an account; `None` for guests.
    pub fn rating(&self, name: &str) -> Option<u32> {
        self.account(name).map(|account| account.rating)
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

    /// Loses all further data of an account's connection, without closing it.
    pub fn freeze(&mut self, name: &str) {
        if let Some(session) = self.session_of(name) {
            session.connection.freeze();
        }
    }

    /// Records a journal line.
    pub fn note(&self, name: &str, kind: Kind, text: &str) {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.note(name, kind, text);
    }
}
