//! Header of a sample file.

use super::constants::{
    CHECKSUM_BYTES, HEADER_BYTES, MAGIC, RECORD_BYTES, RECORDS_PER_CHUNK, VERSION,
};
use super::error::SampleError;

/// Bytes of the header that its checksum covers.
const CHECKED: usize = HEADER_BYTES - 4;

/// Purpose of a sample file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SampleKind {
    /// Positions from which a network learns, in random order.
    Training = 1,
    /// Positions of other games, in random order, on which the training measures a network.
    Validation = 2,
    /// All positions of all games or of the validation games, in their order, on which networks are compared.
    Ordered = 3,
}

impl SampleKind {
    /// All kinds.
    const ALL: [SampleKind; 3] = [
        SampleKind::Training,
        SampleKind::Validation,
        SampleKind::Ordered,
    ];

    /// Returns the name shown to the user.
    pub const fn name(self) -> &'static str {
        match self {
            SampleKind::Training => "training",
            SampleKind::Validation => "validation",
            SampleKind::Ordered => "in the order of the games",
        }
    }
}

/// Share of the games that are used for validation, in ten-thousandths.
///
/// The games are chosen by a hash, so that those of a share include those of every smaller one: a validation file has
/// no game of a training file whose share is at least as large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u16);

impl Share {
    /// All games.
    pub const ALL: Share = Share(10_000);

    /// Returns the share nearest to a number from 0 to 1; `None` for other numbers.
    pub fn new(share: f64) -> Option<Share> {
        let all = f64::from(Share::ALL.0);
        (0.0..=1.0)
            .contains(&share)
            .then(|| Share((share * all).round() as u16))
    }

    /// Returns `true` if a game with this hash is used for validation.
    pub fn contains(self, hash: u64) -> bool {
        let place = (u128::from(hash) * u128::from(Share::ALL.0)) >> 64;
        place < u128::from(self.0)
    }

    /// Returns the share of all other games.
    pub fn rest(self) -> Share {
        Share(Share::ALL.0 - self.0)
    }

    /// Returns this share of a number of things, rounded up.
    pub fn of(self, number: u64) -> u64 {
        (number * u64::from(self.0)).div_ceil(u64::from(Share::ALL.0))
    }

    /// Returns `true` if no game is used for validation.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// Header of a sample file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleHeader {
    /// Purpose of the file.
    pub kind: SampleKind,
    /// Share of the games that are used for validation. The training file has all others; the validation file and an
    /// ordered file are limited to them.
    pub validation_share: Share,
    /// Largest number of occurrences of a position in the file; 0: no limit.
    pub max_occurrences: u32,
    /// Number of records.
    pub records: u64,
    /// Records of all chunks but the last one, from 1 to 65,536.
    pub records_per_chunk: u32,
    /// CRC-32 of the checksums of all chunks.
    pub checksum: u32,
}

impl SampleHeader {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        self.records.div_ceil(u64::from(self.records_per_chunk))
    }

    /// Returns the offset after the last record.
    pub(super) fn records_end(&self) -> Option<u64> {
        let records = self.records.checked_mul(RECORD_BYTES as u64)?;
        records.checked_add(HEADER_BYTES as u64)
    }

    /// Returns the length of the file; `None` if it is not a number.
    pub(super) fn file_length(&self) -> Option<u64> {
        self.records_end()?
            .checked_add(self.chunks() * CHECKSUM_BYTES)
    }

    /// Returns the bytes of the header.
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&(RECORD_BYTES as u16).to_le_bytes());
        bytes[12] = self.kind as u8;
        bytes[14..16].copy_from_slice(&self.validation_share.0.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.records.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.records_per_chunk.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.max_occurrences.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..CHECKED]);
        bytes[CHECKED..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// If these are not the first bytes of a sample file of this version, or they are damaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<SampleHeader, SampleError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(SampleError::NotSamples);
        }
        let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(SampleError::DamagedHeader);
        };
        let two = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let four = |at: usize| u32::from(two(at)) | u32::from(two(at + 2)) << 16;
        if two(8) != VERSION {
            return Err(SampleError::Version(two(8)));
        }
        if crc32fast::hash(&bytes[..CHECKED]) != four(CHECKED) {
            return Err(SampleError::DamagedHeader);
        }
        let kind = SampleKind::ALL
            .into_iter()
            .find(|&kind| kind as u8 == bytes[12]);
        let header = SampleHeader {
            kind: kind.ok_or(SampleError::UnknownValue(12))?,
            validation_share: Share(two(14)),
            max_occurrences: four(28),
            records: u64::from(four(16)) | u64::from(four(20)) << 32,
            records_per_chunk: four(24),
            checksum: four(32),
        };
        let is_known = [
            (10, usize::from(two(10)) == RECORD_BYTES),
            (14, header.validation_share <= Share::ALL),
            (
                24,
                (1..=RECORDS_PER_CHUNK).contains(&header.records_per_chunk),
            ),
        ];
        match is_known.into_iter().find(|&(_, is_known)| !is_known) {
            Some((at, _)) => Err(SampleError::UnknownValue(at)),
            None if header.to_bytes() == *bytes => Ok(header),
            None => Err(SampleError::UnknownValue(36)),
        }
    }
}
