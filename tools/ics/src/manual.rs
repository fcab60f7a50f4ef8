//! Manual page gaur-ics(6) in roff, and completion scripts for shells.
//!
//! Arguments come from the definition of the command line, exit statuses and environment from the end of its help. The
//! page has no date, so that equal sources give equal pages.

use clap::{Arg, Command};
use clap_complete::Shell;
use roff::{Inline, Roff, bold, italic, roman};

/// Place of the date in the title, as roff text.
const NO_DATE: &str = "\"\"";

/// Purpose of the program, for the list of all pages.
const PURPOSE: &str = "play with an xboard engine on a chess server";

/// Paragraphs that describe the program. Backquotes enclose what is printed in bold.
const DESCRIPTION: [&str; 3] = [
    "`gaur-ics` logs in to a chess server such as FICS (freechess.org), accepts challenges by rules, and plays its games \
     with an engine for the xboard protocol: the program `gaur` in its own folder, or any other (`--engine`).",
    "A configuration file in TOML has all settings. `gaur-ics example` prints one that documents every key. Without a \
     file, `--guest` or `--account` is needed. Arguments precede the values of the file.",
    "In a terminal, a status line shows the game. Ctrl-C, SIGTERM and a closed terminal end the program after the running game, or adjourn \
     the game, as the section `[shutdown]` states; a second Ctrl-C ends it at once.",
];

/// Files and their explanations.
const FILES: [(&str, &str); 3] = [
    (
        "~/.config/gaur/NAME.toml",
        "Configuration of the service `gaur-ics@NAME`. Other files can have any path.",
    ),
    (
        "~/.config/gaur/NAME.env",
        "Environment of this service, for `GAUR_ICS_PASSWORD`. Only its owner may be able to read it.",
    ),
    (
        "/usr/lib/systemd/user/gaur-ics@.service",
        "The service of the Debian package, for `systemctl --user`.",
    ),
];

/// Lines that a user types, each after its explanation.
const EXAMPLES: [(&str, &str); 4] = [
    ("Play as a guest on freechess.org:", "gaur-ics --guest"),
    (
        "Write a configuration file:",
        "gaur-ics example >~/.config/gaur/fics.toml",
    ),
    (
        "Check the file, then play:",
        "gaur-ics check ~/.config/gaur/fics.toml && gaur-ics ~/.config/gaur/fics.toml",
    ),
    (
        "Play as a service, with the same file:",
        "systemctl --user enable --now gaur-ics@fics",
    ),
];

/// Other pages and documents.
const SEE_ALSO: &str = "`gaur`(6), `systemctl`(1). The file docs/ics.md of the documentation describes the first account, \
    the service and the etiquette of chess servers.";

/// Returns the manual page of a command line.
pub fn page(mut command: Command) -> String {
    // Adds `--help` and `--version`.
    command.build();
    let mut page = Roff::new();
    let name = command.get_name().to_owned();
    let version = format!("{name} {}", command.get_version().unwrap_or_default());
    let title = name.to_uppercase();
    page.control("TH", [&title, "6", NO_DATE, &version, "Games Manual"]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("{name} - {PURPOSE}"))]);
    synopsis(&mut page, &command);
    page.control("SH", ["DESCRIPTION"]);
    for (index, text) in DESCRIPTION.into_iter().enumerate() {
        if index > 0 {
            page.control("PP", []);
        }
        page.text(inlines(text));
    }
    page.control("SH", ["OPTIONS"]);
    arguments(&mut page, &command);
    page.control("SH", ["COMMANDS"]);
    for subcommand in visible_commands(&command) {
        let names: String = subcommand.get_positionals().map(optional_name).collect();
        page.control(
            "SS",
            [format!("{name} {}{names}", subcommand.get_name()).as_str()],
        );
        page.text(inlines(&sentence(subcommand.get_about())));
        // Those of `run` and `check` are the options above.
        if subcommand
            .get_arguments()
            .all(|argument| !is_shared(&command, argument))
        {
            arguments(&mut page, subcommand);
        }
    }
    lists(&mut page, &command);
    page.control("SH", ["FILES"]);
    for (file, text) in FILES {
        entry(&mut page, [bold(file)], text);
    }
    page.control("SH", ["EXAMPLES"]);
    for (index, (text, line)) in EXAMPLES.into_iter().enumerate() {
        if index > 0 {
            page.control("PP", []);
        }
        page.text([roman(text)]);
        page.control("PP", []);
        page.control("RS", ["4"]);
        page.text([bold(line)]);
        page.control("RE", []);
    }
    page.control("SH", ["SEE ALSO"]);
    page.text(inlines(SEE_ALSO));
    page.to_roff()
}

