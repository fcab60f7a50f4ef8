//! Reading of network files. `docs/network-format.md` describes the format.

use std::collections::TryReserveError;

use crate::board::MAX_PIECES;

use super::architecture::{Architecture, OutputKind};
use super::features::{FEATURES_PER_BUCKET, SLOTS_PER_BUCKET, SQUARES, slot_of};
use super::header::{Header, NetworkFormatError};
use super::hidden_format;
use super::model::{Network, feature_blocks};
use super::quantisation::{BLOCK_SIZE, Block, MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT_SUM};

impl Network {
    /// Size of the part of a file that suffices for [`Network::file_bytes`].
    pub const HEADER_BYTES: usize = Header::MAX_BYTES;

    /// Returns the size in bytes of a network file that begins with these bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not the beginning of a network file, or if the engine does not support the
    /// network.
    pub fn file_bytes(start: &[u8]) -> Result<usize, NetworkFormatError> {
        let header = Header::read(start)?;
        Ok(header.bytes + parameter_bytes(&header.architecture))
    }

    /// Returns the size in bytes of the feature weights in memory, nearly all of a network, given the beginning of its
    /// file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not the beginning of a network file, or if the engine does not support the
    /// network.
    pub fn memory_bytes(start: &[u8]) -> Result<usize, NetworkFormatError> {
        let header = Header::read(start)?;
        Ok(feature_blocks(&header.architecture) * size_of::<Block>())
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a network file, if the file is damaged, if the engine does not support the
    /// network, or if the system refuses the memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkFormatError> {
        let header = Header::read(bytes)?;
        let expected = header.bytes + parameter_bytes(&header.architecture);
        let found = bytes.len();
        if found < expected {
            return Err(NetworkFormatError::TooShort { found, expected });
        }
        if found > expected {
            return Err(NetworkFormatError::TooLong(expected));
        }
        if header.checksum != header.checksum_of(bytes) {
            return Err(NetworkFormatError::Checksum);
        }
        let mut network = Network::zero(header.architecture)
            .map_err(|_: TryReserveError| NetworkFormatError::Memory)?;
        network.name = header.name;
        network.checksum = header.checksum;
        network.read_parameters(&bytes[header.bytes..]);
        if let Some((king_bucket, neuron)) = network.overflowing_accumulator() {
            return Err(NetworkFormatError::FeatureWeights {
                neuron,
                king_bucket,
            });
        }
        if let Some((bucket, part)) = network.overflowing_output() {
            return Err(NetworkFormatError::OutputWeights { part, bucket });
        }
        for (bucket, layers) in network.hidden_layers.iter().enumerate() {
            if let Some(place) = layers.overflowing_neuron() {
                return Err(NetworkFormatError::HiddenWeights { place, bucket });
            }
        }
        Ok(network)
    }

