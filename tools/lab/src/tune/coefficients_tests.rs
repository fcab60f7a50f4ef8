//! Tests of the coefficients: their value is that of the classical evaluation, and the gradient is its derivative.

use gaur::board::Board;
use gaur::eval::Evaluator;
use gaur::eval::classical::{ClassicalEvaluator, Tapered, Weights};
use gaur::types::Color;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::coefficients::{CoefficientExtractor, Coefficients};

/// Calls `visit` with each position of random games, `count` positions in all.
fn random_positions(count: usize, mut visit: impl FnMut(&Board)) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut board = Board::standard();
    let mut length = 0;
    for _ in 0..count {
        let moves = board.legal_moves();
        if moves.is_empty() || length > 160 {
            board = Board::standard();
            length = 0;
            continue;
        }
        let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
        length += 1;
        visit(&board);
    }
}

/// Returns the default weights with random changes of at most `spread` centipawns.
fn changed_weights(spread: i16) -> Weights {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut change = |value: i32| {
        let width = 2 * u32::from(spread.unsigned_abs()) + 1;
        value as i16 + (random.next_u32() % width) as i16 - spread
    };
    let mut weights = Weights::DEFAULT;
    weights.for_each_table(|_, list| {
        for weight in list {
            *weight = Tapered::new(change(weight.middlegame()), change(weight.endgame()));
        }
    });
    weights
}

/// Returns the score of the classical evaluation for White, in centipawns.
fn score_for_white(evaluator: &mut ClassicalEvaluator, board: &Board) -> f64 {
    let score = evaluator.evaluate(board).0;
    f64::from(match board.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    })
}

#[test]
fn coefficients_give_the_value_of_the_evaluation_with_any_weights() {
    let mut extractor = CoefficientExtractor::new(&Weights::DEFAULT);
    for weights in [Weights::DEFAULT, changed_weights(12)] {
        let pairs = weights.to_pairs();
        let mut evaluator = ClassicalEvaluator::with_weights(weights);
        let (mut seen, mut off, mut far_off) = (0, 0.0, 0);
        random_positions(20_000, |board| {
            let Some(coefficients) = extractor.extract(board) else {
                return;
            };
            let difference =
                (coefficients.value(&pairs) - score_for_white(&mut evaluator, board)).abs();
            // The evaluation rounds. A danger unit is worth up to 4 centipawns for each king, and rounding may decide
            // which side has the winning chances.
            far_off += usize::from(difference > 10.0);
            seen += 1;
            off += difference;
        });
        assert!(seen > 15_000, "{seen} positions");
        assert!(far_off * 1000 < seen, "{far_off} of {seen}");
        assert!(off / (seen as f64) < 0.8, "{}", off / seen as f64);
    }
}

/// Returns the derivative of the value by one weight, from a difference.
fn difference(coefficients: &Coefficients, pairs: &[[f64; 2]], weight: usize, phase: usize) -> f64 {
    let at = |step: f64| {
        let mut pairs = pairs.to_vec();
        pairs[weight][phase] += step;
        coefficients.value(&pairs)
    };
    let step = 1e-4;
    (at(step) - at(-step)) / (2.0 * step)
}

#[test]
fn the_gradient_is_the_derivative_of_the_value() {
    let mut extractor = CoefficientExtractor::new(&Weights::DEFAULT);
    let pairs = changed_weights(3).to_pairs();
    let (mut seen, mut bends) = (0, 0);
    let mut number = 0;
    random_positions(4000, |board| {
        number += 1;
        let Some(coefficients) = extractor.extract(board).filter(|_| number % 20 == 0) else {
            return;
        };
        let mut gradient = vec![[0.0; 2]; pairs.len()];
        coefficients.add_gradient(&pairs, &mut gradient, |_| 2.0);
        for weight in coefficients.weights() {
            for (phase, found) in gradient[weight].into_iter().enumerate() {
                let expected = 2.0 * difference(&coefficients, &pairs, weight, phase);
                seen += 1;
                bends += usize::from((expected - found).abs() > 1e-4 * (1.0 + expected.abs()));
            }
        }
    });
    assert!(seen > 10_000 && bends * 1000 < seen, "{bends} of {seen}");
}
