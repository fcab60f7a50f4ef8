//! `gaur-lab data repair`: copies the intact games of a damaged file to a new file.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::LabError;
use crate::game_file::{DataError, GameReader, GameWriter};
use crate::interrupt::Interrupt;

/// Numbers of copied games and of damaged parts.
#[derive(Default)]
struct Copied {
    games: usize,
    damaged: usize,
}

/// Copies all intact games into a new file, prints what was lost, and leaves the old file as it is.
///
/// The new file belongs to the same run if the header is intact. `gaur-lab datagen` then plays the lost games again.
///
/// # Errors
/// If the old file cannot be read or contains no game, the new file exists or cannot be written, or a signal has been
/// received.
pub(super) fn run(path: &Path, new: &Path, out: &mut impl Write) -> Result<(), LabError> {
    let failed = |error| LabError::Data(path.to_owned(), error);
    let name = path.display();
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let copied = match GameReader::open(path) {
        Ok(reader) => copy(reader, path, new, &interrupt, out)?,
        Err(DataError::Io(error)) => return Err(failed(error.into())),
        Err(error) => {
            writeln!(out, "{name}: {error}")?;
            Copied::default()
        }
    };
    // A damaged header can also look like that of another version.
    let copied = match copied.games {
        0 => {
            let reader = GameReader::recover(path).map_err(failed)?;
            copy(reader, path, new, &interrupt, out)?
        }
        _ => copied,
    };
    let Copied { games, damaged } = copied;
    if games == 0 {
        let reason = format!("{name} contains no intact game");
        return Err(LabError::Arguments(reason));
    }
    writeln!(
        out,
        "{}: {games} games copied, {damaged} damaged parts skipped",
        new.display()
    )?;
    let written = GameReader::open(new);
    match written
        .map_err(|error| LabError::Data(new.to_owned(), error))?
        .header()
        .run
    {
        Some(_) => writeln!(
            out,
            "Repeat `gaur-lab datagen` with the new file to play missing games again. In a folder of \
             `gaur-lab harvest`, let the new file take the place of the old one."
        )?,
        None => writeln!(out, "No run can be continued in the new file.")?,
    }
    Ok(())
}

/// Copies the games that a reader finds. A file without games leaves no new file.
fn copy(
    mut reader: GameReader<File>,
    path: &Path,
    new: &Path,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<Copied, LabError> {
    let unwritable = |error| LabError::Data(new.to_owned(), error);
    let mut writer = GameWriter::create(new, reader.header()).map_err(unwritable)?;
    let mut copied = Copied::default();
    while let Some(game) = reader.next() {
        LabError::if_interrupted(interrupt, new)?;
        match game {
            Ok(game) => {
                writer.write(reader.number(), &game).map_err(unwritable)?;
                copied.games += 1;
            }
            Err(error @ DataError::Damaged(_)) => {
                copied.damaged += 1;
                writeln!(out, "{}: {error}", path.display())?;
            }
            Err(error @ DataError::Incomplete(_)) => writeln!(out, "{}: {error}", path.display())?,
            Err(error) => return Err(LabError::Data(path.to_owned(), error)),
        }
    }
    if reader.is_old() {
        writeln!(
            out,
            "{}: format version 1; after damage its games cannot be found",
            path.display()
        )?;
    }
    if copied.games > 0 {
        writer.finish().map_err(unwritable)?;
    }
    Ok(copied)
}
