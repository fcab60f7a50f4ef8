//! Line parsers: any bytes are a command or an error, and blanks around them have no effect.

use gaur::protocol::command::{Command, EditCommand, ParseError};
use gaur::protocol::parser::{parse, parse_edit};

/// Words that are commands with any arguments.
const COMMANDS: [&str; 20] = [
    "new", "quit", "force", "go", "ping", "level", "st", "sd", "time", "otim", "usermove",
    "setboard", "option", "memory", "cores", "analyze", "exit", "undo", "remove", "result",
];

/// Checks the bytes as lines.
pub fn run(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let parsed = parse(line);
        assert_eq!(parse(&format!("  {line} \r\n")), parsed, "{line:?}");
        if let Ok(Command::Ping(text)) = &parsed {
            assert!(line.contains(text.as_str()) && !text.contains(char::is_whitespace));
        }
        let first = line.split_whitespace().next().unwrap_or("");
        if COMMANDS.contains(&first) {
            assert_ne!(parsed, Err(ParseError::UnknownCommand), "{line:?}");
        }
        let edited = parse_edit(line);
        assert_eq!(parse_edit(&format!(" {line}\r\n")), edited, "{line:?}");
        if let Ok(EditCommand::Put(kind, square)) = edited {
            let square = square.to_string();
            assert!(line.contains(kind.letter()) && line.to_ascii_lowercase().contains(&square));
        }
    }
}
