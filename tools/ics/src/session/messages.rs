//! Messages: commands of owners, messages of the engine, scores.

use std::time::Instant;

use super::account::Account;
use super::actions::EngineOrder;
use super::phase::Phase;
use crate::config::ScoreCommand;
use crate::engine::{EngineTell, Thinking};
use crate::report::Level;
use crate::text::{Chat, ChatKind};

/// Longest message, in characters. Servers cut or refuse longer lines.
const MAX_TEXT: usize = 200;

/// Answer to an owner's `help`.
const HELP: &str = "commands: status, stop, stop now, resign, draw, abort, adjourn, accept on, accept off, option NAME=VALUE, help";

impl Account {
    /// Handles a message of a user. Only a tell of an owner is a command; everything else has no effect.
    pub(super) fn on_chat(&mut self, chat: &Chat, now: Instant) {
        if chat.kind != ChatKind::Tell {
            return;
        }
        let is_owner = self
            .config
            .owners
            .names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&chat.from));
        // A guest can take the name of an owner who is not registered on this server.
        if !is_owner || chat.titles.contains("(U)") {
            return;
        }
        self.log(
            Level::Info,
            format!("command of {}: {}", chat.from, chat.text),
        );
        let answer = self.command(chat.text.trim(), now);
        self.tell(&chat.from.clone(), &answer);
    }

    /// Carries out an owner's command and returns the answer.
    fn command(&mut self, text: &str, now: Instant) -> String {
        let (word, rest) = text
            .split_once(' ')
            .map_or((text, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("status", _) => self.describe(now),
            ("stop", "now") => {
                self.leave(now);
                "logging out".into()
            }
            ("stop", _) => {
                self.request_stop(now);
                "the program ends after this game".into()
            }
            ("resign" | "draw" | "abort" | "adjourn", _)
                if matches!(self.phase, Phase::Playing(_)) =>
            {
                self.send(word.to_ascii_lowercase());
                format!("{word} is sent")
            }
            ("resign" | "draw" | "abort" | "adjourn", _) => "no game is in progress".into(),
            ("accept", "on" | "off") => {
                self.config.challenges.accept = rest == "on";
                self.send(if rest == "on" {
                    "set open 1"
                } else {
                    "set open 0"
                });
                format!(
                    "challenges are {}",
                    if rest == "on" {
                        "decided by the rules"
                    } else {
                        "declined"
                    }
                )
            }
            ("option", option) if option.contains('=') => {
                self.order(EngineOrder::Line(format!("option {}", clean(option))));
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

    /// Passes on a message of the engine.
    pub(super) fn on_engine_tell(&mut self, tell: &EngineTell) {
        let (command, text) = match tell {
            EngineTell::Ics(text) | EngineTell::IcsNoAlias(text) => ("", text),
            EngineTell::Opponent(text) => ("say ", text),
            EngineTell::All(text) => ("kibitz ", text),
            EngineTell::Others(text) => ("whisper ", text),
            EngineTell::User(text) => {
                self.log(Level::Info, format!("engine: {text}"));
                return;
            }
            EngineTell::UserError(text) => {
                self.log(Level::Warning, format!("engine: {text}"));
                return;
            }
        };
        if self.config.chat.engine && matches!(self.phase, Phase::Playing(_)) {
            self.send(format!("{command}{}", clean(text)));
        }
    }

    /// Sends score and line of the last own move, as configured.
    pub(super) fn publish_score(&mut self) {
        let chat = &self.config.chat;
        let command = match chat.scores {
            ScoreCommand::Off => return,
            ScoreCommand::Kibitz => "kibitz",
            ScoreCommand::Whisper => "whisper",
        };
        let every = chat.every.max(1);
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.moves_since_score += 1;
        if play.moves_since_score < every {
            return;
        }
        play.moves_since_score = 0;
        if let Some(thinking) = play.scores.last().cloned().flatten() {
            self.send(format!("{command} {}", clean(&score_line(&thinking))));
        }
    }

    /// Sends a message to the opponent, if the text is not empty.
    pub(super) fn say(&mut self, template: &str) {
        let Some(opponent) = self.opponent().map(str::to_string) else {
            return;
        };
        let engine = self.engine.name().unwrap_or("an xboard engine").to_string();
        let text = template
            .replace("{opponent}", &opponent)
            .replace("{engine}", &engine);
        if !text.trim().is_empty() {
            self.send(format!("say {}", clean(&text)));
        }
    }

    /// Sends a message to a user, if messages are configured.
    pub(super) fn explain(&mut self, name: &str, text: &str) {
        if self.config.chat.explain && !text.is_empty() {
            self.tell(name, text);
        }
    }

    fn tell(&mut self, name: &str, text: &str) {
        self.send(format!("tell {name} {}", clean(text)));
    }
}

/// Returns text that is one line for the server: printable ASCII, of limited length.
fn clean(text: &str) -> String {
    let printable = |letter: char| {
        if letter.is_ascii_graphic() || letter == ' ' {
            letter
        } else {
            '?'
        }
    };
    text.chars().take(MAX_TEXT).map(printable).collect()
}

/// Describes score, depth and line of a move.
fn score_line(thinking: &Thinking) -> String {
    format!(
        "{} (depth {}): {}",
        points(thinking.score),
        thinking.depth,
        thinking.pv
    )
}

/// Returns a score in pawns, with a sign.
fn points(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_limited_length() {
        assert_eq!(clean("a\nresign\r\u{e9}"), "a?resign??");
        assert_eq!(clean(&"x".repeat(1000)).len(), MAX_TEXT);
    }

    #[test]
    fn scores_have_a_sign() {
        assert_eq!(points(35), "+0.35");
        assert_eq!(points(-120), "-1.20");
    }
}
