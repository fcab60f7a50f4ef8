//! Parser of the commands of a person.

use crate::config::{Config, find_option, split_setting};
use crate::notation::is_move_text;
use crate::protocol::command::{Command, ParseError};
use crate::protocol::parser;
use crate::rules::Variant;
use crate::types::Color;

/// A line of the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UserCommand {
    /// An empty line.
    Nothing,
    /// A move.
    Move(String),
    /// Draw the board.
    Board,
    /// List the pieces.
    Pieces,
    /// List the legal moves.
    Moves,
    /// Start a game of this variant in which the person plays this side.
    New(Variant, Color),
    /// Let Gaur play the side to move.
    Go,
    /// Let the person play this side.
    ChooseSide(Color),
    /// Take back the person's last move.
    Undo,
    /// Take back a move of each side.
    Remove,
    /// Suggest a move.
    Hint,
    /// Set the time control, given as text; show it and the clocks if the text is empty.
    Level(String),
    /// Save the game to a file; the name may be missing.
    Save(String),
    /// Offer a draw.
    Draw,
    /// Resign.
    Resign,
    /// Analyse the position.
    Analyze,
    /// End the analysis.
    Exit,
    /// Show thinking lines or not.
    Thinking(bool),
    /// Describe moves in words or not.
    Words(bool),
    /// List the options.
    Options,
    /// Explain the command or option with this name; list the commands if the name is empty or unknown.
    Help(String),
    /// A line of the protocol without a text of its own here.
    Protocol(String),
}

