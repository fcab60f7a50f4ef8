//! Pawn shelter of a king and the storm of enemy pawns against it.

use crate::types::{Color, File, PieceKind, Square, SquareSet};

use super::eval_context::EvalContext;
use super::value::Value;
use super::weights::{Weights, file_from_edge};

/// Value of the pawns near a king, stored in the pawn table.
#[derive(Clone, Copy)]
pub(super) struct Shelter<V> {
    /// Shelter, storm, and distance to the nearest pawn.
    pub(super) score: V,
    /// Shelter and storm alone. The middlegame value changes the danger to the king.
    pub(super) cover: V,
}

impl<V: Value> Shelter<V> {
    /// Placeholder for a shelter that has not been computed yet.
    pub(super) const NONE: Shelter<V> = Shelter {
        score: V::ZERO,
        cover: V::ZERO,
    };
}

/// Returns the shelter of the king of `us` on its current square.
pub(super) fn shelter<V: Value>(
    context: &EvalContext,
    us: Color,
    weights: &Weights<V>,
) -> Shelter<V> {
    let king = context.king[us.index()];
    let not_behind = !SquareSet::ranks_ahead(king.rank(), !us);
    let own = context.pieces(us, PieceKind::Pawn) & not_behind;
    let enemy = context.pieces(!us, PieceKind::Pawn) & not_behind;
    // A king on an edge file uses the same three files as a king beside it.
    let centre = king.file().index().clamp(1, 6);
    let mut cover = V::ZERO;
    for file in (centre - 1..=centre + 1).filter_map(File::from_index) {
        let from_edge = file_from_edge(Square::new(file, king.rank()));
        let file = SquareSet::file(file);
        let rank_of = |pawns: SquareSet| match (pawns & file).rearmost(us) {
            Some(square) => square.rank().relative_to(us).index(),
            None => 0,
        };
        let (own_rank, enemy_rank) = (rank_of(own), rank_of(enemy));
        cover += weights.shelter[from_edge][own_rank];
        cover += if own_rank > 0 && own_rank + 1 == enemy_rank {
            weights.storm_blocked[usize::from(enemy_rank == 2)]
        } else {
            weights.storm[from_edge][enemy_rank]
        };
    }
    let distance = weights.king_pawn_distance[files_to_pawns(context.all_pawns(), king)];
    Shelter {
        score: cover + distance,
        cover,
    }
}

/// Returns the distance in files from the king to the nearest pawn; 7 without pawns.
fn files_to_pawns(pawns: SquareSet, king: Square) -> usize {
    let files = pawns.files();
    let distances = (0..8).filter(|file| files >> file & 1 != 0);
    distances
        .map(|file| king.file().index().abs_diff(file))
        .min()
        .unwrap_or(7)
}
