//! The classical evaluation: a sum of chess evaluation, weighed for middlegame and endgame.
//!
//! One call walks the piece lists once to learn what is attacked ([`context`]), then adds the terms, a
//! file each. `docs/evaluation.md` describes them and says where a new one goes.

mod anatomy;
#[cfg(test)]
mod anatomy_tests;
mod danger;
mod endgame;
mod eval_cache;
mod eval_context;
mod explain;
mod king;
mod kpk;
mod lines;
mod material;
mod passed;
mod pawns;
mod pieces;
mod square_set;
mod tape;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod value;
mod weights;

pub use anatomy::{Anatomist, Anatomy};
pub use explain::{Explanation, TermRow, explain};
pub use tapered::Tapered;
pub use weights::Weights;

use crate::board::Board;
use crate::types::{Color, Score};

use super::Evaluator;
use endgame::{FULL_SCALE, Scale};
use eval_cache::EvalCache;
use eval_context::EvalContext;
use material::{FULL_PHASE, PieceSquares};
use pawns::PawnTable;
use square_set::SquareSet;
use trace::{NoTrace, Sums, Term, Trace};
use value::Value;

/// The evaluator of chess evaluation. Owns its tables, allocated once.
pub struct ClassicalEvaluator {
    evaluation: ClassicalEvaluation<Tapered>,
    cache: EvalCache,
}

/// Weights and what is kept between evaluations, for sums of any kind.
struct ClassicalEvaluation<V> {
    weights: Weights<V>,
    piece_squares: PieceSquares<V>,
    pawns: PawnTable<V>,
}

/// Everything the last steps of an evaluation found out, in White's eyes.
struct EvaluationResult {
    /// The sum of the terms.
    sum: Tapered,
    phase: i32,
    scale: Scale,
    /// Whether special knowledge replaced the sum.
    known_ending: bool,
    /// The result before clamping.
    white: i32,
}

impl ClassicalEvaluator {
    /// An evaluator with the weights Gaur plays with.
    pub fn new() -> ClassicalEvaluator {
        ClassicalEvaluator::with_weights(Weights::DEFAULT)
    }

    /// An evaluator with other weights.
    pub fn with_weights(weights: Weights) -> ClassicalEvaluator {
        ClassicalEvaluator {
            evaluation: ClassicalEvaluation::new(weights),
            cache: EvalCache::new(),
        }
    }
}

impl<V: Value> ClassicalEvaluation<V> {
    fn new(weights: Weights<V>) -> ClassicalEvaluation<V> {
        ClassicalEvaluation {
            piece_squares: PieceSquares::new(&weights),
            weights,
            pawns: PawnTable::new(),
        }
    }

    /// The whole evaluation; `trace` hears what each term gives.
    #[inline]
    fn evaluation<T: Trace<V>>(&mut self, board: &Board, trace: &mut T) -> EvaluationResult {
        self.pawns.prefetch(board.pawn_key());
        let weights = &self.weights;
        let mut terms = V::ZERO;
        let mut context = EvalContext::new(board, |color, kind, square| {
            terms += self.piece_squares.of(color, kind, square);
            if T::ENABLED {
                let square = square.relative_to(color);
                trace.add(
                    Term::Material,
                    color,
                    weights.material[kind.index()].value(),
                );
                trace.add(
                    Term::Squares,
                    color,
                    material::square_value(weights, kind, square).value(),
                );
            }
        });
        let phase = material::phase(&context);

        if let Some(white) = endgame::known_ending(&context, weights) {
            return EvaluationResult {
                sum: terms.value(),
                phase,
                scale: Scale::FULL,
                known_ending: true,
                white,
            };
        }

        let entry = self.pawns.probe(&context, weights);
        let pieces = Color::ALL.map(|us| pieces::pieces(&mut context, us, entry, weights, trace));
        terms += pieces[0] - pieces[1];
        let sides = Color::ALL.map(|us| side(&context, us, entry, weights, trace));
        terms += sides[0] - sides[1];

        let chances = chances(&context, weights);
        let mover = board.side_to_move();
        let tempo = signed(weights.tempo, mover);
        let mut sum = terms.value();
        let winnable = winnable(sum.endgame(), chances.value().endgame());
        let better = if sum.endgame() >= 0 {
            Color::White
        } else {
            Color::Black
        };
        trace.add(Term::Winnable, better, winnable);
        sum += signed(winnable, better);
        trace.add(Term::Tempo, mover, weights.tempo.value());
        sum += tempo.value();
        let sums = Sums {
            terms,
            chances,
            tempo,
            phase,
        };
        trace.finish(&context, sums);

        let Scale {
            middlegame,
            endgame,
        } = scale(&context, sum);
        let white = (sum.middlegame() * middlegame * phase
            + sum.endgame() * endgame * (FULL_PHASE - phase))
            / (FULL_PHASE * FULL_SCALE);
        EvaluationResult {
            sum,
            phase,
            scale: Scale {
                middlegame,
                endgame,
            },
            known_ending: false,
            white,
        }
    }
}

