//! The program `gaur-ics`: plays with an xboard engine on a chess server.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser};

use gaur_ics::arguments::{Arguments, Command, ExitStatus, Run};
use gaur_ics::config::{Config, EXAMPLE};
use gaur_ics::manual;
use gaur_ics::session::{self, Exit};
use gaur_ics::setup::{engine_spec, outputs};

/// Time to print the reason of a failure.
const FAILURE: Duration = Duration::from_secs(2);

/// Reason for which the program does not start, and its exit status.
struct Failure(ExitStatus, String);

fn main() -> ExitCode {
    let result = match Arguments::parse().into_command() {
        Command::Example => print(EXAMPLE),
        Command::Completions { shell } => print(&manual::completions(Arguments::command(), shell)),
        Command::Man => print(&manual::page(Arguments::command())),
        Command::Check(arguments) => check(&arguments),
        Command::Run(arguments) => run(&arguments),
    };
    match result {
        Ok(status) => status.into(),
        Err(Failure(status, text)) => {
            report_failure(text);
            status.into()
        }
    }
}

/// Prints the reason of a failure on standard error, which may be closed. A terminal that is stopped must not keep the
/// program from its end, so that another thread prints, for a limited time.
fn report_failure(text: String) {
    let (printing, done) = std::sync::mpsc::channel::<()>();
    let print = move || {
        let _ = writeln!(io::stderr(), "gaur-ics: {text}");
        drop(printing);
    };
    if std::thread::Builder::new().spawn(print).is_ok() {
        let _ = done.recv_timeout(FAILURE);
    }
}

/// Prints a text.
fn print(text: &str) -> Result<ExitStatus, Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader that has closed the pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure(
            ExitStatus::Failed,
            format!("the text cannot be written: {error}"),
        )),
        _ => Ok(ExitStatus::Stopped),
    }
}

/// Reads the configuration and replaces values by those of the command line.
fn configure(arguments: &Run) -> Result<Config, Failure> {
    let failure = |text: String| Failure(ExitStatus::Configuration, text);
    let mut config = match &arguments.file {
        Some(file) => Config::load(file).map_err(|error| failure(error.to_string()))?,
        None => Config::default(),
    };
    arguments.apply(&mut config);
    config
        .require_account()
        .map_err(|error| failure(error.to_string()))?;
    Ok(config)
}

fn check(arguments: &Run) -> Result<ExitStatus, Failure> {
    let config = configure(arguments)?;
    config
        .server
        .password()
        .map_err(|error| Failure(ExitStatus::Configuration, error.to_string()))?;
    let spec = engine_spec(&config);
    let text = format!(
        "the configuration is correct: {} on {} port {}, engine {}\n",
        if config.server.guest {
            "a guest"
        } else {
            &config.server.account
        },
        config.server.host,
        config.server.port,
        spec.command.join(" ")
    );
    // As above.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(ExitStatus::Stopped)
}

fn run(arguments: &Run) -> Result<ExitStatus, Failure> {
    let config = configure(arguments)?;
    let password = config
        .server
        .password()
        .map_err(|error| Failure(ExitStatus::Configuration, error.to_string()))?;
    let outputs = outputs(&config).map_err(|text| Failure(ExitStatus::Configuration, text))?;
    let spec = engine_spec(&config);
    let exit = session::run(config, spec, password, outputs).map_err(|error| {
        Failure(
            ExitStatus::Failed,
            format!("signals cannot be handled, or threads cannot be started: {error}"),
        )
    })?;
    match exit {
        Exit::Stopped => Ok(ExitStatus::Stopped),
        other => Err(Failure(other.status(), other.to_string())),
    }
}
