//! Networks on file. The bytes are described in `docs/network.md`.

use std::fmt;

use super::features::{FEATURES, row_of};
use super::kernels::ONE;
use super::net::{KING_BUCKETS, LARGEST_SUM, LARGEST_WEIGHT, Network, OUTPUTS, Row, WIDTH};

const MAGIC: &[u8; 8] = b"GAURNNUE";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 64;
const NAME: std::ops::Range<usize> = 16..48;
const CHECKSUM: std::ops::Range<usize> = 48..52;

/// Why a file is no network for this engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// It begins otherwise.
    NoNetwork,
    /// It has another version of the format.
    Version(u16),
    /// It has another shape.
    Shape {
        /// Numbers in an accumulator, king buckets, sets of output weights.
        found: [u16; 3],
    },
    /// It is shorter or longer than its shape says.
    Length {
        /// Whether it is shorter.
        is_short: bool,
    },
    /// The checksum is wrong.
    Damaged,
    /// Output weights are so large that sums could overflow.
    TooLarge,
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::NoNetwork => f.write_str("not a network of Gaur"),
            NetError::Version(version) => write!(
                f,
                "a network in version {version} of the format, this engine reads version {VERSION}"
            ),
            NetError::Shape {
                found: [width, buckets, outputs],
            } => write!(
                f,
                "a network of another shape: {width} wide, {buckets} king buckets, {outputs} outputs; this engine \
                 takes {WIDTH}, {KING_BUCKETS} and {OUTPUTS}"
            ),
            NetError::Length { is_short: true } => f.write_str("cut short"),
            NetError::Length { is_short: false } => f.write_str("longer than its network"),
            NetError::Damaged => f.write_str("damaged: its checksum is wrong"),
            NetError::TooLarge => f.write_str("its output weights are too large"),
        }
    }
}

impl std::error::Error for NetError {}

impl Network {
    /// The length of its file.
    pub const BYTES: usize = HEADER_BYTES + (1 + FEATURES + 2 * OUTPUTS) * WIDTH * 2 + OUTPUTS * 4;

    /// Reads a network.
    ///
    /// # Errors
    /// If these bytes are none, or none for this engine.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let Some((header, body)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(NetError::NoNetwork);
        };
        if !header.starts_with(MAGIC) {
            return Err(NetError::NoNetwork);
        }
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        if word(8) != VERSION {
            return Err(NetError::Version(word(8)));
        }
        let shape = [word(10), header[12].into(), header[13].into()];
        if shape.map(usize::from) != [WIDTH, KING_BUCKETS, OUTPUTS] {
            return Err(NetError::Shape { found: shape });
        }
        if bytes.len() != Network::BYTES {
            return Err(NetError::Length {
                is_short: bytes.len() < Network::BYTES,
            });
        }
        let mut network = Network::blank();
        network.checksum = crc32fast::hash(body);
        if header[CHECKSUM] != network.checksum.to_le_bytes() {
            return Err(NetError::Damaged);
        }
        let name = header[NAME].split(|&byte| byte == 0).next();
        network.name = String::from_utf8_lossy(name.unwrap_or_default()).into_owned();
        network.fill(body);
        if network.has_safe_weights() {
            Ok(network)
        } else {
            Err(NetError::TooLarge)
        }
    }

    /// What [`Network::from_bytes`] reads.
    #[cfg(test)]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let rows = (0..FEATURES).map(|feature| &self.rows[row_of(feature)]);
        let rows = std::iter::once(&self.biases).chain(rows);
        let rows = rows.chain(self.weights.as_flattened());
        let numbers = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes);
        let biases = self
            .output_biases
            .iter()
            .flat_map(|bias| bias.to_le_bytes());
        let body: Vec<u8> = numbers.chain(biases).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((WIDTH as u16).to_le_bytes());
        bytes.extend([KING_BUCKETS as u8, OUTPUTS as u8]);
        bytes.resize(NAME.start, 0);
        bytes.extend(self.name.bytes().take(NAME.len()));
        bytes.resize(CHECKSUM.start, 0);
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend(body);
        bytes
    }

    /// Takes over the numbers of a body of the right length.
    fn fill(&mut self, body: &[u8]) {
        let (words, _) = body.as_chunks::<2>();
        let mut words = words.iter();
        let mut read = |row: &mut Row| {
            for (number, word) in row.0.iter_mut().zip(&mut words) {
                *number = i16::from_le_bytes(*word);
            }
        };
        read(&mut self.biases);
        (0..FEATURES).for_each(|feature| read(&mut self.rows[row_of(feature)]));
        self.weights.as_flattened_mut().iter_mut().for_each(read);
        let (biases, _) = words.as_slice().as_chunks::<2>();
        for (bias, [low, high]) in self.output_biases.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes([low[0], low[1], high[0], high[1]]);
        }
    }

    /// Whether no sum of the last layer can overflow.
    fn has_safe_weights(&self) -> bool {
        let limit = i32::from(LARGEST_WEIGHT);
        self.weights.iter().all(|set| {
            let sizes = || {
                set.iter()
                    .flat_map(|row| row.0)
                    .map(|weight| i32::from(weight).abs())
            };
            sizes().all(|size| size <= limit) && sizes().sum::<i32>() <= LARGEST_SUM
        })
    }
}

const _: () = assert!(ONE as i32 * LARGEST_WEIGHT as i32 <= i16::MAX as i32);
