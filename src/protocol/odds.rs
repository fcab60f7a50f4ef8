//! The value of the odds that Gaur gives its opponent.

use crate::game::Game;
use crate::types::{Color, PieceKind};

/// Returns the value in centipawns of the odds that `engine` gives in this game; 0 if it gives none.
///
/// Each value is about the score of a search to depth 16 of the start position without the piece.
pub fn odds_given(game: &Game, engine: Color) -> i32 {
    let odds = game.odds().filter(|odds| odds.giver == engine);
    let missing = odds.map_or(&[][..], |odds| &odds.missing);
    missing.iter().map(|&kind| value(kind)).sum()
}

fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 90,
        PieceKind::Knight => 300,
        PieceKind::Bishop => 350,
        PieceKind::Rook => 470,
        PieceKind::Queen => 970,
        PieceKind::King => 0,
    }
}
