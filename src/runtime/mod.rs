//! The connection to the operating system: standard input and output, files, threads and signals.
//!
//! This is the only module of the engine that accesses files. It contains no chess.

mod driver;
mod files;
mod input;
mod log;
mod network_file;
mod output;
mod signals;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::config::{Config, LOG_FOLDER};
use crate::eval::Network;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::search::{self, SearchHandle};

use driver::Driver;
use log::Log;
use network_file::NetworkReader;
pub use network_file::{NetworkFileError, read_network};
use output::Output;

/// Time that the program waits at its end for the GUI to read the last lines, for the log and for the threads of the
/// search. A pending move or pong may have taken its time before; GUIs wait about 500 ms for the process to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

/// First line at a terminal.
const GREETING: &str = concat!(
    "Gaur ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for xboard and WinBoard. Type a move to play, \"help\" for the commands, \"quit\" to leave."
);

/// Runs the engine with the xboard protocol on standard input and output until it ends.
pub fn play() -> ExitCode {
    let mut config = Config::default();
    if let Some(folder) = std::env::var_os(log::VARIABLE) {
        let set = config.set(LOG_FOLDER, folder.to_str());
        if let Err(error) = set {
            print_error(&format!("{}: {error}", log::VARIABLE));
        }
    }
    let (log, log_failures) = match Log::start(Instant::now()) {
        Ok(started) => started,
        Err(error) => {
            print_error(&format!("there is no thread for the log: {error}"));
            return ExitCode::FAILURE;
        }
    };
    log.log_panics();
    log.configure(&config.log, &config.summary());
    let SearchHandle {
        orders,
        events,
        thread,
    } = match search::start(config.search.clone(), Network::embedded()) {
        Ok(search) => search,
        Err(error) => {
            print_error(&format!("the search cannot be started: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let input = match input::read(io::stdin()) {
        Ok(input) => input,
        Err(error) => {
            print_error(&format!("standard input cannot be read: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let signals = signals::watch();
    let terminal = io::stdin().is_terminal();
    let output_log = log.clone();
    let output = match Output::start(io::stdout(), move |lines| output_log.sent(lines)) {
        Ok(output) => output,
        Err(error) => {
            print_error(&format!("standard output cannot be written: {error}"));
            return ExitCode::FAILURE;
        }
    };
    if terminal {
        output.print(GREETING.to_owned());
    }
    let machine = Machine::new(MachineSettings { terminal, config });
    let output = Driver {
        machine,
        input,
        events,
        orders,
        signals,
        deadline: crossbeam_channel::never(),
        move_now_deadline: None,
        networks: NetworkReader::new(),
        log: log.clone(),
        log_failures,
        output,
    }
    .run();

    let deadline = output.finish(SHUTDOWN_TIMEOUT);
    log.flush(deadline);
    // The driver has ordered the search to quit. The process ends even if its threads do not.
    while !thread.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    ExitCode::SUCCESS
}

/// Prints an error message on standard error, which may be closed.
fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "gaur: {text}");
}
