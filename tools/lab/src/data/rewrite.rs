//! Commands that write the games of several files into a new one.

use std::io::Write;
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::LabError;
use crate::game_file::{GameWriter, Header};
use crate::game_input::try_read_games;
use crate::interrupt::Interrupt;

use super::conditions::Conditions;

/// Writes all games in random order. All are in memory at once.
///
/// # Errors
/// If a file cannot be read, the new file exists or cannot be written, or a signal has been received.
pub(super) fn shuffle(
    files: &[PathBuf],
    seed: u64,
    path: &Path,
    out: &mut impl Write,
) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let mut games = Vec::new();
    for file in files {
        let reading = try_read_games(file, |_, game| {
            games.push(game);
            LabError::if_interrupted(&interrupt, path)
        })?;
        reading.report(file);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..games.len()).rev() {
        let other = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        games.swap(last, other as usize);
    }
    let failed = |error| LabError::Data(path.to_owned(), error);
    let mut writer = GameWriter::create(path, &Header::new(None)).map_err(failed)?;
    for (number, game) in (0..).zip(&games) {
        LabError::if_interrupted(&interrupt, path)?;
        writer.write(number, game).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(writeln!(out, "{} games", games.len())?)
}

/// Writes the games that meet the conditions.
///
/// # Errors
/// If a file cannot be read, the new file exists or cannot be written, or a signal has been received.
pub(super) fn filter(
    files: &[PathBuf],
    conditions: &Conditions,
    path: &Path,
    out: &mut impl Write,
) -> Result<(), LabError> {
    let failed = |error| LabError::Data(path.to_owned(), error);
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let mut writer = GameWriter::create(path, &Header::new(None)).map_err(failed)?;
    let (mut kept, mut seen) = (0, 0);
    for file in files {
        let reading = try_read_games(file, |_, game| {
            LabError::if_interrupted(&interrupt, path)?;
            if conditions.are_met_by(&game) {
                writer.write(kept, &game).map_err(failed)?;
                kept += 1;
            }
            Ok(())
        })?;
        reading.report(file);
        seen += reading.games;
    }
    writer.finish().map_err(failed)?;
    Ok(writeln!(out, "{kept} of {seen} games kept")?)
}
