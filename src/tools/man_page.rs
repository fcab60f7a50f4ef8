//! `gaur man`: the manual page gaur(6) in roff.
//!
//! Arguments come from the definition of the command line and protocol options from their table, so that the page
//! describes this build. It has no date, so that equal sources give equal pages.

mod texts;

use std::io::{self, Write};

use clap::{Arg, ArgAction, Command};
use roff::{Inline, Roff, bold, italic, roman};

use crate::config::{OPTIONS, OptionKind, OptionSpec};

use texts::{Part, Section};

/// Section of the manual for games.
const SECTION: &str = "6";

/// Place of the date in the title, as roff text.
const NO_DATE: &str = "\"\"";

/// Prints the manual page of `command`.
///
/// # Errors
/// Returns an error if the page cannot be written.
pub fn run_man(mut command: Command, out: &mut impl Write) -> io::Result<()> {
    // Adds `--help` and `--version`.
    command.build();
    let mut page = Roff::new();
    let name = command.get_name().to_owned();
    let version = format!("{name} {}", command.get_version().unwrap_or_default());
    page.control(
        "TH",
        [
            name.to_uppercase().as_str(),
            SECTION,
            NO_DATE,
            &version,
            "Games Manual",
        ],
    );
    page.control("SH", ["NAME"]);
    let about = text_of(command.get_about()).replacen("A ", "a ", 1);
    page.text([roman(format!("{name} - {about}"))]);
    synopsis(&mut page, &command);
    for section in texts::BEFORE_OPTIONS {
        write_section(&mut page, section);
    }
    page.control("SH", ["OPTIONS"]);
    arguments(&mut page, &command);
    commands(&mut page, &command);
    protocol_options(&mut page);
    for section in texts::AFTER_PROTOCOL_OPTIONS {
        write_section(&mut page, section);
    }
    let mut text = Vec::new();
    page.to_writer(&mut text)?;
    out.write_all(&text)
}

/// Writes a section with a text of its own.
fn write_section(page: &mut Roff, section: &Section) {
    page.control("SH", [section.heading]);
    for (index, part) in section.parts.iter().enumerate() {
        match part {
            Part::Text(text) => {
                if index > 0 {
                    page.control("PP", []);
                }
                page.text(inlines(text));
            }
            Part::Entry(term, text) => {
                page.control("TP", []);
                page.text([bold(*term)]);
                page.text(inlines(text));
            }
            Part::Example(line, text) => {
                if index > 0 {
                    page.control("PP", []);
                }
                page.text(inlines(text));
                page.control("PP", []);
                page.control("RS", ["4"]);
                page.text([bold(*line)]);
                page.control("RE", []);
            }
        }
    }
}

/// Writes the ways to start the program.
fn synopsis(page: &mut Roff, command: &Command) {
    let name = command.get_name();
    page.control("SH", ["SYNOPSIS"]);
    let mut line = vec![bold(name)];
    for argument in visible_arguments(command) {
        let end = match argument.get_action() {
            // It stands in the last line.
            ArgAction::Version => continue,
            ArgAction::Append => "]...",
            _ => "]",
        };
        line.push(roman(" ["));
        line.extend(header(argument));
        line.push(roman(end));
    }
    page.text(line);
    page.control("br", []);
    page.text([
        bold(name),
        roman(" "),
        italic("COMMAND"),
        roman(" ["),
        italic("ARGUMENT"),
        roman("]..."),
    ]);
    page.control("br", []);
    page.text([bold(name), roman(" "), bold("--version")]);
}

/// Writes the arguments of a command, each with its explanation.
fn arguments(page: &mut Roff, command: &Command) {
    for argument in visible_arguments(command) {
        page.control("TP", []);
        page.text(header(argument));
        let help = argument.get_long_help().or(argument.get_help());
        let mut text = sentence(&text_of(help));
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect();
        if argument.get_action().takes_values() && !values.is_empty() {
            text.push_str(&format!(" One of {}.", values.join(", ")));
        }
        let shows_default =
            argument.get_action().takes_values() && !argument.is_hide_default_value_set();
        if let (true, [default]) = (shows_default, argument.get_default_values()) {
            text.push_str(&format!(" Default: {}.", default.to_string_lossy()));
        }
        page.text(inlines(&text));
    }
}

/// Writes the commands, each with its arguments.
fn commands(page: &mut Roff, command: &Command) {
    page.control("SH", ["COMMANDS"]);
    for subcommand in visible_commands(command) {
        command_section(page, command.get_name(), subcommand);
    }
}

