//! Login and logout.

use std::time::Instant;

use super::connection::Connection;
use super::game_end::Ending;
use super::journal::Kind;
use super::server_state::{ServerState, Session};
use super::settings::Variables;

/// Stage of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The server has asked for a name.
    Name,
    /// The server has asked for the password of this account.
    Password(String),
    /// The server has asked a guest to press return.
    Return(String),
    In(String),
}

impl Stage {
    /// Returns the name of a logged-in user.
    pub fn user(&self) -> Option<&str> {
        match self {
            Stage::In(name) => Some(name),
            Stage::Name | Stage::Password(_) | Stage::Return(_) => None,
        }
    }
}

/// Text before the login. Clients recognise the kind of server by the name freechess.org.
const GREETING: &str = "\nA chess server for tests, in the manner of freechess.org.\n\n\
    Enter the name of an account, or any other name for a guest.\n\nlogin: ";

/// Question for a name.
const LOGIN: &str = "login: ";

/// Text for users beyond the limit. On FICS it is a file that the administrators write.
const FULL: &str = "\nSorry, the server is full.  Please try again later.\n";

/// Text after each login.
const WELCOME: &str = "Do 'help' for a list of the commands that are available.";

/// Answer to `quit` during a game.
const PLAYING: &str = "You can't quit while you are playing a game.\n\
    Type 'resign' to resign the game, or you can request an abort with 'abort'.";

/// Lengths of a name.
const NAME_LENGTHS: std::ops::RangeInclusive<usize> = 3..=17;

/// Telnet commands that switch the echo of a terminal off and on around a password.
const ECHO_OFF: [u8; 3] = [0xFF, 0xFB, 0x01];
const ECHO_ON: [u8; 3] = [0xFF, 0xFC, 0x01];

impl ServerState {
    /// Begins the login of a new connection.
    pub fn arrived(&mut self, number: u32, connection: Connection) {
        connection.send(GREETING);
        let session = Session {
            connection,
            stage: Stage::Name,
            variables: Variables::new(self.rules.family),
            wrong_passwords: 0,
            is_sealed: false,
            stamp: 0,
            since: Instant::now(),
        };
        self.sessions.insert(number, session);
    }

    /// Handles a line of a user who is not logged in yet.
    pub fn login_line(&mut self, number: u32, line: &str) {
        let Some(session) = self.sessions.get(&number) else {
            return;
        };
        match session.stage.clone() {
            Stage::Name => self.name_line(number, line.trim()),
            Stage::Password(name) => self.password_line(number, &name, line),
            Stage::Return(name) => self.let_in(number, &name),
            Stage::In(_) => {}
        }
    }

    fn name_line(&mut self, number: u32, name: &str) {
        let answer = if name.is_empty() {
            Some(String::new())
        } else if !name.chars().all(|letter| letter.is_ascii_alphabetic()) {
            Some(
                "\nSorry, names can only consist of lower and upper case letters.  Try again.\n"
                    .into(),
            )
        } else if name.len() < *NAME_LENGTHS.start() && !is_guest(name) {
            Some("\nA name should be at least three characters long!  Try again.\n".into())
        } else if name.len() > *NAME_LENGTHS.end() {
            Some(format!(
                "\nSorry, names may be at most {} characters long.  Try again.\n",
                NAME_LENGTHS.end()
            ))
        } else {
            None
        };
        if let Some(answer) = answer {
            self.send_to(number, &format!("{answer}{LOGIN}"));
        } else if self.user_names().len() >= self.rules.most_users {
            self.note("?", Kind::Told, FULL.trim());
            self.send_off(number, FULL);
        } else if is_guest(name) {
            let name = self.guest_name();
            let text = format!(
                "\nLogging you in as \"{name}\"; you may use this name to play unrated games.\n\
                 (After logging in, do \"help register\" for more info on how to register.)\n\n\
                 Press return to enter the server as \"{name}\":"
            );
            self.ask_login(number, Stage::Return(name), &text);
        } else if let Some(account) = self.account(name) {
            let name = account.name.clone();
            let text = format!(
                "\n\"{name}\" is a registered name.  If it is yours, type the password.\n\
                 If not, just hit return to try another name.\n\npassword: "
            );
            self.ask_login(number, Stage::Password(name), &text);
            self.send_bytes_to(number, &ECHO_OFF);
        } else {
            let text = format!(
                "\n\"{name}\" is not a registered name.  You may use this name to play unrated games.\n\
                 (After logging in, do \"help register\" for more info on how to register.)\n\n\
                 Press return to enter the server as \"{name}\":"
            );
            self.ask_login(number, Stage::Return(name.to_string()), &text);
        }
    }

    fn password_line(&mut self, number: u32, name: &str, typed: &str) {
        self.send_bytes_to(number, &ECHO_ON);
        let right = self
            .account(name)
            .and_then(|account| account.password.as_ref());
        if right.is_none_or(|password| password == typed) {
            self.let_in(number, name);
            return;
        }
        let is_last = match self.sessions.get_mut(&number) {
            Some(session) if !typed.is_empty() => {
                session.wrong_passwords += 1;
                session.wrong_passwords >= self.rules.password_attempts
            }
            _ => false,
        };
        let text = if typed.is_empty() {
            "\n"
        } else {
            self.note(name, Kind::Refused, "**** Invalid password! ****");
            "\n\n**** Invalid password! ****\n\n"
        };
        if is_last {
            self.send_off(number, text);
        } else {
            self.ask_login(number, Stage::Name, &format!("{text}{LOGIN}"));
        }
    }

