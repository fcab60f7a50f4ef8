//! The evaluation of one position, term by term.

use crate::board::Board;
use crate::types::{Color, Score};

use super::evaluation::{ClassicalEvaluation, EvaluationResult};
use super::tapered::Tapered;
use super::trace::{Term, TermTrace};
use super::weights::Weights;

/// What one term gives to both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermRow {
    /// The name of the term.
    pub name: &'static str,
    /// What White gets.
    pub white: Tapered,
    /// What Black gets.
    pub black: Tapered,
}

/// The evaluation of a position with all it is made of.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The terms; none but material and squares when `known_ending`.
    pub rows: Vec<TermRow>,
    /// The sum of all rows, White's less Black's.
    pub sum: Tapered,
    /// How much of the middlegame is left, 0 to 24.
    pub phase: i32,
    /// How much of the middlegame and the endgame value counts, 0 to 128 each.
    pub scales: [i32; 2],
    /// Whether it is an ending against a bare king that is known better, so that the sum was not used.
    pub known_ending: bool,
    /// The evaluation for White.
    pub white: Score,
    /// The evaluation for the side to move.
    pub score: Score,
}

/// Evaluates `board` and tells what each term gave.
pub fn explain(board: &Board) -> Explanation {
    let mut trace = TermTrace::default();
    let EvaluationResult {
        sum,
        phase,
        scale,
        known_ending,
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
        known_ending,
        white,
        score,
    }
}
