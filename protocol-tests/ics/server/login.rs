//! Login and logout.

use super::connection::Connection;
use super::game_end::Ending;
use super::server_state::{ServerState, Session};

/// Stage of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The server has asked for a name.
    Name,
    /// The server has asked for the password of this account. It accepts any password.
    Password(String),
    /// The server has asked a guest to press return.
    Return(String),
    In(String),
}

/// Text before the login. Clients recognise the kind of server by the name freechess.org.
const GREETING: &str = "\nA chess server for tests, in the manner of freechess.org.\n\n\
    Enter the name of an account, or any other name for a guest.\n\nlogin: ";

/// Maximum length of a name; clients have small buffers for names.
const MAX_NAME_LENGTH: usize = 17;

impl ServerState {
    /// Begins the login of a new connection.
    pub fn arrived(&mut self, number: u32, connection: Connection) {
        connection.send(GREETING.to_string());
        let session = Session {
            connection,
            stage: Stage::Name,
            precise: false,
        };
        self.sessions.insert(number, session);
    }

    /// Handles a line of a user who is not logged in yet.
    pub fn login_line(&mut self, number: u32, line: &str) {
        let Some(session) = self.sessions.get_mut(&number) else {
            return;
        };
        match session.stage.clone() {
            Stage::Name => {
                let name = line.trim().to_string();
                let is_name = !name.is_empty()
                    && name.len() <= MAX_NAME_LENGTH
                    && name.chars().all(|letter| letter.is_ascii_alphabetic());
                let known = self.accounts.iter().any(|account| account.name == name);
                let (text, stage) = if !is_name {
                    (
                        "A name has 1 to 17 letters.\n\nlogin: ".to_string(),
                        Stage::Name,
                    )
                } else if known {
                    (
                        format!(
                            "\n\"{name}\" is a registered name.  If it is yours, type the password.\n\
                             If not, just hit return to try another name.\n\npassword: "
                        ),
                        Stage::Password(name),
                    )
                } else {
                    (
                        format!(
                            "\n\"{name}\" is not a registered name.  You may use this name to play \
                             unrated games.\n\nPress return to enter the server as \"{name}\":\n"
                        ),
                        Stage::Return(name),
                    )
                };
                session.connection.send(text);
                session.stage = stage;
            }
            Stage::Password(name) | Stage::Return(name) => self.let_in(number, &name),
            Stage::In(_) => {}
        }
    }

    fn let_in(&mut self, number: u32, name: &str) {
        // A user who logs in a second time has lost the first connection; the server has not noticed it yet.
        let earlier = self
            .sessions
            .iter()
            .find(|(_, session)| session.stage == Stage::In(name.to_string()))
            .map(|(earlier, _)| *earlier);
        if let Some(earlier) = earlier {
            self.left(earlier);
        }
        let Some(session) = self.sessions.get_mut(&number) else {
            return;
        };
        session.stage = Stage::In(name.to_string());
        self.apply_lag(name);
        self.tell(name, &format!("**** Starting FICS session as {name} ****"));
        let waiting: Vec<String> = self
            .shelf
            .iter()
            .filter_map(|game| Some(game.names[!game.side_of(name)?].clone()))
            .collect();
        for opponent in waiting {
            if self.session_of(&opponent).is_some() {
                for (to, about) in [(&opponent, name), (&name.to_string(), &opponent)] {
                    let text = format!(
                        "Notification: {about}, who has an adjourned game with you, has arrived."
                    );
                    self.tell(to, &text);
                }
            }
        }
    }

    /// Handles the end of a connection.
    pub fn left(&mut self, number: u32) {
        let Some(session) = self.sessions.remove(&number) else {
            return;
        };
        let Stage::In(name) = session.stage else {
            return;
        };
        self.challenges
            .retain(|challenge| challenge.from != name && challenge.to != name);
        self.seeks.retain(|seek| seek.name != name);
        if let Some((game, side)) = self.game_of(&name) {
            let names = game.names.clone();
            let has_guest = names.iter().any(|player| self.rating(player).is_none());
            let ending = if has_guest {
                Ending::Forfeit(side)
            } else {
                Ending::LostConnection(side)
            };
            self.finish(&name, ending);
        }
    }
}
