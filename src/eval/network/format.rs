//! Reading of network files. `docs/network-format.md` describes the format.

use super::architecture::Architecture;
use super::features::{FEATURES_PER_BUCKET, slot_of};
use super::header::{Header, NetworkFormatError};
use super::model::Network;
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

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a network file, if the file is damaged, or if the engine does not support
    /// the network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkFormatError> {
        let header = Header::read(bytes)?;
        let expected = header.bytes + parameter_bytes(&header.architecture);
        if bytes.len() < expected {
            return Err(NetworkFormatError::TooShort);
        }
        if bytes.len() > expected {
            return Err(NetworkFormatError::TooLong);
        }
        if header.checksum != header.checksum_of(bytes) {
            return Err(NetworkFormatError::Checksum);
        }
        let mut network = Network::zero(header.architecture);
        network.name = header.name;
        network.checksum = header.checksum;
        network.read_parameters(&bytes[header.bytes..]);
        if network.has_safe_output_weights() {
            Ok(network)
        } else {
            Err(NetworkFormatError::OutputWeights)
        }
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
        let (biases, _) = words.as_slice().as_chunks::<2>();
        for (bias, [low, high]) in self.output_biases.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes([low[0], low[1], high[0], high[1]]);
        }
    }

    /// Returns `true` if no sum of the output layer can overflow.
    fn has_safe_output_weights(&self) -> bool {
        let limit = i32::from(MAX_OUTPUT_WEIGHT);
        let buckets = self
            .output_weights
            .chunks(2 * self.architecture.width.blocks());
        buckets.into_iter().all(|bucket| {
            let sizes = || {
                let weights = bucket.iter().flat_map(|block| block.0);
                weights.map(|weight| i32::from(weight).abs())
            };
            sizes().all(|size| size <= limit) && sizes().sum::<i32>() <= MAX_OUTPUT_WEIGHT_SUM
        })
    }
}

/// Returns the size in bytes of the parameters of a network of this architecture.
fn parameter_bytes(architecture: &Architecture) -> usize {
    let vectors = 1
        + architecture.king_buckets.count() * FEATURES_PER_BUCKET
        + 2 * architecture.output_buckets;
    vectors * architecture.width.blocks() * size_of::<Block>()
        + architecture.output_buckets * size_of::<i32>()
}

const _: () = assert!(size_of::<Block>() == BLOCK_SIZE * size_of::<i16>());
