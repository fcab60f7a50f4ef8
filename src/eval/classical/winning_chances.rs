//! Winning chances of the better side in the endgame.

use crate::types::{Color, SquareSet};

use super::eval_context::EvalContext;
use super::tapered::Tapered;
use super::value::Value;
use super::weights::Weights;

/// Returns the winning chances of the better side in centipawns; only the endgame value counts.
///
/// Pawns that may promote and play on both wings help this side; without them the result is negative.
/// (Idea: Stockfish's initiative, Ethereal's complexity.)
#[inline]
pub(super) fn winning_chances<V: Value>(context: &EvalContext, weights: &Weights<V>) -> V {
    let pawns = context.all_pawns();
    let mut chances = weights.winnable_base + weights.winnable_pawn * pawns.len();
    if pawns.intersects(SquareSet::QUEENSIDE) && pawns.intersects(SquareSet::KINGSIDE) {
        chances += weights.winnable_wings;
    }
    if Color::ALL.iter().all(|&color| !context.has_pieces(color)) {
        chances += weights.winnable_pawn_ending;
    }
    chances
}

/// Returns the bonus of the better side for its winning `chances`, given the `endgame` value of the position.
///
/// A negative bonus is at most as large as `endgame`, so that it never changes which side is better.
#[inline]
pub(super) fn winnable(endgame: i32, chances: i32) -> Tapered {
    let bonus = if endgame == 0 {
        0
    } else {
        chances.max(-endgame.abs())
    };
    Tapered::new(0, bonus as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malus_does_not_change_the_better_side() {
        assert_eq!(winnable(50, 20), Tapered::new(0, 20));
        assert_eq!(winnable(-50, 20), Tapered::new(0, 20));
        assert_eq!(winnable(50, -20), Tapered::new(0, -20));
        assert_eq!(winnable(-50, -80), Tapered::new(0, -50));
        assert_eq!(winnable(0, 80), Tapered::ZERO);
    }
}
