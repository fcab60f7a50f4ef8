//! `gaur-lab datagen`: plays games of Gaur against itself, as data for tuning and training.

mod book;
mod game_settings;
mod generate;
mod opening;
mod play;
mod settings;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use crate::game_file::NodeLimit;

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

pub use settings::GameArgs;

pub(crate) use game_settings::GameSettings;
pub(super) use generate::{Generator, Totals};
pub(super) use opening::{OPENING_ATTEMPTS, standard_opening};
pub(super) use settings::fingerprint;

/// Node limit of games where the command line gives none.
const DEFAULT_LIMIT: NodeLimit = NodeLimit {
    nodes: 2000,
    permille: 1000,
};

/// Arguments of `gaur-lab datagen`.
#[derive(Clone, Debug, clap::Args)]
pub struct DatagenArgs {
    /// Number of games that the file has in the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Seed of the random numbers; the same seed gives the same games with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Options that determine the games
    #[command(flatten)]
    pub settings: GameArgs,
    /// Game file; an interrupted run continues in its file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Plays the games that the file lacks, and prints how many games it has.
///
/// # Errors
/// If an argument is wrong, the file cannot be written, is damaged or belongs to another run, or a signal ends the
/// run before the file has all games.
pub fn run_datagen(args: &DatagenArgs, out: &mut impl Write) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let Totals {
        games, positions, ..
    } = generate(args, &interrupt)?;
    if games < u64::from(args.games) {
        let of = args.games;
        return Err(LabError::GamesLacking { games, of });
    }
    writeln!(out, "{games} games, {positions} positions")?;
    Ok(())
}

fn generate(args: &DatagenArgs, interrupt: &Interrupt) -> Result<Totals, LabError> {
    let settings = GameSettings::new(&args.settings, &[DEFAULT_LIMIT])?;
    let generator = Generator::open(&settings, args.seed, &args.out, args.games)?;
    let before = generator.totals();
    let mut progress = Progress::new(before.games, before.games.max(args.games.into()));
    let started = Instant::now();
    let allowed = AtomicUsize::new(usize::MAX);
    let mut shown = before.games;
    let result = generator.run(args.settings.threads, &allowed, interrupt, |totals| {
        if totals.games > shown {
            shown = totals.games;
            progress.step(|| {
                let seconds = started.elapsed().as_secs_f64().max(1e-9);
                let rate = (totals.positions - before.positions) as f64 / seconds;
                format!("games, {} positions, {rate:.0}/s,", totals.positions)
            });
        }
        ControlFlow::Continue(())
    });
    progress.finish();
    result.map_err(|error| LabError::Data(args.out.clone(), error))
}