/// Returns the script with which a shell completes a command line.
pub fn completions(mut command: Command, shell: Shell) -> String {
    let name = command.get_name().to_owned();
    // The generator panics if it cannot write, which memory never causes.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the ways to start the program.
fn synopsis(page: &mut Roff, command: &Command) {
    let name = bold(command.get_name());
    page.control("SH", ["SYNOPSIS"]);
    page.text([
        name.clone(),
        roman(" ["),
        bold("run"),
        roman("|"),
        bold("check"),
        roman("] ["),
        italic("OPTION"),
        roman("]... ["),
        italic("FILE"),
        roman("]"),
    ]);
    for subcommand in visible_commands(command) {
        if !subcommand
            .get_arguments()
            .all(|argument| !is_shared(command, argument))
        {
            continue;
        }
        page.control("br", []);
        let mut line = vec![name.clone(), roman(" "), bold(subcommand.get_name())];
        for argument in subcommand.get_positionals() {
            line.push(roman(" "));
            line.push(italic(value_name(argument)));
        }
        page.text(line);
    }
}

/// Writes the arguments of a command, each with its explanation.
fn arguments(page: &mut Roff, command: &Command) {
    let visible = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help";
    for argument in command.get_arguments().filter(visible) {
        let mut text = sentence(argument.get_help());
        let values = argument.get_possible_values();
        if argument.get_action().takes_values() && !values.is_empty() {
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            text.push_str(&format!(" One of {}.", names.join(", ")));
        }
        entry(page, header(argument), &text);
    }
}

/// Writes the lists at the end of the help: exit statuses and environment, each with a heading that ends with a colon.
fn lists(page: &mut Roff, command: &Command) {
    let help = command.get_after_help().map(ToString::to_string);
    for line in help.unwrap_or_default().lines() {
        match (line.strip_suffix(':'), line.trim().split_once("  ")) {
            (Some(heading), _) => page.control("SH", [heading.to_uppercase().as_str()]),
            (None, Some((term, text))) => {
                entry(page, [bold(term)], &format!("{}.", text.trim()));
                &mut *page
            }
            (None, None) => &mut *page,
        };
    }
}

/// Writes a term and its explanation.
fn entry(page: &mut Roff, term: impl Into<Vec<Inline>>, text: &str) {
    page.control("TP", []);
    page.text(term.into());
    page.text(inlines(text));
}

/// Returns the commands that a user should know, except `help`.
fn visible_commands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set() && subcommand.get_name() != "help")
}

/// Returns whether the command line without a command has this argument, too. `--help` and `--version` do not count.
fn is_shared(command: &Command, argument: &Arg) -> bool {
    let id = argument.get_id();
    id != "help" && id != "version" && command.get_arguments().any(|other| other.get_id() == id)
}

/// Returns an argument with its value as a user types it.
fn header(argument: &Arg) -> Vec<Inline> {
    let Some(long) = argument.get_long() else {
        return vec![italic(value_name(argument))];
    };
    let mut words = Vec::new();
    if let Some(short) = argument.get_short() {
        words.extend([bold(format!("-{short}")), roman(", ")]);
    }
    words.push(bold(format!("--{long}")));
    if argument.get_action().takes_values() {
        words.extend([roman(" "), italic(value_name(argument))]);
    }
    words
}

/// Returns the name of an argument's value in capital letters.
fn value_name(argument: &Arg) -> String {
    match argument.get_value_names() {
        Some([first, ..]) => first.to_string(),
        _ => argument.get_id().as_str().to_uppercase(),
    }
}

/// Returns a positional argument for a heading, after a space, in brackets if it can be omitted.
fn optional_name(argument: &Arg) -> String {
    let name = value_name(argument);
    if argument.is_required_set() {
        format!(" {name}")
    } else {
        format!(" [{name}]")
    }
}

/// Returns a part of the help in one line, without styles, and with a full stop.
fn sentence(help: Option<&clap::builder::StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{}.", words.join(" ").trim_end_matches('.'))
}

/// Returns a text with its code spans, which backquotes enclose, in bold.
fn inlines(text: &str) -> Vec<Inline> {
    text.split('`')
        .enumerate()
        .filter(|(_, part)| !part.is_empty())
        .map(|(index, part)| {
            if index % 2 == 1 {
                bold(part)
            } else {
                roman(part)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn the_page_describes_arguments_and_commands() {
        let page = page(Arguments::command());
        for part in [
            ".TH GAUR-ICS 6 \"\" \"gaur-ics ",
            "gaur\\-ics \\- play with an xboard engine on a chess server\n",
            "\\fBgaur\\-ics\\fR \\fBcompletions\\fR \\fISHELL\\fR\n",
            "\\fB\\-\\-port\\fR \\fIPORT\\fR\nTCP port of the server.\n",
            ".SS \"gaur-ics check [FILE]\"\n",
            ".SS \"gaur-ics completions SHELL\"\n",
            "One of bash, elvish, fish, powershell, zsh.\n",
            "\\fB4\\fR\nthe server refused the login, or the account logged in elsewhere.\n",
            "\\fBGAUR_ICS_PASSWORD\\fR\npassword of the account; precedes \\fBpassword_file\\fR.\n",
        ] {
            assert!(page.contains(part), "{part:?} in\n{page}");
        }
        assert_eq!(page.matches("TCP port of the server").count(), 1);
    }

    #[test]
    fn the_page_has_the_usual_sections() {
        let page = page(Arguments::command());
        let headings: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with(".SH "))
            .collect();
        let expected = [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "COMMANDS",
            "\"EXIT STATUS\"",
            "ENVIRONMENT",
            "FILES",
            "EXAMPLES",
            "\"SEE ALSO\"",
        ];
        assert_eq!(headings, expected.map(|name| format!(".SH {name}")));
    }

    #[test]
    fn every_shell_completes_commands_and_options() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let script = completions(Arguments::command(), shell);
            for word in ["gaur-ics", "check", "guest"] {
                assert!(script.contains(word), "{word} in the script for {shell}");
            }
        }
    }
}
