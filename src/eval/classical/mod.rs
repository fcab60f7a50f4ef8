//! The classical evaluation: a sum of chess knowledge, weighed for middlegame and endgame.
//!
//! One call walks the piece lists once to learn what is attacked ([`scene`]), then adds the terms, a
//! file each. `docs/evaluation.md` describes them and says where a new one goes.

mod endgame;
mod explain;
mod king;
mod kpk;
mod lines;
mod material;
mod passed;
mod pawns;
mod pieces;
mod recent;
mod scene;
mod square_set;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod weights;

pub use explain::{Explanation, TermRow, explain};
pub use tapered::Tapered;
pub use weights::Weights;

use crate::board::Board;
use crate::types::{Color, Score};

use super::Evaluator;
use endgame::{FULL_SCALE, Scale};
use material::{FULL_PHASE, PieceSquares};
use pawns::PawnTable;
use recent::RecentScores;
use scene::Scene;
use square_set::SquareSet;
use trace::{Silent, Term, Trace};

/// The evaluator of chess knowledge. Owns its tables, allocated once.
pub struct ClassicalEvaluator {
    weights: Weights,
    piece_squares: PieceSquares,
    pawns: PawnTable,
    recent: RecentScores,
}

/// Everything the last steps of an evaluation found out, in White's eyes.
struct Verdict {
    /// The sum of the terms.
    sum: Tapered,
    phase: i32,
    scale: i32,
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

    /// An evaluator with other weights, for tuning.
    pub fn with_weights(weights: Weights) -> ClassicalEvaluator {
        let piece_squares = PieceSquares::new(&weights);
        ClassicalEvaluator {
            weights,
            piece_squares,
            pawns: PawnTable::new(),
            recent: RecentScores::new(),
        }
    }

    /// The whole evaluation; `trace` hears what each term gives.
    #[inline]
    fn judge<T: Trace>(&mut self, board: &Board, trace: &mut T) -> Verdict {
        self.pawns.prefetch(board.pawn_key());
        let weights = &self.weights;
        let mut sum = Tapered::ZERO;
        let mut scene = Scene::new(board, |color, kind, square| {
            sum += self.piece_squares.of(color, kind, square);
            if T::LISTENS {
                let square = square.relative_to(color);
                trace.add(Term::Material, color, weights.material[kind.index()]);
                trace.add(
                    Term::Squares,
                    color,
                    material::square_value(weights, kind, square),
                );
            }
        });
        let phase = material::phase(&scene);

        if let Some(white) = endgame::known_ending(&scene, sum.endgame()) {
            return Verdict {
                sum,
                phase,
                scale: FULL_SCALE,
                known_ending: true,
                white,
            };
        }

        let entry = self.pawns.probe(&scene, weights);
        let pieces = Color::ALL.map(|us| pieces::pieces(&mut scene, us, entry, weights, trace));
        sum += pieces[0] - pieces[1];
        let sides = Color::ALL.map(|us| side(&scene, us, entry, weights, trace));
        sum += sides[0] - sides[1];

        let winnable = winnable(&scene, sum.endgame(), weights);
        let better = if sum.endgame() >= 0 {
            Color::White
        } else {
            Color::Black
        };
        trace.add(Term::Winnable, better, winnable);
        sum += signed(winnable, better);
        let mover = board.side_to_move();
        trace.add(Term::Tempo, mover, weights.tempo);
        sum += signed(weights.tempo, mover);

        let strong = if sum.endgame() >= 0 {
            Color::White
        } else {
            Color::Black
        };
        let Scale {
            middlegame,
            endgame,
        } = endgame::scale(&scene, strong);
        let white = (sum.middlegame() * middlegame * phase
            + sum.endgame() * endgame * (FULL_PHASE - phase))
            / (FULL_PHASE * FULL_SCALE);
        Verdict {
            sum,
            phase,
            scale: endgame,
            known_ending: false,
            white,
        }
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
        if let Some(score) = self.recent.get(key) {
            return score;
        }
        let verdict = self.judge(board, &mut Silent);
        let score = match board.side_to_move() {
            Color::White => verdict.white,
            Color::Black => -verdict.white,
        };
        let score = Score(score).clamp_to_eval();
        self.recent.put(key, score);
        score
    }
}

/// The terms of one side that need the attacks of both.
#[inline]
fn side<T: Trace>(
    scene: &Scene,
    us: Color,
    entry: &pawns::PawnEntry,
    weights: &Weights,
    trace: &mut T,
) -> Tapered {
    let shelter = entry.shelter(us);
    let mut sum = Tapered::ZERO;
    let mut add = |term: Term, value: Tapered| {
        trace.add(term, us, value);
        sum += value;
    };
    if material::has_bishop_pair(scene, us) {
        add(Term::Bishops, weights.bishop_pair);
    }
    add(Term::Pawns, entry.score[us.index()]);
    add(
        Term::Shelter,
        shelter.score + king::defenders(scene, us, weights),
    );
    add(
        Term::KingDanger,
        king::danger(scene, us, i32::from(shelter.cover), weights),
    );
    add(Term::PassedPawns, passed::passed(scene, us, entry, weights));
    add(Term::Threats, threats::threats(scene, us, weights));
    add(Term::Space, threats::space(scene, us, weights));
    sum
}

/// A value of `color` in White's eyes.
#[inline]
fn signed(value: Tapered, color: Color) -> Tapered {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Winning chances of the better side in the endgame: pawns to promote and two wings to play on help
/// it. Never turns the sign of `endgame`. (Idea: Stockfish's initiative, Ethereal's complexity.)
#[inline]
fn winnable(scene: &Scene, endgame: i32, weights: &Weights) -> Tapered {
    let pawns = scene.all_pawns();
    let mut chances = weights.winnable_base + weights.winnable_pawn * pawns.len();
    if pawns.meets(SquareSet::LEFT_HALF) && pawns.meets(SquareSet::RIGHT_HALF) {
        chances += weights.winnable_wings;
    }
    if Color::ALL.iter().all(|&color| !scene.has_pieces(color)) {
        chances += weights.winnable_pawn_ending;
    }
    let bonus = if endgame == 0 {
        0
    } else {
        chances.endgame().max(-endgame.abs())
    };
    Tapered::new(0, bonus as i16)
}