/// The reason for which a line is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misunderstood {
    /// No command has this name. The known name that is most similar, if any is.
    UnknownCommand(Option<&'static str>),
    /// This is the name of an option, not of a command; with the setting as `option` has it.
    OptionName(&'static str, String),
    /// The argument of the command with this name is missing or wrong.
    BadArgument(String),
    /// The command with this name has no argument, but the line has one.
    SuperfluousArgument(String),
}

/// Commands that are rejected if an argument follows.
const WITHOUT_ARGUMENT: [&str; 29] = [
    "analyse",
    "analyze",
    "back",
    "bk",
    "black",
    "board",
    "book",
    "d",
    "draw",
    "easy",
    "edit",
    "exit",
    "force",
    "go",
    "hard",
    "hint",
    "moves",
    "nopost",
    "options",
    "pause",
    "pieces",
    "playother",
    "random",
    "remove",
    "resign",
    "resume",
    "show",
    "undo",
    "white",
];

/// Names that an unknown one is compared with: those of `help`, and commands of the protocol that people use.
const NAMES: [&str; 40] = [
    "analyze",
    "black",
    "board",
    "book",
    "cores",
    "draw",
    "easy",
    "edit",
    "exit",
    "force",
    "go",
    "hard",
    "help",
    "hint",
    "level",
    "memory",
    "moves",
    "new",
    "nopost",
    "option",
    "pause",
    "pieces",
    "playother",
    "post",
    "quit",
    "random",
    "remove",
    "resign",
    "resume",
    "save",
    "sd",
    "setboard",
    "show",
    "st",
    "undo",
    "variant",
    "white",
    "words",
    "xboard",
    "exclude",
];

/// Largest number of inserted, deleted, changed or exchanged letters of a similar name, per letter of the name.
const MAX_ERRORS_PER_LETTER: f64 = 0.4;

impl UserCommand {
    /// Parses a line.
    pub(super) fn parse(line: &str) -> Result<UserCommand, Misunderstood> {
        // A file that is piped in may begin with a byte order mark.
        let line = line.trim_start_matches('\u{feff}').trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let name = word.to_lowercase();
        if !rest.is_empty() && WITHOUT_ARGUMENT.contains(&name.as_str()) {
            return Err(setting(line).unwrap_or(Misunderstood::SuperfluousArgument(name)));
        }
        let bad_argument = || Misunderstood::BadArgument(name.clone());
        Ok(match name.as_str() {
            "" => UserCommand::Nothing,
            "board" | "d" | "show" => UserCommand::Board,
            "pieces" => UserCommand::Pieces,
            "moves" => UserCommand::Moves,
            "new" => new_game(rest).ok_or_else(bad_argument)?,
            "go" => UserCommand::Go,
            "white" => UserCommand::ChooseSide(Color::White),
            "black" => UserCommand::ChooseSide(Color::Black),
            "undo" | "back" => UserCommand::Undo,
            "remove" => UserCommand::Remove,
            "hint" => UserCommand::Hint,
            "book" => UserCommand::Protocol("bk".to_owned()),
            "level" => UserCommand::Level(rest.to_owned()),
            "time" | "clock" if rest.is_empty() => UserCommand::Level(String::new()),
            "save" => UserCommand::Save(without_quotes(rest).to_owned()),
            "draw" => UserCommand::Draw,
            "resign" => UserCommand::Resign,
            "analyze" | "analyse" => UserCommand::Analyze,
            "exit" => UserCommand::Exit,
            "post" => UserCommand::Thinking(switch(rest).ok_or_else(bad_argument)?),
            "nopost" => UserCommand::Thinking(false),
            "words" => UserCommand::Words(switch(rest).ok_or_else(bad_argument)?),
            "option" | "options" if rest.is_empty() => UserCommand::Options,
            "set" if rest.is_empty() => UserCommand::Options,
            "set" => protocol_command(&format!("option {rest}"), "option")?,
            "help" | "h" | "commands" => UserCommand::Help(rest.to_owned()),
            "q" | "bye" => UserCommand::Protocol("quit".to_owned()),
            name => match move_text(line) {
                Some(text) => UserCommand::Move(text),
                None => protocol_command(line, name)?,
            },
        })
    }
}

/// Returns a line of the protocol, whose commands are written in lower case.
fn protocol_command(line: &str, name: &str) -> Result<UserCommand, Misunderstood> {
    let lower_case = || {
        let rest: String = line.chars().skip(name.chars().count()).collect();
        format!("{name}{rest}")
    };
    match parser::parse(line).or_else(|_| parser::parse(&lower_case())) {
        Ok(Command::UserMove(text) | Command::BareMove(text)) => Ok(UserCommand::Move(text)),
        Ok(_) if parser::parse(line).is_ok() => Ok(UserCommand::Protocol(line.to_owned())),
        Ok(_) => Ok(UserCommand::Protocol(lower_case())),
        Err(ParseError::BadArgument) => Err(Misunderstood::BadArgument(name.to_owned())),
        Err(ParseError::UnknownCommand) => {
            Err(setting(line).unwrap_or_else(|| Misunderstood::UnknownCommand(nearest(name))))
        }
    }
}

/// Parses the argument of `new`: the side of the person and the variant, in any order.
fn new_game(text: &str) -> Option<UserCommand> {
    let (mut variant, mut color) = (Variant::Standard, Color::White);
    for word in text.to_lowercase().split_whitespace() {
        match word {
            "white" => color = Color::White,
            "black" => color = Color::Black,
            "960" | "chess960" | "fischerandom" => variant = Variant::Fischerandom,
            _ => return None,
        }
    }
    Some(UserCommand::New(variant, color))
}

/// Parses an argument that switches something on, as without an argument, or off.
fn switch(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "" | "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Returns the name of a file without the quotation marks around it.
fn without_quotes(text: &str) -> &str {
    let inner = |mark| text.strip_prefix(mark)?.strip_suffix(mark);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Returns the error of a line that is a setting without `option`: the name of an option, perhaps with a value after
/// `=`, or with a value that the option accepts after a blank.
fn setting(line: &str) -> Option<Misunderstood> {
    let (name, value) = split_setting(line);
    if let Some(option) = find_option(name) {
        let value = value.map_or(String::new(), |value| format!("={}", value.trim()));
        let setting = format!("{}{value}", option.name);
        return Some(Misunderstood::OptionName(option.name, setting));
    }
    let (name, value) = line.split_once(char::is_whitespace)?;
    let option = find_option(name)?;
    let value = value.trim();
    Config::default().set(name, Some(value)).ok()?;
    let setting = format!("{}={value}", option.name);
    Some(Misunderstood::OptionName(option.name, setting))
}

/// Returns the text of a move in letters that the parser of moves knows, if the line has the form of a move. A person
/// may separate the squares by a space, write a piece as a figurine, or write the number of the move in front of it.
fn move_text(line: &str) -> Option<String> {
    let text: String = line
        .chars()
        .filter_map(|c| match c {
            '♔' | '♚' => Some('K'),
            '♕' | '♛' => Some('Q'),
            '♖' | '♜' => Some('R'),
            '♗' | '♝' => Some('B'),
            '♘' | '♞' => Some('N'),
            '♙' | '♟' => Some('P'),
            // The hyphens and dashes of `e2-e4`.
            '‐' | '‑' | '–' | '—' => Some('-'),
            c if c.is_whitespace() => None,
            c => Some(c),
        })
        .collect();
    let text = without_number(&text).to_owned();
    // `O-O` is also written without hyphens.
    let text = match text
        .to_ascii_lowercase()
        .trim_end_matches(['+', '#', '!', '?'])
    {
        "oo" | "00" => "O-O".to_owned(),
        "ooo" | "000" => "O-O-O".to_owned(),
        _ => text,
    };
    is_move_text(&text).then_some(text)
}

/// Returns the text of a move without the number in front of it, such as `1.` or `1...`.
fn without_number(text: &str) -> &str {
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_dots = after_digits.trim_start_matches(['.', '…']);
    let has_number = after_dots.len() < after_digits.len() && after_digits.len() < text.len();
    if has_number { after_dots } else { text }
}

/// Returns the known name that is most similar to a word, if it is similar enough.
fn nearest(word: &str) -> Option<&'static str> {
    let (errors, name) = NAMES
        .iter()
        .map(|&name| (strsim::damerau_levenshtein(word, name), name))
        .min()?;
    (errors as f64 <= MAX_ERRORS_PER_LETTER * name.len() as f64).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_any_usual_notation_are_moves() {
        for (line, text) in [
            ("e4", "e4"),
            ("e2 e4", "e2e4"),
            ("e2-e4", "e2-e4"),
            ("e2–e4", "e2-e4"),
            ("Nf3", "Nf3"),
            ("nf3", "nf3"),
            ("♘f3", "Nf3"),
            ("exd5 e.p.", "exd5e.p."),
            ("0-0", "0-0"),
            ("oo", "O-O"),
            ("OOO+", "O-O-O"),
            ("e8=Q#", "e8=Q#"),
            ("usermove e2e4", "e2e4"),
            ("\u{feff}e4", "e4"),
            ("1. Nf3", "Nf3"),
            ("2.d4", "d4"),
            ("12... e7 e5", "e7e5"),
            ("3…0-0", "0-0"),
        ] {
            let expected = Ok(UserCommand::Move(text.to_owned()));
            assert_eq!(UserCommand::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn commands_may_be_written_in_capitals() {
        assert_eq!(UserCommand::parse(" Go "), Ok(UserCommand::Go));
        assert_eq!(
            UserCommand::parse("New Black"),
            Ok(UserCommand::New(Variant::Standard, Color::Black))
        );
        assert_eq!(
            UserCommand::parse("SD 8"),
            Ok(UserCommand::Protocol("sd 8".to_owned()))
        );
        assert_eq!(
            UserCommand::parse("option Variety=30"),
            Ok(UserCommand::Protocol("option Variety=30".to_owned()))
        );
        assert_eq!(
            UserCommand::parse("Set Variety=30"),
            Ok(UserCommand::Protocol("option Variety=30".to_owned()))
        );
    }

    #[test]
    fn unknown_commands_have_a_nearest_one() {
        for (line, name) in [
            ("hlep", Some("help")),
            ("udno", Some("undo")),
            ("hints", Some("hint")),
            ("quti", Some("quit")),
            ("setbord 8/8", Some("setboard")),
            ("xyzzy", None),
            ("knight takes the pawn", None),
        ] {
            let expected = Err(Misunderstood::UnknownCommand(name));
            assert_eq!(UserCommand::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn every_name_is_a_command() {
        for name in NAMES {
            assert_ne!(
                UserCommand::parse(name),
                Err(Misunderstood::UnknownCommand(None)),
                "{name}"
            );
            assert!(
                !matches!(
                    UserCommand::parse(name),
                    Err(Misunderstood::UnknownCommand(_))
                ),
                "{name}"
            );
        }
    }

    #[test]
    fn wrong_arguments_are_reported() {
        for line in [
            "new game",
            "words maybe",
            "sd deep",
            "memory",
            "setboard",
            "variant",
            "option =3",
            "post maybe",
        ] {
            let name = line.split(' ').next().expect("a word").to_owned();
            assert_eq!(
                UserCommand::parse(line),
                Err(Misunderstood::BadArgument(name)),
                "{line}"
            );
        }
    }

    #[test]
    fn commands_without_arguments_reject_one() {
        for name in WITHOUT_ARGUMENT {
            assert!(UserCommand::parse(name).is_ok(), "{name}");
            let expected = Err(Misunderstood::SuperfluousArgument(name.to_owned()));
            assert_eq!(UserCommand::parse(&format!("{name} x")), expected);
        }
        let expected = Err(Misunderstood::SuperfluousArgument("resign".to_owned()));
        assert_eq!(UserCommand::parse("Resign now"), expected);
    }

    #[test]
    fn arguments_select_a_side_a_variant_and_a_state() {
        let fischer = |color| Ok(UserCommand::New(Variant::Fischerandom, color));
        for (line, command) in [
            ("new 960", fischer(Color::White)),
            ("new black 960", fischer(Color::Black)),
            ("new fischerandom white", fischer(Color::White)),
            ("post", Ok(UserCommand::Thinking(true))),
            ("post off", Ok(UserCommand::Thinking(false))),
            ("nopost", Ok(UserCommand::Thinking(false))),
            ("option", Ok(UserCommand::Options)),
            (
                "save \"my game.pgn\"",
                Ok(UserCommand::Save("my game.pgn".to_owned())),
            ),
            ("save 'x.pgn'", Ok(UserCommand::Save("x.pgn".to_owned()))),
            ("save \"x.pgn", Ok(UserCommand::Save("\"x.pgn".to_owned()))),
            ("save \"", Ok(UserCommand::Save("\"".to_owned()))),
            ("time", Ok(UserCommand::Level(String::new()))),
        ] {
            assert_eq!(UserCommand::parse(line), command, "{line}");
        }
    }

    #[test]
    fn names_of_options_are_no_commands() {
        for (line, name, setting) in [
            ("SaveSettings", "SaveSettings", "SaveSettings"),
            ("savesettings", "SaveSettings", "SaveSettings"),
            ("Variety=30", "Variety", "Variety=30"),
            ("Variety = 30", "Variety", "Variety=30"),
            ("variety 30", "Variety", "Variety=30"),
            ("Resign=600", "Resign", "Resign=600"),
            ("Resign = 600", "Resign", "Resign=600"),
            ("Resign 600", "Resign", "Resign=600"),
        ] {
            let expected = Misunderstood::OptionName(name, setting.to_owned());
            assert_eq!(UserCommand::parse(line), Err(expected), "{line}");
        }
    }
}
