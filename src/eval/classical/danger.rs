//! From units of danger to a value against the king.

use super::tapered::Tapered;

/// Beyond this many units more danger makes no difference; keeps the square within bounds.
pub(super) const LARGEST: i32 = 1400;

/// So many squared units in the middlegame are one centipawn.
pub(super) const SQUARE_DIVISOR: i32 = 720;

/// So many units in the endgame are one centipawn.
pub(super) const DIVISOR: i32 = 20;

/// For so many centipawns of cover its weight counts once.
pub(super) const COVER_DIVISOR: i32 = 64;

/// Units are squared for the middlegame, since attackers help each other; `per_cover` units are added for each 64
/// centipawns of `cover` in the middlegame. (Shape after Ethereal and Stockfish.)
#[inline]
pub(super) fn value(units: Tapered, per_cover: Tapered, cover: Tapered) -> Tapered {
    let cover = cover.middlegame();
    let middlegame = units.middlegame() + per_cover.middlegame() * cover / COVER_DIVISOR;
    let endgame = units.endgame() + per_cover.endgame() * cover / COVER_DIVISOR;
    let middlegame = middlegame.clamp(0, LARGEST);
    let endgame = endgame.clamp(0, LARGEST);
    Tapered::new(
        (-middlegame * middlegame / SQUARE_DIVISOR) as i16,
        (-endgame / DIVISOR) as i16,
    )
}
