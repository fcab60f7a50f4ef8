//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, Error, ErrorKind};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::config::{CommandLine, Config, account_name, host_name};

/// Exit statuses, for `--help`.
const EXIT_STATUS: &str = "\
Exit status:
  0  stopped on request
  1  stopped by an error while running: no further attempt to connect, or games that could not be stored
  2  wrong command line
  3  wrong configuration file, no password, or a file that cannot be written
  4  the server refused the login, or the account logged in elsewhere
  5  the engine cannot be started, or ended too often

Environment:
  GAUR_ICS_PASSWORD  password of the account; precedes `password_file`";

/// Exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Stopped on request.
    Stopped = 0,
    /// Stopped by an error while running: no further attempt to connect, or games that could not be stored.
    Failed = 1,
    /// Wrong command line.
    Usage = 2,
    /// Wrong configuration file, no password, or a file that cannot be written.
    Configuration = 3,
    /// The server refused the login, or the account logged in elsewhere.
    Login = 4,
    /// The engine cannot be started, or ended too often.
    Engine = 5,
}

impl From<ExitStatus> for std::process::ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// Plays with an xboard engine on a FICS-compatible chess server.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "gaur-ics",
    version,
    after_help = EXIT_STATUS,
    arg_required_else_help = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: Run,
}

/// A command of the program.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Log in and play (default)
    Run(Run),
    /// Check a configuration file and the password, without a connection
    Check(Run),
    /// Print a configuration file that documents every key
    Example,
    /// Print a script for a shell that completes commands and options
    Completions {
        /// Shell to write the script for
        shell: Shell,
    },
    /// Print the manual page gaur-ics(6) in roff, for `man -l -`
    Man,
}

/// A configuration file and the settings that replace some of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Run {
    /// Configuration file (TOML); without one, all settings have their defaults
    pub file: Option<PathBuf>,
    /// Name or address of the server
    #[arg(long, value_parser = host_name)]
    pub host: Option<String>,
    /// TCP port of the server
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Command line of the engine, such as "phalanx -l-"
    #[arg(long, value_parser = CommandLine::split)]
    pub engine: Option<CommandLine>,
    /// Name of the account; the password is that of the environment, or of the file
    #[arg(long, value_parser = account_name, conflicts_with = "guest")]
    pub account: Option<String>,
    /// Log in as a guest, and seek unrated games only
    #[arg(long)]
    pub guest: bool,
    /// Connect without timeseal, for servers that do not know it
    #[arg(long)]
    pub no_timeseal: bool,
}

/// Greatest number of changed characters at which a word counts as a misspelled command.
const MAX_TYPOS: usize = 2;

impl Arguments {
    /// Reads the command line and returns the command; `run` if none was named.
    ///
    /// Options may also precede the command.
    ///
    /// # Errors
    ///
    /// Returns the error to print, or the text of `--help` or `--version`.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let arguments = Self::try_parse_from(&words).map_err(|error| with_tip(error, &words))?;
        let conflict = |text: &str| Self::command().error(ErrorKind::ArgumentConflict, text);
        let before = arguments.run;
        match arguments.command {
            None => before.known().map(Command::Run),
            Some(Command::Run(after)) => before.joined(after).map(Command::Run).map_err(conflict),
            Some(Command::Check(after)) => {
                before.joined(after).map(Command::Check).map_err(conflict)
            }
            Some(command) if before == Run::default() => Ok(command),
            Some(_) => Err(conflict(
                "only the commands `run` and `check` have options and a configuration file",
            )),
        }
    }
}

/// Adds a tip if the first word without a hyphen is a misspelled command, and clap takes it for a file.
fn with_tip(mut error: Error, words: &[OsString]) -> Error {
    // No value of this program begins with a hyphen.
    error.remove(ContextKind::Suggested);
    let is_option = |word: &str| word.starts_with('-');
    let first = words.iter().skip(1).filter_map(|word| word.to_str());
    let tip = first
        .filter(|word| !is_option(word))
        .find_map(|word| Some((word, similar_command(word)?)));
    match (error.kind(), tip) {
        (ErrorKind::UnknownArgument, Some((word, command))) => Arguments::command().error(
            ErrorKind::InvalidSubcommand,
            format!("there is no command `{word}`; did you mean `{command}`?"),
        ),
        _ => error,
    }
}

