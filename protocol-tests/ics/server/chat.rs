//! Messages between users.

use super::play::NO_GAME;
use super::server_state::ServerState;

/// A message and its receivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// To a user.
    Tell(String, String),
    /// To the opponent, or after the game to the last one.
    Say(String),
    /// To players and observers.
    Kibitz(String),
    /// To observers, of which this server has none.
    Whisper(String),
    /// To all users.
    Shout(String),
    /// To all users, about chess.
    ChessShout(String),
    /// To all users, in the third person.
    It(String),
    /// To the users of a channel, which here are all.
    Channel(u32, String),
}

impl ServerState {
    /// Passes a message on.
    pub fn deliver(&mut self, name: &str, message: Message) {
        let own = if self.rules.family.shows_titles() {
            format!("{name}{}", self.titles(name))
        } else {
            name.to_string()
        };
        match message {
            Message::Tell(whom, text) => match self.find_user(&whom) {
                Some(whom) => {
                    self.tell(&whom, &format!("{own} tells you: {text}"));
                    self.tell(name, &format!("(told {whom})"));
                }
                None => self.refuse(name, &self.rules.family.not_logged_in(&whom)),
            },
            Message::Say(text) => self.say(name, &own, &text),
            Message::Kibitz(text) => self.kibitz(name, &own, &text),
            Message::Whisper(_) => self.tell(name, "(whispered to 0 players)"),
            Message::Shout(text) => self.broadcast(name, "shout", &format!("{own} shouts: {text}")),
            Message::ChessShout(text) => {
                self.broadcast(name, "cshout", &format!("{own} c-shouts: {text}"));
            }
            Message::It(text) => self.broadcast(name, "shout", &format!("--> {own} {text}")),
            Message::Channel(channel, text) => {
                self.broadcast(name, "chanoff", &format!("{own}({channel}): {text}"));
            }
        }
    }

    /// Returns the titles behind a name in messages: `(U)` for a guest.
    pub fn titles(&self, name: &str) -> String {
        match self.account(name) {
            Some(account) => account.titles.clone(),
            None => "(U)".into(),
        }
    }

    fn say(&mut self, name: &str, own: &str, text: &str) {
        let opponent = self.opponent_of(name);
        let partner = opponent.or_else(|| Some(self.partner(name)?.0.clone()));
        match partner {
            Some(partner) if self.session_of(&partner).is_some() => {
                self.tell(&partner, &format!("{own} says: {text}"));
                self.tell(name, &format!("(told {partner})"));
            }
            Some(partner) => self.refuse(name, &self.rules.family.not_logged_in(&partner)),
            None => self.refuse(name, "You have not played with anybody."),
        }
    }

    fn kibitz(&mut self, name: &str, own: &str, text: &str) {
        let rating = self.rating_text(name);
        match self.game_of(name) {
            Some((game, side)) => {
                let opponent = game.names[!side].clone();
                let text = format!("{own}{rating}[{}] kibitzes: {text}", game.number);
                self.tell(&opponent, &text);
                self.tell(name, "(kibitzed to 1 player)");
            }
            None => self.refuse(name, NO_GAME),
        }
    }

    /// Sends a message to all other users who have this variable on.
    fn broadcast(&mut self, name: &str, variable: &str, text: &str) {
        let mut others = self.user_names();
        others.retain(|other| other != name);
        for other in &others {
            let wants = self
                .session_of(other)
                .is_some_and(|session| session.variables.is_on(variable));
            if wants {
                self.tell(other, text);
            }
        }
        self.tell(name, &format!("({variable}ed to {} players)", others.len()));
    }

    fn opponent_of(&mut self, name: &str) -> Option<String> {
        let (game, side) = self.game_of(name)?;
        Some(game.names[!side].clone())
    }

    /// Returns the rating as messages show it: `(1200)`, or `(++++)` for a guest.
    pub fn rating_text(&self, name: &str) -> String {
        match self.rating(name) {
            Some(rating) => format!("({rating:4})"),
            None => "(++++)".into(),
        }
    }
}
