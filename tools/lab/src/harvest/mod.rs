//! `gaur-lab harvest`: generates self-play games in the background, into numbered files of a folder.
//!
//! The files are those of `gaur-lab datagen` with consecutive seeds. The folder itself is the only state: a run that
//! was stopped or killed continues with the incomplete file, and `gaur-lab data count FOLDER` reads all files.

mod folder;
mod idle_cores;
mod priority;
mod status;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::game_file::NodeLimit;

use crate::LabError;
use crate::datagen::{GameArgs, GameSettings, Generator, Totals};
use crate::interrupt::Interrupt;
use crate::warning::warn;
use folder::{Folder, single};
use status::Status;

/// Node limits where the command line gives none. Searches with a limit of 2,000 nodes visit ten times as many nodes as
/// those with 250, so that these shares give them a fifth of the time.
const DEFAULT_LIMITS: [NodeLimit; 2] = [
    NodeLimit {
        nodes: 250,
        permille: 975,
    },
    NodeLimit {
        nodes: 2000,
        permille: 25,
    },
];

/// Arguments of `gaur-lab harvest`.
#[derive(Clone, Debug, clap::Args)]
pub struct HarvestArgs {
    /// Folder for the game files; it is created if necessary
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Positions to stop at, such as 500M or 1G; all files *.games of runs in the folder count
    #[arg(long, value_name = "N", default_value = "1G", value_parser = count)]
    pub target: u64,
    /// Size of all game files to stop at, in bytes, such as 500M or 20G
    #[arg(long, value_name = "BYTES", default_value = "20G", value_parser = count)]
    pub max_disk: u64,
    /// Games per file
    #[arg(long, value_name = "N", default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1..))]
    pub games_per_file: u32,
    /// Smallest seed of new files; use distant seeds, and separate folders, on several machines
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub first_seed: u64,
    /// Also use processors that other programs use, at the idle priority
    #[arg(long)]
    pub ignore_load: bool,
    /// Options that determine the games
    #[command(flatten)]
    pub settings: GameArgs,
}

/// Parses a number with an optional suffix K, M or G.
fn count(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1e3),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1e6),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1e9),
        _ => (text, 1.0),
    };
    let number: f64 = digits.parse().unwrap_or(-1.0);
    let product = number * factor;
    match (0.0..1e18).contains(&product) {
        true => Ok(product as u64),
        false => Err("not a number such as 250000, 1.5M or 1G".to_owned()),
    }
}

/// Generates games until the target, the disk limit or a signal ends it, and prints the totals.
///
/// # Errors
/// If an argument is wrong, another process generates games into the folder, or a file cannot be written.
pub fn run_harvest(args: &HarvestArgs, out: &mut impl Write) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let settings = GameSettings::new(&args.settings, &DEFAULT_LIMITS)?;
    if let Err(reason) = priority::lower() {
        warn(format_args!("the priority cannot be lowered: {reason}"));
    }
    let allowed = AtomicUsize::new(args.settings.threads);
    let finished = Interrupt::default();
    let outcome = thread::scope(|scope| {
        if !args.ignore_load {
            scope.spawn(|| idle_cores::watch(&allowed, &finished));
        }
        let outcome = harvest(args, &settings, &allowed, &interrupt);
        finished.set();
        outcome
    })?;
    Ok(writeln!(out, "{outcome}")?)
}

/// Generates games with at most `allowed` threads at a time, and returns the reason for its end, with the totals.
///
/// # Errors
/// If an argument is wrong, another process works on the folder, or a file cannot be written.
fn harvest(
    args: &HarvestArgs,
    settings: &GameSettings,
    allowed: &AtomicUsize,
    interrupt: &Interrupt,
) -> Result<String, LabError> {
    let Some(mut folder) = Folder::open(&args.folder, args.first_seed, interrupt)? else {
        return Ok("stopped by a signal".to_owned());
    };
    let others = folder.files_of_others(settings);
    if others > 0 {
        warn(format_args!(
            "{others} files of {} have other settings or are of another version of Gaur; \
             they count, and stay as they are",
            args.folder.display()
        ));
    }
    let mut status = Status::new(folder.totals(), args.target, &settings.limits);
    let is_enough =
        |totals: Totals| totals.positions >= args.target || totals.bytes >= args.max_disk;
    while !interrupt.is_set() && !is_enough(folder.totals()) {
        let (limit, file) = folder.next(settings, args.games_per_file)?;
        let settings = single(settings, limit);
        let generator = match Generator::open(&settings, file.seed, &file.path, args.games_per_file)
        {
            Ok(generator) => generator,
            Err(error) if folder.exclude(&file) => {
                warn(format_args!("{error}; the file is not continued"));
                continue;
            }
            Err(error) => return Err(error),
        };
        let others = folder.totals_without(&file);
        let mut totals = generator.totals();
        let result = generator.run(args.settings.threads, allowed, interrupt, |now| {
            totals = now;
            let is_waiting = allowed.load(Ordering::Relaxed) == 0;
            status.show(others + now, limit.nodes, is_waiting);
            match is_enough(others + now) {
                // The next call continues the file.
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        folder.update(&settings, &file, totals);
        result.map_err(|error| LabError::Data(file.path.clone(), error))?;
    }
    let totals = folder.totals();
    let reason = if totals.positions >= args.target {
        "target reached"
    } else if totals.bytes >= args.max_disk {
        "disk limit reached; raise --max-disk to continue"
    } else {
        "stopped by a signal"
    };
    Ok(format!("{reason}: {totals}"))
}
