//! The connection to the operating system: standard input and output, files, threads and signals.
//!
//! This is the only module of the engine that accesses files. It contains no chess.

mod driver;
mod file_work;
mod files;
mod input;
mod log;
mod network_file;
mod output;
mod signals;
mod standard_error;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::config::{Config, LOG_FOLDER};
use crate::eval::Network;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::search::{self, SearchHandle};

use driver::Driver;
use file_work::FileWork;
pub use files::create_beside;
use log::Log;
pub use network_file::{NetworkFileError, read_network};
use output::Output;
use standard_error::print_error;

/// Time that the program waits at its end for the GUI to read the last lines, for the log and for the threads of the
/// search. A pending move or pong may have taken its time before; GUIs wait about 500 ms for the process to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

/// Time that the program waits at its end for a settings file that is being written.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// First line at a terminal.
const GREETING: &str = concat!(
    "Gaur ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for xboard and WinBoard. Type a move to play, \"help\" for the commands, \"quit\" to leave."
);

/// A reason why the engine cannot start.
#[derive(Debug, Error)]
enum StartError {
    /// The thread of the log cannot be created.
    #[error("there is no thread for the log: {0}")]
    Log(#[source] io::Error),
    /// The thread of the search controller cannot be created.
    #[error("the search cannot be started: {0}")]
    Search(#[source] io::Error),
    /// The thread that reads standard input cannot be created.
    #[error("standard input cannot be read: {0}")]
    Input(#[source] io::Error),
    /// The thread that writes standard output cannot be created.
    #[error("standard output cannot be written: {0}")]
    Output(#[source] io::Error),
}

/// Runs the engine with the xboard protocol on standard input and output until it ends.
pub fn play() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), StartError> {
    // Before anything is written.
    signals::ignore();
    let mut config = Config::default();
    if let Some(folder) = std::env::var_os(log::VARIABLE) {
        let result = config.set(LOG_FOLDER, Some(&folder.to_string_lossy()));
        if let Err(error) = result {
            print_error(&format!("{}: {error}", log::VARIABLE));
        }
    }
    let (log, log_failures) = Log::start(Instant::now()).map_err(StartError::Log)?;
    log.log_panics();
    log.configure(&config.log, &config.summary());
    let (event_sender, events) = crossbeam_channel::unbounded();
    // There is no receiver only while the program ends.
    let on_event = Box::new(move |event| event_sender.send(event).unwrap_or_default());
    let SearchHandle { orders, thread } =
        search::start(config.search.clone(), Network::embedded(), on_event)
            .map_err(StartError::Search)?;
    let input = input::read(io::stdin()).map_err(StartError::Input)?;
    let signals = signals::watch();
    let terminal = io::stdin().is_terminal();
    let output_log = log.clone();
    let output = Output::start(io::stdout(), move |lines| output_log.sent(lines))
        .map_err(StartError::Output)?;
    if terminal {
        output.print(GREETING.to_owned());
    }
    let machine = Machine::new(MachineSettings { terminal, config });
    let (output, files) = Driver {
        machine,
        input,
        events,
        orders,
        signals,
        deadline: crossbeam_channel::never(),
        move_now_deadline: None,
        files: FileWork::new(),
        log: log.clone(),
        log_failures,
        output,
    }
    .run();

    files.finish_writing(Instant::now() + WRITE_TIMEOUT);
    let deadline = output.finish(SHUTDOWN_TIMEOUT);
    log.flush(deadline);
    // The driver has ordered the search to quit. The process ends even if its threads do not.
    while !thread.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}
