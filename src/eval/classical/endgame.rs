//! What the sum of terms does not know about endgames: draws that look won, and how to mate a bare king.

use crate::types::{Color, PieceKind, Rank, Square};

use super::eval_context::EvalContext;
use super::kpk;
use super::material::has_bishop_pair;
use super::square_set::SquareSet;
use super::tapered::Tapered;
use super::value::Value;
use super::weights::Weights;

/// The scale that changes nothing.
pub(super) const FULL_SCALE: i32 = 128;

/// The value of a king and mating material against a bare king, beyond the material itself.
const KNOWN_WIN: i32 = 1200;

/// What each step of a bare king towards a corner counts in which bishop and knight can mate.
const CORNER_STEP: i32 = 100;

/// The value of a pawn that wins against a bare king, beyond the material.
const WON_PAWN: i32 = 400;

/// How much of a value is real: 0 (a dead draw) to [`FULL_SCALE`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) middlegame: i32,
    pub(super) endgame: i32,
}

impl Scale {
    /// All of it.
    pub(super) const FULL: Scale = Scale::whole(FULL_SCALE);

    /// Both values alike.
    const fn whole(scale: i32) -> Scale {
        Scale {
            middlegame: scale,
            endgame: scale,
        }
    }

    /// Only the endgame value.
    const fn late(scale: i32) -> Scale {
        Scale {
            middlegame: FULL_SCALE,
            endgame: scale,
        }
    }
}

/// How much of a value is real in which `strong` is better.
#[inline]
pub(super) fn scale(context: &EvalContext, strong: Color) -> Scale {
    let weak = !strong;
    let pawns = context.pieces(strong, PieceKind::Pawn);
    if pawns.is_empty() {
        return Scale::whole(scale_without_pawns(context, strong));
    }
    if pawns.without(SquareSet::EDGE_FILES).is_empty() && is_wrong_rook_pawn(context, strong) {
        return Scale::whole(0);
    }
    let opposite_bishops = scale_opposite_bishops(context, strong).unwrap_or(FULL_SCALE);
    // The fewer pawns are left, the more endings cannot be won.
    let queen_against_pieces = context.pieces(weak, PieceKind::Queen).is_empty()
        && !context.pieces(strong, PieceKind::Queen).is_empty();
    if queen_against_pieces || !context.has_pieces(weak) {
        return Scale::late(opposite_bishops);
    }
    Scale::late((72 + 14 * pawns.len() as i32).min(opposite_bishops))
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

/// Worth of the pieces of a side without pawns, in pawns: knight and bishop 3, rook 5, queen 9.
fn piece_points(context: &EvalContext, us: Color) -> i32 {
    let count = |kind| context.pieces(us, kind).len() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// Without pawns one must be ahead by more than a minor piece.
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
        // Two knights mate only a side that still has a pawn to move.
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

/// Bishops of opposite colours and few other pieces: hard to win even with pawns more.
fn scale_opposite_bishops(context: &EvalContext, strong: Color) -> Option<i32> {
    let weak = !strong;
    let bishops = [strong, weak].map(|color| context.pieces(color, PieceKind::Bishop));
    let opposite = bishops.iter().all(|set| set.len() == 1)
        && bishops[0].meets(SquareSet::DARK) != bishops[1].meets(SquareSet::DARK);
    if !opposite {
        return None;
    }
    let others =
        [strong, weak].map(|color| (context.minors(color) | context.majors(color)).len() - 1);
    let both = |kind| {
        [strong, weak]
            .iter()
            .all(|&color| context.pieces(color, kind).len() == 1)
    };
    match others {
        [0, 0] => Some(64),
        [1, 1] if both(PieceKind::Knight) => Some(106),
        [1, 1] if both(PieceKind::Rook) => Some(96),
        _ => None,
    }
}

/// All pawns, known to stand on rook files, on the same one; no piece or one bishop that does not control their
/// promotion square, and the enemy king holds the corner.
fn is_wrong_rook_pawn(context: &EvalContext, strong: Color) -> bool {
    let weak = !strong;
    let pawns = context.pieces(strong, PieceKind::Pawn);
    let Some(file) = pawns.lowest().map(Square::file) else {
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
    if !others.is_empty() || bishops.meets(colour_of_corner) {
        return false;
    }
    context.king[weak.index()].distance(corner) <= 1
}

/// The value in White's eyes of an ending that is known better than by the sum of terms: a bare king
/// against one pawn or against mating material.
#[inline]
pub(super) fn known_ending<V: Value>(context: &EvalContext, weights: &Weights<V>) -> Option<i32> {
    let strong = *Color::ALL
        .iter()
        .find(|&&color| context.side[(!color).index()].len() == 1)?;
    // Without the squares of pieces: those of the bare king would pull it back from where it is driven.
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

/// The value for `strong` of king and pawn against king.
fn king_and_pawn(context: &EvalContext, strong: Color, material: i32) -> Option<i32> {
    if context.side[strong.index()].len() != 2 {
        return None;
    }
    let pawn = context.pieces(strong, PieceKind::Pawn).lowest()?;
    let king = context.king[strong.index()];
    let weak_king = context.king[(!strong).index()];
    let won = kpk::is_won(strong, king, pawn, weak_king, context.board.side_to_move());
    let rank = pawn.rank().relative_to(strong).index() as i32;
    Some(if won {
        WON_PAWN + material + 40 * rank
    } else {
        0
    })
}

/// The value for `strong` if its pieces can mate the bare king.
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
    let (hunter, hunted) = (context.king[strong.index()], context.king[weak.index()]);
    let only_bishop_and_knight = !has_majors
        && knights == 1
        && !has_bishop_pair(context, strong)
        && context.pieces(strong, PieceKind::Pawn).is_empty();
    let closeness = 5 * (14 - 2 * hunter.distance(hunted) as i32);
    let win = if only_bishop_and_knight {
        // Mate is possible only in a corner that the bishop controls: that way counts for more than all else.
        // (Stockfish's rule.) With a pawn more the win is easier and must be worth more, so all of it is within half of
        // a known win.
        let dark = bishops.meets(SquareSet::DARK);
        KNOWN_WIN / 2 + CORNER_STEP * (7 - steps_to_corner(hunted, dark))
    } else {
        KNOWN_WIN + 10 * edge_push(hunted)
    };
    Some(win + material + closeness)
}

/// 0 in the centre to 6 in a corner: ranks and files away from the middle.
fn edge_push(square: Square) -> i32 {
    let away = |index: usize| if index < 4 { 3 - index } else { index - 4 };
    (away(square.file().index()) + away(square.rank().index())) as i32
}

/// Steps along files and ranks to the nearer corner of one colour: 0 in it, 7 in the others.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    let (near, far) = if dark {
        (file + rank, 14 - file - rank)
    } else {
        (7 - file + rank, 7 + file - rank)
    };
    near.min(far)
}