/// Writes a command, or the commands of a group.
fn command_section(page: &mut Roff, before: &str, command: &Command) {
    let name = format!("{before} {}", command.get_name());
    let heading = format!("{name}{}", usage(command));
    // A user copies the hyphens of options; without backslash they may be printed as other characters.
    page.control("SS", [heading.replace('-', "\\-").as_str()]);
    page.text(inlines(&sentence(&text_of(command.get_about()))));
    arguments(page, command);
    for subcommand in visible_commands(command) {
        command_section(page, &name, subcommand);
    }
}

/// Returns the commands that a user should know, except `help`.
fn visible_commands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set() && subcommand.get_name() != "help")
}

/// Returns what follows a command: its required options and its positional arguments, each after a space. Brackets
/// enclose those that can be omitted.
fn usage(command: &Command) -> String {
    let options = command
        .get_opts()
        .filter(|option| option.is_required_set())
        .map(|option| {
            let name = option.get_long().unwrap_or_default();
            format!(" --{name} {}", value_names(option))
        });
    let positionals = command.get_positionals().map(|argument| {
        let names = value_names(argument);
        if argument.is_required_set() {
            format!(" {names}")
        } else {
            format!(" [{names}]")
        }
    });
    options.chain(positionals).collect()
}

/// Returns the arguments that a user should know, except `--help`.
fn visible_arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && argument.get_id() != "help")
}

/// Returns an argument with its value as a user types it.
fn header(argument: &Arg) -> Vec<Inline> {
    let mut words = Vec::new();
    if let Some(short) = argument.get_short() {
        words.push(bold(format!("-{short}")));
        words.push(roman(", "));
    }
    match argument.get_long() {
        Some(long) => words.push(bold(format!("--{long}"))),
        None => words.push(italic(value_names(argument))),
    }
    if argument.get_long().is_some() && argument.get_action().takes_values() {
        words.push(roman(" "));
        words.push(italic(value_names(argument)));
    }
    words
}

/// Returns the values of an argument in capital letters: as many as it needs, and dots after them if it accepts more.
fn value_names(argument: &Arg) -> String {
    let name = match argument.get_value_names() {
        Some([first, ..]) => first.to_string(),
        _ => argument.get_id().as_str().to_uppercase(),
    };
    let range = argument.get_num_args().unwrap_or_default();
    let needed = range.min_values().max(1);
    let dots = if range.max_values() > needed {
        "..."
    } else {
        ""
    };
    format!("{}{dots}", vec![name; needed].join(" "))
}

/// Returns the text of a part of the help in one line and without styles, or an empty text.
fn text_of(help: Option<&clap::builder::StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text with its code spans, which backquotes enclose, in bold.
fn inlines(text: &str) -> Vec<Inline> {
    let is_code = |index: usize| index % 2 == 1;
    text.split('`')
        .enumerate()
        .filter(|(_, part)| !part.is_empty())
        .map(|(index, part)| {
            if is_code(index) {
                bold(part)
            } else {
                roman(part)
            }
        })
        .collect()
}

/// Returns a text that ends with a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.ends_with(['.', '!', '?']) {
        return text.to_owned();
    }
    format!("{text}.")
}

/// Writes the options of the protocol.
fn protocol_options(page: &mut Roff) {
    page.control("SH", ["PROTOCOL OPTIONS"]);
    page.text(inlines(texts::PROTOCOL_OPTIONS));
    for option in OPTIONS {
        page.control("TP", []);
        page.text([bold(option.name), roman(values(option))]);
        page.text(inlines(&sentence(option.help)));
    }
}

