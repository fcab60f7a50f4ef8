//! Passed pawns: their rank, the squares ahead, and the distance of both kings.

use crate::types::{Color, PieceKind, Square, SquareSet};

use super::eval_context::EvalContext;
use super::pawns::PawnEntry;
use super::value::Value;
use super::weights::Weights;

/// Returns the value of the passed pawns of `us`. The context must contain the attacks of both sides.
#[inline]
pub(super) fn passed<V: Value>(
    context: &EvalContext,
    us: Color,
    entry: &PawnEntry<V>,
    weights: &Weights<V>,
) -> V {
    let mut score = V::ZERO;
    let mut unstoppable = false;
    for square in entry.passed & context.pieces(us, PieceKind::Pawn) {
        score += passed_pawn(context, us, square, weights);
        unstoppable |= is_unstoppable(context, us, square);
    }
    if unstoppable {
        score + weights.passed_unstoppable
    } else {
        score
    }
}

/// Returns the value of one passed pawn.
#[inline]
fn passed_pawn<V: Value>(
    context: &EvalContext,
    us: Color,
    square: Square,
    weights: &Weights<V>,
) -> V {
    let them = !us;
    let rank = square.rank().relative_to(us).index();
    let step = SquareSet::of(square).forward(us);
    let path = step.forward_fill(us);

    let free = !step.intersects(context.occupied);
    let attacked = step.intersects(context.attacked(them));
    let mut score = weights.passed[usize::from(free)][usize::from(attacked)][rank];

    let own_king = square.distance(context.king[us.index()]);
    let enemy_king = square.distance(context.king[them.index()]);
    score += weights.passed_own_king[rank] * own_king;
    score += weights.passed_enemy_king[rank] * enemy_king;

    if !path.intersects(context.side[them.index()] | context.attacked(them)) {
        score += weights.passed_free_path;
    }
    if context.attacks_by(us, PieceKind::Pawn).contains(square) {
        score += weights.passed_protected;
    }
    let file_behind = SquareSet::of(square).forward(them).forward_fill(them);
    if file_behind.intersects(context.pieces(us, PieceKind::Rook)) {
        score += weights.passed_own_rook_behind;
    }
    if file_behind.intersects(context.pieces(them, PieceKind::Rook)) {
        score += weights.passed_enemy_rook_behind;
    }
    score
}

/// Returns `true` if an enemy with only king and pawns cannot catch the pawn, by the rule of the square.
#[inline]
fn is_unstoppable(context: &EvalContext, us: Color, square: Square) -> bool {
    if context.has_pieces(!us) {
        return false;
    }
    let path = SquareSet::of(square).forward(us).forward_fill(us);
    let Some(promotion) = (path & SquareSet::relative_rank(7, us)).first() else {
        return false;
    };
    let rank = square.rank().relative_to(us).index();
    // A double step saves one move.
    let steps = (7 - rank).min(5);
    let king_moves = context.king[(!us).index()].distance(promotion);
    let their_turn = usize::from(context.board.side_to_move() != us);
    !path.intersects(context.occupied) && steps + their_turn < king_moves
}
