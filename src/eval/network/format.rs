//! Reading of network files. `docs/network.md` describes the format.

use std::ops::Range;

use thiserror::Error;

use super::architecture::{
    ACCUMULATOR_SIZE, KING_BUCKETS, MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT_SUM, NeuronValues,
    OUTPUT_BUCKETS,
};
use super::features::{FEATURES, slot_of};
use super::model::Network;

const MAGIC: &[u8; 8] = b"GAURNNUE";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 64;
const NAME: Range<usize> = 16..48;
const CHECKSUM: Range<usize> = 48..52;

/// Reason why bytes are not a network that this engine can use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetworkFormatError {
    /// The file does not begin with the signature of a network file.
    #[error("not a network of Gaur")]
    NotANetwork,
    /// The file has an unsupported version of the format.
    #[error("version {0} of the network format; this engine reads version {VERSION}")]
    Version(u16),
    /// The network has an architecture that differs from the engine's.
    #[error(
        "a network with {size} neurons per accumulator, {king_buckets} king buckets and {output_buckets} output \
         buckets; this engine needs {ACCUMULATOR_SIZE}, {KING_BUCKETS} and {OUTPUT_BUCKETS}"
    )]
    Architecture {
        /// Neurons per accumulator.
        size: u16,
        /// King buckets.
        king_buckets: u8,
        /// Output buckets.
        output_buckets: u8,
    },
    /// The file is shorter than its architecture requires.
    #[error("incomplete")]
    TooShort,
    /// The file is longer than its architecture requires.
    #[error("longer than its network")]
    TooLong,
    /// The checksum does not match the parameters.
    #[error("damaged: its checksum is wrong")]
    Checksum,
    /// The output weights are so large that the sum of the output layer could overflow.
    #[error("its output weights are too large")]
    OutputWeights,
}

impl Network {
    /// Size of a network file in bytes.
    pub const BYTES: usize = HEADER_BYTES
        + (1 + FEATURES + 2 * OUTPUT_BUCKETS) * ACCUMULATOR_SIZE * 2
        + OUTPUT_BUCKETS * 4;

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a network file, if the file is damaged, or if the network has another
    /// architecture than the engine.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkFormatError> {
        let Some((header, body)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(NetworkFormatError::NotANetwork);
        };
        if !header.starts_with(MAGIC) {
            return Err(NetworkFormatError::NotANetwork);
        }
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        if word(8) != VERSION {
            return Err(NetworkFormatError::Version(word(8)));
        }
        let (size, king_buckets, output_buckets) = (word(10), header[12], header[13]);
        let architecture: [usize; 3] = [size.into(), king_buckets.into(), output_buckets.into()];
        if architecture != [ACCUMULATOR_SIZE, KING_BUCKETS, OUTPUT_BUCKETS] {
            return Err(NetworkFormatError::Architecture {
                size,
                king_buckets,
                output_buckets,
            });
        }
        if bytes.len() < Network::BYTES {
            return Err(NetworkFormatError::TooShort);
        }
        if bytes.len() > Network::BYTES {
            return Err(NetworkFormatError::TooLong);
        }
        let mut network = Network::zero();
        network.checksum = crc32fast::hash(body);
        if header[CHECKSUM] != network.checksum.to_le_bytes() {
            return Err(NetworkFormatError::Checksum);
        }
        let name = header[NAME].split(|&byte| byte == 0).next();
        network.name = String::from_utf8_lossy(name.unwrap_or_default()).into_owned();
        network.read_parameters(body);
        if network.has_safe_output_weights() {
            Ok(network)
        } else {
            Err(NetworkFormatError::OutputWeights)
        }
    }

    /// Returns the bytes of the network's file, the inverse of [`Network::from_bytes`].
    #[cfg(test)]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let features = (0..FEATURES).map(|feature| &self.feature_weights[slot_of(feature)]);
        let values = std::iter::once(&self.biases)
            .chain(features)
            .chain(self.output_weights.as_flattened());
        let words = values
            .flat_map(|values| values.0)
            .flat_map(i16::to_le_bytes);
        let biases = self
            .output_biases
            .iter()
            .flat_map(|bias| bias.to_le_bytes());
        let body: Vec<u8> = words.chain(biases).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((ACCUMULATOR_SIZE as u16).to_le_bytes());
        bytes.extend([KING_BUCKETS as u8, OUTPUT_BUCKETS as u8]);
        bytes.resize(NAME.start, 0);
        bytes.extend(self.name.bytes().take(NAME.len()));
        bytes.resize(CHECKSUM.start, 0);
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend(body);
        bytes
    }

    /// Reads all parameters from the body of a network file, which must have the right length.
    fn read_parameters(&mut self, body: &[u8]) {
        let (words, _) = body.as_chunks::<2>();
        let mut words = words.iter();
        let mut read = |values: &mut NeuronValues| {
            for (value, word) in values.0.iter_mut().zip(&mut words) {
                *value = i16::from_le_bytes(*word);
            }
        };
        read(&mut self.biases);
        (0..FEATURES).for_each(|feature| read(&mut self.feature_weights[slot_of(feature)]));
        self.output_weights
            .as_flattened_mut()
            .iter_mut()
            .for_each(read);
        let (biases, _) = words.as_slice().as_chunks::<2>();
        for (bias, [low, high]) in self.output_biases.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes([low[0], low[1], high[0], high[1]]);
        }
    }

    /// Returns `true` if no sum of the output layer can overflow.
    fn has_safe_output_weights(&self) -> bool {
        let limit = i32::from(MAX_OUTPUT_WEIGHT);
        self.output_weights.iter().all(|bucket| {
            let sizes = || {
                bucket
                    .iter()
                    .flat_map(|values| values.0)
                    .map(|weight| i32::from(weight).abs())
            };
            sizes().all(|size| size <= limit) && sizes().sum::<i32>() <= MAX_OUTPUT_WEIGHT_SUM
        })
    }
}
