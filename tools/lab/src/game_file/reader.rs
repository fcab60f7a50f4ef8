//! Reading of game files as a stream, past damaged blocks.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::block::{self, find_block};
use super::error::{DataError, Region};
use super::header::{Header, PREFIX};
use super::packed::{move_count, unpack};
use super::record::GameRecord;
use super::version1;
use super::window::Window;

/// Reader of a game file.
///
/// An iterator: a damaged block yields [`DataError::Damaged`] once, and the games after it follow. The iterator ends
/// at the end of the file and after any other error.
pub struct GameReader<R> {
    input: Window<R>,
    format: Format,
    header: Header,
    /// Offset of the first block.
    first_block: u64,
    payload: Vec<u8>,
    number: u32,
    ended: bool,
}

/// Version of the format, with what a reader of it needs.
enum Format {
    /// Version 1, whose games all have this node limit.
    Old { nodes: u32 },
    /// Version 2.
    Blocks,
}

impl GameReader<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read or its header is not that of a game file.
    pub fn open(path: &Path) -> Result<GameReader<File>, DataError> {
        GameReader::new(File::open(path)?)
    }

    /// Opens a file of blocks without reading its header, to recover the games.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn recover(path: &Path) -> Result<GameReader<File>, DataError> {
        let mut reader = GameReader {
            input: Window::new(File::open(path)?, 0),
            format: Format::Blocks,
            header: Header::new(None),
            first_block: 0,
            payload: Vec::new(),
            number: 0,
            ended: false,
        };
        find_block(&mut reader.input, u64::MAX)?;
        Ok(reader)
    }
}

impl<R: Read> GameReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn new(input: R) -> Result<GameReader<R>, DataError> {
        let mut input = Window::new(input, 0);
        let (header, format) = read_header(&mut input)?;
        Ok(GameReader {
            first_block: input.offset(),
            input,
            format,
            header,
            payload: Vec::new(),
            number: 0,
            ended: false,
        })
    }

    /// Returns the header. Version 1 has no run that could be continued.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns `true` if the file has version 1 of the format.
    pub fn is_old(&self) -> bool {
        matches!(self.format, Format::Old { .. })
    }

    /// Returns the number in its run of the game read last. Version 1 counts from 0 in the order of the file.
    pub fn number(&self) -> u32 {
        self.number
    }

    fn read(&mut self) -> Result<Option<GameRecord>, DataError> {
        match self.format {
            Format::Old { nodes } => self.read_old(nodes),
            Format::Blocks => self.read_block(),
        }
    }

    fn read_block(&mut self) -> Result<Option<GameRecord>, DataError> {
        match block::next_part(&mut self.input, &mut self.payload)? {
            block::Part::Block { number, region } => {
                self.number = number;
                let game = unpack(&self.payload);
                game.ok_or(DataError::Damaged(region)).map(Some)
            }
            block::Part::Damaged(region) => Err(DataError::Damaged(region)),
            block::Part::Incomplete(region) => Err(DataError::Incomplete(region)),
            block::Part::End => Ok(None),
        }
    }

    fn read_old(&mut self, nodes: u32) -> Result<Option<GameRecord>, DataError> {
        let is_first = self.input.offset() == version1::HEADER as u64;
        match version1::next_part(&mut self.input, nodes)? {
            version1::Part::Game(game) => {
                self.number = if is_first { 0 } else { self.number + 1 };
                Ok(Some(game))
            }
            version1::Part::Damaged(region) => {
                self.ended = true;
                Err(DataError::Damaged(region))
            }
            version1::Part::Incomplete(region) => Err(DataError::Incomplete(region)),
            version1::Part::End => Ok(None),
        }
    }
}

impl<R: Read + Seek> GameReader<R> {
    /// Continues with the first block that begins at this offset or later. In version 1, games have no marks by which
    /// they could be found, and the reader stays where it is.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn start_at(self, offset: u64) -> Result<GameReader<R>, DataError> {
        if self.is_old() {
            return Ok(self);
        }
        let offset = offset.max(self.first_block);
        let mut input = self.input.into_inner();
        input.seek(SeekFrom::Start(offset))?;
        let mut input = Window::new(input, offset);
        find_block(&mut input, u64::MAX)?;
        Ok(GameReader {
            input,
            number: 0,
            ended: false,
            ..self
        })
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        let goes_on = matches!(next, Some(Ok(_) | Err(DataError::Damaged(_))));
        self.ended |= !goes_on;
        next
    }
}

/// Reads the header of any version.
fn read_header<R: Read>(input: &mut Window<R>) -> Result<(Header, Format), DataError> {
    if let Some(nodes) = version1::node_limit(input.peek(version1::HEADER)?) {
        input.consume(version1::HEADER);
        return Ok((Header::new(None), Format::Old { nodes }));
    }
    let Some(prefix) = input.peek(PREFIX)?.first_chunk::<PREFIX>().copied() else {
        return Err(DataError::NotGames);
    };
    let length = Header::text_length(&prefix)?;
    let bytes = input.peek(PREFIX + length)?;
    if bytes.len() < PREFIX + length {
        return Err(DataError::DamagedHeader);
    }
    let header = Header::from_text(&prefix, &bytes[PREFIX..])?;
    input.consume(PREFIX + length);
    Ok((header, Format::Blocks))
}

/// Passes the number of every intact game and its number of moves to `visit`, without decoding the games, and returns
/// the header, the first damaged region and the incomplete last block.
///
/// # Errors
/// If the input cannot be read, or its header is not that of a game file of the current version.
pub(super) fn scan<R: Read>(
    input: R,
    mut visit: impl FnMut(u32, usize),
) -> Result<(Header, Option<Region>, Option<Region>), DataError> {
    let mut reader = GameReader::new(input)?;
    if reader.is_old() {
        return Err(DataError::OldVersion);
    }
    let (mut damaged, mut incomplete) = (None, None);
    loop {
        match block::next_part(&mut reader.input, &mut reader.payload)? {
            block::Part::Block { number, .. } => visit(number, move_count(&reader.payload)),
            block::Part::Damaged(region) => damaged = damaged.or(Some(region)),
            block::Part::Incomplete(region) => incomplete = Some(region),
            block::Part::End => return Ok((reader.header, damaged, incomplete)),
        }
    }
}
