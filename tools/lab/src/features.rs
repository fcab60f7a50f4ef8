//! `gaur-lab features`: test vectors of the input features, with which the training compares its own computation.

use std::io::Write;

use gaur::board::{Board, Setup};
use gaur::eval::InputSet;
use gaur::types::{Color, Piece, PieceKind, Square};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::Serialize;

use crate::LabError;
use crate::sample_file::Sample;

/// Seed of the random positions.
const SEED: u64 = 1;

/// Largest number of pieces of one side besides its king.
const MAX_PIECES: u32 = 15;

/// Test vectors of all input sets, in the order of the output.
#[derive(Serialize)]
struct Vectors {
    input_sets: Vec<SetVectors>,
    positions: Vec<PositionVectors>,
}

/// Buckets of an input set.
#[derive(Serialize)]
struct SetVectors {
    king_buckets: usize,
    /// Bucket of each square of the own king, a1 first, with the board seen from the own end.
    king_bucket_of: Vec<u8>,
}

/// A position, and its features in each input set.
#[derive(Serialize)]
struct PositionVectors {
    /// Record of a sample file with this position, as hexadecimal digits.
    record: String,
    /// Feature numbers in each input set: from the perspective of the side to move, then of its opponent.
    features: Vec<[Vec<u16>; 2]>,
}

/// Writes the test vectors of all input sets as JSON.
///
/// # Errors
/// If the output cannot be written.
pub fn run_features(out: &mut impl Write) -> Result<(), LabError> {
    let vectors = Vectors {
        input_sets: InputSet::ALL.iter().map(set_vectors).collect(),
        positions: boards().iter().map(position_vectors).collect(),
    };
    serde_json::to_writer(&mut *out, &vectors).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn set_vectors(set: &InputSet) -> SetVectors {
    SetVectors {
        king_buckets: set.king_buckets(),
        king_bucket_of: set.king_bucket_of().to_vec(),
    }
}

fn position_vectors(board: &Board) -> PositionVectors {
    let us = board.side_to_move();
    let record = Sample::of_board(board).to_bytes();
    PositionVectors {
        record: record.iter().map(|byte| format!("{byte:02x}")).collect(),
        features: InputSet::ALL
            .iter()
            .map(|set| [us, !us].map(|side| set.features(board, side)))
            .collect(),
    }
}

/// Returns random positions, in which each square has the king of each side to move.
fn boards() -> Vec<Board> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let sides = Square::all().flat_map(|king| Color::ALL.map(|side| (king, side)));
    sides
        .map(|(king, side)| {
            loop {
                if let Ok(board) = Board::from_setup(&random_setup(king, side, &mut random)) {
                    return board;
                }
            }
        })
        .collect()
}

/// Returns a random setup with the king of the side to move on `king`; often not a legal position.
fn random_setup(king: Square, side: Color, random: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.side_to_move = side;
    setup.set(king, Some(Piece::new(side, PieceKind::King)));
    let mut place = |piece: Piece| {
        let square = Square::from_index(random.next_u32() as usize % 64);
        if setup.piece_on(square).is_none() {
            setup.set(square, Some(piece));
        }
        random.next_u32()
    };
    let mut number = place(Piece::new(!side, PieceKind::King));
    for color in Color::ALL {
        for _ in 0..number % (MAX_PIECES + 1) {
            // All kinds but the king.
            let kind = PieceKind::ALL[number as usize % (PieceKind::ALL.len() - 1)];
            number = place(Piece::new(color, kind));
        }
    }
    setup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_cover_all_king_squares_and_piece_counts() {
        let boards = boards();
        for side in Color::ALL {
            let to_move = |board: &&Board| board.side_to_move() == side;
            let mut kings: Vec<usize> = boards
                .iter()
                .filter(to_move)
                .map(|board| board.king(side).index())
                .collect();
            kings.sort_unstable();
            assert!(kings.into_iter().eq(0..64));
        }
        let counts = boards
            .iter()
            .map(|board| Sample::of_board(board).occupied.count_ones());
        assert!(counts.clone().any(|count| count < 4) && counts.clone().any(|count| count > 20));
    }

    #[test]
    fn vectors_name_each_feature_once() {
        let mut text = Vec::new();
        run_features(&mut text).unwrap();
        let vectors: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(vectors["input_sets"].as_array().map(Vec::len), Some(2));
        for position in vectors["positions"].as_array().unwrap() {
            for (set, sides) in InputSet::ALL
                .iter()
                .zip(position["features"].as_array().unwrap())
            {
                for side in sides.as_array().unwrap() {
                    let mut features: Vec<u64> = side
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|feature| feature.as_u64().unwrap())
                        .collect();
                    let bucket = features[0] / 768;
                    assert!(bucket < set.king_buckets() as u64);
                    assert!(features.iter().all(|feature| feature / 768 == bucket));
                    let count = features.len();
                    features.sort_unstable();
                    features.dedup();
                    assert_eq!(features.len(), count);
                }
            }
        }
    }
}
