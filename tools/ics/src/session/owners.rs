//! Commands that owners of the account send with `tell`.

use std::time::Instant;

use super::account::Account;
use super::phase::Phase;
use crate::engine::Order;
use crate::report::{Event, Level};
use crate::score;
use crate::text::{Chat, ChatKind, Finger};

/// Answer to an owner's `help`.
const HELP: &str = "commands: status, stop, stop now, resign, draw, abort, adjourn, accept on, accept off, option NAME=VALUE, help";

impl Account {
    /// Asks the server whether the owners have accounts, at most once a minute.
    pub(super) fn check_owners(&mut self, now: Instant) {
        let names = self.config.owners.names.clone();
        if !names.is_empty() && self.owner_check.asks(now) {
            for name in names {
                self.send(format!("finger {name}"));
            }
        }
    }

    /// Reads a line of the answer to `finger`.
    pub(super) fn on_finger(&mut self, finger: &Finger) {
        match finger {
            Finger::Of(name) if self.is_owner(name) => self.owner_check.is_described(name),
            Finger::NotRegistered(name) if self.is_owner(name) => {
                self.owner_check.is_guest(name);
                self.on_unknown_owner(name);
            }
            _ => {}
        }
    }

    /// Warns once of an owner whom the server does not know.
    pub(super) fn on_unknown_owner(&mut self, name: &str) {
        let is_unknown = self.is_owner(name) && !self.owner_check.trusts(name);
        if is_unknown && self.unknown_owners.insert(name.to_ascii_lowercase()) {
            let text = format!(
                "the owner {name} has no account on this server, so that commands of this name are refused: correct [owners] names"
            );
            self.log(Level::Warning, text);
        }
    }

    fn is_owner(&self, name: &str) -> bool {
        let names = &self.config.owners.names;
        names.iter().any(|owner| owner.eq_ignore_ascii_case(name))
    }

    /// Handles a message of a user. Only a tell of an owner is a command; everything else has no effect.
    pub(super) fn on_chat(&mut self, chat: &Chat, now: Instant) {
        if chat.kind != ChatKind::Tell || !self.is_owner(&chat.from) {
            return;
        }
        let from = chat.from.clone();
        if chat.titles.contains("(U)") || !self.owner_check.trusts(&from) {
            self.log(
                Level::Warning,
                format!(
                    "a command of {from} is refused: the server has not described an account of this name, which any guest could take"
                ),
            );
            self.check_owners(now);
            return;
        }
        self.log(Level::Info, format!("command of {from}: {}", chat.text));
        self.command(&from, chat.text.trim(), now);
    }

    /// Carries out an owner's command and answers.
    fn command(&mut self, from: &str, text: &str, now: Instant) {
        let (word, rest) = text
            .split_once(' ')
            .map_or((text, ""), |(word, rest)| (word, rest.trim()));
        let word = word.to_ascii_lowercase();
        let is_playing = matches!(self.phase, Phase::Playing(_));
        match (word.as_str(), rest) {
            ("status", _) => {
                let text = format!("{}{}", self.describe(now), self.restrictions());
                self.tell(from, &text);
            }
            ("stop", "now") => {
                self.tell(from, "logging out");
                self.report_stop(from, text);
                self.stop_now(now);
            }
            ("stop", _) if self.phase.is_game() => {
                self.tell(from, "the program ends after this game");
                self.report_stop(from, text);
                self.stop_after_game(now);
            }
            ("stop", _) => {
                self.tell(from, "the program ends");
                self.report_stop(from, text);
                self.stop_after_game(now);
            }
            ("resign" | "draw" | "abort" | "adjourn", _) if is_playing => {
                self.send(word.as_str());
                self.tell(from, &format!("{word} is sent"));
            }
            ("resign" | "draw" | "abort" | "adjourn", _) => {
                self.tell(from, "no game is in progress");
            }
            ("accept", "on") => {
                self.config.challenges.accept = true;
                self.send("set open 1");
                self.tell(
                    from,
                    match self.stop {
                        Some(_) => {
                            "the program ends after this game, and declines challenges until then"
                        }
                        None => "challenges are decided by the rules",
                    },
                );
            }
            ("accept", "off") => {
                self.config.challenges.accept = false;
                self.send("set open 0");
                if !self.phase.is_game() {
                    self.send("unseek");
                }
                self.tell(from, "challenges are declined");
            }
            ("option", option) => match option.split_once('=') {
                Some((name, value)) => self.set_option(from, name, value),
                None => self.tell(from, HELP),
            },
            _ => self.tell(from, HELP),
        }
    }

    /// Reports the command of an owner that ends the program.
    fn report_stop(&mut self, from: &str, command: &str) {
        self.report(Event::Stopping {
            reason: format!("{from}: {command}"),
        });
    }

    /// Sets an option of the engine until its next start.
    fn set_option(&mut self, from: &str, name: &str, value: &str) {
        match self.engine.option_command(name.trim(), value.trim()) {
            Ok(command) => {
                let text = format!("{command} is sent; it holds until the engine is started again");
                self.order(Order::Line(command));
                self.tell(from, &text);
            }
            Err(reason) => self.tell(from, &reason),
        }
    }

    /// Describes a requested stop and declined challenges for an owner; empty without either.
    fn restrictions(&self) -> String {
        let mut text = String::new();
        if self.stop.is_some() {
            text.push_str(", the program ends after this game");
        }
        if self.adjournment.is_some() {
            text.push_str(", whose adjournment is requested");
        }
        if !self.config.challenges.accept {
            text.push_str(", challenges are declined");
        }
        text
    }

    /// Describes the state for an owner.
    fn describe(&self, now: Instant) -> String {
        match &self.phase {
            Phase::Playing(play) => {
                let seconds = |color| play.clock(color, now).div_euclid(1000);
                let own = play.game.own();
                let score = play.scores.iter().rev().flatten().next();
                format!(
                    "game {} against {}, move {}, own clock {} s, opponent's clock {} s{}",
                    play.start.game,
                    play.game.opponent(),
                    play.game.board().move_number,
                    seconds(own),
                    seconds(!own),
                    score
                        .map(|score| format!(", score {}", score::text(score.score)))
                        .unwrap_or_default()
                )
            }
            _ => {
                let (won, lost, drawn) = self.results;
                format!("no game; {won} won, {lost} lost, {drawn} drawn since the start")
            }
        }
    }
}
