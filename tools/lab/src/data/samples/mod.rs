//! `gaur-lab data samples`: writes the quiet positions of games as samples for the training of networks.
//!
//! Memory is bounded, and the order is random across all files: positions are first distributed to temporary files by
//! their hash, which brings equal positions together; then each of these files is read, duplicates beyond the limit are
//! removed, and the rest is shuffled and appended.

mod buckets;
mod convert;
mod positions;
mod work_folder;

#[cfg(test)]
mod tests;

pub(super) use positions::samples as of_game;

use std::io::Write;
use std::path::PathBuf;

use crate::LabError;
use crate::digits::grouped;
use crate::game_input::{check_headers, try_read_games};
use crate::interrupt::Interrupt;
use crate::sample_file::{SampleKind, SampleWriter, Share};

use convert::{Output, Settings, must_not_exist};

/// Extension of the file of validation samples.
const VALIDATION: &str = "validation";

/// Largest number of threads. One thread reads the games, and more than a few only wait for it.
const MAX_THREADS: usize = 256;

/// Share of the validation games without the option.
const DEFAULT_SHARE: f64 = 0.01;

/// Options of `gaur-lab data samples`.
#[derive(Clone, Debug, clap::Args)]
pub struct SampleArgs {
    /// Game files or folders with such files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// New file of training samples; that of validation samples has the same name with the extension `validation`
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Share of the games that are used for validation only; without this option 0.01. With `--ordered` the file is
    /// limited to these games; without this option all games are written
    #[arg(long, value_name = "SHARE")]
    pub validation_share: Option<f64>,
    /// Largest number of occurrences of a position in a file; 0: no limit
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_occurrences: u32,
    /// Seed of the order; the same games, options and seed give the same files
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; 0: one for each processor
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    /// Write all positions in the order of the games into one file, for the comparison of networks
    #[arg(long, conflicts_with_all = ["max_occurrences", "seed", "threads"])]
    pub ordered: bool,
}

/// Writes the samples of all files.
///
/// # Errors
/// If a file cannot be read or written, a game is illegal, there are no samples, an option is wrong, or a signal has
/// been received. No new file remains then.
pub(super) fn run(
    args: &SampleArgs,
    files: &[PathBuf],
    out: &mut impl Write,
) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    check_headers(files)?;
    must_not_exist(&args.out)?;
    if args.ordered {
        return write_ordered(args, files, &interrupt, out);
    }
    let validation_share = share(args.validation_share.unwrap_or(DEFAULT_SHARE))?;
    let validation = args.out.with_extension(VALIDATION);
    if validation == args.out {
        let reason = format!("--out must not have the extension {VALIDATION}");
        return Err(LabError::Arguments(reason));
    }
    // A killed run may have left the validation file alone, with the folder. It stays if this run writes the same one.
    if !work_folder::path_beside(&args.out).exists() {
        must_not_exist(&validation)?;
    }
    let settings = Settings {
        validation_share,
        max_occurrences: args.max_occurrences,
        seed: args.seed,
        threads: match args.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
        .min(MAX_THREADS),
    };
    let output = Output {
        training: &args.out,
        validation: &validation,
    };
    let summary = convert::run(files, &settings, &output, &interrupt)?;
    Ok(write!(out, "{summary}")?)
}

/// Returns the share of the validation games that the option states.
fn share(option: f64) -> Result<Share, LabError> {
    Share::new(option).ok_or_else(|| {
        let reason = "--validation-share must be between 0 and 1";
        LabError::Arguments(reason.to_owned())
    })
}

/// Writes all positions in the order of the games: of all games, or of the validation games of a share.
fn write_ordered(
    args: &SampleArgs,
    files: &[PathBuf],
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), LabError> {
    let unwritable = |error| LabError::unwritable(&args.out, error);
    let share = args.validation_share.map_or(Ok(Share::ALL), share)?;
    if share.is_zero() {
        let reason = "--validation-share 0 leaves no game for --ordered; name a larger share";
        return Err(LabError::Arguments(reason.to_owned()));
    }
    let mut writer =
        SampleWriter::create(&args.out, SampleKind::Ordered, share, 0).map_err(unwritable)?;
    let mut games = 0;
    for file in files {
        let reading = try_read_games(file, |number, game| {
            LabError::if_interrupted(interrupt, &args.out)?;
            if !share.contains(game.identity()) {
                return Ok(());
            }
            games += 1;
            let samples = of_game(&game).map_err(|reason| LabError::BadGame {
                path: file.clone(),
                number,
                reason,
            })?;
            let records: Vec<_> = samples.iter().map(|sample| sample.to_bytes()).collect();
            writer.write(&records).map_err(unwritable)
        })?;
        reading.report(file);
    }
    if writer.records() == 0 {
        return Err(LabError::NoSamples(args.out.clone()));
    }
    let count = writer.finish(&args.out).map_err(unwritable)?;
    Ok(writeln!(
        out,
        "{}: {} positions of {} games, in the order of the games",
        args.out.display(),
        grouped(count),
        grouped(games)
    )?)
}