/// How much of a sum is real: each half as much as the side can make of it that is better there, so that nothing jumps
/// where a half changes sides.
#[inline]
fn scale(context: &EvalContext, sum: Tapered) -> Scale {
    let better = |value: i32| {
        if value >= 0 {
            Color::White
        } else {
            Color::Black
        }
    };
    let (early, late) = (better(sum.middlegame()), better(sum.endgame()));
    let scale = endgame::scale(context, late);
    if early == late {
        return scale;
    }
    Scale {
        middlegame: endgame::scale(context, early).middlegame,
        ..scale
    }
}

impl Default for ClassicalEvaluator {
    fn default() -> ClassicalEvaluator {
        ClassicalEvaluator::new()
    }
}

impl Evaluator for ClassicalEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        let key = board.key();
        if let Some(score) = self.cache.get(key) {
            return score;
        }
        let result = self.evaluation.evaluation(board, &mut NoTrace);
        let score = match board.side_to_move() {
            Color::White => result.white,
            Color::Black => -result.white,
        };
        let score = Score(score).clamp_to_eval();
        self.cache.put(key, score);
        score
    }
}

/// The terms of one side that need the attacks of both.
#[inline]
fn side<V: Value, T: Trace<V>>(
    context: &EvalContext,
    us: Color,
    entry: &pawns::PawnEntry<V>,
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
    add(
        Term::PassedPawns,
        passed::passed(context, us, entry, weights),
    );
    add(Term::Threats, threats::threats(context, us, weights));
    add(Term::Space, threats::space(context, us, weights));
    sum
}

/// A value of `color` in White's eyes.
#[inline]
fn signed<V: Value>(value: V, color: Color) -> V {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Winning chances of the better side in the endgame: pawns to promote and two wings to play on help
/// it. (Idea: Stockfish's initiative, Ethereal's complexity.)
#[inline]
fn chances<V: Value>(context: &EvalContext, weights: &Weights<V>) -> V {
    let pawns = context.all_pawns();
    let mut chances = weights.winnable_base + weights.winnable_pawn * pawns.len();
    if pawns.meets(SquareSet::LEFT_HALF) && pawns.meets(SquareSet::RIGHT_HALF) {
        chances += weights.winnable_wings;
    }
    if Color::ALL.iter().all(|&color| !context.has_pieces(color)) {
        chances += weights.winnable_pawn_ending;
    }
    chances
}

/// What the chances are worth to the better side; never turns the sign of `endgame`.
#[inline]
fn winnable(endgame: i32, chances: i32) -> Tapered {
    let bonus = if endgame == 0 {
        0
    } else {
        chances.max(-endgame.abs())
    };
    Tapered::new(0, bonus as i16)
}
