//! Files of games: a header, then game after game. Reads and writes as a stream.

use std::error::Error;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::packed::{HEAD, PER_MOVE, move_count, pack, unpack};
use super::record::GameRecord;

/// The first bytes of every file of games.
const MAGIC: [u8; 8] = *b"GAURGAME";

/// The version of the format that is written and read.
const VERSION: u16 = 1;

/// Bytes before the first game.
const HEADER: usize = 32;

/// What a file says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Whether the games are all those of one seed, by number from 0 and without a gap, so that the run may go on.
    pub is_complete_run: bool,
    /// The seed of the run; 0 if the games come from several.
    pub seed: u64,
    /// Nodes after which no further iteration was begun; 0 if the games differ.
    pub nodes: u64,
    /// Games of Fischer Random in a thousand.
    pub chess960_permille: u16,
    /// Which evaluation the games were played with: 0 the classical one, else part of the network's checksum.
    pub knowledge: u16,
}

impl Header {
    fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = u8::from(self.is_complete_run);
        bytes[12..14].copy_from_slice(&self.chess960_permille.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.knowledge.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.nodes.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER]) -> Result<Header, DataError> {
        if bytes[0..8] != MAGIC {
            return Err(DataError::NotGames);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(DataError::Version(version));
        }
        let number = |from: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[from..from + 8]);
            u64::from_le_bytes(eight)
        };
        Ok(Header {
            is_complete_run: bytes[10] == 1,
            seed: number(16),
            nodes: number(24),
            chess960_permille: u16::from_le_bytes([bytes[12], bytes[13]]),
            knowledge: u16::from_le_bytes([bytes[14], bytes[15]]),
        })
    }
}

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum DataError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It begins with something else.
    NotGames,
    /// It is of another version of the format.
    Version(u16),
    /// What begins at this byte is no game.
    Damaged(u64),
    /// It ends in the middle of the game that begins at this byte.
    Cut(u64),
    /// It belongs to a run with other settings, so that the run cannot go on in it.
    OtherRun(Box<Header>),
    /// Another process is writing to it.
    Busy,
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io(error) => error.fmt(f),
            DataError::NotGames => f.write_str("this is no file of games"),
            DataError::Version(version) => write!(
                f,
                "version {version} of the format, only {VERSION} is known"
            ),
            DataError::Damaged(at) => write!(f, "no game at byte {at}"),
            DataError::Cut(at) => write!(f, "it ends within the game at byte {at}"),
            DataError::OtherRun(header) if header.is_complete_run => write!(
                f,
                "it belongs to a run with seed {}, {} nodes, {} games of chess960 in a thousand and {}",
                header.seed,
                header.nodes,
                header.chess960_permille,
                match header.knowledge {
                    0 => "the classical evaluation".to_owned(),
                    mark => format!("a network whose checksum ends in {mark:04x}"),
                }
            ),
            DataError::OtherRun(_) => f.write_str("its games are not those of one run"),
            DataError::Busy => f.write_str("another process is writing to it"),
        }
    }
}

impl Error for DataError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            DataError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> DataError {
        DataError::Io(error)
    }
}

/// Reads game after game; an iterator that ends after the first error.
pub struct GameReader<R> {
    input: R,
    header: Header,
    at: u64,
    ended: bool,
    moves: Vec<u8>,
}

impl GameReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or does not begin as a file of games.
    pub fn open(path: &Path) -> Result<GameReader<BufReader<File>>, DataError> {
        GameReader::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> GameReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(mut input: R) -> Result<GameReader<R>, DataError> {
        let mut bytes = [0; HEADER];
        if fill(&mut input, &mut bytes)? < HEADER {
            return Err(DataError::NotGames);
        }
        Ok(GameReader {
            input,
            header: Header::from_bytes(&bytes)?,
            at: HEADER as u64,
            ended: false,
            moves: Vec::new(),
        })
    }

    /// What the file says about itself.
    pub fn header(&self) -> Header {
        self.header
    }

    fn read(&mut self) -> Result<Option<GameRecord>, DataError> {
        let mut head = [0; HEAD];
        match fill(&mut self.input, &mut head)? {
            0 => return Ok(None),
            HEAD => {}
            _ => return Err(DataError::Cut(self.at)),
        }
        self.moves.resize(PER_MOVE * move_count(&head), 0);
        if fill(&mut self.input, &mut self.moves)? < self.moves.len() {
            return Err(DataError::Cut(self.at));
        }
        let game = unpack(&head, &self.moves).ok_or(DataError::Damaged(self.at))?;
        self.at += (HEAD + self.moves.len()) as u64;
        Ok(Some(game))
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Fills as much of `buffer` as there is.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Writes games, each with one call to the system, so that a process that is killed leaves whole games behind (and at
/// worst a part of one at the end, which [`GameWriter::resume`] cuts off).
pub struct GameWriter {
    file: File,
    bytes: Vec<u8>,
}

impl GameWriter {
    /// A new file; one that is there already is an error.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: &Path, header: Header) -> Result<GameWriter, DataError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut writer = GameWriter::lock(file)?;
        writer.file.write_all(&header.to_bytes())?;
        Ok(writer)
    }

    /// Goes on with the file of a run, or begins it: returns how many games and positions it has. A cut game at its
    /// end is removed.
    ///
    /// # Errors
    /// If the file belongs to another run, is damaged, in use, or cannot be read and written.
    pub fn resume(path: &Path, header: Header) -> Result<(GameWriter, u64, u64), DataError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut writer = GameWriter::lock(file)?;
        // A run may have been killed before its header was whole.
        if writer.file.metadata()?.len() < HEADER as u64 {
            writer.file.set_len(0)?;
            writer.file.write_all(&header.to_bytes())?;
            return Ok((writer, 0, 0));
        }
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, &writer.file))?;
        if reader.header() != header || !header.is_complete_run {
            return Err(DataError::OtherRun(Box::new(reader.header())));
        }
        let (mut games, mut positions) = (0, 0);
        for game in reader.by_ref() {
            match game {
                Ok(game) => {
                    games += 1;
                    positions += game.moves.len() as u64;
                }
                Err(DataError::Cut(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let end = reader.at;
        writer.file.set_len(end)?;
        writer.file.seek(SeekFrom::Start(end))?;
        Ok((writer, games, positions))
    }

    fn lock(file: File) -> Result<GameWriter, DataError> {
        match file.try_lock() {
            Ok(()) => Ok(GameWriter {
                file,
                bytes: Vec::new(),
            }),
            Err(std::fs::TryLockError::WouldBlock) => Err(DataError::Busy),
            Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, game: &GameRecord) -> Result<(), DataError> {
        self.bytes.clear();
        pack(game, &mut self.bytes);
        Ok(self.file.write_all(&self.bytes)?)
    }
}
