//! `gaur harvest`: self-play games generated in the background, file after file, into one folder.
//!
//! The files are those of `gaur datagen` with consecutive seeds. The folder itself is the only state: a run that was
//! stopped or killed continues with the incomplete file, and `gaur data count FOLDER` reads what there is.

mod folder;
mod priority;
mod status;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::data::NodeLimit;

use super::ToolError;
use super::datagen::{GameArgs, GameSettings, Generator};
use super::interrupt::Interrupt;
use folder::{Folder, single};
use status::Status;

/// Node limits where the command line gives none. Searches of 2,000 nodes take eight times as long, so that these
/// shares give them a fifth of the time.
const DEFAULT_LIMITS: [NodeLimit; 2] = [
    NodeLimit {
        nodes: 250,
        permille: 970,
    },
    NodeLimit {
        nodes: 2000,
        permille: 30,
    },
];

/// Bytes in a gigabyte.
const GIGABYTE: u64 = 1_000_000_000;

/// Arguments of `gaur harvest`.
#[derive(Clone, Debug, clap::Args)]
pub struct HarvestArgs {
    /// Folder for the game files; it is created if necessary
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Positions to stop at, such as 500M or 1G
    #[arg(long, value_name = "N", default_value = "1G", value_parser = count)]
    pub target: u64,
    /// Size of the folder in gigabytes to stop at
    #[arg(long, value_name = "GB", default_value_t = 20)]
    pub max_disk: u64,
    /// Games per file
    #[arg(long, value_name = "N", default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1..))]
    pub games_per_file: u32,
    /// Seed of the first file of an empty folder; use distant values where several machines generate games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub first_seed: u64,
    /// How games are played
    #[command(flatten)]
    pub settings: GameArgs,
}

/// Parses a number with an optional suffix K, M or G.
fn count(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_000_000),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "not a number, such as 250000, 500M or 1G".to_owned())?;
    number
        .checked_mul(factor)
        .ok_or_else(|| "too large".to_owned())
}

/// Generates games until the target, the disk limit or a signal ends it, and prints the totals.
///
/// # Errors
/// If an argument is wrong, another process generates games into the folder, or a file cannot be written.
pub fn run_harvest(args: &HarvestArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let interrupt = Interrupt::watch().map_err(ToolError::Signals)?;
    if let Err(reason) = priority::lower() {
        eprintln!("gaur: the priority cannot be lowered: {reason}");
    }
    let outcome = harvest(args, &interrupt)?;
    Ok(writeln!(out, "{outcome}")?)
}

fn harvest(args: &HarvestArgs, interrupt: &Interrupt) -> Result<String, ToolError> {
    let settings = GameSettings::new(&args.settings, &DEFAULT_LIMITS)?;
    let mut folder = Folder::open(&args.folder, args.first_seed, interrupt)?;
    let mut status = Status::new(folder.totals(), args.target);
    let limits = Limits {
        positions: args.target,
        bytes: args.max_disk.saturating_mul(GIGABYTE),
    };
    let reason = loop {
        let totals = folder.totals();
        if interrupt.is_wanted() {
            break "stopped by a signal";
        } else if totals.positions >= limits.positions {
            break "target reached";
        } else if totals.bytes >= limits.bytes {
            break "disk limit reached; raise --max-disk to continue";
        }
        let (limit, file) = folder.next(&settings, args.games_per_file);
        let settings = single(&settings, limit);
        let generator = Generator::open(&settings, file.seed, &file.path, args.games_per_file)?;
        let before = generator.size();
        let mut last = before;
        // A limit ends the file early, as a signal does; the next run continues it.
        let result = generator.run(args.settings.threads, interrupt, |size| {
            last = size;
            let totals = totals - before + size;
            status.show(totals, &file.path);
            match totals.positions >= limits.positions || totals.bytes >= limits.bytes {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        folder.update(&settings, &file, last);
        result.map_err(|error| ToolError::Data(file.path.clone(), error))?;
    };
    status.finish();
    Ok(format!("{reason}: {}", folder.totals()))
}

/// Sizes at which the generation ends.
struct Limits {
    positions: u64,
    bytes: u64,
}
