//! Mate distance pruning: no line from a node improves on a shorter mate found elsewhere.

use crate::types::{Ply, Score};

/// Returns the window limited to the scores that are possible at `ply`: at worst the side to move is mated now, at best
/// it mates with its next move. The window is empty (alpha at least beta) if a shorter mate is already known.
#[inline]
pub(in crate::search) fn mate_distance_window(
    alpha: Score,
    beta: Score,
    ply: Ply,
) -> (Score, Score) {
    (
        alpha.max(Score::mated_in(ply)),
        beta.min(Score::mate_in(ply.next())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_mate_empties_the_window_of_longer_ones() {
        let found = Score::mate_in(Ply(5));
        let (alpha, beta) = mate_distance_window(found, Score::INFINITE, Ply(6));
        assert!(alpha >= beta, "no line at ply 6 beats a mate at ply 5");
        let (alpha, beta) = mate_distance_window(found, Score::INFINITE, Ply(2));
        assert!(alpha < beta);
        let (alpha, _) = mate_distance_window(-Score::INFINITE, Score(0), Ply(8));
        assert_eq!(alpha, Score::mated_in(Ply(8)));
    }
}
