//! The fuzz target `server_text`: the bytes of a chess server cause no panic, and texts of other users have no effect.

use gaur_ics::net::{LineSplitter, Received};
use gaur_ics::text::{self, Board, LoginPrompt, ServerLine};

/// Longest line that the splitter may report, in bytes.
const MAX_LINE: usize = 3 * 8192;

/// Beginnings of the messages of other users.
const OPENINGS: [&str; 8] = [
    "Rabbit tells you: ",
    "Rabbit(C)(TD) tells you: ",
    "Rabbit(C)(1200)[5] kibitzes: ",
    "Rabbit(++++) whispers: ",
    "Rabbit[3] says: ",
    "Rabbit(*)(53): ",
    "Rabbit c-shouts: ",
    "--> Rabbit ",
];

/// Ways of sending that an independent check looks for.
const VERBS: [&str; 6] = [
    "tells you:",
    "says:",
    "kibitzes:",
    "whispers:",
    "shouts:",
    "c-shouts:",
];

/// Reads the bytes as the text of a server, and as the text of another user.
pub fn run(bytes: &[u8]) {
    for timeseal in [false, true] {
        let whole = split(bytes, bytes.len().max(1), timeseal);
        for size in [1, 5] {
            let pieces = split(bytes, size, timeseal);
            assert_eq!(
                without_prompts(&pieces),
                without_prompts(&whole),
                "in pieces of {size}"
            );
        }
        whole.iter().for_each(check);
    }
    let text = String::from_utf8_lossy(bytes);
    text.lines().take(100).for_each(check_line);
    // Servers do not pass on control characters of users, and a byte of 255 is doubled.
    let text: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| (32..255).contains(byte))
        .take(4000)
        .collect();
    for opening in OPENINGS {
        chat(opening, &text);
    }
    stored(&text);
}

fn split(bytes: &[u8], size: usize, timeseal: bool) -> Vec<Received> {
    let mut splitter = LineSplitter::new(timeseal);
    let mut found = Vec::new();
    for piece in bytes.chunks(size) {
        splitter.push(piece, &mut |received| found.push(received));
    }
    splitter.pause(&mut |received| found.push(received));
    found
}

/// Removes the prompts for commands, which are only reported if no text follows at once.
fn without_prompts(all: &[Received]) -> Vec<&Received> {
    let command = Received::Prompt(LoginPrompt::Command);
    all.iter()
        .filter(|received| **received != command)
        .collect()
}

fn check(received: &Received) {
    if let Received::Line(line) = received {
        assert!(!line.trim().is_empty() && line.len() <= MAX_LINE);
        assert!(!line.contains(char::is_control), "{line:?}");
        check_line(line);
    }
}

/// Parses a line. One that begins like a message of a user must be a message of a user.
fn check_line(line: &str) {
    let parsed = text::parse(line);
    if is_chat(line) {
        assert!(
            matches!(parsed, ServerLine::Chat(_)),
            "{line:?}: {parsed:?}"
        );
    }
    for milliseconds in [false, true] {
        let board = Board::parse(line, milliseconds);
        assert!(board.is_none() || line.starts_with("<12> "), "{line:?}");
    }
}

/// Looks for a name, titles in parentheses without blanks, and a verb.
fn is_chat(line: &str) -> bool {
    let Some((sender, rest)) = line.split_once(' ') else {
        return false;
    };
    let (name, titles) = sender.split_at(sender.find('(').unwrap_or(sender.len()));
    let is_name = (1..=17).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphabetic());
    let are_titles = titles.is_empty()
        || titles
            .strip_prefix('(')
            .and_then(|titles| titles.strip_suffix(')'))
            .is_some_and(|titles| titles.split(")(").all(is_title));
    is_name && are_titles && VERBS.iter().any(|verb| rest.starts_with(verb))
}

fn is_title(title: &str) -> bool {
    (1..=8).contains(&title.len())
        && title
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "*+-".contains(c))
}

/// A message of another user with this text, on one line and wrapped, is one message and nothing else.
fn chat(opening: &str, text: &[u8]) {
    let one_line = [b"\n\r", opening.as_bytes(), text, b"\n\rfics% "].concat();
    let mut wrapped = [b"\n\r", opening.as_bytes(), b"it is"].concat();
    for part in text.chunks(30) {
        wrapped.extend([b"\n\r\\   ", part].concat());
    }
    wrapped.extend(b"\n\rfics% ");
    for bytes in [one_line, wrapped] {
        for received in split(&bytes, bytes.len(), true) {
            match received {
                Received::Line(line) => {
                    let parsed = text::parse(&line);
                    assert!(
                        matches!(parsed, ServerLine::Chat(_)),
                        "{line:?}: {parsed:?}"
                    );
                }
                Received::Prompt(prompt) => assert_eq!(prompt, LoginPrompt::Command),
                Received::Ping => panic!("a ping of a user"),
            }
        }
    }
}

/// A stored message or a note of a user stands on a line of its own, indented or numbered.
fn stored(text: &[u8]) {
    for indent in ["    ", " 1: ", "10: "] {
        let bytes = [indent.as_bytes(), text, b"\n"].concat();
        for received in split(&bytes, bytes.len(), true) {
            let Received::Line(line) = received else {
                panic!("{received:?}");
            };
            let parsed = text::parse(&line);
            let has_no_effect = matches!(
                parsed,
                ServerLine::Unknown(_)
                    | ServerLine::Chat(_)
                    | ServerLine::MoveList(_)
                    | ServerLine::Blank
            );
            assert!(has_no_effect, "{line:?}: {parsed:?}");
        }
    }
}
