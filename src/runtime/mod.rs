//! The outside world: bytes, threads, signals and the time of day. No chess.

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

/// How long we wait at the end, all in all, for the last lines to be read, for the log, and for the search to end its
/// threads, before we leave without. What is owed at `quit` may have taken its time before; a GUI waits half a second.
const FAREWELL: Duration = Duration::from_millis(200);

/// What a person at a terminal reads first.
const GREETING: &str = concat!(
    "Gaur ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for xboard and WinBoard. Type a move to play, \"help\" for the commands, \"quit\" to leave."
);

/// Speaks xboard on standard input and output until the end.
pub fn play() -> ExitCode {
    let mut config = Config::default();
    if let Some(folder) = std::env::var_os(log::VARIABLE) {
        let set = config.set(LOG_FOLDER, folder.to_str());
        if let Err(error) = set {
            complain(&format!("{}: {error}", log::VARIABLE));
        }
    }
    let (log, log_trouble) = match Log::start(Instant::now()) {
        Ok(started) => started,
        Err(error) => {
            complain(&format!("there is no thread for the log: {error}"));
            return ExitCode::FAILURE;
        }
    };
    log.note_panics();
    log.configure(&config.log, &config.summary());
    let SearchHandle {
        orders,
        events,
        thread,
    } = match search::start(config.search.clone(), Network::embedded()) {
        Ok(search) => search,
        Err(error) => {
            complain(&format!("the search cannot be started: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let input = match input::read(io::stdin()) {
        Ok(input) => input,
        Err(error) => {
            complain(&format!("standard input cannot be read: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let signals = signals::watch();
    let terminal = io::stdin().is_terminal();
    let said = log.clone();
    let output = match Output::start(io::stdout(), move |lines| said.sent(lines)) {
        Ok(output) => output,
        Err(error) => {
            complain(&format!("standard output cannot be written: {error}"));
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
        hurried: None,
        networks: NetworkReader::new(),
        log: log.clone(),
        log_trouble,
        output,
    }
    .run();

    let deadline = output.finish(FAREWELL);
    log.flush(deadline);
    // The driver has told the search to quit; the process ends with or without it.
    while !thread.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    ExitCode::SUCCESS
}

/// Says something on standard error. Nobody may be there to read it, and that must not matter.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "gaur: {text}");
}
