//! Commands that users send to the server.

use super::game::Wish;

/// Terms of a challenge or a seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Minutes.
    pub base: u32,
    /// Seconds.
    pub increment: u32,
    pub rated: bool,
    /// Colour of the proposer, if specified.
    pub color: Option<shakmaty::Color>,
    /// Start position as FEN, an extension of this server for short tests.
    pub start: Option<String>,
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `iset ms 1`: times in milliseconds.
    Precise(bool),
    /// Another setting, accepted without effect.
    Setting,
    Match(String, Proposal),
    Seek(Proposal),
    Unseek,
    /// Answers the seek of this account.
    Play(String),
    /// `accept`, possibly with a name or the word of an offer.
    Accept(Option<String>),
    Decline(Option<String>),
    Ask(Wish),
    Resign,
    Flag,
    /// Seconds for the opponent.
    Moretime(u32),
    Refresh,
    Moves,
    Tell(String, String),
    /// Message to the opponent.
    Say(String),
    /// Message to players and observers.
    Kibitz(String),
    /// Message to observers.
    Whisper(String),
    Quit,
    /// Any other line, possibly a move.
    Other(String),
}

impl Command {
    /// Parses a line. A leading `$`, which disables aliases on real servers, has no effect here.
    pub fn parse(line: &str) -> Command {
        let line = line.trim().trim_start_matches('$');
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let first = words.first().map(|word| word.to_string());
        let text = rest.to_string();
        let parsed = match verb.to_ascii_lowercase().as_str() {
            "" | "alias" | "set" | "style" => Some(Command::Setting),
            "iset" => Some(match words.as_slice() {
                ["ms", value] => Command::Precise(*value == "1"),
                _ => Command::Setting,
            }),
            "match" => words
                .split_first()
                .map(|(name, terms)| Command::Match(name.to_string(), proposal(terms))),
            "seek" => Some(Command::Seek(proposal(&words))),
            "unseek" => Some(Command::Unseek),
            "play" => first.map(Command::Play),
            "accept" => Some(Command::Accept(first)),
            "decline" => Some(Command::Decline(first)),
            "draw" => Some(Command::Ask(Wish::Draw)),
            "abort" => Some(Command::Ask(Wish::Abort)),
            "adjourn" => Some(Command::Ask(Wish::Adjourn)),
            "takeback" => Some(Command::Ask(Wish::Takeback(
                first.and_then(|count| count.parse().ok()).unwrap_or(1),
            ))),
            "resign" => Some(Command::Resign),
            "flag" => Some(Command::Flag),
            "moretime" => first
                .and_then(|count| count.parse().ok())
                .map(Command::Moretime),
            "refresh" => Some(Command::Refresh),
            "moves" => Some(Command::Moves),
            "tell" => rest
                .split_once(' ')
                .map(|(name, text)| Command::Tell(name.to_string(), text.to_string())),
            "say" => Some(Command::Say(text)),
            "kibitz" => Some(Command::Kibitz(text)),
            "whisper" => Some(Command::Whisper(text)),
            "quit" | "logout" | "exit" => Some(Command::Quit),
            _ => None,
        };
        parsed.unwrap_or_else(|| Command::Other(line.to_string()))
    }
}

/// `[BASE [INCREMENT]] [rated|unrated] [white|black] [from FEN]`; what is missing is 2 12 unrated, as on FICS.
fn proposal(words: &[&str]) -> Proposal {
    let (words, start) = match words.iter().position(|word| *word == "from") {
        Some(index) => (&words[..index], Some(words[index + 1..].join(" "))),
        None => (words, None),
    };
    let mut numbers = words.iter().filter_map(|word| word.parse().ok());
    let color = |word: &str| words.contains(&word);
    Proposal {
        base: numbers.next().unwrap_or(2),
        increment: numbers.next().unwrap_or(12),
        rated: words.contains(&"rated"),
        color: if color("white") {
            Some(shakmaty::Color::White)
        } else {
            color("black").then_some(shakmaty::Color::Black)
        },
        start,
    }
}
