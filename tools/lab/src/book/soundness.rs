//! The moves that the book may play, by their scores.

use gaur::types::Score;

/// Centipawns that a move of the book may lose against the best move of its position, and that its side may be worse
/// after it than in the start position.
const MARGIN: i32 = 25;

/// Returns `true` if a move with this score may be played where the best move has the score `best` and the side to move
/// has the score `start` in the start position.
pub(super) fn is_sound(score: Score, best: Score, start: Score) -> bool {
    score >= best - MARGIN && score >= start - MARGIN
}