    fn let_in(&mut self, number: u32, name: &str) {
        if let Some(earlier) = self.number_of(name) {
            if self.rating(name).is_none() {
                let text = format!("\n*** Sorry {name} is already logged in ***\n");
                self.send_off(number, &text);
                return;
            }
            self.send_to(
                number,
                &format!("\n **** {name} is already logged in - kicking them out. ****\n"),
            );
            let text = format!("**** {name} has arrived - you can't both be logged in. ****");
            self.note(name, Kind::Told, &text);
            self.send_off(earlier, &format!("{text}\n"));
        }
        let Some(session) = self.sessions.get_mut(&number) else {
            return;
        };
        session.stage = Stage::In(name.to_string());
        self.apply_lag(name);
        let titles = self.titles(name);
        let session = self.rules.family.session_line(name, &titles);
        let stored = self.stored_opponents(name);
        // All of it comes before the first prompt.
        let text: Vec<String> = session
            .into_iter()
            .chain([WELCOME.to_string()])
            .chain(stored)
            .collect();
        self.tell(name, &text.join("\n"));
    }

    /// Informs the opponents of adjourned games that a user has arrived. Returns the text for the user.
    fn stored_opponents(&mut self, name: &str) -> Option<String> {
        let opponents: Vec<String> = self
            .shelf
            .iter()
            .filter_map(|game| Some(game.names[!game.side_of(name)?].clone()))
            .filter(|opponent| self.number_of(opponent).is_some())
            .collect();
        for opponent in &opponents {
            let text =
                format!("Notification: {name}, who has an adjourned game with you, has arrived.");
            self.tell(opponent, &text);
        }
        let list = opponents.join("  ");
        match opponents.len() {
            0 => None,
            1 => Some(format!(
                "1 player, who has an adjourned game with you, is online:\u{7}\n{list}"
            )),
            count => Some(format!(
                "{count} players, who have an adjourned game with you, are online:\u{7}\n{list}"
            )),
        }
    }

    /// Handles `quit`, which is refused during a game.
    pub fn quit(&mut self, name: &str) {
        if self.game_of(name).is_some() {
            self.refuse(name, PLAYING);
            return;
        }
        self.note(name, Kind::Told, "Logging you out.");
        if let Some(number) = self.number_of(name) {
            self.send_off(number, "\nLogging you out.\n\nThank you for playing.\n");
        }
    }

    /// Handles the end of a connection.
    pub fn left(&mut self, number: u32) {
        if let Some(session) = self.sessions.remove(&number) {
            self.departed(&session.stage);
        }
    }

    /// Sends a last text and closes a connection.
    fn send_off(&mut self, number: u32, text: &str) {
        if let Some(session) = self.sessions.remove(&number) {
            session.connection.leave(text);
            self.departed(&session.stage);
        }
    }

    fn departed(&mut self, stage: &Stage) {
        let Stage::In(name) = stage else {
            return;
        };
        self.challenges
            .retain(|challenge| challenge.from != *name && challenge.to != *name);
        self.seeks.retain(|seek| seek.name != *name);
        if let Some((game, side)) = self.game_of(name) {
            let names = game.names.clone();
            let has_guest = names.iter().any(|player| self.rating(player).is_none());
            let ending = if has_guest {
                Ending::Forfeit(side)
            } else {
                Ending::LostConnection(side)
            };
            self.finish(name, ending);
        }
    }

    /// Returns the number of a user's connection.
    fn number_of(&self, name: &str) -> Option<u32> {
        let mut sessions = self.sessions.iter();
        let (number, _) = sessions.find(|(_, session)| session.stage.user() == Some(name))?;
        Some(*number)
    }

    fn ask_login(&mut self, number: u32, stage: Stage, text: &str) {
        if let Some(session) = self.sessions.get_mut(&number) {
            session.stage = stage;
        }
        self.send_to(number, text);
    }

    fn send_to(&self, number: u32, text: &str) {
        if let Some(session) = self.sessions.get(&number) {
            session.connection.send(text);
        }
    }

    fn send_bytes_to(&self, number: u32, bytes: &[u8]) {
        if let Some(session) = self.sessions.get(&number) {
            session.connection.send_bytes(bytes.to_vec());
        }
    }

    /// Returns a new name for a guest: `GuestBAAA`, `GuestCAAA`, ...
    fn guest_name(&mut self) -> String {
        self.guests += 1;
        let mut rest = self.guests;
        let mut name = String::from("Guest");
        for letter in std::iter::repeat_n('A'..='Z', 4) {
            let letters: Vec<char> = letter.collect();
            name.push(letters[rest % letters.len()]);
            rest /= letters.len();
        }
        name
    }
}

fn is_guest(name: &str) -> bool {
    ["g", "guest"].contains(&name.to_ascii_lowercase().as_str())
}
