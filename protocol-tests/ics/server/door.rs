//! Coming in and leaving.

use super::connection::Connection;
use super::ending::Ending;
use super::house::{House, Session};

/// How far somebody has come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Asked for a name.
    Name,
    /// Asked for the password of this account. Any will do.
    Password(String),
    /// A guest who is to press return.
    Return(String),
    In(String),
}

/// Clients tell by the mention of freechess.org which family of servers this is.
const GREETING: &str = "\nA chess server for tests, in the manner of freechess.org.\n\n\
    Enter the name of an account, or any other name for a guest.\n\nlogin: ";

/// Longer names are refused, as the clients keep little room for them.
const LONGEST_NAME: usize = 17;

impl House {
    /// Somebody knocks.
    pub fn arrived(&mut self, number: u32, connection: Connection) {
        connection.send(GREETING.to_string());
        let session = Session {
            connection,
            stage: Stage::Name,
            precise: false,
        };
        self.sessions.insert(number, session);
    }

    /// A line of somebody who is not in yet.
    pub fn at_the_door(&mut self, number: u32, line: &str) {
        let Some(session) = self.sessions.get_mut(&number) else {
            return;
        };
        match session.stage.clone() {
            Stage::Name => {
                let name = line.trim().to_string();
                let is_name = !name.is_empty()
                    && name.len() <= LONGEST_NAME
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
        // Whoever comes a second time has lost the first connection, and knows it before the server does.
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

    /// A connection has ended.
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
