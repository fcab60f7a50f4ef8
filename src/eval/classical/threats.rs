//! Threats against pieces and pawns, and the fight for space.

use crate::types::{Color, PieceKind};

use super::scene::Scene;
use super::square_set::SquareSet;
use super::value::Value;
use super::weights::Weights;

/// What `us` suffers from the threats of the enemy, and gains from its own pawn pushes.
/// Needs the attacks of both sides.
#[inline]
pub(super) fn threats<V: Value>(scene: &Scene, us: Color, weights: &Weights<V>) -> V {
    let them = !us;
    let pawns = scene.pieces(us, PieceKind::Pawn);
    let minors = scene.minors(us);
    let rooks = scene.pieces(us, PieceKind::Rook);
    let queens = scene.pieces(us, PieceKind::Queen);

    let by_pawns = scene.attacks_by(them, PieceKind::Pawn);
    let by_minors =
        scene.attacks_by(them, PieceKind::Knight) | scene.attacks_by(them, PieceKind::Bishop);
    let by_majors =
        scene.attacks_by(them, PieceKind::Rook) | scene.attacks_by(them, PieceKind::Queen);
    let by_king = scene.attacks_by(them, PieceKind::King);

    // Well defended: by a pawn, or twice while the enemy attacks but once.
    let well_defended = scene.attacks_by(us, PieceKind::Pawn)
        | scene.attacked_twice(us).without(scene.attacked_twice(them));
    let weak = scene.attacked(them).without(well_defended);
    let weak_minors = minors & weak;

    let mut score = V::ZERO;
    score += weights.threat_weak_pawn * (pawns & weak.without(by_pawns)).len();
    score += weights.threat_pawn_on_minor * (minors & by_pawns).len();
    score += weights.threat_lesser_on_rook * (rooks & (by_pawns | by_minors)).len();
    score += weights.threat_minor_on_minor * (weak_minors & by_minors).len();
    score += weights.threat_major_on_minor * (weak_minors & by_majors).len();
    score += weights.threat_king_on_minor * (weak_minors & by_king).len();
    score += weights.threat_king_on_rook * (rooks & weak & by_king).len();
    score += weights.threat_on_queen * (queens & scene.attacked(them)).len();

    let contested = scene.attacked(us).without(scene.attacked_twice(us))
        & scene.attacked(them).without(scene.attacked_twice(them));
    score += weights.threat_overloaded * ((minors | scene.majors(us)) & contested).len();

    score + weights.threat_pawn_push * push_targets(scene, us).len()
}

/// Enemies that a pawn of `us` would attack after a safe push, and that no pawn attacks yet.
#[inline]
fn push_targets(scene: &Scene, us: Color) -> SquareSet {
    let them = !us;
    let empty = !scene.occupied;
    let one_step = scene.pieces(us, PieceKind::Pawn).forward(us) & empty;
    let two_steps =
        one_step.without(scene.attacks_by(them, PieceKind::Pawn)) & SquareSet::relative_rank(2, us);
    let two_steps = two_steps.forward(us) & empty;
    let guarded = scene.attacked(us) | !scene.attacked(them);
    let safe = (one_step | two_steps).without(scene.attacks_by(them, PieceKind::Pawn)) & guarded;
    let targets = scene.side[them.index()].without(scene.attacks_by(us, PieceKind::Pawn));
    safe.pawn_attacks(us) & targets
}

/// Squares that the enemy controls against `us`, and the large centre while the board is full.
#[inline]
pub(super) fn space<V: Value>(scene: &Scene, us: Color, weights: &Weights<V>) -> V {
    let them = !us;
    let own_pawns = scene.attacks_by(us, PieceKind::Pawn);
    let lost = (scene.attacked_twice(them) & scene.attacked(us))
        .without(scene.attacked_twice(us) | own_pawns);
    let mut score = weights.space_piece * (lost & scene.occupied).len();
    score += weights.space_empty * lost.without(scene.occupied).len();

    if (scene.minors(us) | scene.majors(us) | scene.minors(them) | scene.majors(them)).len() > 10 {
        let firm = (scene.attacked_twice(us) | own_pawns).without(scene.attacked(them));
        score += weights.space_centre * (firm & SquareSet::LARGE_CENTRE).len();
    }
    score
}
