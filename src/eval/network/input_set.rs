//! Sets of input features, one for each division of the board into king buckets.
//!
//! `gaur-lab features` writes the buckets and examples of feature numbers, with which the training compares its own.

use crate::board::Board;
use crate::types::{Color, File, Square};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputSet {
    /// Number of king buckets.
    king_buckets: usize,
    /// Bucket of each square of the own king, after turning and mirroring the board; as many on files e to h.
    king_bucket_of: [u8; 64],
}

impl InputSet {
    /// All sets that networks can have, by number of king buckets.
    pub const ALL: [InputSet; 2] = [
        InputSet::new(1, [[0; 4]; 8]),
        InputSet::new(4, FOUR_BUCKETS),
    ];

    const fn new(king_buckets: usize, ranks: [[u8; 4]; 8]) -> InputSet {
        let mut king_bucket_of = [0; 64];
        let mut index = 0;
        while index < 64 {
            let file = index % 8;
            let mirrored = if file < 4 { file } else { 7 - file };
            king_bucket_of[index] = ranks[index / 8][mirrored];
            index += 1;
        }
        InputSet {
            king_buckets,
            king_bucket_of,
        }
    }

    /// Returns the number of king buckets.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Returns the bucket of each square of the own king, a1 first, with the board seen from the own end. Squares that
    /// mirror each other have the same bucket.
    pub fn king_bucket_of(&self) -> &[u8; 64] {
        &self.king_bucket_of
    }

    /// Returns the numbers of the active features from the perspective of `side`, in the order of the squares from a1
    /// on: 768 times the king bucket, plus 384 for a piece of the opponent, plus 64 times the kind (0 to 5 from pawn
    /// to king), plus the square.
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
        let king = board.king(side).relative_to(side);
        let mirror = if king.file() >= File::E { 7 } else { 0 };
        let bucket = usize::from(self.king_bucket_of[king.index()]);
        let mut features = Vec::new();
        for square in Square::all() {
            let Some(piece) = board.piece_on(square) else {
                continue;
            };
            let owner = usize::from(piece.color != side);
            let seen = square.relative_to(side).index() ^ mirror;
            features.push((((bucket * 2 + owner) * 6 + piece.kind.index()) * 64 + seen) as u16);
        }
        features
    }
}