/// Returns the values and the default of an option.
fn values(option: &OptionSpec) -> String {
    let values = option.kind.accepted_values();
    let default = option.kind.default_text().unwrap_or_default();
    match option.kind {
        OptionKind::Button(_) | OptionKind::Save(_) => " (button)".to_owned(),
        OptionKind::Check { default, .. } => {
            format!(": {values}, default {}", if default { "on" } else { "off" })
        }
        _ if default.is_empty() => format!(": {values}"),
        OptionKind::String { .. } => format!(": {values}, default \"{default}\""),
        _ => format!(": {values}, default {default}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the page of a command.
    fn page_of(command: Command) -> String {
        let mut text = Vec::new();
        run_man(command, &mut text).expect("memory");
        String::from_utf8(text).expect("text")
    }

    fn page() -> String {
        let set = Arg::new("set").long("set").value_name("NAME=VALUE");
        let set = set.action(ArgAction::Append);
        let plain = Arg::new("plain").long("plain");
        let plain = plain.action(ArgAction::SetTrue);
        let depth = Arg::new("depth")
            .long("depth")
            .help("Depth of each search")
            .value_name("D")
            .default_value("12");
        let file = Arg::new("file")
            .help("Suite to solve")
            .required(true)
            .value_parser(["a", "b"]);
        let hidden = Arg::new("secret").long("secret").hide(true);
        let command = Command::new("gaur")
            .version("1.2.3")
            .about("A chess engine")
            .arg(set.help("Option to set, as `option`\ndoes"))
            .arg(plain.help("Print whole lines"))
            .subcommand(
                Command::new("epd")
                    .about("Solve a suite")
                    .args([depth, file, hidden]),
            );
        page_of(command)
    }

    #[test]
    fn the_page_describes_arguments_and_commands() {
        let page = page();
        for part in [
            ".TH GAUR 6 \"\" \"gaur 1.2.3\" \"Games Manual\"",
            "gaur \\- a chess engine\n",
            "\\fBgaur\\fR [\\fB\\-\\-set\\fR \\fINAME=VALUE\\fR]... [\\fB\\-\\-plain\\fR]\n",
            "\\fB\\-\\-set\\fR \\fINAME=VALUE\\fR\nOption to set, as \\fBoption\\fR does.\n",
            ".SS \"gaur epd FILE\"\nSolve a suite.\n",
            "\\fB\\-\\-depth\\fR \\fID\\fR\nDepth of each search. Default: 12.\n",
            "\\fIFILE\\fR\nSuite to solve. One of a, b.\n",
            "\\fB\\-V\\fR, \\fB\\-\\-version\\fR\n",
        ] {
            assert!(page.contains(part), "{part:?} in\n{page}");
        }
        assert!(!page.contains("secret"));
    }

    #[test]
    fn headings_of_commands_show_what_they_need() {
        let out = Arg::new("out").long("out").value_name("FILE");
        let plies = Arg::new("min-plies").long("min-plies").value_name("N");
        let moves = Arg::new("moves").long("moves").value_name("MOVES");
        let book = Arg::new("book").value_name("BOOK");
        let merge = Command::new("merge").args([
            out.required(true),
            book.clone().required(true).num_args(2..),
        ]);
        let show = Command::new("show").args([moves.num_args(1..), book]);
        let prune = Command::new("prune").arg(plies.required(true));
        let page = page_of(Command::new("gaur").subcommands([merge, show, prune]));
        for part in [
            ".SS \"gaur merge \\-\\-out FILE BOOK BOOK...\"\n",
            "\\fIBOOK BOOK...\\fR\n",
            ".SS \"gaur show [BOOK]\"\n",
            "\\fB\\-\\-moves\\fR \\fIMOVES...\\fR\n",
            ".SS \"gaur prune \\-\\-min\\-plies N\"\n",
        ] {
            assert!(page.contains(part), "{part:?} in\n{page}");
        }
    }

    #[test]
    fn a_hidden_default_is_not_shown() {
        let plies = Arg::new("plies").long("plies").default_value("4294967293");
        let dump = Command::new("dump").arg(plies.hide_default_value(true));
        let page = page_of(Command::new("gaur").subcommand(dump));
        assert!(!page.contains("Default"), "{page}");
    }

    #[test]
    fn the_page_lists_every_protocol_option_and_section() {
        let page = page();
        for option in OPTIONS {
            let help = sentence(option.help).replace('-', "\\-");
            let entry = format!("\\fB{}\\fR", option.name);
            assert!(page.contains(&entry) && page.contains(&help), "{entry}");
        }
        let is_heading = |line: &&str| line.starts_with(".SH ");
        let headings: Vec<&str> = page.lines().filter(is_heading).collect();
        let expected = [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "COMMANDS",
            "\"PROTOCOL OPTIONS\"",
            "ENVIRONMENT",
            "FILES",
            "\"EXIT STATUS\"",
            "EXAMPLES",
            "\"SEE ALSO\"",
        ];
        assert_eq!(headings, expected.map(|name| format!(".SH {name}")));
    }

    #[test]
    fn kinds_of_options_show_their_values() {
        let text = |name: &str| {
            let option = OPTIONS.iter().find(|option| option.name == name);
            values(option.expect("an option"))
        };
        assert_eq!(text("MultiPV"), ": 1 to 64, default 1");
        assert_eq!(text("AcceptDraws"), ": on or off, default on");
        assert_eq!(
            text("Evaluation"),
            ": network or classical, default network"
        );
        assert_eq!(text("LogNote"), ": a text");
        assert_eq!(
            text("Goodbye"),
            ": a text, default \"Thank you for the game.\""
        );
        assert_eq!(text("ClearHash"), " (button)");
    }
}
