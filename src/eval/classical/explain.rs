//! Breakdown of the evaluation of a position by terms, for `gaur eval`.

use crate::board::Board;
use crate::types::{Color, Score};

use super::evaluation::{ClassicalEvaluation, EvaluationResult};
use super::tapered::Tapered;
use super::trace::{Term, TermTrace};
use super::weights::Weights;

/// Values of one term for both sides, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermRow {
    /// Name of the term.
    pub name: &'static str,
    /// Value for White.
    pub white: Tapered,
    /// Value for Black.
    pub black: Tapered,
}

/// Evaluation of a position, its terms and its intermediate values.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Values by term. If `is_bare_king_ending` is set, only material and piece squares are filled in.
    pub rows: Vec<TermRow>,
    /// Sum of all rows, White minus Black.
    pub sum: Tapered,
    /// Game phase: 24 with all pieces on the board, 0 without pieces.
    pub phase: i32,
    /// Scales of the middlegame and the endgame value, 0 (draw) to 128 (unchanged).
    pub scales: [i32; 2],
    /// Set if a rule for an endgame against a bare king replaced the sum.
    pub is_bare_king_ending: bool,
    /// Score for White.
    pub white: Score,
    /// Score for the side to move.
    pub score: Score,
}

/// Evaluates `board` with the default weights and returns the value of each term.
pub fn explain(board: &Board) -> Explanation {
    let mut trace = TermTrace::default();
    let EvaluationResult {
        sum,
        phase,
        scale,
        is_bare_king_ending,
        white,
    } = ClassicalEvaluation::new(Weights::DEFAULT).evaluate(board, &mut trace);
    let rows = Term::ALL.map(|term| TermRow {
        name: term.name(),
        white: trace.sum(term, Color::White),
        black: trace.sum(term, Color::Black),
    });
    let white = Score(white).clamp_to_eval();
    let score = match board.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    Explanation {
        rows: rows.to_vec(),
        sum,
        phase,
        scales: [scale.middlegame, scale.endgame],
        is_bare_king_ending,
        white,
        score,
    }
}
