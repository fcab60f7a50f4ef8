//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::config::{CommandLine, Config, account_name, host_name};

/// Exit statuses, for `--help`.
const EXIT_STATUS: &str = "\
Exit status:
  0  stopped on request
  1  stopped by an error while running, such as a server that cannot be reached
  2  wrong command line
  3  wrong configuration file or no password
  4  the server refused the login
  5  the engine cannot be started

Environment:
  GAUR_ICS_PASSWORD  password of the account; precedes `password_file`";

/// Exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Stopped on request.
    Stopped = 0,
    /// Stopped by an error while running.
    Failed = 1,
    /// Wrong command line.
    Usage = 2,
    /// Wrong configuration file or no password.
    Configuration = 3,
    /// The server refused the login.
    Login = 4,
    /// The engine cannot be started.
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
    args_conflicts_with_subcommands = true,
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
    /// Command line of the engine, such as "fairymax"
    #[arg(long, value_parser = CommandLine::split)]
    pub engine: Option<CommandLine>,
    /// Name of the account
    #[arg(long, value_parser = account_name, conflicts_with = "guest")]
    pub account: Option<String>,
    /// Log in as a guest
    #[arg(long)]
    pub guest: bool,
    /// Connect without timeseal, for servers that do not know it
    #[arg(long)]
    pub no_timeseal: bool,
}

impl Arguments {
    /// Returns the command; `run` if none was named.
    pub fn into_command(self) -> Command {
        self.command.unwrap_or(Command::Run(self.run))
    }
}

impl Run {
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

    fn parse(line: &str) -> Result<Command, clap::Error> {
        let words = std::iter::once("gaur-ics").chain(line.split_whitespace());
        Arguments::try_parse_from(words).map(Arguments::into_command)
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
        run("--guest --no-timeseal").apply(&mut config);
        assert!(config.server.guest && !config.server.timeseal);
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
