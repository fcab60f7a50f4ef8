//! Endgame rules that the sum of terms cannot express: scaling of drawish endgames, and play against a bare king.

use crate::types::{Color, PieceKind, Rank, Square, SquareSet};

use super::eval_context::EvalContext;
use super::kpk;
use super::material::has_bishop_pair;
use super::tapered::Tapered;
use super::value::Value;
use super::weights::Weights;

/// Scale that leaves a value unchanged.
pub const FULL_SCALE: i32 = 128;

/// Bonus in centipawns, in addition to material, for mating material against a bare king.
const MATING_MATERIAL_BONUS: i32 = 1200;

/// Bonus in centipawns for each step of the bare king towards a corner in which bishop and knight can mate.
const CORNER_STEP_BONUS: i32 = 100;

/// Bonus in centipawns, in addition to material, for a pawn that wins against a bare king.
const WINNING_PAWN_BONUS: i32 = 400;

/// Scale of a middlegame and an endgame value: 0 (a certain draw) to [`FULL_SCALE`] (unchanged).
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Scale of the middlegame value.
    pub middlegame: i32,
    /// Scale of the endgame value.
    pub endgame: i32,
}

impl Scale {
    /// Scale that leaves both values unchanged.
    pub(super) const FULL: Scale = Scale::both(FULL_SCALE);

    /// Returns the same scale for both values.
    const fn both(scale: i32) -> Scale {
        Scale {
            middlegame: scale,
            endgame: scale,
        }
    }

    /// Returns a scale for the endgame value only.
    const fn endgame_only(scale: i32) -> Scale {
        Scale {
            middlegame: FULL_SCALE,
            endgame: scale,
        }
    }
}

/// Returns the scale of a position in which `strong` is better.
#[inline]
pub(super) fn scale(context: &EvalContext, strong: Color) -> Scale {
    let weak = !strong;
    let pawns = context.pieces(strong, PieceKind::Pawn);
    if pawns.is_empty() {
        return Scale::both(scale_without_pawns(context, strong));
    }
    if pawns.without(SquareSet::EDGE_FILES).is_empty() && is_wrong_rook_pawn(context, strong) {
        return Scale::both(0);
    }
    let opposite_bishops = scale_opposite_bishops(context, strong).unwrap_or(FULL_SCALE);
    // The fewer pawns are left, the more endgames are drawn.
    let queen_against_pieces = context.pieces(weak, PieceKind::Queen).is_empty()
        && !context.pieces(strong, PieceKind::Queen).is_empty();
    if queen_against_pieces || !context.has_pieces(weak) {
        return Scale::endgame_only(opposite_bishops);
    }
    Scale::endgame_only((72 + 14 * pawns.len() as i32).min(opposite_bishops))
}

/// Returns the scale of a sum of terms.
///
/// The middlegame and the endgame value are each scaled for the side that is better in that phase. The result is then
/// continuous where one of the two values changes its sign.
#[inline]
pub(super) fn scale_of_sum(context: &EvalContext, sum: Tapered) -> Scale {
    let better = |value: i32| {
        if value >= 0 {
            Color::White
        } else {
            Color::Black
        }
    };
    let (early, late) = (better(sum.middlegame()), better(sum.endgame()));
    let late_scale = scale(context, late);
    if early == late {
        return late_scale;
    }
    Scale {
        middlegame: scale(context, early).middlegame,
        ..late_scale
    }
}

