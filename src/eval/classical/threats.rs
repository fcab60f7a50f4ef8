//! Threats against pieces and pawns, and control of space.

use crate::types::{Color, PieceKind, SquareSet};

use super::eval_context::EvalContext;
use super::value::Value;
use super::weights::Weights;

/// Returns the value of threats for `us`: enemy threats against it (negative) and its own pawn pushes (positive).
///
/// The context must contain the attacks of both sides.
#[inline]
pub(super) fn threats<V: Value>(context: &EvalContext, us: Color, weights: &Weights<V>) -> V {
    let them = !us;
    let pawns = context.pieces(us, PieceKind::Pawn);
    let minors = context.minors(us);
    let rooks = context.pieces(us, PieceKind::Rook);
    let queens = context.pieces(us, PieceKind::Queen);

    let by_pawns = context.attacks_by(them, PieceKind::Pawn);
    let by_minors =
        context.attacks_by(them, PieceKind::Knight) | context.attacks_by(them, PieceKind::Bishop);
    let by_majors =
        context.attacks_by(them, PieceKind::Rook) | context.attacks_by(them, PieceKind::Queen);
    let by_king = context.attacks_by(them, PieceKind::King);

    // Well defended: by a pawn, or by two pieces against a single attacker.
    let well_defended = context.attacks_by(us, PieceKind::Pawn)
        | context
            .attacked_twice(us)
            .without(context.attacked_twice(them));
    let weak = context.attacked(them).without(well_defended);
    let weak_minors = minors & weak;

    let mut score = V::ZERO;
    score += weights.threat_weak_pawn * (pawns & weak.without(by_pawns)).len();
    score += weights.threat_pawn_on_minor * (minors & by_pawns).len();
    score += weights.threat_lesser_on_rook * (rooks & (by_pawns | by_minors)).len();
    score += weights.threat_minor_on_minor * (weak_minors & by_minors).len();
    score += weights.threat_major_on_minor * (weak_minors & by_majors).len();
    score += weights.threat_king_on_minor * (weak_minors & by_king).len();
    score += weights.threat_king_on_rook * (rooks & weak & by_king).len();
    score += weights.threat_on_queen * (queens & context.attacked(them)).len();

    let contested = context.attacked(us).without(context.attacked_twice(us))
        & context.attacked(them).without(context.attacked_twice(them));
    score += weights.threat_overloaded * ((minors | context.majors(us)) & contested).len();

    score + weights.threat_pawn_push * push_targets(context, us).len()
}

/// Returns the enemy pieces that a pawn of `us` would attack after a safe push, without those already attacked by a
/// pawn.
#[inline]
fn push_targets(context: &EvalContext, us: Color) -> SquareSet {
    let them = !us;
    let empty = !context.occupied;
    let one_step = context.pieces(us, PieceKind::Pawn).forward(us) & empty;
    let two_steps = one_step.without(context.attacks_by(them, PieceKind::Pawn))
        & SquareSet::relative_rank(2, us);
    let two_steps = two_steps.forward(us) & empty;
    let guarded = context.attacked(us) | !context.attacked(them);
    let safe = (one_step | two_steps).without(context.attacks_by(them, PieceKind::Pawn)) & guarded;
    let targets = context.side[them.index()].without(context.attacks_by(us, PieceKind::Pawn));
    safe.pawn_attacks(us) & targets
}

/// Returns the value of space for `us`: squares that the enemy controls, and, with many pieces on the board, squares of
/// the large centre that `us` controls.
#[inline]
pub(super) fn space<V: Value>(context: &EvalContext, us: Color, weights: &Weights<V>) -> V {
    let them = !us;
    let own_pawns = context.attacks_by(us, PieceKind::Pawn);
    let lost = (context.attacked_twice(them) & context.attacked(us))
        .without(context.attacked_twice(us) | own_pawns);
    let mut score = weights.space_piece * (lost & context.occupied).len();
    score += weights.space_empty * lost.without(context.occupied).len();

    if (context.minors(us) | context.majors(us) | context.minors(them) | context.majors(them)).len()
        > 10
    {
        let firm = (context.attacked_twice(us) | own_pawns).without(context.attacked(them));
        score += weights.space_centre * (firm & SquareSet::LARGE_CENTRE).len();
    }
    score
}
