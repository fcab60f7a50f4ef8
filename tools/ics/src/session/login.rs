//! Connection and login.

use std::time::Instant;

use super::account::Account;
use super::actions::{Action, Exit};
use super::partners::Partners;
use super::phase::Phase;
use crate::report::{Event, Level};
use crate::text::{LoginLine, LoginPrompt, Refusal};

/// Commands after each login. Servers that do not know one of them answer with an error, which is harmless.
const COMMANDS: [&str; 12] = [
    "set interface gaur-ics",
    "style 12",
    // Clocks in milliseconds, and lines that are not wrapped.
    "iset ms 1",
    "iset nowrap 1",
    "set width 240",
    "set height 240",
    "set bell 0",
    "set ptime 0",
    "set seek 0",
    "set shout 0",
    "set cshout 0",
    "=computer",
];

/// Name for the login of a guest.
const GUEST: &str = "guest";

impl Account {
    /// Starts an attempt to connect.
    pub(super) fn connect(&mut self, now: Instant) {
        self.partners = Partners::default();
        self.phase = Phase::LoggingIn {
            since: now,
            has_sent_name: false,
            has_answered: false,
            guest_name: None,
        };
        let timeseal = self.config.server.timeseal;
        self.actions.push(Action::Connect { timeseal });
    }

    /// Handles a new connection.
    pub(super) fn on_connected(&mut self) {
        let server = &self.config.server;
        let text = format!("connected to {} port {}", server.host, server.port);
        let event = Event::Connected {
            host: server.host.clone(),
            port: server.port,
        };
        self.log(Level::Info, text);
        self.report(event);
    }

    /// Answers a prompt of the login.
    pub(super) fn on_prompt(&mut self, prompt: LoginPrompt, now: Instant) {
        let guest = self.config.server.guest;
        let account = self.config.server.account.clone();
        let Phase::LoggingIn {
            has_sent_name,
            has_answered,
            guest_name,
            ..
        } = &mut self.phase
        else {
            return;
        };
        match prompt {
            // FICS 1.6 does not announce the session.
            LoginPrompt::Command if *has_answered => {
                let name = guest_name.clone().unwrap_or(account);
                self.on_logged_in(name, now);
            }
            LoginPrompt::Command => {}
            LoginPrompt::Name if *has_sent_name && *has_answered => {
                self.refuse(
                    "the server asks for the account name again: it does not accept the password",
                );
            }
            LoginPrompt::Name if *has_sent_name => {
                self.on_bad_name("the server asks for the account name again", now);
            }
            LoginPrompt::Name => {
                *has_sent_name = true;
                self.send(if guest { GUEST.to_string() } else { account });
            }
            LoginPrompt::Password if guest => {
                self.refuse("it asks for a password");
            }
            LoginPrompt::Password if *has_answered => {
                self.refuse("the server does not accept the password");
            }
            LoginPrompt::Password => {
                *has_answered = true;
                self.actions.push(Action::SendPassword);
            }
            LoginPrompt::PressReturn if guest => {
                *has_answered = true;
                self.send("");
            }
            LoginPrompt::PressReturn => {
                self.refuse("the server does not know this account: check [server] account, or set guest = true");
            }
        }
    }

    /// Handles a line about the login.
    pub(super) fn on_login(&mut self, line: LoginLine, now: Instant) {
        let is_logging_in = matches!(self.phase, Phase::LoggingIn { .. });
        match line {
            LoginLine::Started { name, .. } => self.on_logged_in(name, now),
            // After the login, such a text is the answer to a command.
            LoginLine::WrongPassword | LoginLine::Banned(_) | LoginLine::BadName(_)
                if !is_logging_in => {}
            LoginLine::WrongPassword => self.refuse("wrong password"),
            LoginLine::Banned(text) => self.refuse(&text),
            LoginLine::BadName(text) => self.on_bad_name(&text, now),
            LoginLine::SecondLogin => self.end(Exit::LoggedInElsewhere),
            LoginLine::ServerFull(text) => {
                self.log(Level::Warning, format!("the server is full: {text}"))
            }
            LoginLine::IdleTimeout(text) | LoginLine::ShuttingDown(text) => {
                self.log(Level::Warning, format!("the server announces: {text}"));
            }
            LoginLine::OtherSessionEnded => {
                self.log(
                    Level::Warning,
                    "the account was logged in elsewhere; that session has ended".into(),
                );
            }
            LoginLine::GuestName(name) => {
                if let Phase::LoggingIn { guest_name, .. } = &mut self.phase {
                    *guest_name = Some(name);
                }
            }
            LoginLine::NotRegistered(_) | LoginLine::Registered(_) | LoginLine::LoggedOut => {}
        }
    }

