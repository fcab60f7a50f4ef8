//! The command line of `gaur-lab`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use gaur_lab::{
    AblateArgs, BookArgs, DataCommand, DatagenArgs, DuelArgs, HarvestArgs, LabError, SpsaArgs,
    TuneArgs,
};

/// Tools for the developers of the chess engine Gaur
#[derive(Parser)]
#[command(name = "gaur-lab", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of Gaur against itself and write them to a file, as training data
    Datagen(DatagenArgs),
    /// Play games of Gaur against itself at the lowest priority, into numbered files of a folder
    Harvest(HarvestArgs),
    /// Count, check, repair, shuffle, filter and convert games
    #[command(subcommand)]
    Data(DataCommand),
    /// Write test vectors of the input features of networks as JSON
    Features,
    /// Fit the weights of the classical evaluation to games
    Tune(TuneArgs),
    /// Play two networks or settings against each other, with a fixed number of nodes per move
    Duel(DuelArgs),
    /// Tune search parameters by games (requires the feature `tuning`)
    Spsa(SpsaArgs),
    /// Measure the effect of many changes of the search in the same games: factorial ablation (requires the feature
    /// `tuning`)
    Ablate(AblateArgs),
    /// Generate an opening book from opening lines and Gaur's own analysis
    Book(BookArgs),
}

/// Exit status for wrong arguments and files; the same as clap's.
const USAGE: u8 = 2;

/// Exit status of `gaur-lab data verify` for damaged files.
const UNSOUND: u8 = 1;

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has closed the pipe has read enough.
        Err(LabError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Standard error may be closed, too.
            let _ = writeln!(io::stderr(), "gaur-lab: {error}");
            ExitCode::from(match error {
                LabError::UnsoundFiles { .. } => UNSOUND,
                _ => USAGE,
            })
        }
    }
}

fn run(command: &Command) -> Result<(), LabError> {
    let mut out = io::stdout().lock();
    match command {
        Command::Datagen(arguments) => gaur_lab::run_datagen(arguments, &mut out),
        Command::Harvest(arguments) => gaur_lab::run_harvest(arguments, &mut out),
        Command::Data(command) => gaur_lab::run_data(command, &mut out),
        Command::Features => gaur_lab::run_features(&mut out),
        Command::Tune(arguments) => gaur_lab::run_tune(arguments, &mut out),
        Command::Duel(arguments) => gaur_lab::run_duel(arguments, &mut out),
        Command::Spsa(arguments) => gaur_lab::run_spsa(arguments, &mut out),
        Command::Ablate(arguments) => gaur_lab::run_ablate(arguments, &mut out),
        Command::Book(arguments) => gaur_lab::run_book(arguments, &mut out),
    }
}
