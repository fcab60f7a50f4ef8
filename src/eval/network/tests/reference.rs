//! Scores of networks, computed plainly: without incremental updates, vectors, or the numbers of perspectives.

use super::super::Network;
use super::super::architecture::{KingBuckets, OutputKind};
use super::super::features::slot_of;
use super::super::hidden::HiddenLayers;
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
    let accumulators = [us, !us].map(|side| accumulator(network, board, side));
    let bucket = (board.occupancy() - 2) * architecture.output_buckets / 32;
    let (output, one) = match architecture.output {
        OutputKind::Single => (
            single_output(network, &accumulators.concat(), bucket),
            255 * i64::from(architecture.output_weight_scale),
        ),
        OutputKind::Hidden => (
            hidden_output(&network.hidden_layers[bucket], &accumulators),
            255 * 255 * 64,
        ),
    };
    let centipawns = output * i64::from(architecture.output_centipawns) / one;
    Score(centipawns as i32).clamp_to_eval()
}

/// Returns the single output of this bucket.
fn single_output(network: &Network, neurons: &[i64], bucket: usize) -> i64 {
    let weights = &network.output_weights[bucket * 2 * network.architecture.width.blocks()..];
    let products = neurons
        .iter()
        .zip(values(weights))
        .map(|(&neuron, weight)| {
            let clipped = neuron.clamp(0, 255);
            clipped * clipped * weight
        });
    products.sum::<i64>() / 255 + i64::from(network.output_biases[bucket])
}

/// Returns the output after hidden layers.
fn hidden_output(layers: &HiddenLayers, accumulators: &[Vec<i64>; 2]) -> i64 {
    let mut products = Vec::new();
    for accumulator in accumulators {
        let (low, high) = accumulator.split_at(accumulator.len() / 2);
        for (low, high) in low.iter().zip(high) {
            products.push(low.clamp(&0, &255) * high.clamp(&0, &255) / 512);
        }
    }
    let weighted = |inputs: &[i64], weight: &dyn Fn(usize) -> i64| -> i64 {
        let numbered = inputs.iter().enumerate();
        numbered.map(|(input, value)| value * weight(input)).sum()
    };
    let first = layers.first_biases.iter().enumerate();
    let first = first.map(|(neuron, &bias)| {
        let weight = |product| layers.first_weight(neuron, product).into();
        (weighted(&products, &weight) + i64::from(bias)).clamp(0, 8128)
    });
    let mut first: Vec<i64> = first.collect();
    let squares: Vec<i64> = first.iter().map(|value| value * value / 8192).collect();
    first.extend(squares);
    let second = layers.second_biases.iter().enumerate();
    let second = second.map(|(neuron, &bias)| {
        let weight = |input| layers.second_weight(neuron, input).into();
        (weighted(&first, &weight) + i64::from(bias)).clamp(0, 8128 * 512) / 512
    });
    let second: Vec<i64> = second.collect();
    let weight = |input: usize| layers.output_weights.0[input].into();
    weighted(&second, &weight) + i64::from(layers.output_bias)
}
