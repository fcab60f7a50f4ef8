//! The connection to the operating system: standard input and output, files, threads and signals.
//!
//! This is the only module of the engine that accesses files, except books that it has opened. It contains no chess.

mod book_files;
mod descriptor;
mod driver;
mod encoding;
mod file_work;
mod files;
mod game_file;
mod input;
mod log;
mod memory_limit;
mod network_file;
mod output;
mod processor;
mod session;
mod signals;
mod standard_error;
mod start_arguments;
mod system_clock;
mod tablebase_files;
mod terminal_style;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::book::BookFile;
use crate::eval::Network;
use crate::messages::SearchEvent;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::search::{self, SearchHandle};
use crate::terminal::TerminalClient;

use descriptor::{InputEnd, Pipe};
use driver::{Driver, ThreadPanicked};
use file_work::FileWork;
pub use files::create_beside;
use log::Log;
pub use network_file::{NetworkFileError, read_network};
use output::{Destination, Output};
pub use processor::processor_error;
use session::{Parts, SharedSession};
use standard_error::print_error;
pub use start_arguments::{START_VARIABLES, StartArguments};

/// Time that the program waits at its end for a settings file that is being written, and for standard error.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// A reason why the engine cannot start or continue.
#[derive(Debug, Error)]
enum RunError {
    /// The system provides too little memory.
    #[error(
        "there is too little memory to start; raise the limit of the process (ulimit -v) or end other programs"
    )]
    Memory,
    /// The thread of the log cannot be created.
    #[error("there is no thread for the log: {0}")]
    Log(#[source] io::Error),
    /// The search thread cannot be created.
    #[error("the search cannot be started: {0}")]
    Search(#[source] io::Error),
    /// The thread that reads standard input cannot be created.
    #[error("standard input cannot be read: {0}")]
    Input(#[source] io::Error),
    /// The thread that writes standard output cannot be created.
    #[error("standard output cannot be written: {0}")]
    Output(#[source] io::Error),
    /// A thread has panicked and printed its message.
    #[error("an internal error has ended the program")]
    Panic,
}

/// Runs the engine with the xboard protocol on standard input and output until it ends. The arguments and environment
/// variables set options before the first command. If standard input is a terminal, a person plays at it until `xboard`
/// arrives.
pub fn play(arguments: &StartArguments) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &StartArguments) -> Result<(), RunError> {
    memory_limit::share_one_arena();
    if !search::can_start() {
        return Err(RunError::Memory);
    }
    // Before anything is written.
    signals::ignore();
    signals::continue_without_parent();
    let start = arguments.settings(|name| std::env::var_os(name));
    let config = start_arguments::initial_config(&start);
    let (log, log_failures) = Log::start(Instant::now()).map_err(RunError::Log)?;
    log.log_panics();
    log.configure(&config.log, &config.summary());
    for setting in start.files.iter().chain(&start.options) {
        log.comment(&setting.description);
    }
    let is_terminal = io::stdin().is_terminal();
    let terminal =
        is_terminal.then(|| TerminalClient::new(terminal_style::environment(arguments.plain)));
    let output_log = log.clone();
    let destination = match Pipe::new(&io::stdout()) {
        Some(pipe) => Destination::Pipe(pipe),
        None => Destination::Stream(Box::new(io::stdout())),
    };
    let output = Output::start(destination, move |lines| output_log.sent(lines))
        .map_err(RunError::Output)?;
    let files = FileWork::new();
    let (search, network) = (config.search.clone(), Network::embedded());
    let (session, notices) = SharedSession::new(Parts {
        machine: Machine::new(MachineSettings {
            is_terminal,
            config,
            start,
            built_in_book: Some(Arc::new(BookFile::built_in())),
            book_seed: RandomState::new().build_hasher().finish(),
        }),
        terminal,
        files: files.clone(),
        log: log.clone(),
        output: output.clone(),
        input_end: InputEnd::of(&io::stdin()),
    });
    let events = EventReceiver(Arc::clone(&session));
    let on_event = Box::new(move |event| events.receive(event));
    let SearchHandle {
        orders,
        immediate,
        thread,
    } = search::start(search, network, on_event).map_err(RunError::Search)?;
    session.connect_search(orders, immediate);
    // Before the first output, to which a person may answer by an interrupt.
    let unfinished = files.clone();
    let signals = signals::watch(session.is_interactive(), move || {
        unfinished.finish_writing(Instant::now() + WRITE_TIMEOUT)
    });
    session.start();
    session.greet();
    let (input_session, notice) = (Arc::clone(&session), session.notice_of_panic());
    input::read(io::stdin(), move |input| {
        let _ = &notice;
        input_session.on_input(input)
    })
    .map_err(RunError::Input)?;
    let result = Driver {
        session: Arc::clone(&session),
        notices,
        signals,
        files: files.results.clone(),
        log_failures,
        output_ended: output.ended().clone(),
    }
    .run();

    files.finish_writing(Instant::now() + WRITE_TIMEOUT);
    session.finish_errors(Instant::now() + WRITE_TIMEOUT);
    let deadline = output.finish(session.shutdown_timeout());
    log.flush(deadline);
    // The session has ordered the search to quit. The process ends even if its threads do not.
    while !thread.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    result.map_err(|ThreadPanicked| RunError::Panic)
}

/// Hands the events of the search to the session, and reports the end of the search when it is dropped.
struct EventReceiver(Arc<SharedSession>);

impl EventReceiver {
    fn receive(&self, event: SearchEvent) {
        self.0.on_search_event(event);
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        self.0.on_search_ended();
    }
}
