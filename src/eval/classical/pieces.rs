//! Knights, bishops, rooks and queens: mobility, outposts and other bonuses. It also collects their attacks.

use crate::types::{Color, PieceKind, Square, SquareSet};

use super::eval_context::EvalContext;
use super::lines::has_xray_attacker;
use super::pawns::PawnEntry;
use super::trace::{Term, Trace};
use super::value::Value;
use super::weights::Weights;

/// Returns the value of the pieces of `us` and adds their attacks to `context`.
///
/// The attacks are complete after a call for each side.
#[inline]
pub(super) fn pieces<V: Value, T: Trace<V>>(
    context: &mut EvalContext,
    us: Color,
    entry: &PawnEntry<V>,
    weights: &Weights<V>,
    trace: &mut T,
) -> V {
    let outposts = outpost_squares(us, entry);
    let closedness = usize::from(entry.closedness);
    let pawns = context.all_pawns();
    let mut mobility = V::ZERO;

    let mut knights = V::ZERO;
    for square in context.pieces(us, PieceKind::Knight) {
        let piece = add_piece(context, us, PieceKind::Knight, square);
        mobility += weights.knight_mobility[piece.mobility.min(8)];
        knights += knight(context, us, square, outposts, pawns, weights);
        knights += weights.knight_closedness[closedness];
    }

    let mut bishops = V::ZERO;
    for square in context.pieces(us, PieceKind::Bishop) {
        let piece = add_piece(context, us, PieceKind::Bishop, square);
        mobility += weights.bishop_mobility[piece.mobility.min(13)];
        bishops += bishop(context, us, square, piece.attacks, outposts, pawns, weights);
    }

    let mut rooks = V::ZERO;
    for square in context.pieces(us, PieceKind::Rook) {
        let piece = add_piece(context, us, PieceKind::Rook, square);
        mobility += weights.rook_mobility[piece.mobility.min(14)];
        rooks += rook(context, us, square, weights);
        rooks += weights.rook_closedness[closedness];
    }

    let mut queens = V::ZERO;
    for square in context.pieces(us, PieceKind::Queen) {
        let piece = add_piece(context, us, PieceKind::Queen, square);
        mobility += weights.queen_mobility[piece.mobility.min(27)];
        let bishops = context.pieces(!us, PieceKind::Bishop);
        let rooks = context.pieces(!us, PieceKind::Rook);
        if has_xray_attacker(square, bishops, rooks, context.occupied) {
            queens += weights.queen_on_line;
        }
    }

    trace.add(Term::Mobility, us, mobility.value());
    trace.add(Term::Knights, us, knights.value());
    trace.add(Term::Bishops, us, bishops.value());
    trace.add(Term::Rooks, us, rooks.value());
    trace.add(Term::Queens, us, queens.value());
    mobility + knights + bishops + rooks + queens
}

/// Attacks of one piece, and its mobility.
struct PieceAttacks {
    /// All attacked squares.
    attacks: SquareSet,
    /// Number of attacked squares in the mobility area.
    mobility: usize,
}

/// Returns the attacks of one piece and adds them to the context.
#[inline]
fn add_piece(
    context: &mut EvalContext,
    us: Color,
    kind: PieceKind,
    square: Square,
) -> PieceAttacks {
    let attacks = context.attacks_from(kind, square);
    context.add_attacks(us, kind, attacks);
    // Squares protected by two pawns do not count as attacked.
    let zone_attacks = attacks
        & context.king_zone[(!us).index()].without(context.pawns_attack_twice[(!us).index()]);
    if !zone_attacks.is_empty() {
        let pressure = &mut context.pressure[us.index()];
        pressure.attackers[kind.index()] += 1;
        pressure.attacks += zone_attacks.len();
    }
    PieceAttacks {
        attacks,
        mobility: (attacks & context.mobility_area[us.index()]).len(),
    }
}

/// Returns the squares of ranks 4 to 6, from the perspective of `us`, that no enemy pawn can ever attack.
#[inline]
fn outpost_squares<V: Value>(us: Color, entry: &PawnEntry<V>) -> SquareSet {
    let ranks = SquareSet::relative_rank(3, us)
        | SquareSet::relative_rank(4, us)
        | SquareSet::relative_rank(5, us);
    ranks.without(entry.attack_span[(!us).index()])
}

/// Returns the value of one knight without mobility.
#[inline]
fn knight<V: Value>(
    context: &EvalContext,
    us: Color,
    square: Square,
    outposts: SquareSet,
    pawns: SquareSet,
    weights: &Weights<V>,
) -> V {
    let mut score = V::ZERO;
    if outposts.contains(square) {
        let defended = context.attacks_by(us, PieceKind::Pawn).contains(square);
        score += weights.knight_outpost[usize::from(defended)];
    }
    if SquareSet::of(square).forward(us).intersects(pawns) {
        score += weights.knight_behind_pawn;
    }
    let distance = square
        .distance(context.king[0])
        .min(square.distance(context.king[1]));
    if distance >= 4 {
        score += weights.knight_far_from_kings[distance - 4];
    }
    score
}

/// Returns the value of one bishop without mobility.
#[inline]
fn bishop<V: Value>(
    context: &EvalContext,
    us: Color,
    square: Square,
    attacks: SquareSet,
    outposts: SquareSet,
    pawns: SquareSet,
    weights: &Weights<V>,
) -> V {
    let mut score = V::ZERO;
    if outposts.contains(square) {
        let defended = context.attacks_by(us, PieceKind::Pawn).contains(square);
        score += weights.bishop_outpost[usize::from(defended)];
    }
    let here = SquareSet::of(square);
    if here.forward(us).intersects(pawns) {
        score += weights.bishop_behind_pawn;
    }
    let colour = if square.is_light() {
        !SquareSet::DARK
    } else {
        SquareSet::DARK
    };
    let blocked = context.pieces(us, PieceKind::Pawn) & pawns.forward(!us) & colour;
    score += weights.bishop_blocked_pawn * blocked.len();
    if ((attacks | here) & SquareSet::CENTRE & colour).has_several() {
        score += weights.bishop_long_diagonal;
    }
    score
}

/// Returns the value of one rook without mobility.
#[inline]
fn rook<V: Value>(context: &EvalContext, us: Color, square: Square, weights: &Weights<V>) -> V {
    let mut score = V::ZERO;
    let file = SquareSet::file(square.file());
    if !file.intersects(context.pieces(us, PieceKind::Pawn)) {
        let open = !file.intersects(context.pieces(!us, PieceKind::Pawn));
        score += weights.rook_open_file[usize::from(open)];
    }
    let seventh = SquareSet::relative_rank(6, us);
    if seventh.contains(square) {
        let last = SquareSet::relative_rank(7, us);
        let king = context.king[(!us).index()];
        if (seventh | last).contains(king)
            || seventh.intersects(context.pieces(!us, PieceKind::Pawn))
        {
            score += weights.rook_on_seventh;
        }
    }
    score
}
