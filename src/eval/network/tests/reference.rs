//! Scores of networks, computed plainly: without incremental updates, vectors, or the numbers of perspectives.

use super::super::Network;
use super::super::architecture::KingBuckets;
use super::super::features::slot_of;
use super::super::quantisation::Block;
use crate::board::Board;
use crate::types::{Color, PieceKind, Score};

/// Returns the values of blocks.
fn values(blocks: &[Block]) -> impl Iterator<Item = i64> {
    blocks.iter().flat_map(|block| block.0).map(i64::from)
}

/// Returns the numbers of the active features from the perspective of `side`, sorted by color and kind.
pub(super) fn features(king_buckets: &KingBuckets, board: &Board, side: Color) -> Vec<usize> {
    let from_own_end = if side == Color::White { 0 } else { 56 };
    let king = board.king(side).index() ^ from_own_end;
    let mirror = if king_buckets.is_mirrored() && king % 8 >= 4 {
        7
    } else {
        0
    };
    let bucket = usize::from(king_buckets.buckets()[king]);
    let mut features = Vec::new();
    for color in Color::ALL {
        for (kind_number, kind) in PieceKind::ALL.into_iter().enumerate() {
            for square in board.pieces(color, kind) {
                let owner = usize::from(color != side);
                let square = square.index() ^ from_own_end ^ mirror;
                features.push(((bucket * 2 + owner) * 6 + kind_number) * 64 + square);
            }
        }
    }
    features
}

/// Returns the accumulator of `side`.
fn accumulator(network: &Network, board: &Board, side: Color) -> Vec<i64> {
    let architecture = &network.architecture;
    let blocks = architecture.width.blocks();
    let mut sums: Vec<i64> = values(&network.biases).collect();
    for feature in features(&architecture.king_buckets, board, side) {
        let weights = &network.feature_weights[slot_of(feature) * blocks..][..blocks];
        for (sum, weight) in sums.iter_mut().zip(values(weights)) {
            *sum += weight;
        }
    }
    sums
}

/// Returns the score of `board` for the side to move.
pub(super) fn reference_score(network: &Network, board: &Board) -> Score {
    let architecture = &network.architecture;
    let us = board.side_to_move();
    let mut neurons = accumulator(network, board, us);
    neurons.extend(accumulator(network, board, !us));
    let bucket = (board.occupancy() - 2) * architecture.output_buckets / 32;
    let weights = &network.output_weights[bucket * 2 * architecture.width.blocks()..];
    let products = neurons
        .iter()
        .zip(values(weights))
        .map(|(&neuron, weight)| {
            let clipped = neuron.clamp(0, 255);
            clipped * clipped * weight
        });
    let output = products.sum::<i64>() / 255 + i64::from(network.output_biases[bucket]);
    let one = 255 * i64::from(architecture.output_weight_scale);
    let centipawns = output * i64::from(architecture.output_centipawns) / one;
    Score(centipawns as i32).clamp_to_eval()
}
