//! The sum of all terms, its scaling in drawish endgames, and its interpolation by game phase.

use crate::board::Board;
use crate::types::Color;

use super::endgame::{self, FULL_SCALE, Scale};
use super::eval_context::EvalContext;
use super::king;
use super::material::{self, FULL_PHASE, PieceSquares};
use super::passed::passed;
use super::pawns::{PawnEntry, PawnTable};
use super::pieces::pieces;
use super::tapered::Tapered;
use super::threats::{space, threats};
use super::trace::{Sums, Term, Trace};
use super::value::Value;
use super::weights::Weights;
use super::winning_chances::{winnable, winning_chances};

/// The classical evaluation function with its weights and tables, generic over the number type of its sums.
pub struct ClassicalEvaluation<V> {
    weights: Weights<V>,
    piece_squares: PieceSquares<V>,
    pawns: PawnTable<V>,
}

/// Result of an evaluation with its last intermediate values, from White's perspective.
pub struct EvaluationResult {
    /// Sum of the terms in centipawns.
    pub sum: Tapered,
    /// Game phase: [`FULL_PHASE`] with all pieces on the board, 0 without pieces.
    pub phase: i32,
    /// Scaling of the sum in drawish endgames.
    pub scale: Scale,
    /// Set if a rule for an endgame against a bare king replaced the sum.
    pub is_bare_king_ending: bool,
    /// Score in centipawns before it is clamped to the range of evaluations.
    pub white: i32,
}

impl<V: Value> ClassicalEvaluation<V> {
    /// Creates the evaluation function and the tables that follow from `weights`.
    pub fn new(weights: Weights<V>) -> ClassicalEvaluation<V> {
        ClassicalEvaluation {
            piece_squares: PieceSquares::new(&weights),
            weights,
            pawns: PawnTable::new(),
        }
    }

    /// Evaluates `board` and reports each term to `trace`.
    #[inline]
    pub fn evaluate<T: Trace<V>>(&mut self, board: &Board, trace: &mut T) -> EvaluationResult {
        self.pawns.prefetch(board.pawn_key());
        let weights = &self.weights;
        let mut terms = V::ZERO;
        let mut context = EvalContext::new(board, |color, kind, square| {
            terms += self.piece_squares.of(color, kind, square);
            if T::ENABLED {
                let square = square.relative_to(color);
                let square_value = material::square_value(weights, kind, square);
                trace.add(
                    Term::Material,
                    color,
                    weights.material[kind.index()].value(),
                );
                trace.add(Term::Squares, color, square_value.value());
            }
        });
        let phase = material::phase(&context);

        if let Some(white) = endgame::bare_king_score(&context, weights) {
            return EvaluationResult {
                sum: terms.value(),
                phase,
                scale: Scale::FULL,
                is_bare_king_ending: true,
                white,
            };
        }

        let entry = self.pawns.probe(&context, weights);
        let by_side = Color::ALL.map(|us| pieces(&mut context, us, entry, weights, trace));
        terms += by_side[0] - by_side[1];
        // These terms need the attacks of both sides, which `pieces` has collected.
        let by_side = Color::ALL.map(|us| terms_of_side(&context, us, entry, weights, trace));
        terms += by_side[0] - by_side[1];

        let chances = winning_chances(&context, weights);
        let mover = board.side_to_move();
        let tempo = from_white(weights.tempo, mover);
        let mut sum = terms.value();
        let winnable = winnable(sum.endgame(), chances.value().endgame());
        let better = if sum.endgame() >= 0 {
            Color::White
        } else {
            Color::Black
        };
        trace.add(Term::Winnable, better, winnable);
        sum += from_white(winnable, better);
        trace.add(Term::Tempo, mover, weights.tempo.value());
        sum += tempo.value();
        let sums = Sums {
            terms,
            winning_chances: chances,
            tempo,
            phase,
        };
        trace.finish(sums, |strong| endgame::scale(&context, strong));

        let scale = endgame::scale_of_sum(&context, sum);
        let white = (sum.middlegame() * scale.middlegame * phase
            + sum.endgame() * scale.endgame * (FULL_PHASE - phase))
            / (FULL_PHASE * FULL_SCALE);
        EvaluationResult {
            sum,
            phase,
            scale,
            is_bare_king_ending: false,
            white,
        }
    }
}

/// Returns the sum of the terms of `us` that need the attacks of both sides.
#[inline]
fn terms_of_side<V: Value, T: Trace<V>>(
    context: &EvalContext,
    us: Color,
    entry: &PawnEntry<V>,
    weights: &Weights<V>,
    trace: &mut T,
) -> V {
    let shelter = entry.shelter(us);
    let mut sum = V::ZERO;
    let mut add = |term: Term, value: V| {
        trace.add(term, us, value.value());
        sum += value;
    };
    if material::has_bishop_pair(context, us) {
        add(Term::Bishops, weights.bishop_pair);
    }
    add(Term::Pawns, entry.score[us.index()]);
    add(
        Term::Shelter,
        shelter.score + king::defenders(context, us, weights),
    );
    add(
        Term::KingDanger,
        king::danger(context, us, shelter.cover, weights),
    );
    add(Term::PassedPawns, passed(context, us, entry, weights));
    add(Term::Threats, threats(context, us, weights));
    add(Term::Space, space(context, us, weights));
    sum
}

/// Returns a value of `color` from White's perspective.
#[inline]
fn from_white<V: Value>(value: V, color: Color) -> V {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}
