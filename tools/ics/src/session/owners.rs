//! Commands that owners of the account send with `tell`.

use std::time::Instant;

use super::account::Account;
use super::messages::{clean, points};
use super::phase::{Phase, Stop};
use crate::engine::Order;
use crate::report::Level;
use crate::text::{Chat, ChatKind, Finger};

/// Answer to an owner's `help`.
const HELP: &str = "commands: status, stop, stop now, resign, draw, abort, adjourn, accept on, accept off, option NAME=VALUE, help";

impl Account {
    /// Asks the server after the login whether the owners have accounts.
    pub(super) fn check_owners(&mut self, now: Instant) {
        let names = self.config.owners.names.clone();
        self.owner_check.begins(&names, now);
        for name in names {
            self.send(format!("finger {name}"));
        }
    }

    /// Reads a line of the answer to `finger`.
    pub(super) fn on_finger(&mut self, finger: &Finger) {
        match finger {
            Finger::Of(name) => self.owner_check.is_described(name),
            Finger::NotRegistered(name) => self.on_unregistered(name),
        }
    }

    /// Handles the refusal of a command because the server does not know a user.
    pub(super) fn on_unknown_user(&mut self, name: &str) {
        if self.owner_check.is_pending(name) {
            self.on_unregistered(name);
        }
    }

    fn on_unregistered(&mut self, name: &str) {
        if self.is_owner(name) {
            self.owner_check.is_unregistered(name);
            self.log(
                Level::Warning,
                format!(
                    "[owners] names: {name} has no account on this server; commands under this name are refused"
                ),
            );
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
        let refusal = if chat.titles.contains("(U)") {
            Some("the user is a guest")
        } else {
            self.owner_check.refusal(&chat.from, now)
        };
        let from = chat.from.clone();
        if let Some(reason) = refusal {
            self.log(
                Level::Warning,
                format!("command of {from} is refused: {reason}"),
            );
            return;
        }
        self.log(Level::Info, format!("command of {from}: {}", chat.text));
        let answer = self.command(chat.text.trim(), now);
        self.tell(&from, &answer);
    }

    /// Carries out an owner's command and returns the answer.
    fn command(&mut self, text: &str, now: Instant) -> String {
        let (word, rest) = text
            .split_once(' ')
            .map_or((text, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("status", _) => self.describe(now),
            ("stop", "now") => {
                self.stop = Some(Stop::Now);
                self.leave_game("the account logs out");
                self.leave(now);
                "logging out".into()
            }
            ("stop", _) => {
                self.stop_after_game(now);
                "the program ends after this game".into()
            }
            ("resign" | "draw" | "abort" | "adjourn", _)
                if matches!(self.phase, Phase::Playing(_)) =>
            {
                self.send(word.to_ascii_lowercase());
                format!("{word} is sent")
            }
            ("resign" | "draw" | "abort" | "adjourn", _) => "no game is in progress".into(),
            ("accept", "on") => {
                self.config.challenges.accept = true;
                self.send("set open 1");
                "challenges are decided by the rules".into()
            }
            ("accept", "off") => {
                self.config.challenges.accept = false;
                self.send("set open 0");
                self.send("unseek");
                "challenges are declined".into()
            }
            ("option", option) if option.contains('=') => {
                self.order(Order::Line(format!("option {}", clean(option))));
                "the option is sent to the engine, until it is started again".into()
            }
            _ => HELP.into(),
        }
    }

    /// Describes the state for an owner.
    fn describe(&self, now: Instant) -> String {
        match &self.phase {
            Phase::Playing(play) => {
                let seconds = |color| play.clock(color, now).div_euclid(1000);
                let own = play.game.own();
                let score = play.scores.iter().rev().flatten().next();
                format!(
                    "game {} against {}, move {}, clocks {} s and {} s{}",
                    play.start.game,
                    play.game.opponent(),
                    play.game.board().move_number,
                    seconds(own),
                    seconds(!own),
                    score
                        .map(|score| format!(", score {}", points(score.score)))
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
