//! The program `gaur-ics`: plays with an xboard engine on a chess server.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::CommandFactory;

use gaur_ics::arguments::{Arguments, Command, ExitStatus, Run};
use gaur_ics::config::{Config, EXAMPLE, PASSWORD_VARIABLE, Password};
use gaur_ics::engine::EngineSpec;
use gaur_ics::manual;
use gaur_ics::session::{self, Exit};
use gaur_ics::setup::{Finding, Weight, engine_spec, findings, outputs};

/// Time to print the reason of a failure.
const FAILURE: Duration = Duration::from_secs(2);

/// Reason for which the program does not start, and its exit status.
struct Failure(ExitStatus, String);

/// A configuration that fits this machine.
struct Prepared {
    config: Config,
    password: Option<Password>,
    spec: EngineSpec,
}

fn main() -> ExitCode {
    let command = match Arguments::read(std::env::args_os()) {
        Ok(command) => command,
        // Prints the error, or the help, and ends with status 2 or 0.
        Err(error) => error.exit(),
    };
    let result = match command {
        Command::Example => print(EXAMPLE),
        Command::Completions { shell } => print(&manual::completions(Arguments::command(), shell)),
        Command::Man => print(&manual::page(Arguments::command())),
        Command::Check(arguments) => check(&arguments),
        Command::Run(arguments) => run(&arguments),
    };
    match result {
        Ok(status) => status.into(),
        Err(Failure(status, text)) => {
            report(text);
            status.into()
        }
    }
}

/// Prints a text on standard error, which may be closed. A terminal that is stopped must not keep the program from its
/// end, so that another thread prints, for a limited time.
fn report(text: String) {
    let (printing, done) = std::sync::mpsc::channel::<()>();
    let print = move || {
        for line in text.lines() {
            let _ = writeln!(io::stderr(), "gaur-ics: {line}");
        }
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

/// Reads the configuration, replaces values by those of the command line, and checks what the machine lacks for it.
/// Warnings are printed.
///
/// # Errors
///
/// Returns all mistakes that can be found.
fn prepare(arguments: &Run) -> Result<Prepared, Failure> {
    let loaded = arguments.file.as_deref().map(Config::load_partly);
    let (mut config, mistakes) = match loaded.unwrap_or_else(|| Ok(Config::default())) {
        Ok(config) => (config, None),
        Err((error, Some(config))) => (*config, Some(error)),
        Err((error, None)) => return Err(Failure(ExitStatus::Configuration, error.to_string())),
    };
    // What depends on a wrong value is not known.
    let is_known = |key: &str| mistakes.as_ref().is_none_or(|error| error.leaves(key));
    warn_of_other_account(arguments, &config);
    arguments.apply(&mut config);
    let spec = engine_spec(&config);
    let (warnings, found): (Vec<Finding>, Vec<Finding>) = findings(&config, &spec)
        .into_iter()
        .filter(|finding| is_known(&finding.key))
        .partition(|finding| finding.weight == Weight::Warning);
    for warning in &warnings {
        report(format!("warning: {}", located(arguments, warning)));
    }
    let mut lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    let mut password = None;
    let is_login_known = ["account", "guest", "password", "password_file"]
        .iter()
        .all(|key| is_known(&format!("server.{key}")));
    match config.require_account() {
        _ if !is_login_known => {}
        Err(error) => lines.push(of_file(arguments, "server.account", error.to_string())),
        Ok(()) => match config.server.password() {
            Err(error) => lines.push(of_file(
                arguments,
                "server.password_file",
                error.to_string(),
            )),
            Ok(text) => password = text,
        },
    }
    let is_engine = |finding: &Finding| finding.weight == Weight::Engine;
    let status = if lines.is_empty() && !found.is_empty() && found.iter().all(is_engine) {
        ExitStatus::Engine
    } else {
        ExitStatus::Configuration
    };
    lines.extend(found.iter().map(|finding| located(arguments, finding)));
    if lines.is_empty() {
        Ok(Prepared {
            config,
            password,
            spec,
        })
    } else {
        Err(Failure(status, lines.join("\n")))
    }
}

/// Prints a warning if the password of the file is that of another account than the one of the command line.
fn warn_of_other_account(arguments: &Run, config: &Config) {
    let server = &config.server;
    let has_variable = std::env::var_os(PASSWORD_VARIABLE).is_some_and(|text| !text.is_empty());
    if let (Some(name), Some(file)) = (&arguments.account, &server.password_file)
        && !server.account.is_empty()
        && !server.account.eq_ignore_ascii_case(name)
        && !has_variable
    {
        report(format!(
            "warning: --account: the password of {name} is read from {}, the file for {}",
            file.display(),
            server.account
        ));
    }
}

/// Returns the message with its place in the configuration file, if the file contains the key.
fn of_file(arguments: &Run, key: &str, message: String) -> String {
    let file = arguments.file.as_ref();
    match file.and_then(|file| Some((file, Config::position(file, key)?))) {
        Some((file, (line, column))) => {
            format!("{}:{line}:{column}: {key}: {message}", file.display())
        }
        None => message,
    }
}

/// Returns the message with its place: the argument, or the line of the configuration file.
fn located(arguments: &Run, finding: &Finding) -> String {
    let Finding { key, message, .. } = finding;
    if key == "engine.command" && arguments.engine.is_some() {
        return format!("--engine: {message}");
    }
    let text = of_file(arguments, key, message.clone());
    if text == *message {
        format!("{key}: {message}")
    } else {
        text
    }
}

fn check(arguments: &Run) -> Result<ExitStatus, Failure> {
    let Prepared { config, spec, .. } = prepare(arguments)?;
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
    let Prepared {
        config,
        password,
        spec,
    } = prepare(arguments)?;
    let outputs = outputs(&config).map_err(|found| {
        let lines: Vec<String> = found
            .iter()
            .map(|finding| located(arguments, finding))
            .collect();
        Failure(ExitStatus::Configuration, lines.join("\n"))
    })?;
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
