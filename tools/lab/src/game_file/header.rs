//! Header of a game file: the engine and the settings of the run, as a line of JSON behind a fixed prefix.
//!
//! `docs/data.md` describes the bytes.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

/// First bytes of every game file, in all versions of the format.
pub(super) const MAGIC: [u8; 8] = *b"GAURGAME";

/// Version of the format that is written.
pub const VERSION: u16 = 2;

/// Bytes before the JSON text: magic, version, two zero bytes, length of the text, checksum.
pub(super) const PREFIX: usize = 20;

/// Bytes of the prefix that the checksum covers, besides the text.
pub(super) const CHECKED: usize = 16;

/// Origin of the games in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Name and version of the program that wrote the file.
    pub engine: String,
    /// Settings of the run whose games the file holds; `None` if they come from several runs.
    pub run: Option<Run>,
}

/// Settings of a run. Together with its number they determine a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Version of the rules by which the generator chooses openings, limits searches and adjudicates games.
    pub generator: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// Node limits and how often each is used.
    pub nodes: Vec<NodeLimit>,
    /// Games of Fischer Random per thousand.
    pub chess960_permille: u16,
    /// Games of double Fischer Random per thousand.
    pub double_chess960_permille: u16,
    /// Fewest random half-moves at the start of a game.
    pub random_plies: u16,
    /// File that the openings come from; `None` for the start position of chess.
    pub openings: Option<FileId>,
    /// Network that evaluated positions; `None` for the classical evaluation.
    pub network: Option<FileId>,
    /// CRC-32 of a short test game, in hexadecimal. Changes of the search or its parameters
    /// that change this game make it another run.
    pub fingerprint: String,
}

/// A number of nodes per move and how often it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeLimit {
    /// Nodes per move, on average.
    pub nodes: u32,
    /// Games with this limit per thousand.
    pub permille: u16,
}

/// Name and content of a file. Files with the same content are equal; names are not compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileId {
    /// File name or name of the network.
    pub name: String,
    /// CRC-32 of the content, in hexadecimal.
    pub checksum: String,
}

impl PartialEq for FileId {
    fn eq(&self, other: &FileId) -> bool {
        self.checksum == other.checksum
    }
}

impl Eq for FileId {}

impl FileId {
    /// Creates an identification from a name and a CRC-32.
    pub fn new(name: &str, checksum: u32) -> FileId {
        FileId {
            name: name.to_owned(),
            checksum: format!("{checksum:08x}"),
        }
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.checksum)
    }
}

impl Header {
    /// Creates a header for games of this version of Gaur.
    pub fn new(run: Option<Run>) -> Header {
        Header {
            engine: concat!("Gaur ", env!("CARGO_PKG_VERSION")).to_owned(),
            run,
        }
    }

    /// Returns the bytes at the beginning of a file with this header.
    ///
    /// # Errors
    /// If the header cannot be represented in JSON.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        let mut bytes = Vec::with_capacity(PREFIX + text.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend((text.len() as u32).to_le_bytes());
        let checksum = checksum(&bytes, &text);
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(text);
        Ok(bytes)
    }
}

/// Returns the checksum of the prefix of a header and its text.
pub(super) fn checksum(prefix: &[u8], text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(prefix);
    hasher.update(text);
    hasher.finalize()
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.run {
            Some(run) => write!(f, "{}, {run}", self.engine),
            None => write!(f, "{}, several runs", self.engine),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generator {}, seed {}", self.generator, self.seed)?;
        for limit in &self.nodes {
            let NodeLimit { nodes, permille } = limit;
            write!(f, ", {nodes} nodes in {permille} of 1000 games")?;
        }
        write!(
            f,
            ", {} of 1000 games Fischer Random, {} double Fischer Random, {} random half-moves",
            self.chess960_permille, self.double_chess960_permille, self.random_plies
        )?;
        if let Some(openings) = &self.openings {
            write!(f, ", openings {openings}")?;
        }
        match &self.network {
            Some(network) => write!(f, ", network {network}")?,
            None => f.write_str(", classical evaluation")?,
        }
        write!(f, ", fingerprint {}", self.fingerprint)
    }
}
