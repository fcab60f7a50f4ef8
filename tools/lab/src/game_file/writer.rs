//! Writing of game files, so that an interruption at any moment loses no game that was written before.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::block::append_block;
use super::error::{DataError, Region};
use super::header::Header;
use super::packed::pack;
use super::reader::scan;
use super::record::GameRecord;
use crate::new_file::{NewFile, give_name};

/// Writer of a game file, which no other process can write to meanwhile.
///
/// Each game is a block of its own and is passed to the system at once. A process that is killed leaves complete games
/// and at most one incomplete block at the end, which [`GameWriter::resume`] removes.
pub struct GameWriter {
    /// Temporary name of a file that is being created, and the name that it will have. Dropped first: the file is
    /// removed before its lock ends.
    temporary: Option<(TempPath, PathBuf)>,
    file: File,
    /// Offset after the last complete game.
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
    /// Creates a file. It has a temporary name until [`GameWriter::finish`] and disappears without it.
    ///
    /// # Errors
    /// If a file of this name exists, another process is writing it, or it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<GameWriter, DataError> {
        if path.exists() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
        }
        let new = NewFile::create(path).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => DataError::Busy,
            _ => error.into(),
        })?;
        let (temporary, file) = new.into_parts();
        let mut writer = GameWriter::of(file);
        writer.temporary = Some((temporary, path.to_owned()));
        writer.append(&header.to_bytes()?)?;
        Ok(writer)
    }

    /// Waits until a file that [`GameWriter::create`] has created is on the disk, and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written, or a file of this name has been created meanwhile. The new file is removed then.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.persist()
    }

    fn persist(&mut self) -> Result<(), DataError> {
        if let Some((temporary, path)) = self.temporary.take() {
            self.file.sync_all()?;
            give_name(temporary, &path)?;
        }
        Ok(())
    }

    /// Creates the file of a run, with its header as soon as it has a name, or continues the run in it.
    ///
    /// An incomplete last block is removed, as is an incomplete header. Everything else remains.
    ///
    /// # Errors
    /// If the file is not one of this run, is damaged, is being written to, or cannot be read and written. It is
    /// unchanged then.
    pub fn resume(path: &Path, header: &Header) -> Result<(GameWriter, Contents), DataError> {
        if !path.exists() {
            let mut writer = GameWriter::create(path, header)?;
            match writer.persist() {
                Ok(()) => return Ok((writer, Contents::default())),
                // Another process has created it meanwhile.
                Err(DataError::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut writer = GameWriter::lock(file)?;
        let bytes = header.to_bytes()?;
        let mut contents = Contents::default();
        if writer.has_part_of(&bytes)? {
            let length = writer.file.metadata()?.len();
            contents.removed = (length > 0).then_some(Region { start: 0, length });
            writer.truncate()?;
            writer.append(&bytes)?;
            return Ok((writer, contents));
        }
        writer.file.seek(SeekFrom::Start(0))?;
        let (found, damaged, incomplete) = scan(&writer.file, |number, moves| {
            contents.numbers.push(number);
            contents.positions += moves as u64;
        })?;
        match &found.run {
            None => return Err(DataError::NoRun),
            Some(_) if found != *header => return Err(DataError::OtherRun(Box::new(found))),
            Some(_) => {}
        }
        if let Some(region) = damaged {
            return Err(DataError::NeedsRepair(region));
        }
        let length = writer.file.metadata()?.len();
        writer.end = length - incomplete.map_or(0, |region| region.length);
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

    /// Returns a writer of a locked file, at its beginning.
    fn of(file: File) -> GameWriter {
        GameWriter {
            temporary: None,
            file,
            end: 0,
            payload: Vec::new(),
            block: Vec::new(),
        }
    }

    fn lock(file: File) -> Result<GameWriter, DataError> {
        match file.try_lock() {
            Ok(()) => Ok(GameWriter::of(file)),
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
    /// If it cannot be written. The file ends after the previous game then.
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

    /// Removes everything after the last complete game, and continues there.
    fn truncate(&mut self) -> Result<(), DataError> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }
}
