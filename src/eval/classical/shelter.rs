//! Pawn shelter of a king and the storm of enemy pawns against it.

use crate::types::{Color, File, PieceKind, Square};

use super::eval_context::EvalContext;
use super::square_set::SquareSet;
use super::value::Value;
use super::weights::{Weights, file_from_edge};

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
        let row = file_from_edge(Square::new(file, king.rank()));
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
