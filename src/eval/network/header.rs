//! Headers of network files. `docs/network-format.md` describes the format.

use std::ops::Range;

use thiserror::Error;

use super::architecture::{Architecture, KingBuckets, OutputKind, Width};
use super::hidden::{FIRST_NEURONS, SECOND_NEURONS};
use super::quantisation::{
    ACCUMULATOR_SCALE, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS, MAX_OUTPUT_CENTIPAWNS,
    OUTPUT_WEIGHT_SCALES, SECOND_WEIGHT_SCALE,
};

const MAGIC: &[u8; 8] = b"GAURNNUE";
const NAME: Range<usize> = 16..48;
const CHECKSUM: Range<usize> = 48..52;
const KING_BUCKETS: Range<usize> = 64..128;

/// Size of the header in version 1 of the format.
const HEADER_BYTES_1: usize = 64;

/// Size of the header in version 2 of the format.
const HEADER_BYTES_2: usize = 128;

/// Output weight scale and centipawns of an output of 1.0 in version 1 of the format.
const QUANTISATION_1: (u16, u16) = (128, 200);

/// Reason why bytes are not a network that this engine can use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetworkFormatError {
    /// The file does not begin with the signature of a network file.
    #[error("not a network of Gaur")]
    NotANetwork,
    /// The file has an unsupported version of the format.
    #[error("version {0} of the network format; this engine reads versions 1 and 2")]
    Version(u16),
    /// The header states something that this engine does not support.
    #[error("{found}; this engine accepts {accepted}")]
    Unsupported {
        /// Property that the header states.
        found: String,
        /// Values that the engine supports.
        accepted: String,
    },
    /// The file is shorter than its header states.
    #[error("{found} bytes instead of {expected}; copy or train the file again")]
    TooShort {
        /// Size of the file.
        found: usize,
        /// Size by the header, or that of the header itself if the file ends in it.
        expected: usize,
    },
    /// The file is longer than its header states. Its size is unknown: only one byte more is read.
    #[error("more than the {0} bytes of its network; copy or train the file again")]
    TooLong(usize),
    /// The checksum does not match the rest of the file.
    #[error("damaged: its checksum is wrong; copy or train the file again")]
    Checksum,
    /// The system refuses the memory for the file or for the network.
    #[error(
        "there is too little memory for the network; select a smaller hash table, or raise the limit of the process \
         (ulimit -v)"
    )]
    Memory,
    /// The feature weights or the bias of a neuron are so large that an accumulator could overflow.
    #[error(
        "the feature weights or the bias of neuron {neuron} in king bucket {king_bucket} are too large"
    )]
    FeatureWeights {
        /// Number of the neuron, from 0 on.
        neuron: usize,
        /// Number of the king bucket, from 0 on.
        king_bucket: usize,
    },
    /// An output weight, or the sum of those of a bucket, is so large that the sum of the output layer could overflow.
    #[error("the {part} in output bucket {bucket} is too large")]
    OutputWeights {
        /// Weight, with its neuron and accumulator, or sum of the weights.
        part: String,
        /// Number of the output bucket, from 0 on.
        bucket: usize,
    },
    /// The weights or the bias of a neuron after the accumulators are so large that its sum could overflow.
    #[error("the weights or the bias of {place} in output bucket {bucket} are too large")]
    HiddenWeights {
        /// Layer and neuron.
        place: String,
        /// Number of the output bucket, from 0 on.
        bucket: usize,
    },
}

/// Returns an error unless `is_supported` is `true`.
fn require(is_supported: bool, found: String, accepted: String) -> Result<(), NetworkFormatError> {
    is_supported
        .then_some(())
        .ok_or(NetworkFormatError::Unsupported { found, accepted })
}

/// Returns an error unless these bytes of the header, which have no meaning, are zero.
fn require_zeros(
    start: &[u8; HEADER_BYTES_1],
    unused: Range<usize>,
) -> Result<(), NetworkFormatError> {
    require(
        start[unused.clone()].iter().all(|&byte| byte == 0),
        format!(
            "an unknown value in bytes {} to {}",
            unused.start,
            unused.end - 1
        ),
        "0".to_owned(),
    )
}

/// Contents of the header of a network file.
pub(super) struct Header {
    /// Size of the header itself.
    pub bytes: usize,
    /// Name of the network.
    pub name: String,
    /// CRC-32 of the parts of the file that it covers.
    pub checksum: u32,
    /// Sizes of the layers and division of the king's squares.
    pub architecture: Architecture,
}

