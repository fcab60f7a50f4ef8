//! Smaller depth after a move that raised alpha, which without a cutoff happens only in PV nodes: near the horizon, the
//! moves after it are searched one ply shallower, because few of them are better still. (Stockfish.)

use crate::config::Parameters;
use crate::types::{Depth, Score};

/// Returns `true` if the moves after one with this score, which raised alpha, are to be searched one ply shallower.
#[inline]
pub(in crate::search) fn shortens_next_moves(
    parameters: &Parameters,
    depth: Depth,
    score: Score,
) -> bool {
    depth > 1 && depth <= parameters.raised_alpha_depth() && !score.is_decisive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    #[test]
    fn only_small_depths_without_a_decisive_score_are_reduced() {
        let parameters = Parameters::default();
        let shortens = |depth, score| shortens_next_moves(&parameters, depth, score);
        assert!(!shortens(1, Score(20)));
        assert!(shortens(2, Score(20)));
        assert!(shortens(parameters.raised_alpha_depth(), Score(20)));
        assert!(!shortens(parameters.raised_alpha_depth() + 1, Score(20)));
        assert!(!shortens(2, Score::mate_in(Ply(5))));
    }
}
