//! Writing of game files, so that an interruption at any moment loses no game that was written before.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::append_block;
use super::error::{DataError, Region};
use super::header::Header;
use super::packed::pack;
use super::reader::scan;
use super::record::GameRecord;

/// Appends games to a file that no other process can write to meanwhile.
///
/// Each game is a block of its own and is handed to the system at once. A process that is killed leaves whole games,
/// and at worst a part of one at the end, which [`GameWriter::resume`] removes.
pub struct GameWriter {
    file: File,
    /// Offset behind the last whole game.
    end: u64,
    payload: Vec<u8>,
    block: Vec<u8>,
}

/// Games that a file contained before a run was continued in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Numbers of the games, in the order of the file.
    pub numbers: Vec<u32>,
    /// Positions of all games.
    pub positions: u64,
    /// The incomplete block that was removed from the end.
    pub removed: Option<Region>,
}

impl GameWriter {
    /// Creates a file.
    ///
    /// # Errors
    /// If it exists or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<GameWriter, DataError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut writer = GameWriter::lock(file)?;
        writer.append(&header.to_bytes())?;
        Ok(writer)
    }

    /// Creates the file of a run, or continues the run in it.
    ///
    /// Only an incomplete last block or header is removed.
    ///
    /// # Errors
    /// If the file is not one of this run, is damaged, is being written to, or cannot be read and written. It is
    /// unchanged then.
    pub fn resume(path: &Path, header: &Header) -> Result<(GameWriter, Contents), DataError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut writer = GameWriter::lock(file)?;
        let bytes = header.to_bytes();
        let mut contents = Contents::default();
        if writer.has_part_of(&bytes)? {
            let length = writer.file.metadata()?.len();
            contents.removed = (length > 0).then_some(Region { start: 0, length });
            writer.truncate()?;
            writer.append(&bytes)?;
            return Ok((writer, contents));
        }
        writer.file.seek(SeekFrom::Start(0))?;
        let mut end = bytes.len() as u64;
        let (found, damaged, incomplete) = scan(&writer.file, |number, moves, region| {
            contents.numbers.push(number);
            contents.positions += moves as u64;
            end = region.start + region.length;
        })?;
        match &found.run {
            None => return Err(DataError::NoRun),
            Some(_) if found != *header => return Err(DataError::OtherRun(Box::new(found))),
            Some(_) => {}
        }
        if let Some(region) = damaged {
            return Err(DataError::NeedsRepair(region));
        }
        writer.end = end;
        contents.removed = incomplete;
        writer.truncate()?;
        Ok((writer, contents))
    }

    /// Returns `true` if the file holds nothing but a beginning of `header`, as a process leaves it that is killed
    /// early.
    fn has_part_of(&mut self, header: &[u8]) -> Result<bool, DataError> {
        let length = self.file.metadata()?.len();
        if length >= header.len() as u64 {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        Ok(header.starts_with(&bytes))
    }

    fn lock(file: File) -> Result<GameWriter, DataError> {
        match file.try_lock() {
            Ok(()) => Ok(GameWriter {
                file,
                end: 0,
                payload: Vec::new(),
                block: Vec::new(),
            }),
            Err(TryLockError::WouldBlock) => Err(DataError::Busy),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.end
    }

    /// Appends a game with its number in the run.
    ///
    /// # Errors
    /// If it cannot be written. The file ends behind the game before then.
    pub fn write(&mut self, number: u32, game: &GameRecord) -> Result<(), DataError> {
        self.payload.clear();
        pack(game, &mut self.payload);
        let mut block = std::mem::take(&mut self.block);
        block.clear();
        append_block(number, &self.payload, &mut block);
        let written = self.append(&block);
        self.block = block;
        written
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails, too, the next run removes the incomplete block.
            let _ = self.truncate();
            return Err(error.into());
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Removes everything behind the last whole game, and continues there.
    fn truncate(&mut self) -> Result<(), DataError> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }
}
