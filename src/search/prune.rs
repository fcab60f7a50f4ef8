//! When a node need not be searched: conditions and formulas, without the search around them.

use crate::board::Board;
use crate::config::Parameters;
use crate::messages::Bound;
use crate::types::{Depth, Move, Ply, Score};

use super::alphabeta::Facts;
use super::history::Context;
use super::table::TableEntry;

/// Mate-distance pruning: here nobody can do better than mate at once or worse than being mated now, so a window
/// outside of that is closed. Returns the narrowed window; it is empty where nothing better can be found.
#[inline]
pub(super) fn mate_distance_window(alpha: Score, beta: Score, ply: Ply) -> (Score, Score) {
    (
        alpha.max(Score::mated_in(ply)),
        beta.min(Score::mate_in(ply.next())),
    )
}

/// Reverse futility: so far above `beta`, so near the horizon, that a quiet move will not change it. (Static null move:
/// Heinz.)
#[inline]
pub(super) fn reverse_futility(parameters: &Parameters, facts: &Facts) -> Option<Score> {
    let Facts {
        depth, eval, beta, ..
    } = *facts;
    let margin = parameters.reverse_futility_margin() * depth
        - parameters.reverse_futility_improving() * i32::from(facts.improving);
    let prunes = parameters.reverse_futility()
        && depth <= parameters.reverse_futility_depth()
        && eval - margin >= beta
        && !eval.is_mate()
        && beta > -Score::MATE_BOUND;
    prunes.then(|| Score((eval.0 + 2 * beta.0) / 3))
}

/// Razoring: so far below `alpha` near the horizon that quiescence is enough. (Stockfish's form of an idea by
/// Birmingham and Kent.)
#[inline]
pub(super) fn may_razor(parameters: &Parameters, facts: &Facts) -> bool {
    parameters.razoring()
        && facts.depth <= parameters.razoring_depth()
        && facts.eval + parameters.razoring_margin() * facts.depth <= facts.alpha
        && !facts.alpha.is_mate()
}

/// Whether passing may be tried to see that we are still too good. Never without pieces: with king and pawns alone,
/// having to move is often what loses (zugzwang).
#[inline]
pub(super) fn may_pass(parameters: &Parameters, board: &Board, facts: &Facts) -> bool {
    let Facts { depth, beta, .. } = *facts;
    parameters.null_move()
        && depth >= parameters.null_move_depth()
        && facts.eval >= beta
        && facts.static_eval + parameters.null_move_slack() * depth
            >= beta + parameters.null_move_margin()
        && beta > -Score::MATE_BOUND
        && facts.known.is_none_or(|entry| {
            entry.bound != Bound::Upper || entry.score.from_table(facts.ply) >= beta
        })
        && board.has_pieces(board.side_to_move())
}

/// How much less deep the position after a null move is searched.
#[inline]
pub(super) fn null_move_reduction(
    parameters: &Parameters,
    depth: Depth,
    eval: Score,
    beta: Score,
) -> Depth {
    let surplus = (eval.0 - beta.0) / parameters.null_move_surplus().max(1);
    parameters.null_move_base()
        + depth / parameters.null_move_divisor().max(1)
        + surplus.clamp(0, 3)
}

/// Whether a capture may show that a node will fail high.
#[inline]
pub(super) fn may_probcut(parameters: &Parameters, facts: &Facts) -> bool {
    let bound = probcut_bound(parameters, facts);
    parameters.probcut()
        && facts.depth >= parameters.probcut_depth()
        && !facts.beta.is_mate()
        && facts.known.is_none_or(|entry| {
            entry.depth < facts.depth - 3 || entry.score.from_table(facts.ply) >= bound
        })
}

/// What a capture must reach.
#[inline]
pub(super) fn probcut_bound(parameters: &Parameters, facts: &Facts) -> Score {
    let easier = parameters.probcut_improving() * i32::from(facts.improving);
    facts.beta + parameters.probcut_margin() - easier
}

/// What all other moves must stay below for the table move to be singular; `None` where nothing suggests that it is.
#[inline]
pub(super) fn singular_target(
    parameters: &Parameters,
    entry: &TableEntry,
    depth: Depth,
    ply: Ply,
) -> Option<Score> {
    let score = entry.score.from_table(ply);
    let may_be = parameters.singular()
        && depth >= parameters.singular_depth()
        && entry.depth >= depth - 3
        && entry.bound != Bound::Upper
        && !score.is_mate();
    may_be.then(|| score - parameters.singular_margin() * depth / 16)
}

/// Futility: whether the position is so bad that the quiet moves to come, which reductions leave this depth, are not
/// worth trying.
#[inline]
pub(super) fn is_futile(
    parameters: &Parameters,
    reduced: Depth,
    static_eval: Score,
    alpha: Score,
) -> bool {
    parameters.futility()
        && static_eval != Score::NONE
        && reduced <= parameters.futility_depth()
        && static_eval + parameters.futility_base() + parameters.futility_margin() * reduced
            <= alpha
        && !alpha.is_mate()
}

