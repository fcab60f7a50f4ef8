//! When a node need not be searched: conditions and formulas, without the search around them.

use crate::board::Board;
use crate::config::Parameters;
use crate::types::{Depth, Ply, Score};

/// Mate-distance pruning: here nobody can do better than mate at once or worse than being mated now, so a window
/// outside of that is closed. Returns the narrowed window; it is empty where nothing better can be found.
#[inline]
pub(super) fn mate_distance_window(alpha: Score, beta: Score, ply: Ply) -> (Score, Score) {
    (
        alpha.max(Score::mated_in(ply)),
        beta.min(Score::mate_in(ply.next())),
    )
}

/// Whether passing may be tried to see that we are still too good. Never without pieces: with king and pawns alone,
/// having to move is often what loses (zugzwang).
#[inline]
pub(super) fn may_pass(
    parameters: &Parameters,
    board: &Board,
    static_eval: Score,
    beta: Score,
    depth: Depth,
    after_null: bool,
) -> bool {
    parameters.null_move() != 0
        && !after_null
        && depth >= parameters.null_move_depth()
        && static_eval >= beta
        && beta > -Score::MATE_BOUND
        && board.has_pieces(board.side_to_move())
}

/// How much less deep the position after a null move is searched.
#[inline]
pub(super) fn null_move_reduction(parameters: &Parameters, depth: Depth) -> Depth {
    parameters.null_move_base() + depth / parameters.null_move_divisor().max(1)
}

/// Whether a null move's fail high at this depth is verified by a search of our own moves.
#[inline]
pub(super) fn needs_verification(parameters: &Parameters, depth: Depth) -> bool {
    depth >= parameters.null_move_verification()
}

/// A score that a null move's fail high may return: passing proves no mate.
#[inline]
pub(super) fn null_move_score(score: Score, beta: Score) -> Score {
    if score >= Score::MATE_BOUND {
        beta
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::types::{Color, Piece, PieceKind, Square};

    #[test]
    fn a_found_mate_closes_the_window_on_longer_ones() {
        let found = Score::mate_in(Ply(5));
        let (alpha, beta) = mate_distance_window(found, Score::INFINITE, Ply(6));
        assert!(alpha >= beta, "nothing at ply 6 beats a mate at ply 5");
        let (alpha, beta) = mate_distance_window(found, Score::INFINITE, Ply(2));
        assert!(alpha < beta);
        let (alpha, _) = mate_distance_window(-Score::INFINITE, Score(0), Ply(8));
        assert_eq!(alpha, Score::mated_in(Ply(8)));
    }

    #[test]
    fn nobody_passes_with_pawns_alone_or_twice() {
        let parameters = Parameters::default();
        let mut setup = Setup::empty();
        let place = |setup: &mut Setup, name: &str, color, kind| {
            if let Some(square) = Square::from_name(name) {
                setup.set(square, Some(Piece::new(color, kind)));
            }
        };
        place(&mut setup, "e1", Color::White, PieceKind::King);
        place(&mut setup, "e8", Color::Black, PieceKind::King);
        place(&mut setup, "a2", Color::White, PieceKind::Pawn);
        let pawns = Board::from_setup(&setup).expect("legal");
        assert!(!may_pass(
            &parameters,
            &pawns,
            Score(500),
            Score(0),
            8,
            false
        ));
        place(&mut setup, "b1", Color::White, PieceKind::Knight);
        let knight = Board::from_setup(&setup).expect("legal");
        assert!(may_pass(
            &parameters,
            &knight,
            Score(500),
            Score(0),
            8,
            false
        ));
        assert!(
            !may_pass(&parameters, &knight, Score(500), Score(0), 8, true),
            "not twice in a row"
        );
        assert!(
            !may_pass(&parameters, &knight, Score(-1), Score(0), 8, false),
            "not when below beta"
        );
    }

    #[test]
    fn passing_proves_no_mate() {
        assert_eq!(
            null_move_score(Score::mate_in(Ply(7)), Score(30)),
            Score(30)
        );
        assert_eq!(null_move_score(Score(90), Score(30)), Score(90));
    }
}
