//! From the command line to play or to a tool.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use gaur::runtime;
use gaur::tools::{
    self, BenchArgs, DataCommand, DatagenArgs, DuelArgs, EpdArgs, EvalArgs, HarvestArgs,
    LatencyArgs, PerftArgs, ScreenArgs, Solver, SpsaArgs, ToolError, TuneArgs,
};

/// A chess engine that speaks the xboard/WinBoard protocol (CECP v2).
///
/// Without a command it speaks the protocol on standard input and output.
#[derive(Parser)]
#[command(name = "gaur", version, about, long_about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaves of the tree of legal moves
    Perft(PerftArgs),
    /// Search a fixed set of positions; the node count tells builds apart that play differently
    Bench(BenchArgs),
    /// Solve a suite of best-move positions
    Epd(EpdArgs),
    /// Play games against itself and write them to a file, as data for training
    Datagen(DatagenArgs),
    /// Play games against itself into a folder at the lowest priority, file after file
    Harvest(HarvestArgs),
    /// Count, check, repair, shuffle, filter and convert games
    #[command(subcommand)]
    Data(DataCommand),
    /// Fit the weights of the classical evaluation to games
    Tune(TuneArgs),
    /// Let two settings of the search play each other at a number of nodes a move
    Duel(DuelArgs),
    /// Tune parameters of the search by games, in a build with the feature `lab`
    Spsa(SpsaArgs),
    /// Measure what many changes of the search are worth in the same games, in a build with the feature `lab`
    Screen(ScreenArgs),
    /// Measure the time from a line on standard input to its effect
    Latency(LatencyArgs),
    /// Show the static evaluation of a position, by terms and by the network
    Eval(EvalArgs),
}

/// The exit code for arguments and files that are wrong, as clap's own.
const USAGE: u8 = 2;

/// Exit code of `gaur data verify` for damaged files.
const UNSOUND: u8 = 1;

fn main() -> ExitCode {
    match Arguments::parse().command {
        None => runtime::play(),
        Some(command) => match run(&command) {
            Ok(()) => ExitCode::SUCCESS,
            // Whoever closed the pipe has read enough.
            Err(ToolError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                // Nobody may be there to read it.
                let _ = writeln!(io::stderr(), "gaur: {error}");
                ExitCode::from(match error {
                    ToolError::UnsoundFiles { .. } => UNSOUND,
                    _ => USAGE,
                })
            }
        },
    }
}

fn run(command: &Command) -> Result<(), ToolError> {
    let mut out = io::stdout().lock();
    match command {
        Command::Perft(arguments) => tools::run_perft(arguments, &mut out)?,
        Command::Bench(arguments) => tools::run_bench(arguments, &mut out)?,
        Command::Duel(arguments) => tools::run_duel(arguments, &mut out)?,
        Command::Spsa(arguments) => tools::run_spsa(arguments, &mut out)?,
        Command::Screen(arguments) => tools::run_screen(arguments, &mut out)?,
        Command::Datagen(arguments) => tools::run_datagen(arguments, &mut out)?,
        Command::Harvest(arguments) => tools::run_harvest(arguments, &mut out)?,
        Command::Tune(arguments) => tools::run_tune(arguments, &mut out)?,
        Command::Data(command) => tools::run_data(command, &mut out)?,
        Command::Latency(arguments) => tools::run_latency(arguments, &mut out)?,
        Command::Eval(arguments) => tools::run_eval(arguments, &mut out)?,
        Command::Epd(arguments) => {
            let mut solver = Solver::start(tools::config_with(
                &arguments.set,
                tools::AcceptedOptions::Search,
            )?)?;
            tools::run_epd(
                arguments,
                |position, time| solver.solve(position, time),
                &mut out,
            )?;
        }
    }
    Ok(())
}
