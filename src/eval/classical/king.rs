//! The king: its pawn shelter, the storm against it, and the danger from enemy pieces.

use crate::types::{Color, File, PieceKind, Square};

use super::eval_context::EvalContext;
use super::lines::lines_from;
use super::pawns::edge_file;
use super::square_set::{KNIGHT_JUMPS, SquareSet};
use super::value::Value;
use super::weights::Weights;

/// What pawns do for a king; kept in the pawn table.
#[derive(Clone, Copy)]
pub(super) struct Shelter<V> {
    /// Shelter, storm and nearness of pawns.
    pub(super) score: V,
    /// Shelter and storm alone, whose middlegame value counts for the danger.
    pub(super) cover: V,
}

impl<V: Value> Shelter<V> {
    /// Not worked out yet.
    pub(super) const NONE: Shelter<V> = Shelter {
        score: V::ZERO,
        cover: V::ZERO,
    };
}

/// Shelter of the king of `us` where it stands now.
pub(super) fn shelter<V: Value>(
    context: &EvalContext,
    us: Color,
    weights: &Weights<V>,
) -> Shelter<V> {
    let king = context.king[us.index()];
    let not_behind = !SquareSet::ranks_ahead(king.rank(), !us);
    let own = context.pieces(us, PieceKind::Pawn) & not_behind;
    let enemy = context.pieces(!us, PieceKind::Pawn) & not_behind;
    // A king on an edge file hides behind the same pawns as one beside it.
    let centre = king.file().index().clamp(1, 6);
    let mut cover = V::ZERO;
    for file in (centre - 1..=centre + 1).filter_map(File::from_index) {
        let row = edge_file(Square::new(file, king.rank()));
        let file = SquareSet::file(file);
        let rank_of = |pawns: SquareSet| match (pawns & file).rearmost(us) {
            Some(square) => square.rank().relative_to(us).index(),
            None => 0,
        };
        let (own_rank, enemy_rank) = (rank_of(own), rank_of(enemy));
        cover += weights.shelter[row][own_rank];
        cover += if own_rank > 0 && own_rank + 1 == enemy_rank {
            weights.storm_blocked[usize::from(enemy_rank == 2)]
        } else {
            weights.storm[row][enemy_rank]
        };
    }
    let nearness = weights.king_pawn_distance[files_to_pawns(context.all_pawns(), king)];
    Shelter {
        score: cover + nearness,
        cover,
    }
}

/// Files between the king and the nearest pawn; 7 without pawns.
fn files_to_pawns(pawns: SquareSet, king: Square) -> usize {
    let files = pawns.files();
    let distances = (0..8).filter(|file| files >> file & 1 != 0);
    distances
        .map(|file| king.file().index().abs_diff(file))
        .min()
        .unwrap_or(7)
}

/// The danger to the king of `us`, as a value against it. `cover` is that of [`Shelter`].
///
/// Units are summed up here; `danger.rs` makes a value of them.
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

/// Squares in `safe` from which the enemy could check the king of `us`, as units of danger.
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
    from(PieceKind::Knight, KNIGHT_JUMPS[king.index()])
        + from(PieceKind::Bishop, lines.diagonal)
        + from(PieceKind::Rook, lines.straight)
        + from(PieceKind::Queen, lines.diagonal | lines.straight)
}

/// Own pawns and minor pieces around the king of `us`.
#[inline]
pub(super) fn defenders<V: Value>(context: &EvalContext, us: Color, weights: &Weights<V>) -> V {
    let guards = context.pieces(us, PieceKind::Pawn) | context.minors(us);
    let count = (guards & context.king_zone[us.index()]).len();
    weights.king_defenders[count.min(11)]
}