impl Header {
    /// Largest size of a header.
    pub const MAX_BYTES: usize = HEADER_BYTES_2;

    /// Reads the header at the beginning of a network file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not the beginning of a network file, or if the engine does not support the
    /// network.
    pub fn read(file: &[u8]) -> Result<Header, NetworkFormatError> {
        let Some(start) = file.first_chunk::<HEADER_BYTES_1>() else {
            return Err(NetworkFormatError::NotANetwork);
        };
        if !start.starts_with(MAGIC) {
            return Err(NetworkFormatError::NotANetwork);
        }
        let word = |at: usize| u16::from_le_bytes([start[at], start[at + 1]]);
        let (bytes, (output_weight_scale, output_centipawns)) = match word(8) {
            1 => (HEADER_BYTES_1, QUANTISATION_1),
            2 => (HEADER_BYTES_2, (word(54), word(56))),
            version => return Err(NetworkFormatError::Version(version)),
        };
        let width = Width::new(word(10).into()).ok_or_else(|| NetworkFormatError::Unsupported {
            found: format!("{} neurons per accumulator", word(10)),
            accepted: Width::ALL
                .map(|width| width.neurons().to_string())
                .join(", "),
        })?;
        let output_buckets = usize::from(start[13]);
        require(
            (1..=MAX_OUTPUT_BUCKETS).contains(&output_buckets),
            format!("{output_buckets} output buckets"),
            format!("1 to {MAX_OUTPUT_BUCKETS}"),
        )?;
        let (output, king_buckets) = match bytes {
            HEADER_BYTES_1 => {
                let king_buckets = one_king_bucket(start)?;
                require_zeros(start, 14..16)?;
                require_zeros(start, 52..HEADER_BYTES_1)?;
                (OutputKind::Single, king_buckets)
            }
            _ => {
                let output = output_kind(start, width)?;
                check_quantisation(start)?;
                (output, king_buckets(file)?)
            }
        };
        Ok(Header {
            bytes,
            name: name(start)?,
            checksum: u32::from_le_bytes([start[48], start[49], start[50], start[51]]),
            architecture: Architecture {
                width,
                king_buckets,
                output,
                output_buckets,
                output_weight_scale,
                output_centipawns,
            },
        })
    }

    /// Returns the CRC-32 of the parts of a network file that the checksum covers.
    ///
    /// In version 1 they are the parameters, in version 2 everything except the checksum itself.
    pub fn checksum_of(&self, file: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        if self.bytes == HEADER_BYTES_1 {
            hasher.update(&file[HEADER_BYTES_1..]);
        } else {
            hasher.update(&file[..CHECKSUM.start]);
            hasher.update(&file[CHECKSUM.end..]);
        }
        hasher.finalize()
    }
}

/// Reads the name of the network. Programs print it, so it has no characters that could change their output.
fn name(start: &[u8; HEADER_BYTES_1]) -> Result<String, NetworkFormatError> {
    let name = str::from_utf8(&start[NAME]).map(|name| name.trim_end_matches('\0'));
    match name {
        Ok(name) if !name.contains(char::is_control) => Ok(name.to_owned()),
        _ => Err(NetworkFormatError::Unsupported {
            found: "an unreadable name".to_owned(),
            accepted: "UTF-8 without control characters, padded with zeros".to_owned(),
        }),
    }
}

/// Checks the number of king buckets in version 1 of the format, which has no table of them.
fn one_king_bucket(start: &[u8; HEADER_BYTES_1]) -> Result<KingBuckets, NetworkFormatError> {
    require(
        start[12] == 1,
        format!("{} king buckets", start[12]),
        "1 in version 1 of the format".to_owned(),
    )?;
    Ok(KingBuckets::ONE)
}

