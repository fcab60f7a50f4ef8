//! `gaur-lab data`: counts, checks, repairs and converts game files.

mod bulletformat;
mod conditions;
mod convert;
mod counts;
mod repair;
mod rewrite;
mod samples;
mod verify;
mod viriformat;

#[cfg(test)]
mod random_games;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use crate::game_file::GameReader;

use crate::LabError;
use crate::game_input::{Runs, for_each_game, game_files};
use crate::progress::Progress;
use crate::warning::warn;
use convert::Form;
use counts::Counts;

pub use conditions::Conditions;
pub use samples::SampleArgs;

/// Commands for game files. Where several files are possible, a folder stands for all files `*.games` in it.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum DataCommand {
    /// Print a table of games, positions, results, lengths and game phases
    Count {
        /// Game files or folders with such files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Check checksums and replay every game; exit with status 1 if a file is damaged or a game illegal
    Verify {
        /// Game files or folders with such files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Copy the intact games of a damaged file, or of one of an older version, into a new file
    Repair {
        /// Game file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// New file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the games of all files in random order into a new file
    Shuffle {
        /// Game files or folders with such files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Seed of the random numbers; the same seed gives the same order
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// New file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the games that meet all conditions into a new file
    Filter {
        /// Game files or folders with such files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Conditions that select games
        #[command(flatten)]
        conditions: Conditions,
        /// New file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the quiet positions of all games in random order as samples for the training of networks
    Samples(SampleArgs),
    /// Write games or positions in another format
    Convert {
        /// Game files or folders with such files; for `--to bulletformat` also sample files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Format
        #[arg(long, value_enum)]
        to: Form,
        /// New file; without this option, standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Carries out a command and writes its answer to `out`.
///
/// # Errors
/// If a file cannot be read or written, is unsound, or the answer cannot be written.
pub fn run_data(command: &DataCommand, out: &mut impl Write) -> Result<(), LabError> {
    match command {
        DataCommand::Count { files } => count(&game_files(files)?, out),
        DataCommand::Verify { files } => verify::run(&game_files(files)?, out),
        DataCommand::Repair { file, out: path } => repair::run(file, path, out),
        DataCommand::Shuffle {
            files,
            seed,
            out: path,
        } => rewrite::shuffle(&game_files(files)?, *seed, path, out),
        DataCommand::Filter {
            files,
            conditions,
            out: path,
        } => rewrite::filter(&game_files(files)?, conditions, path, out),
        DataCommand::Samples(args) => samples::run(args, &game_files(&args.files)?, out),
        DataCommand::Convert {
            files,
            to,
            out: path,
        } => convert::run(&game_files(files)?, *to, path.as_deref(), out),
    }
}

fn count(files: &[PathBuf], out: &mut impl Write) -> Result<(), LabError> {
    let mut counts = Counts::default();
    let mut progress = Progress::new(0, files.len() as u64);
    let mut runs = Runs::default();
    for file in files {
        match GameReader::open(file) {
            Ok(reader) => runs.add(file, reader.header()),
            // A file of a folder may be damaged or foreign; the others still count.
            Err(error) if files.len() > 1 => {
                warn(format_args!(
                    "{}: {error}; the file is not counted",
                    file.display()
                ));
                continue;
            }
            Err(error) => return Err(LabError::Data(file.clone(), error)),
        }
        let reading = for_each_game(file, |game| {
            counts.add(&game);
            Ok(())
        })?;
        counts.add_file(file, &reading);
        progress.step(|| "files".to_owned());
    }
    progress.finish();
    Ok(write!(out, "{counts}")?)
}
