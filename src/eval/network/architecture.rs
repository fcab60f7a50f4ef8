//! Architecture of a network, as its file states it.

use crate::types::Score;

use super::quantisation::{
    ACCUMULATOR_SCALE, BLOCK_SIZE, HIDDEN_SUM_SCALE, MAX_KING_BUCKETS, MAX_PRODUCTS,
    OUTPUT_WEIGHT_SCALES,
};

/// Sizes and input features of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Architecture {
    /// Neurons per accumulator.
    pub width: Width,
    /// Regions of the own king's square that have feature weights of their own.
    pub king_buckets: KingBuckets,
    /// Layers between the accumulators and the score.
    pub output: OutputKind,
    /// Sets of output weights, selected by the number of pieces on the board; at least 1.
    pub output_buckets: usize,
    /// Integer that represents 1.0 in an output weight: one of [`OUTPUT_WEIGHT_SCALES`] for a single output.
    pub output_weight_scale: u16,
    /// Score in centipawns of an output of 1.0.
    pub output_centipawns: u16,
}

impl Architecture {
    /// Returns the output bucket for this number of pieces on the board.
    ///
    /// The buckets divide 2 to 33 pieces into equal parts.
    #[inline(always)]
    pub fn output_bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(2) * self.output_buckets / 32).min(self.output_buckets - 1)
    }

    /// Returns the score of a single output, rounded towards zero.
    ///
    /// In the output, 1.0 is [`ACCUMULATOR_SCALE`] times the scale of the output weights.
    #[inline(always)]
    pub fn score(&self, output: i64) -> Score {
        let [small, large] = OUTPUT_WEIGHT_SCALES;
        let product = output * i64::from(self.output_centipawns);
        let scale = i64::from(ACCUMULATOR_SCALE);
        // A division by a constant is faster than one by a variable.
        let centipawns = if self.output_weight_scale == small {
            product / (scale * i64::from(small))
        } else {
            product / (scale * i64::from(large))
        };
        Score(centipawns.clamp(i32::MIN.into(), i32::MAX.into()) as i32).clamp_to_eval()
    }

    /// Returns the score of an output after hidden layers, in which 1.0 is [`HIDDEN_SUM_SCALE`].
    ///
    /// It is rounded towards zero.
    #[inline(always)]
    pub fn hidden_score(&self, output: i32) -> Score {
        let product = i64::from(output) * i64::from(self.output_centipawns);
        let centipawns = product / i64::from(HIDDEN_SUM_SCALE);
        Score(centipawns.clamp(i32::MIN.into(), i32::MAX.into()) as i32).clamp_to_eval()
    }
}

/// Layers between the accumulators and the score. The number is that of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputKind {
    /// A single output, whose inputs are the squares of both accumulators.
    Single = 0,
    /// Products of the halves of each accumulator, two hidden layers and an output.
    Hidden = 1,
}

impl OutputKind {
    /// Returns `true` if accumulators of this width can have this output.
    ///
    /// Hidden layers need whole blocks of products of both accumulators, which have one byte each.
    pub const fn accepts(self, width: Width) -> bool {
        match self {
            OutputKind::Single => true,
            OutputKind::Hidden => width.neurons().is_multiple_of(4 * BLOCK_SIZE),
        }
    }
}

/// Numbers of neurons per accumulator for which the inner loops are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    N64 = 64,
    N128 = 128,
    N256 = 256,
    N512 = 512,
    N768 = 768,
    N1024 = 1024,
    N1280 = 1280,
    N1536 = 1536,
}

impl Width {
    /// All numbers of neurons.
    pub const ALL: [Width; 8] = [
        Width::N64,
        Width::N128,
        Width::N256,
        Width::N512,
        Width::N768,
        Width::N1024,
        Width::N1280,
        Width::N1536,
    ];

    /// Returns the width with this number of neurons.
    pub fn new(neurons: usize) -> Option<Width> {
        Width::ALL
            .into_iter()
            .find(|width| width.neurons() == neurons)
    }

    /// Returns the number of neurons.
    pub const fn neurons(self) -> usize {
        self as usize
    }

    /// Returns the number of blocks of an accumulator, or of the weights of a feature: an even number.
    pub const fn blocks(self) -> usize {
        self.neurons() / BLOCK_SIZE
    }
}

const _: () = assert!(Width::N1536.neurons() == MAX_PRODUCTS);

/// Division of the squares of the own king into buckets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KingBuckets {
    /// Number of buckets, from 1 to [`MAX_KING_BUCKETS`].
    count: usize,
    /// Bucket of each square, from the perspective of the king's side.
    buckets: [u8; 64],
    /// Set if the board is mirrored while the king stands on files e to h.
    is_mirrored: bool,
}

impl KingBuckets {
    /// One bucket for all squares, and a mirrored board.
    pub const ONE: KingBuckets = KingBuckets::mirrored(1, [[0; 4]; 8]);

    /// Creates a division for a mirrored board from the buckets of files a to d on each rank, which must be below
    /// `count`.
    pub const fn mirrored(count: usize, ranks: [[u8; 4]; 8]) -> KingBuckets {
        let mut buckets = [0; 64];
        let mut square = 0;
        while square < 64 {
            let file = square % 8;
            let mirrored = if file < 4 { file } else { 7 - file };
            buckets[square] = ranks[square / 8][mirrored];
            square += 1;
        }
        KingBuckets {
            count,
            buckets,
            is_mirrored: true,
        }
    }

    /// Creates a division, or returns `None` if `count` is outside its limits, a bucket is not below `count`, or two
    /// squares that are mirror images have different buckets although the board is mirrored.
    pub fn new(count: usize, buckets: [u8; 64], is_mirrored: bool) -> Option<KingBuckets> {
        let is_valid = (0..64).all(|square| {
            usize::from(buckets[square]) < count
                && (!is_mirrored || buckets[square] == buckets[square ^ 7])
        });
        ((1..=MAX_KING_BUCKETS).contains(&count) && is_valid).then_some(KingBuckets {
            count,
            buckets,
            is_mirrored,
        })
    }

    /// Returns the number of buckets.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the bucket of each square, from the perspective of the king's side.
    pub fn buckets(&self) -> &[u8; 64] {
        &self.buckets
    }

    /// Returns `true` if the board is mirrored while the king stands on files e to h.
    pub fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }
}