/// Reads the kind of output in version 2 of the format, and checks what depends on it.
fn output_kind(
    start: &[u8; HEADER_BYTES_1],
    width: Width,
) -> Result<OutputKind, NetworkFormatError> {
    let scale = u16::from_le_bytes([start[54], start[55]]);
    match start[15] {
        0 => {
            let [small, large] = OUTPUT_WEIGHT_SCALES;
            require(
                OUTPUT_WEIGHT_SCALES.contains(&scale),
                format!("output weight scale {scale}"),
                format!("{small} and {large}"),
            )?;
            require_zeros(start, 58..HEADER_BYTES_1)?;
            Ok(OutputKind::Single)
        }
        1 => {
            require(
                OutputKind::Hidden.accepts(width),
                format!(
                    "{} neurons per accumulator before hidden layers",
                    width.neurons()
                ),
                "multiples of 128".to_owned(),
            )?;
            require(
                scale == SECOND_WEIGHT_SCALE,
                format!("output weight scale {scale} after hidden layers"),
                SECOND_WEIGHT_SCALE.to_string(),
            )?;
            require(
                [start[58], start[59]].map(usize::from) == [FIRST_NEURONS, SECOND_NEURONS],
                format!("hidden layers of {} and {} neurons", start[58], start[59]),
                format!("{FIRST_NEURONS} and {SECOND_NEURONS}"),
            )?;
            require_zeros(start, 60..HEADER_BYTES_1)?;
            Ok(OutputKind::Hidden)
        }
        kind => Err(NetworkFormatError::Unsupported {
            found: format!("kind {kind} of output"),
            accepted: "0 (single) and 1 (hidden layers)".to_owned(),
        }),
    }
}

/// Checks the scales that do not depend on the kind of output in version 2 of the format.
fn check_quantisation(start: &[u8; HEADER_BYTES_1]) -> Result<(), NetworkFormatError> {
    let word = |at: usize| u16::from_le_bytes([start[at], start[at + 1]]);
    require(
        word(52) == ACCUMULATOR_SCALE as u16,
        format!("accumulator scale {}", word(52)),
        ACCUMULATOR_SCALE.to_string(),
    )?;
    require(
        (1..=MAX_OUTPUT_CENTIPAWNS).contains(&word(56)),
        format!("{} centipawns for an output of 1.0", word(56)),
        format!("1 to {MAX_OUTPUT_CENTIPAWNS}"),
    )
}

/// Reads the king buckets in version 2 of the format.
fn king_buckets(file: &[u8]) -> Result<KingBuckets, NetworkFormatError> {
    let (count, mirrored) = (usize::from(file[12]), file[14]);
    require(
        (1..=MAX_KING_BUCKETS).contains(&count),
        format!("{count} king buckets"),
        format!("1 to {MAX_KING_BUCKETS}"),
    )?;
    require(
        mirrored <= 1,
        format!("kind {mirrored} of board"),
        "0 (never mirrored) and 1 (mirrored)".to_owned(),
    )?;
    let table = file
        .get(KING_BUCKETS)
        .and_then(|table| table.try_into().ok());
    let table: [u8; 64] = table.ok_or(NetworkFormatError::TooShort {
        found: file.len(),
        expected: HEADER_BYTES_2,
    })?;
    KingBuckets::new(count, table, mirrored == 1).ok_or_else(|| NetworkFormatError::Unsupported {
        found: format!("an inconsistent table of {count} king buckets"),
        accepted: format!(
            "numbers below {count}, and on a mirrored board the same number for squares that are mirror images"
        ),
    })
}

#[cfg(test)]
impl Header {
    /// Returns the bytes of a header with this version of the format, without the checksum.
    pub(super) fn to_bytes(version: u16, name: &str, architecture: &Architecture) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend((architecture.width.neurons() as u16).to_le_bytes());
        bytes.extend([
            architecture.king_buckets.count() as u8,
            architecture.output_buckets as u8,
        ]);
        let is_mirrored = version > 1 && architecture.king_buckets.is_mirrored();
        bytes.extend([u8::from(is_mirrored), architecture.output as u8]);
        bytes.extend(name.bytes().take(NAME.len()));
        bytes.resize(CHECKSUM.end, 0);
        if version > 1 {
            bytes.extend((ACCUMULATOR_SCALE as u16).to_le_bytes());
            bytes.extend(architecture.output_weight_scale.to_le_bytes());
            bytes.extend(architecture.output_centipawns.to_le_bytes());
        }
        if architecture.output == OutputKind::Hidden {
            bytes.extend([FIRST_NEURONS as u8, SECOND_NEURONS as u8]);
        }
        bytes.resize(HEADER_BYTES_1, 0);
        if version > 1 {
            bytes.extend(architecture.king_buckets.buckets());
        }
        bytes
    }

    /// Writes the checksum of a complete network file into its header.
    pub(super) fn write_checksum(file: &mut [u8]) {
        let header = Header::read(file).expect("a header");
        let checksum = header.checksum_of(file);
        file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    }
}
