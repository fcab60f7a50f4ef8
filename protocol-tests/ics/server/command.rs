//! Commands that users send to the server.

use super::chat::Message;
use super::game::Wish;
use super::information::Question;
use super::proposal::Proposal;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or a setting without effect.
    Nothing,
    /// `set` with a name and a value.
    Set(String, String),
    /// `iset` with a name and a value.
    SetInterface(String, String),
    Match(String, Proposal),
    /// Challenges the last opponent with the terms of the last game.
    Rematch,
    /// Words of a seek.
    Seek(String),
    Unseek,
    /// Answers a seek, by its number or its account.
    Play(String),
    /// `accept`, possibly with a name or the word of an offer.
    Accept(Option<String>),
    Decline(Option<String>),
    Withdraw(Option<String>),
    Ask(Wish),
    Resign,
    Flag,
    /// Seconds for the opponent.
    Moretime(u32),
    Refresh,
    Moves,
    /// A question, possibly about a user.
    Inform(Question, Option<String>),
    Message(Message),
    Quit,
    /// Any other line, possibly a move.
    Other(String),
}

impl Command {
    /// Parses a line. A leading `$`, which disables aliases on real servers, has no effect here.
    pub fn parse(line: &str) -> Command {
        let line = line.trim().trim_start_matches('$');
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let verb = verb.to_ascii_lowercase();
        let rest = rest.trim();
        let parsed = settings(&verb, rest)
            .or_else(|| pairing(&verb, rest))
            .or_else(|| playing(&verb, rest))
            .or_else(|| messaging(&verb, rest))
            .or_else(|| asking(&verb, rest));
        parsed.unwrap_or_else(|| Command::Other(line.to_string()))
    }
}

fn settings(verb: &str, rest: &str) -> Option<Command> {
    let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let (name, value) = (name.to_ascii_lowercase(), value.trim().to_string());
    Some(match verb {
        "" | "alias" | "unalias" => Command::Nothing,
        "style" => Command::Set("style".into(), rest.to_string()),
        "open" => Command::Set("open".into(), rest.to_string()),
        "set" => Command::Set(name, value),
        "iset" => Command::SetInterface(name, value),
        "quit" | "logout" | "exit" | "bye" => Command::Quit,
        _ => return None,
    })
}

/// Parses what leads to games.
fn pairing(verb: &str, rest: &str) -> Option<Command> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let first = words.first().map(|word| word.to_string());
    Some(match verb {
        "match" => {
            let (name, terms) = words.split_first()?;
            Command::Match(name.to_string(), Proposal::parse(terms))
        }
        "rematch" => Command::Rematch,
        "seek" => Command::Seek(rest.to_string()),
        "unseek" => Command::Unseek,
        "play" => Command::Play(first?),
        "accept" => Command::Accept(first),
        "decline" => Command::Decline(first),
        "withdraw" => Command::Withdraw(first),
        _ => return None,
    })
}

/// Parses commands during a game.
fn playing(verb: &str, rest: &str) -> Option<Command> {
    let number = rest
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    Some(match verb {
        "draw" => Command::Ask(Wish::Draw),
        "abort" => Command::Ask(Wish::Abort),
        "adjourn" => Command::Ask(Wish::Adjourn),
        "pause" => Command::Ask(Wish::Pause),
        "unpause" => Command::Ask(Wish::Unpause),
        "switch" => Command::Ask(Wish::Switch),
        "takeback" => Command::Ask(Wish::Takeback(number.unwrap_or(1) as usize)),
        "resign" => Command::Resign,
        "flag" => Command::Flag,
        "moretime" => Command::Moretime(number?),
        "refresh" => Command::Refresh,
        "moves" => Command::Moves,
        _ => return None,
    })
}

fn messaging(verb: &str, rest: &str) -> Option<Command> {
    let text = rest.to_string();
    Some(Command::Message(match verb {
        "tell" | "xtell" => {
            let (whom, text) = rest.split_once(' ')?;
            match whom.parse() {
                Ok(channel) => Message::Channel(channel, text.to_string()),
                Err(_) => Message::Tell(whom.to_string(), text.to_string()),
            }
        }
        "say" => Message::Say(text),
        "kibitz" => Message::Kibitz(text),
        "whisper" => Message::Whisper(text),
        "shout" => Message::Shout(text),
        "cshout" => Message::ChessShout(text),
        "it" => Message::It(text),
        _ => return None,
    }))
}

fn asking(verb: &str, rest: &str) -> Option<Command> {
    let question = match verb {
        "finger" => Question::Finger,
        "variables" => Question::Variables,
        "who" => Question::Who,
        "games" => Question::Games,
        "stored" => Question::Stored,
        "pending" => Question::Pending,
        "history" => Question::History,
        "date" => Question::Date,
        "=computer" => Question::Computers,
        "showlist" if rest == "computer" => Question::Computers,
        "uptime" => Question::Uptime,
        _ => return None,
    };
    let whom = rest.split_whitespace().next().map(str::to_string);
    Some(Command::Inform(question, whom))
}
