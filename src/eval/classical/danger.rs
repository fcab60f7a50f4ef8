//! Conversion of king danger from units to centipawns.

use super::tapered::Tapered;

/// Largest number of units that counts; larger numbers are clamped. The limit keeps the result within 16 bits.
pub const MAX_UNITS: i32 = 1400;

/// Squared middlegame units per centipawn.
pub const MIDDLEGAME_DIVISOR: i32 = 720;

/// Endgame units per centipawn.
pub const ENDGAME_DIVISOR: i32 = 20;

/// Centipawns of pawn cover for which the weight `danger_shelter` counts once.
pub const COVER_DIVISOR: i32 = 64;

/// Returns the value of `units` of danger to a king in centipawns, which is never positive.
///
/// The middlegame units are squared, since attackers support one another. Each 64 centipawns of the middlegame value of
/// `cover` add `per_cover` units. (Form: Ethereal, Stockfish.)
#[inline]
pub fn value(units: Tapered, per_cover: Tapered, cover: Tapered) -> Tapered {
    let cover = cover.middlegame();
    let middlegame = units.middlegame() + per_cover.middlegame() * cover / COVER_DIVISOR;
    let endgame = units.endgame() + per_cover.endgame() * cover / COVER_DIVISOR;
    let middlegame = middlegame.clamp(0, MAX_UNITS);
    let endgame = endgame.clamp(0, MAX_UNITS);
    Tapered::new(
        (-middlegame * middlegame / MIDDLEGAME_DIVISOR) as i16,
        (-endgame / ENDGAME_DIVISOR) as i16,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn danger_grows_quadratically_in_the_middlegame_and_linearly_in_the_endgame() {
        let units = |units| value(Tapered::new(units, units), Tapered::ZERO, Tapered::ZERO);
        assert_eq!(units(-100), Tapered::ZERO);
        assert_eq!(units(720), Tapered::new(-720, -36));
        assert_eq!(units(360), Tapered::new(-180, -18));
        assert_eq!(units(5000), units(MAX_UNITS as i16));
    }

    #[test]
    fn cover_reduces_danger() {
        let with_cover = |cover| {
            value(
                Tapered::new(720, 720),
                Tapered::new(-36, -10),
                Tapered::new(cover, 0),
            )
        };
        assert_eq!(with_cover(640), Tapered::new(-180, -31));
        assert!(with_cover(-64).middlegame() < with_cover(0).middlegame());
    }
}