    /// Handles the refusal of a name. A server without timeseal takes its first command, and all later ones, for names.
    ///
    /// The name of the account may be on its way already, so that the refusal may concern either. Without timeseal, it
    /// is certain that it concerns the account.
    fn on_bad_name(&mut self, reason: &str, now: Instant) {
        let has_answered = matches!(
            self.phase,
            Phase::LoggingIn {
                has_answered: true,
                ..
            }
        );
        if has_answered || !self.config.server.timeseal {
            let is_of_form = reason.starts_with("Sorry, names") || reason.starts_with("A name");
            if is_of_form && !self.config.server.guest {
                self.refuse(&format!("{reason} (check [server] account)"));
            } else {
                self.refuse(reason);
            }
            return;
        }
        self.config.server.timeseal = false;
        let text = format!(
            "the server does not seem to know timeseal ({reason}); connecting again without it. --no-timeseal or \
             timeseal = false in [server] avoids this attempt"
        );
        self.log(Level::Warning, text);
        self.actions.push(Action::Disconnect);
        self.connect(now);
    }

    /// Handles an attempt to connect that has failed.
    pub(super) fn on_no_connection(&mut self, reason: &str, now: Instant) {
        self.try_again("no connection", reason, now);
    }

    /// Handles the end of the connection.
    pub(super) fn on_closed(&mut self, reason: &str, now: Instant) {
        self.try_again("connection lost", reason, now);
    }

    /// Plans the next attempt to connect. `what` has happened, for this reason.
    fn try_again(&mut self, what: &str, reason: &str, now: Instant) {
        if self.ends_with_connection() || matches!(self.phase, Phase::Offline { .. }) {
            return;
        }
        self.leave_game("connection lost");
        if let Some((_, exit)) = self.exit.take() {
            self.end(exit);
            return;
        }
        let pause = self.back_off.next_pause(now);
        self.report(Event::Disconnected {
            reason: reason.to_string(),
            retry_seconds: pause.map(|pause| pause.as_secs()),
        });
        match pause {
            Some(pause) => {
                let seconds = pause.as_secs();
                let text = format!("{what}: {reason}; next attempt in {seconds} s");
                self.log(Level::Warning, text);
                self.phase = Phase::Offline { until: now + pause };
            }
            None => self.end(Exit::Disconnected(format!(
                "{what}: {reason}; there is no further attempt, because [server] reconnect_max is 0"
            ))),
        }
    }

    fn on_logged_in(&mut self, name: String, now: Instant) {
        if !matches!(self.phase, Phase::LoggingIn { .. }) {
            return;
        }
        self.log(Level::State, format!("logged in as {name}"));
        self.report(Event::LoggedIn { name: name.clone() });
        self.name = name;
        self.back_off.session_begins(now);
        for command in COMMANDS {
            self.send(command);
        }
        self.send(if self.config.challenges.accept {
            "set open 1"
        } else {
            "set open 0"
        });
        for command in self.config.server.commands.clone() {
            self.send(command);
        }
        self.computers.clear();
        self.owner_check.reset();
        self.check_owners(now);
        self.can_seek = true;
        self.refused_seeks.clear();
        self.become_idle(now);
    }

    /// Returns `true` if the server refuses a command of the configuration. It names the first word of the line.
    pub(super) fn is_configured(&self, refusal: &Refusal) -> bool {
        let text = match refusal {
            Refusal::UnknownCommand(text) => text.as_str(),
            Refusal::BadCommand(text) => text.trim_start_matches("Usage: "),
            _ => return false,
        };
        let first = |line: &str| {
            let end = |letter: char| letter == ':' || letter == ' ';
            line.trim().split(end).next().map(str::to_ascii_lowercase)
        };
        let commands = &self.config.server.commands;
        commands.iter().any(|command| first(command) == first(text))
    }

    /// Ends the program because the server refuses the account. Further attempts would be refused, too.
    fn refuse(&mut self, reason: &str) {
        let server = &self.config.server;
        let name = if server.guest { GUEST } else { &server.account };
        let text = format!("{} refuses the account \"{name}\": {reason}", server.host);
        self.actions.push(Action::Disconnect);
        self.end(Exit::Refused(text));
    }
}
