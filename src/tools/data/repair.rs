//! `gaur data repair`: the intact games of a damaged file, in a new file.

use std::io::Write;
use std::path::Path;

use crate::data::{DataError, GameReader, GameWriter, Header};
use crate::tools::ToolError;

/// Copies all intact games into a new file, prints what was lost, and leaves the old file as it is.
///
/// The new file belongs to the same run where the header is intact. `gaur datagen` then plays the lost games again.
///
/// # Errors
/// If the old file cannot be read or contains no game, or the new file exists or cannot be written.
pub(super) fn run(path: &Path, new: &Path, out: &mut impl Write) -> Result<(), ToolError> {
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let unwritable = |error| ToolError::Data(new.to_owned(), error);
    let (mut reader, is_header_lost) = match GameReader::open(path) {
        Ok(reader) => (reader, false),
        Err(DataError::Io(error)) => return Err(failed(error.into())),
        Err(_) => (GameReader::salvage(path).map_err(failed)?, true),
    };
    let mut writer: Option<GameWriter> = None;
    let (mut games, mut lost) = (0, 0);
    while let Some(game) = reader.next() {
        let region = match game {
            Ok(game) => {
                let writer = match &mut writer {
                    Some(writer) => writer,
                    // A file without games leaves no new file behind.
                    None => {
                        let created = GameWriter::create(new, reader.header());
                        writer.insert(created.map_err(unwritable)?)
                    }
                };
                writer.write(reader.number(), &game).map_err(unwritable)?;
                games += 1;
                continue;
            }
            Err(DataError::Damaged(region)) => {
                lost += 1;
                writeln!(out, "{}: damaged at {region}", path.display())?;
                region
            }
            Err(DataError::Incomplete(region)) => {
                writeln!(out, "{}: incomplete game at {region}", path.display())?;
                region
            }
            Err(error) => return Err(failed(error)),
        };
        if reader.is_old() {
            let end = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
            writeln!(
                out,
                "format version 1 has no block marks: the {} bytes from byte {} on are lost",
                end.saturating_sub(region.start),
                region.start
            )?;
        }
    }
    if games == 0 {
        return Err(failed(DataError::NotGames));
    }
    writeln!(
        out,
        "{}: {games} games copied, {lost} damaged parts skipped",
        new.display()
    )?;
    match reader.header() {
        Header { run: Some(run), .. } => writeln!(
            out,
            "the run can be continued in it and plays missing games again: {run}"
        )?,
        Header { run: None, .. } if is_header_lost => writeln!(
            out,
            "the header and with it the settings of the run are lost: no run can be continued in it"
        )?,
        Header { run: None, .. } => {}
    }
    Ok(())
}
