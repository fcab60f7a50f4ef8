//! Danger to the king from enemy pieces, and its defenders.

use crate::types::{Color, PieceKind, SquareSet, knight_attacks};

use super::eval_context::EvalContext;
use super::lines::lines_from;
use super::value::Value;
use super::weights::Weights;

/// Returns the danger to the king of `us`: a value that is never positive.
///
/// `cover` is the cover by pawns ([`Shelter::cover`](super::shelter::Shelter::cover)). This function sums up units,
/// which `danger.rs` converts to centipawns.
#[inline]
pub(super) fn danger<V: Value>(
    context: &EvalContext,
    us: Color,
    cover: V,
    weights: &Weights<V>,
) -> V {
    let them = !us;
    let pressure = context.pressure[them.index()];
    let enemy_queen = !context.pieces(them, PieceKind::Queen).is_empty();
    let attackers: u8 = pressure.attackers.iter().sum();
    if attackers + u8::from(enemy_queen) < 2 {
        return V::ZERO;
    }

    let zone = context.king_zone[us.index()];
    let guarded_by_queen_or_king =
        context.attacks_by(us, PieceKind::Queen) | context.attacks_by(us, PieceKind::King);
    let weak = context.attacked(them)
        & !context.attacked_twice(us)
        & (!context.attacked(us) | guarded_by_queen_or_king);

    let mut units = weights.danger_base;
    for (kind, &count) in pressure.attackers.iter().enumerate() {
        units += weights.danger_attacker[kind] * usize::from(count);
    }
    units += weights.danger_attack * (9 * pressure.attacks / zone.len());
    units += weights.danger_weak_square * (weak & zone).len();
    if !enemy_queen {
        units += weights.danger_no_queen;
    }
    let safe = (!context.attacked(us) | (weak & context.attacked_twice(them)))
        .without(context.side[them.index()]);
    units += safe_checks(context, us, safe, weights);

    V::danger(units, weights.danger_shelter, cover)
}

/// Returns the units of danger for squares in `safe` from which the enemy could check the king of `us`.
#[inline]
fn safe_checks<V: Value>(
    context: &EvalContext,
    us: Color,
    safe: SquareSet,
    weights: &Weights<V>,
) -> V {
    let them = !us;
    let king = context.king[us.index()];
    let lines = lines_from(king, context.occupied);
    let from = |kind: PieceKind, checks: SquareSet| {
        let squares = checks & safe & context.attacks_by(them, kind);
        weights.danger_safe_check[kind.index()] * squares.len()
    };
    from(PieceKind::Knight, knight_attacks(king))
        + from(PieceKind::Bishop, lines.diagonal)
        + from(PieceKind::Rook, lines.orthogonal)
        + from(PieceKind::Queen, lines.diagonal | lines.orthogonal)
}

/// Returns the value of own pawns and minor pieces in the zone of the king of `us`.
#[inline]
pub(super) fn defenders<V: Value>(context: &EvalContext, us: Color, weights: &Weights<V>) -> V {
    let guards = context.pieces(us, PieceKind::Pawn) | context.minors(us);
    let count = (guards & context.king_zone[us.index()]).len();
    weights.king_defenders[count.min(11)]
}
