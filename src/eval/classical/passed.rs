//! Passed pawns: how far, how free, and who is near.

use crate::types::{Color, PieceKind, Square};

use super::pawns::PawnEntry;
use super::scene::Scene;
use super::square_set::SquareSet;
use super::value::Value;
use super::weights::Weights;

/// The passed pawns of `us`. Needs the attacks of both sides.
#[inline]
pub(super) fn passed<V: Value>(
    scene: &Scene,
    us: Color,
    entry: &PawnEntry<V>,
    weights: &Weights<V>,
) -> V {
    let mut score = V::ZERO;
    let mut unstoppable = false;
    for square in entry.passed & scene.pieces(us, PieceKind::Pawn) {
        score += passed_pawn(scene, us, square, weights);
        unstoppable |= is_unstoppable(scene, us, square);
    }
    if unstoppable {
        score + weights.passed_unstoppable
    } else {
        score
    }
}

#[inline]
fn passed_pawn<V: Value>(scene: &Scene, us: Color, square: Square, weights: &Weights<V>) -> V {
    let them = !us;
    let rank = square.rank().relative_to(us).index();
    let step = SquareSet::of(square).forward(us);
    let path = step.forward_fill(us);

    let free = !step.meets(scene.occupied);
    let attacked = step.meets(scene.attacked(them));
    let mut score = weights.passed[usize::from(free)][usize::from(attacked)][rank];

    let own_king = square.distance(scene.king[us.index()]);
    let enemy_king = square.distance(scene.king[them.index()]);
    score += weights.passed_own_king[rank] * own_king;
    score += weights.passed_enemy_king[rank] * enemy_king;

    if !path.meets(scene.side[them.index()] | scene.attacked(them)) {
        score += weights.passed_free_path;
    }
    if scene.attacks_by(us, PieceKind::Pawn).contains(square) {
        score += weights.passed_protected;
    }
    let file_behind = SquareSet::of(square).forward(them).forward_fill(them);
    if file_behind.meets(scene.pieces(us, PieceKind::Rook)) {
        score += weights.passed_own_rook_behind;
    }
    if file_behind.meets(scene.pieces(them, PieceKind::Rook)) {
        score += weights.passed_enemy_rook_behind;
    }
    score
}

/// Whether the enemy, with his king alone, cannot catch the pawn: the rule of the square.
#[inline]
fn is_unstoppable(scene: &Scene, us: Color, square: Square) -> bool {
    if scene.has_pieces(!us) {
        return false;
    }
    let path = SquareSet::of(square).forward(us).forward_fill(us);
    let Some(promotion) = (path & SquareSet::relative_rank(7, us)).lowest() else {
        return false;
    };
    let rank = square.rank().relative_to(us).index();
    // A double step saves one move.
    let steps = (7 - rank).min(5);
    let king_moves = scene.king[(!us).index()].distance(promotion);
    let their_turn = usize::from(scene.board.side_to_move() != us);
    !path.meets(scene.occupied) && steps + their_turn < king_moves
}