/// Returns the command whose name is similar to `word`, but not equal.
fn similar_command(word: &str) -> Option<String> {
    Arguments::command()
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .map(|name| (strsim::damerau_levenshtein(word, &name), name))
        .filter(|(distance, name)| (1..=MAX_TYPOS).contains(distance) && name.len() > *distance + 1)
        .min()
        .map(|(_, name)| name)
}

impl Run {
    /// Returns these arguments, unless the file does not exist and its name is that of a misspelled command.
    fn known(self) -> Result<Self, Error> {
        let name = self.file.as_ref().and_then(|file| file.to_str());
        match name.and_then(|name| Some((name, similar_command(name)?))) {
            Some((name, command)) if !PathBuf::from(name).exists() => Err(Arguments::command()
                .error(
                    ErrorKind::InvalidSubcommand,
                    format!("there is no file and no command `{name}`; did you mean `{command}`?"),
                )),
            _ => Ok(self),
        }
    }

    /// Joins the arguments before the command with those after it.
    ///
    /// # Errors
    ///
    /// Returns a message if both have the same argument, or an account and a guest.
    fn joined(self, after: Self) -> Result<Self, &'static str> {
        let is_repeated = (self.file.is_some() && after.file.is_some())
            || (self.host.is_some() && after.host.is_some())
            || (self.port.is_some() && after.port.is_some())
            || (self.engine.is_some() && after.engine.is_some())
            || (self.account.is_some() && after.account.is_some());
        if is_repeated {
            return Err("the same argument is before the command and after it");
        }
        let joined = Self {
            file: self.file.or(after.file),
            host: self.host.or(after.host),
            port: self.port.or(after.port),
            engine: self.engine.or(after.engine),
            account: self.account.or(after.account),
            guest: self.guest || after.guest,
            no_timeseal: self.no_timeseal || after.no_timeseal,
        };
        if joined.guest && joined.account.is_some() {
            return Err("`--guest` and `--account` exclude each other");
        }
        Ok(joined)
    }

    /// Replaces the values of the configuration that the command line sets.
    pub fn apply(&self, config: &mut Config) {
        if let Some(host) = &self.host {
            host.clone_into(&mut config.server.host);
        }
        if let Some(port) = self.port {
            config.server.port = port;
        }
        if let Some(engine) = &self.engine {
            engine.clone_into(&mut config.engine.command);
        }
        if let Some(account) = &self.account {
            account.clone_into(&mut config.server.account);
            config.server.guest = false;
        }
        if self.guest {
            config.server.guest = true;
            config.server.account.clear();
            // The file may be that of an account; `Config::load` rejects a guest with rated seeks.
            for game in &mut config.seek.games {
                game.rated = false;
            }
        }
        if self.no_timeseal {
            config.server.timeseal = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::config::SeekGame;

    fn parse(line: &str) -> Result<Command, clap::Error> {
        let words = std::iter::once("gaur-ics").chain(line.split_whitespace());
        Arguments::read(words.map(OsString::from))
    }

    fn run(line: &str) -> Run {
        match parse(line) {
            Ok(Command::Run(run)) => run,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn run_is_the_default() {
        assert_eq!(run("a.toml"), run("run a.toml"));
        assert_eq!(run("a.toml").file, Some("a.toml".into()));
        assert_eq!(run("--guest --host localhost").file, None);
        assert!(matches!(parse("check a.toml"), Ok(Command::Check(_))));
        assert!(matches!(parse("example"), Ok(Command::Example)));
        assert!(matches!(parse("man"), Ok(Command::Man)));
        let shell = Shell::Fish;
        assert_eq!(
            parse("completions fish").ok(),
            Some(Command::Completions { shell })
        );
    }

    #[test]
    fn options_replace_values_of_the_file() {
        let mut config = Config::default();
        config.server.guest = true;
        run("a.toml --port 5001 --account GaurBot --host localhost --engine fairymax")
            .apply(&mut config);
        assert_eq!(config.server.host, "localhost");
        assert_eq!(config.server.port, 5001);
        assert_eq!(
            (config.server.account.as_str(), config.server.guest),
            ("GaurBot", false)
        );
        assert_eq!(config.engine.command.0, ["fairymax"]);
        assert!(config.server.timeseal);
        config.seek.games = vec![SeekGame::default()];
        assert!(config.seek.games[0].rated);
        run("--guest --no-timeseal").apply(&mut config);
        assert!(config.server.guest && !config.server.timeseal);
        assert!(!config.seek.games[0].rated);
        assert_eq!(config.server.account, "");
        let before = config.clone();
        run("a.toml").apply(&mut config);
        assert_eq!(config, before);
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for line in [
            "",
            "a.toml b.toml",
            "--port 0 a",
            "--port 70000 a",
            "--account a;b x",
            "--account A --guest",
            "--password x a",
            "--engine 'a x",
            "example a.toml",
            "completions",
            "completions dos",
            "man a.toml",
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(
                error.exit_code(),
                i32::from(ExitStatus::Usage as u8),
                "{line}"
            );
        }
    }

    #[test]
    fn options_may_precede_the_command() {
        assert_eq!(
            parse("--guest check a.toml").unwrap(),
            parse("check --guest a.toml").unwrap()
        );
        assert_eq!(
            parse("--port 1 run --host b a.toml").unwrap(),
            Command::Run(run("--host b --port 1 a.toml"))
        );
        for line in [
            "--guest example",
            "a.toml check b.toml",
            "--port 1 check --port 2 a",
            "--guest check --account A",
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{line}");
        }
    }

    #[test]
    fn misspelled_commands_are_recognised() {
        for (line, command) in [
            ("chek a.toml", "check"),
            ("--guest chekc a.toml", "check"),
            ("exampel", "example"),
            ("rnu a.toml", "run"),
        ] {
            let text = parse(line).expect_err(line).to_string();
            let tip = format!("did you mean `{command}`?");
            assert!(text.contains(&tip), "{text}");
        }
        // A file may have such a name, and other names are files.
        assert!(parse("fics").is_ok());
        assert!(
            !parse("a.toml b.toml")
                .expect_err("two files")
                .to_string()
                .contains("did you mean")
        );
    }

    #[test]
    fn an_unknown_option_has_no_tip_to_pass_it_as_a_file() {
        let text = parse("--foo a.toml").expect_err("unknown").to_string();
        assert!(text.contains("--foo") && !text.contains("tip:"), "{text}");
        let text = parse("--gest a.toml").expect_err("unknown").to_string();
        assert!(text.contains("--guest"), "{text}");
    }

    #[test]
    fn the_documentation_has_the_same_exit_statuses() {
        let page = include_str!("../../../docs/ics.md");
        let lines = EXIT_STATUS.lines().filter_map(|line| {
            let (status, meaning) = line.trim().split_once("  ")?;
            status.parse::<u8>().ok().map(|status| (status, meaning))
        });
        let mut count = 0;
        for (status, meaning) in lines {
            assert_eq!(status, count);
            assert!(
                page.contains(&format!("| {status} | {meaning} |\n")),
                "{status} {meaning}"
            );
            count += 1;
        }
        assert_eq!(count, 6);
    }

    #[test]
    fn help_documents_exit_statuses() {
        let help = Arguments::command().render_long_help().to_string();
        for text in [
            "Exit status:",
            "4  the server refused",
            "GAUR_ICS_PASSWORD",
            "check",
            "--engine",
        ] {
            assert!(help.contains(text), "{text}");
        }
    }
}
