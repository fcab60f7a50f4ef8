//! The command line of `gaur`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use gaur::protocol::format::escape_invisible;
use gaur::runtime::{self, StartArguments};
use gaur::tools::{
    self, BenchArgs, BookCommand, CompletionsArgs, EpdArgs, EvalArgs, LatencyArgs, PerftArgs,
    Solver, ToolError,
};

/// A chess engine that speaks the xboard/WinBoard protocol (CECP v2).
///
/// Without a command it speaks the protocol on standard input and output, or plays against you at a terminal.
#[derive(Parser)]
#[command(name = "gaur", version, long_version = tools::LONG_VERSION.as_str(), about, long_about)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    start: StartArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaf nodes of the tree of legal moves
    Perft(PerftArgs),
    /// Search a fixed set of positions; the node count identifies how this build plays
    Bench(BenchArgs),
    /// Solve a suite of best-move positions
    Epd(EpdArgs),
    /// Make, edit, show and check opening books in the Polyglot format
    #[command(subcommand)]
    Book(BookCommand),
    /// Measure response times to commands over pipes
    Latency(LatencyArgs),
    /// Show the static evaluation of a position, by terms and by the network
    Eval(EvalArgs),
    /// Print a script for a shell that completes commands and arguments
    Completions(CompletionsArgs),
    /// Print the manual page gaur(6) in roff, for `man -l -`
    Man,
}

/// Exit status for wrong arguments and files; the same as clap's.
const USAGE: u8 = 2;

/// Exit status of `gaur book check` for a faulty book.
const FAULTY: u8 = 1;

fn main() -> ExitCode {
    // First: any other code may contain instructions that the processor lacks.
    if let Some(error) = runtime::processor_error() {
        // A GUI shows the first line, a terminal the second one.
        let _ = writeln!(io::stdout(), "tellusererror gaur: {error}");
        let _ = writeln!(io::stderr(), "gaur: {error}");
        return ExitCode::FAILURE;
    }
    let words = without_empty_end(std::env::args_os().collect());
    let arguments =
        Arguments::try_parse_from(words).unwrap_or_else(|error| explained(error).exit());
    match arguments.command {
        None => runtime::play(&arguments.start),
        Some(command) => match run(&command) {
            Ok(()) => ExitCode::SUCCESS,
            // A reader that has closed the pipe has read enough.
            Err(ToolError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                let status = match error {
                    ToolError::FaultyBook(_) => FAULTY,
                    _ => USAGE,
                };
                // Standard error may be closed, too.
                let error = escape_invisible(&error.to_string());
                let _ = writeln!(io::stderr(), "gaur: {error}");
                ExitCode::from(status)
            }
        },
    }
}

/// Returns an error of the command line. If arguments for a game precede a command, it states where those of the
/// command belong; if they precede another word, the error is that of the word alone.
fn explained(error: clap::Error) -> clap::Error {
    let (ErrorKind::ArgumentConflict, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return error;
    };
    if Arguments::command().find_subcommand(name).is_none() {
        return Arguments::try_parse_from(["gaur", name])
            .err()
            .unwrap_or(error);
    }
    Arguments::command().error(
        ErrorKind::ArgumentConflict,
        format!(
            "arguments before '{name}' are for a game; write those of '{name}' after it, and list them with 'gaur \
             help {name}'"
        ),
    )
}

/// Removes empty arguments at the end, except the value of an option. XBoard adds one to an engine command that ends
/// with a quotation mark or a space.
fn without_empty_end(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = Arguments::command();
    while let [.., before, last] = arguments.as_slice()
        && last.is_empty()
        && !needs_value(&command, before)
    {
        arguments.pop();
    }
    arguments
}

/// Returns `true` if a word is the name of an option, of this command or of one below it, whose value is the next word.
fn needs_value(command: &clap::Command, word: &OsStr) -> bool {
    let name = word.to_str().and_then(|word| word.strip_prefix("--"));
    let is_named =
        |argument: &clap::Arg| argument.get_action().takes_values() && argument.get_long() == name;
    let mut below = command.get_subcommands();
    name.is_some() && command.get_arguments().any(is_named)
        || below.any(|command| needs_value(command, word))
}

fn run(command: &Command) -> Result<(), ToolError> {
    let mut out = io::stdout().lock();
    match command {
        Command::Perft(arguments) => tools::run_perft(arguments, &mut out)?,
        Command::Bench(arguments) => tools::run_bench(arguments, &mut out)?,
        Command::Book(command) => tools::run_book(command, &mut out)?,
        Command::Latency(arguments) => tools::run_latency(arguments, &mut out)?,
        Command::Eval(arguments) => tools::run_eval(arguments, &mut out)?,
        Command::Completions(arguments) => {
            tools::run_completions(arguments, Arguments::command(), &mut out)?;
        }
        Command::Man => tools::run_man(Arguments::command(), &mut out)?,
        Command::Epd(arguments) => {
            let config = tools::config_with(&arguments.set, tools::AcceptedOptions::Search)?;
            let mut solver = Solver::start(config.search)?;
            tools::run_epd(
                arguments,
                |position, time| solver.solve(position, time),
                &mut out,
            )?;
        }
    }
    Ok(())
}
