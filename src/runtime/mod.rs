//! The outside world: bytes, threads, signals and the time of day. No chess.

mod driver;
mod files;
mod input;
mod output;
mod signals;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::config::Config;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::search::{self, SearchHandle};

use driver::Driver;
use output::Output;

/// How long the search may take to end its threads before we leave without waiting for it.
const FAREWELL: Duration = Duration::from_millis(300);

/// What a person at a terminal reads first.
const GREETING: &str = concat!(
    "Gaur ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for xboard and WinBoard. Type a move to play, \"help\" for the commands."
);

/// Speaks xboard on standard input and output until the end.
pub fn play() -> ExitCode {
    let config = Config::default();
    let SearchHandle {
        orders,
        events,
        thread,
    } = match search::start(config.clone()) {
        Ok(search) => search,
        Err(error) => {
            eprintln!("gaur: the search cannot be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let input = match input::read(io::stdin()) {
        Ok(input) => input,
        Err(error) => {
            eprintln!("gaur: standard input cannot be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    let signals = signals::watch();
    let terminal = io::stdin().is_terminal();
    let mut output = Output::new(io::stdout());
    if terminal && output.print(GREETING).is_err() {
        return ExitCode::SUCCESS;
    }
    let machine = Machine::new(MachineSettings { terminal, config });
    Driver {
        machine,
        input,
        events,
        orders,
        signals,
        deadline: crossbeam_channel::never(),
        output,
    }
    .run();

    // The driver has told the search to quit; the process ends with or without it.
    let deadline = Instant::now() + FAREWELL;
    while !thread.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    ExitCode::SUCCESS
}