/// Returns the worth of the pieces of a side in pawns: knight and bishop 3, rook 5, queen 9.
fn piece_points(context: &EvalContext, us: Color) -> i32 {
    let count = |kind| context.pieces(us, kind).len() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// Returns the scale if `strong` has no pawns. It then needs to be ahead by more than a minor piece to win.
fn scale_without_pawns(context: &EvalContext, strong: Color) -> i32 {
    let weak = !strong;
    let (own, theirs) = (piece_points(context, strong), piece_points(context, weak));
    let only_knights = own == 3 * context.pieces(strong, PieceKind::Knight).len() as i32;
    let bishops = context.pieces(strong, PieceKind::Bishop);
    let only_bishops = own == 3 * bishops.len() as i32;
    if own <= 3 || only_bishops && !has_bishop_pair(context, strong) {
        return 0;
    }
    if only_knights && own == 6 {
        // Two knights can mate only if the opponent still has a pawn, which prevents stalemate.
        return if context.pieces(weak, PieceKind::Pawn).is_empty() {
            0
        } else {
            12
        };
    }
    if own - theirs > 3 {
        return FULL_SCALE;
    }
    if theirs <= 3 { 8 } else { 28 }
}

/// Returns the endgame scale for bishops on squares of opposite colours, with no or one other piece on each side.
fn scale_opposite_bishops(context: &EvalContext, strong: Color) -> Option<i32> {
    let weak = !strong;
    let bishops = [strong, weak].map(|color| context.pieces(color, PieceKind::Bishop));
    let opposite = bishops.iter().all(|set| set.len() == 1)
        && bishops[0].intersects(SquareSet::DARK) != bishops[1].intersects(SquareSet::DARK);
    if !opposite {
        return None;
    }
    let others =
        [strong, weak].map(|color| (context.minors(color) | context.majors(color)).len() - 1);
    let each_has_one = |kind| {
        [strong, weak]
            .iter()
            .all(|&color| context.pieces(color, kind).len() == 1)
    };
    match others {
        [0, 0] => Some(64),
        [1, 1] if each_has_one(PieceKind::Knight) => Some(106),
        [1, 1] if each_has_one(PieceKind::Rook) => Some(96),
        _ => None,
    }
}

/// Returns `true` if the enemy king holds the corner against rook pawns whose promotion square the bishop does not
/// control ("wrong bishop"), or against rook pawns without a bishop.
///
/// All pawns of `strong` must be on rook files.
fn is_wrong_rook_pawn(context: &EvalContext, strong: Color) -> bool {
    let weak = !strong;
    let pawns = context.pieces(strong, PieceKind::Pawn);
    let Some(file) = pawns.first().map(Square::file) else {
        return false;
    };
    if !pawns.without(SquareSet::file(file)).is_empty() {
        return false;
    }
    let bishops = context.pieces(strong, PieceKind::Bishop);
    let others = (context.minors(strong) | context.majors(strong)).without(bishops);
    let corner = Square::new(file, Rank::home(weak));
    let colour_of_corner = if corner.is_light() {
        !SquareSet::DARK
    } else {
        SquareSet::DARK
    };
    if !others.is_empty() || bishops.intersects(colour_of_corner) {
        return false;
    }
    context.king[weak.index()].distance(corner) <= 1
}

/// Returns the score in centipawns, from White's perspective, of an endgame against a bare king.
///
/// Returns `None` if neither side has a bare king, or if no rule applies to the other side's pieces.
#[inline]
pub(super) fn bare_king_score<V: Value>(
    context: &EvalContext,
    weights: &Weights<V>,
) -> Option<i32> {
    let strong = *Color::ALL
        .iter()
        .find(|&&color| context.side[(!color).index()].len() == 1)?;
    // Piece-square values are left out: they would reward the bare king for leaving the edge.
    let worth = |kind: PieceKind| {
        let count = context.pieces(strong, kind).len() as i32;
        weights.material[kind.index()].value().endgame() * count
    };
    let material = PieceKind::ALL.into_iter().map(worth).sum();
    let value = match king_and_pawn(context, strong, material) {
        Some(value) => Some(value),
        None => mop_up(context, strong, material),
    };
    value.map(|value| {
        if strong == Color::White {
            value
        } else {
            -value
        }
    })
}

/// Returns the score for `strong` of king and pawn against king, in centipawns.
fn king_and_pawn(context: &EvalContext, strong: Color, material: i32) -> Option<i32> {
    if context.side[strong.index()].len() != 2 {
        return None;
    }
    let pawn = context.pieces(strong, PieceKind::Pawn).first()?;
    let king = context.king[strong.index()];
    let weak_king = context.king[(!strong).index()];
    let won = kpk::is_won(strong, king, pawn, weak_king, context.board.side_to_move());
    let rank = pawn.rank().relative_to(strong).index() as i32;
    Some(if won {
        WINNING_PAWN_BONUS + material + 40 * rank
    } else {
        0
    })
}

/// Returns the score for `strong`, in centipawns, if its pieces can mate the bare king.
fn mop_up(context: &EvalContext, strong: Color, material: i32) -> Option<i32> {
    let weak = !strong;
    let knights = context.pieces(strong, PieceKind::Knight).len();
    let bishops = context.pieces(strong, PieceKind::Bishop);
    let has_majors = !context.majors(strong).is_empty();
    let mates = has_majors
        || has_bishop_pair(context, strong)
        || knights >= 3
        || (knights >= 1 && !bishops.is_empty());
    if !mates {
        return None;
    }
    let (strong_king, weak_king) = (context.king[strong.index()], context.king[weak.index()]);
    let only_bishop_and_knight = !has_majors
        && knights == 1
        && !has_bishop_pair(context, strong)
        && context.pieces(strong, PieceKind::Pawn).is_empty();
    let closeness = 5 * (14 - 2 * strong_king.distance(weak_king) as i32);
    let win = if only_bishop_and_knight {
        // Mate can be forced only in a corner that the bishop controls, so the way there counts most. (Rule:
        // Stockfish.) An additional pawn makes the win easier and must score higher, so this bonus starts from half.
        let dark = bishops.intersects(SquareSet::DARK);
        MATING_MATERIAL_BONUS / 2 + CORNER_STEP_BONUS * (7 - steps_to_corner(weak_king, dark))
    } else {
        MATING_MATERIAL_BONUS + 10 * distance_from_centre(weak_king)
    };
    Some(win + material + closeness)
}

/// Returns the distance from the centre in files plus ranks: 0 in the centre, 6 in a corner.
fn distance_from_centre(square: Square) -> i32 {
    let away = |index: usize| if index < 4 { 3 - index } else { index - 4 };
    (away(square.file().index()) + away(square.rank().index())) as i32
}

/// Returns the steps along files and ranks to the nearer corner of one colour: 0 in it, 7 in the other corners.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    let (near, far) = if dark {
        (file + rank, 14 - file - rank)
    } else {
        (7 - file + rank, 7 + file - rank)
    };
    near.min(far)
}