    /// Returns the bytes of the network's file in version 2 of the format, the inverse of [`Network::from_bytes`].
    #[cfg(test)]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_of_version(2)
    }

    /// Returns the bytes of the network's file in this version of the format.
    #[cfg(test)]
    pub(super) fn to_bytes_of_version(&self, version: u16) -> Vec<u8> {
        let blocks = self.architecture.width.blocks();
        let features = self
            .feature_slots()
            .flat_map(|slot| &self.feature_weights[slot * blocks..][..blocks]);
        let parts = self.biases.iter().chain(features);
        let values = parts.chain(&self.output_weights);
        let words = values.flat_map(|block| block.0).flat_map(i16::to_le_bytes);
        let biases = self
            .output_biases
            .iter()
            .flat_map(|bias| bias.to_le_bytes());
        let mut bytes = Header::to_bytes(version, &self.name, &self.architecture);
        bytes.extend(words.chain(biases));
        bytes.extend(hidden_format::to_bytes(&self.hidden_layers));
        Header::write_checksum(&mut bytes);
        bytes
    }

    /// Returns the index in memory of the weights of each feature, in the order of the file.
    pub(super) fn feature_slots(&self) -> impl Iterator<Item = usize> + use<> {
        let features = self.architecture.king_buckets.count() * FEATURES_PER_BUCKET;
        (0..features).map(slot_of)
    }

    /// Reads all parameters, which must have the right length.
    fn read_parameters(&mut self, parameters: &[u8]) {
        let blocks = self.architecture.width.blocks();
        let (words, _) = parameters.as_chunks::<2>();
        let mut words = words.iter();
        let mut read = |blocks: &mut [Block]| {
            for value in blocks.iter_mut().flat_map(|block| &mut block.0) {
                if let Some(word) = words.next() {
                    *value = i16::from_le_bytes(*word);
                }
            }
        };
        read(&mut self.biases);
        for slot in self.feature_slots() {
            read(&mut self.feature_weights[slot * blocks..][..blocks]);
        }
        read(&mut self.output_weights);
        let rest = words.as_slice().as_flattened();
        let (biases, _) = rest.as_chunks();
        for (bias, bytes) in self.output_biases.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes(*bytes);
        }
        hidden_format::read(&mut self.hidden_layers, rest);
    }

    /// Returns the first king bucket and the first neuron in it whose accumulator could overflow.
    ///
    /// The largest accumulator is the absolute bias plus the [`MAX_PIECES`] largest of the values of the squares. The
    /// value of a square is the largest absolute weight of a piece on it.
    fn overflowing_accumulator(&self) -> Option<(usize, usize)> {
        let blocks = self.architecture.width.blocks();
        let buckets = self
            .feature_weights
            .chunks_exact(SLOTS_PER_BUCKET * blocks)
            .map(|weights| largest_sizes(weights, blocks));
        buckets.enumerate().find_map(|(bucket, largest)| {
            let biases = self.biases.iter().flat_map(|block| block.0);
            let overflows = |(neuron, bias): (usize, i16)| {
                let (block, lane) = (neuron / BLOCK_SIZE, neuron % BLOCK_SIZE);
                let mut sizes: [u16; SQUARES] =
                    std::array::from_fn(|square| largest[square * blocks + block][lane]);
                let (_, _, rest) = sizes.select_nth_unstable(SQUARES - MAX_PIECES - 1);
                let sum: u32 = rest.iter().map(|&size| u32::from(size)).sum();
                sum + u32::from(bias.unsigned_abs()) > i16::MAX as u32
            };
            let neuron = biases.enumerate().position(overflows)?;
            Some((bucket, neuron))
        })
    }

    /// Returns the first output bucket whose sum could overflow, and the name of what is too large in it.
    fn overflowing_output(&self) -> Option<(usize, String)> {
        let width = self.architecture.width;
        let buckets = self.output_weights.chunks(2 * width.blocks());
        buckets.enumerate().find_map(|(bucket, weights)| {
            let sizes = || {
                let weights = weights.iter().flat_map(|block| block.0);
                weights.map(|weight| i32::from(weight).abs())
            };
            let is_large = |size: i32| size > i32::from(MAX_OUTPUT_WEIGHT);
            let part = match sizes().position(is_large) {
                Some(index) => {
                    let side = match index < width.neurons() {
                        true => "side to move",
                        false => "opponent",
                    };
                    let neuron = index % width.neurons();
                    format!("output weight of neuron {neuron} of the {side}")
                }
                None if sizes().sum::<i32>() > MAX_OUTPUT_WEIGHT_SUM => {
                    "sum of the absolute output weights".to_owned()
                }
                None => return None,
            };
            Some((bucket, part))
        })
    }
}

/// Returns the largest absolute weights on each square, in the order of the squares, of one king bucket's weights.
fn largest_sizes(weights: &[Block], blocks: usize) -> Vec<[u16; BLOCK_SIZE]> {
    let mut largest = vec![[0; BLOCK_SIZE]; SQUARES * blocks];
    // All squares of one piece follow each other.
    for weights in weights.chunks_exact(SQUARES * blocks) {
        for (largest, weights) in largest.iter_mut().zip(weights) {
            for (largest, weight) in largest.iter_mut().zip(weights.0) {
                *largest = weight.unsigned_abs().max(*largest);
            }
        }
    }
    largest
}

/// Returns the size in bytes of the parameters of a network of this architecture.
fn parameter_bytes(architecture: &Architecture) -> usize {
    let features = architecture.king_buckets.count() * FEATURES_PER_BUCKET;
    let vector = architecture.width.blocks() * size_of::<Block>();
    let bucket = match architecture.output {
        OutputKind::Single => 2 * vector + size_of::<i32>(),
        OutputKind::Hidden => hidden_format::bucket_bytes(architecture.width),
    };
    (1 + features) * vector + architecture.output_buckets * bucket
}

const _: () = assert!(size_of::<Block>() == BLOCK_SIZE * size_of::<i16>());
