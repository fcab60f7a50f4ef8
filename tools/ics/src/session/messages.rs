//! Messages of the engine and of the account: greetings, explanations, scores.

use std::time::{Duration, Instant};

use super::account::Account;
use super::phase::Phase;
use crate::config::ScoreCommand;
use crate::engine::{EngineTell, Thinking};
use crate::report::Level;
use crate::score;

/// Longest message, in characters. Servers cut or refuse longer lines.
const MAX_TEXT: usize = 200;

/// Time after a game in which a message of the engine to the opponent belongs to this game.
const LAST_WORDS: Duration = Duration::from_secs(3);

impl Account {
    /// Passes on a message of the engine during a game; one to the opponent also right after it, when the engine has
    /// learned the result: `say` reaches the last opponent.
    pub(super) fn on_engine_tell(&mut self, tell: &EngineTell, now: Instant) {
        let chat = &self.config.chat;
        let (is_allowed, command, text) = match tell {
            // A command can do everything that the account's owner can, such as changing the password.
            EngineTell::Ics(text) | EngineTell::IcsNoAlias(text) => {
                (chat.engine_commands, "", text)
            }
            EngineTell::Opponent(text) => (chat.engine, "say ", text),
            EngineTell::All(text) => (chat.engine, "kibitz ", text),
            EngineTell::Others(text) => (chat.engine, "whisper ", text),
            EngineTell::User(text) => {
                self.log(Level::Info, format!("engine: {text}"));
                return;
            }
            EngineTell::UserError(text) => {
                self.log(Level::Warning, format!("engine: {text}"));
                return;
            }
        };
        let is_right_after = |end| now.saturating_duration_since(end) <= LAST_WORDS;
        let is_in_time = match self.phase {
            Phase::Playing(_) => true,
            Phase::Idle { .. } => {
                matches!(tell, EngineTell::Opponent(_))
                    && self.last_game.is_some_and(is_right_after)
            }
            _ => false,
        };
        if is_allowed && is_in_time {
            self.send(format!("{command}{}", clean(text)));
        } else {
            self.log(
                Level::Info,
                format!("message of the engine, not sent: {command}{text}"),
            );
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
            let line = play.game.algebraic_line(&thinking.pv);
            self.send(format!(
                "{command} {}",
                clean(&score_line(&thinking, &line))
            ));
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

    /// Sends a message to a user.
    pub(super) fn tell(&mut self, name: &str, text: &str) {
        self.send(format!("tell {name} {}", clean(text)));
    }
}

/// Returns text that is one line for the server: printable ASCII, of limited length. Lasker reads a semicolon as the
/// beginning of another command.
pub(super) fn clean(text: &str) -> String {
    let printable = |letter: char| match letter {
        ';' => ',',
        ' ' | '!'..='~' => letter,
        _ => '?',
    };
    text.chars().take(MAX_TEXT).map(printable).collect()
}

/// Describes score, depth and line of a move.
fn score_line(thinking: &Thinking, line: &str) -> String {
    let score = score::text(thinking.score);
    format!("{score} (depth {}): {line}", thinking.depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_limited_length() {
        assert_eq!(clean("a\nresign\r\u{e9}; quit"), "a?resign??, quit");
        assert_eq!(clean(&"x".repeat(1000)).len(), MAX_TEXT);
    }

    #[test]
    fn a_mate_is_shown_by_its_moves() {
        let thinking = Thinking {
            depth: 9,
            score: 100_003,
            pv: "e2e4".into(),
        };
        assert_eq!(score_line(&thinking, "e4"), "#3 (depth 9): e4");
    }
}
