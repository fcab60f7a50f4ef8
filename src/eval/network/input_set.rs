//! Sets of input features with which networks are trained, one for each division of the board into king buckets.
//!
//! `gaur-lab features` writes the buckets and examples of feature numbers, with which the training compares its own.

use crate::board::Board;
use crate::types::{Color, Square};

use super::architecture::KingBuckets;
use super::features::{Feature, Perspective, number_of};

/// Buckets of the king's squares for one side of the mirrored board: four files on each rank, from the own back rank
/// on.
const FOUR_BUCKETS: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// A set of input features for one perspective. A feature is a piece of the own side or the opponent on a square, with
/// the bucket of the own king. The board is seen from the own end and mirrored so that the own king stands on files a
/// to d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputSet {
    pub(super) king_buckets: KingBuckets,
}

impl InputSet {
    /// All sets with which networks are trained, by number of king buckets.
    pub const ALL: [InputSet; 2] = [
        InputSet {
            king_buckets: KingBuckets::ONE,
        },
        InputSet {
            king_buckets: KingBuckets::mirrored(4, FOUR_BUCKETS),
        },
    ];

    /// Returns the number of king buckets.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets.count()
    }

    /// Returns the bucket of each square of the own king, a1 first, with the board seen from the own end. Squares that
    /// mirror each other have the same bucket.
    pub fn king_bucket_of(&self) -> &[u8; 64] {
        self.king_buckets.buckets()
    }

    /// Returns the numbers of the active features from the perspective of `side`, in the order of the squares from a1
    /// on: 768 times the king bucket, plus 384 for a piece of the opponent, plus 64 times the kind (0 to 5 from pawn
    /// to king), plus the square.
    ///
    /// They are the numbers of the weights in a network file.
    ///
    /// ```
    /// use gaur::eval::InputSet;
    /// use gaur::notation::parse_fen;
    /// use gaur::board::Board;
    /// use gaur::types::Color;
    ///
    /// let setup = parse_fen("4k3/8/8/8/8/8/P7/6K1 w - - 0 1")?;
    /// let board = Board::from_setup(&setup)?;
    /// // King and pawn are mirrored: b1, h2; the opponent's king stands on d8.
    /// let features = InputSet::ALL[0].features(&board, Color::White);
    /// assert_eq!(features, [5 * 64 + 1, 15, 384 + 5 * 64 + 59]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn features(&self, board: &Board, side: Color) -> Vec<u16> {
        let king = board.king(side).index();
        let perspective = Perspective::new(&self.king_buckets, side, king);
        let number = |square| {
            let piece = board.piece_on(square)?;
            let feature = Feature::new(piece.color, piece.kind, square);
            Some(number_of(perspective.index(feature)) as u16)
        };
        Square::all().filter_map(number).collect()
    }
}