/// A move that comes late in a node, as far as it can be judged without making it.
pub(super) struct LateMove {
    pub depth: Depth,
    /// The depth that reductions would leave, at least 0.
    pub reduced: Depth,
    /// Its number in the order of trial, 1 the first.
    pub tried: usize,
    pub improving: bool,
    /// What histories think of it.
    pub merit: i32,
}

impl LateMove {
    /// Whether this quiet move and all that follow are left out, because so many were tried already.
    #[inline]
    pub fn ends_quiets(&self, parameters: &Parameters) -> bool {
        let most = (parameters.late_move_base() + self.depth * self.depth)
            / (2 - i32::from(self.improving));
        parameters.late_move_pruning() && self.tried as i32 > most
    }

    /// Whether a quiet move has done badly too often, or loses too much material.
    #[inline]
    pub fn is_hopeless_quiet(
        &self,
        parameters: &Parameters,
        board: &Board,
        context: &Context,
        mv: Move,
    ) -> bool {
        let has_failed = parameters.history_pruning()
            && self.reduced <= parameters.history_pruning_depth()
            && self.merit < -parameters.history_pruning_margin() * self.depth;
        has_failed
            || (parameters.see_pruning()
                && self.reduced <= parameters.see_pruning_depth()
                && context.is_in_danger(board, mv)
                && !board.see_at_least(
                    mv,
                    -parameters.see_pruning_quiet() * self.reduced * self.reduced,
                ))
    }

    /// Whether a capture loses too much material.
    #[inline]
    pub fn is_hopeless_capture(&self, parameters: &Parameters, board: &Board, mv: Move) -> bool {
        parameters.see_pruning()
            && self.depth <= parameters.see_pruning_depth()
            && !board.see_at_least(
                mv,
                -parameters.see_pruning_noisy() * self.depth - self.merit / 64,
            )
    }
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

    /// A node of depth 8 with a window at 0 and this evaluation.
    fn facts(static_eval: Score) -> Facts {
        Facts {
            alpha: Score(-1),
            beta: Score(0),
            depth: 8,
            ply: Ply(3),
            cut_node: true,
            raw_eval: static_eval,
            static_eval,
            eval: static_eval,
            improving: false,
            known: None,
        }
    }

    #[test]
    fn nobody_passes_with_pawns_alone() {
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
        assert!(!may_pass(&parameters, &pawns, &facts(Score(500))));
        place(&mut setup, "b1", Color::White, PieceKind::Knight);
        let knight = Board::from_setup(&setup).expect("legal");
        assert!(may_pass(&parameters, &knight, &facts(Score(500))));
        assert!(
            !may_pass(&parameters, &knight, &facts(Score(-1))),
            "not when below beta"
        );
    }

    #[test]
    fn only_what_is_far_outside_the_window_is_cut() {
        let parameters = Parameters::default();
        let near = |eval| Facts {
            depth: 2,
            ..facts(Score(eval))
        };
        let cut = reverse_futility(&parameters, &near(600)).expect("far above beta");
        assert!(cut > Score(0) && cut < Score(600), "not the whole of it");
        assert_eq!(reverse_futility(&parameters, &near(20)), None);
        let mated = Facts {
            beta: -Score::MATE,
            ..near(600)
        };
        assert_eq!(reverse_futility(&parameters, &mated), None);
        assert!(may_razor(&parameters, &near(-1500)) && !may_razor(&parameters, &near(-100)));
        let deep = facts(Score(-1500));
        assert!(!may_razor(&parameters, &deep), "not far from the horizon");
    }

    #[test]
    fn the_first_moves_are_not_late() {
        let parameters = Parameters::default();
        let late = |tried| LateMove {
            depth: 3,
            reduced: 2,
            tried,
            improving: true,
            merit: 0,
        };
        assert!(!late(2).ends_quiets(&parameters));
        assert!(late(40).ends_quiets(&parameters));
    }

    #[test]
    fn quiet_moves_are_futile_far_below_alpha() {
        let parameters = Parameters::default();
        let futile = |static_eval, alpha| is_futile(&parameters, 2, static_eval, alpha);
        assert!(futile(Score(-2000), Score(0)));
        assert!(!futile(Score(0), Score(0)));
        assert!(!futile(Score::NONE, Score(0)), "in check nothing is known");
        assert!(!futile(Score(0), Score::mate_in(Ply(4))));
    }

    #[test]
    fn only_a_deep_score_that_is_no_upper_bound_can_be_singular() {
        let parameters = Parameters::default();
        let entry = |depth, bound| TableEntry {
            mv: None,
            score: Score(50),
            eval: Score(0),
            depth,
            bound,
            on_pv: false,
        };
        let target = |entry: TableEntry| singular_target(&parameters, &entry, 10, Ply(4));
        assert!(target(entry(9, Bound::Lower)).is_some_and(|score| score < Score(50)));
        assert_eq!(target(entry(9, Bound::Upper)), None);
        assert_eq!(target(entry(3, Bound::Exact)), None);
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
