//! What the tuner works with is the evaluation itself, and its slopes are true.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::tests::random_positions;
use super::{Anatomist, Anatomy, ClassicalEvaluator, Tapered, Weights};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::types::Color;

/// Each value with up to `spread` more or less.
fn shaken(spread: i16) -> Weights {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut shake = |value: i32| {
        let width = 2 * u32::from(spread.unsigned_abs()) + 1;
        value as i16 + (random.next_u32() % width) as i16 - spread
    };
    let mut weights = Weights::DEFAULT;
    weights.for_each_table(|_, list| {
        for weight in list {
            *weight = Tapered::new(shake(weight.middlegame()), shake(weight.endgame()));
        }
    });
    weights
}

fn white(evaluator: &mut ClassicalEvaluator, board: &Board) -> f64 {
    let score = evaluator.evaluate(board).0;
    f64::from(match board.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    })
}

#[test]
fn anatomies_have_the_value_of_the_evaluation_whatever_the_weights() {
    // Whoever takes positions apart knows the default weights only.
    let mut anatomist = Anatomist::new(&Weights::DEFAULT);
    for weights in [Weights::DEFAULT, shaken(12)] {
        let pairs = weights.to_pairs();
        let mut evaluator = ClassicalEvaluator::with_weights(weights);
        let (mut seen, mut off, mut far_off) = (0, 0.0, 0);
        random_positions(20_000, |board| {
            let Some(anatomy) = anatomist.dissect(board) else {
                return;
            };
            let difference = (anatomy.value(&pairs) - white(&mut evaluator, board)).abs();
            // Rounding: where the danger is largest, one unit more or less is 4 centipawns; there are two kings.
            // And it may decide who is better in the endgame and has the winning chances.
            far_off += usize::from(difference > 10.0);
            seen += 1;
            off += difference;
        });
        assert!(seen > 15_000, "{seen} positions");
        assert!(far_off * 1000 < seen, "{far_off} of {seen}");
        assert!(off / (seen as f64) < 0.8, "{}", off / seen as f64);
    }
}

/// Change of the value for a change of one number.
fn difference(anatomy: &Anatomy, pairs: &[[f64; 2]], weight: usize, phase: usize) -> f64 {
    let at = |step: f64| {
        let mut pairs = pairs.to_vec();
        pairs[weight][phase] += step;
        anatomy.value(&pairs)
    };
    let step = 1e-4;
    (at(step) - at(-step)) / (2.0 * step)
}

#[test]
fn slopes_are_those_of_the_value() {
    let mut anatomist = Anatomist::new(&Weights::DEFAULT);
    let pairs = shaken(3).to_pairs();
    let (mut seen, mut bends) = (0, 0);
    let mut number = 0;
    random_positions(4000, |board| {
        number += 1;
        let Some(anatomy) = anatomist.dissect(board).filter(|_| number % 20 == 0) else {
            return;
        };
        let mut gradient = vec![[0.0; 2]; pairs.len()];
        anatomy.add_gradient(&pairs, &mut gradient, |_| 2.0);
        for weight in anatomy.weights() {
            for (phase, found) in gradient[weight].into_iter().enumerate() {
                let expected = 2.0 * difference(&anatomy, &pairs, weight, phase);
                seen += 1;
                bends += usize::from((expected - found).abs() > 1e-4 * (1.0 + expected.abs()));
            }
        }
    });
    assert!(seen > 10_000 && bends * 1000 < seen, "{bends} of {seen}");
}
