//! Static exchange evaluation (SEE): the material result of the captures on one square.

use crate::types::{Color, Move, MoveKind, PieceKind, PieceSet};

use super::Board;
use super::effect::captured_index;
use super::geometry::{Index0x88, step};

/// Exchange values in centipawns by [`PieceKind::index`]. The king's value only has to exceed all others.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Returns the value of a piece in exchanges, in centipawns.
///
/// ```
/// use gaur::board::see_value;
/// use gaur::types::PieceKind;
///
/// assert!(see_value(PieceKind::Rook) > see_value(PieceKind::Bishop));
/// ```
#[inline]
pub const fn see_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

impl Board {
    /// Returns `true` if the exchange that starts with this legal move wins at least `threshold` centipawns.
    ///
    /// Both sides capture with their least valuable piece and stop when it is best for them. Pins are not considered.
    /// (Swap algorithm with a running balance, as described in the Chess Programming Wiki.)
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mv = Move::new(square("g1"), square("f3"), MoveKind::Quiet);
    /// assert!(Board::standard().see_at_least(mv, 0));
    /// assert!(!Board::standard().see_at_least(mv, 1));
    /// ```
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        if mv.is_castle() {
            return threshold <= 0;
        }
        let mut gain = match mv.kind() {
            MoveKind::EnPassant => VALUES[0],
            _ if mv.is_capture() => see_value(self.entry(to).kind()),
            _ => 0,
        };
        let mut on_square = see_value(self.entry(from).kind());
        if let Some(promotion) = mv.promotion() {
            on_square = see_value(promotion);
            gain += on_square - VALUES[0];
        }
        // Material of the side that has just captured, minus its threshold. Below 0, it has failed.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= on_square;
        if balance >= 0 {
            return true;
        }
        let captured_en_passant =
            (mv.kind() == MoveKind::EnPassant).then(|| captured_index(us, mv, to));
        let mut exchange = Exchange::new(self, to, from, captured_en_passant);
        let mut side = !us;
        // `side` is to recapture. `balance` is that of the other side and negative.
        while let Some((value, is_king)) = exchange.capture_with_least_valuable(side) {
            if is_king && exchange.has_attacker(!side) {
                break; // the king cannot capture into an attack
            }
            side = !side;
            balance = -balance - 1 - value;
            if balance >= 0 {
                break;
            }
        }
        side != us
    }
}

/// The pieces that can still take part in the captures on one square. They are computed when they are needed, because
/// most exchanges end before the second capture.
struct Exchange<'a> {
    board: &'a Board,
    target: Index0x88,
    /// Pieces that have left their square or were captured, by colour.
    removed: [PieceSet; 2],
    /// Pseudo-attackers of the target by colour, once computed.
    pseudo_attackers: [Option<PieceSet>; 2],
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(
        board: &'a Board,
        target: Index0x88,
        first: Index0x88,
        captured_en_passant: Option<Index0x88>,
    ) -> Exchange<'a> {
        let mut removed = [PieceSet::EMPTY; 2];
        for index in std::iter::once(first).chain(captured_en_passant) {
            let entry = board.entry(index);
            removed[entry.color().index()].insert(entry.number());
        }
        Exchange {
            board,
            target,
            removed,
            pseudo_attackers: [None; 2],
        }
    }

    /// Returns `true` if all squares between `from` and the target are empty or have removed pieces.
    #[inline]
    fn is_open(&self, from: Index0x88) -> bool {
        let step = step(self.target, from);
        let mut index = self.target.wrapping_add(step);
        while index != from {
            let entry = self.board.entry(index);
            if !entry.is_empty() && !self.removed[entry.color().index()].contains(entry.number()) {
                return false;
            }
            index = index.wrapping_add(step);
        }
        true
    }

    /// Returns the remaining pseudo-attackers of a side.
    #[inline]
    fn pseudo_attackers(&mut self, side: Color) -> PieceSet {
        let cached = &mut self.pseudo_attackers[side.index()];
        let all = *cached.get_or_insert_with(|| self.board.pseudo_attackers(self.target, side));
        all & !self.removed[side.index()]
    }

    /// Returns number and kind of the least valuable attacker of a side.
    #[inline]
    fn least_valuable(&mut self, side: Color) -> Option<(usize, PieceKind)> {
        let pseudo_attackers = self.pseudo_attackers(side);
        let pawns = pseudo_attackers & self.board.set(side, PieceKind::Pawn);
        if let Some(number) = pawns.first() {
            return Some((number, PieceKind::Pawn));
        }
        let list = self.board.list(side);
        let mut least: Option<(usize, PieceKind)> = None;
        for number in pseudo_attackers {
            let kind = self.board.entry(list[number]).kind();
            let slides = !matches!(kind, PieceKind::Knight | PieceKind::King);
            if least.is_none_or(|(_, best)| kind < best) && (!slides || self.is_open(list[number]))
            {
                least = Some((number, kind));
            }
        }
        least
    }

    /// Returns `true` if a side has an attacker.
    fn has_attacker(&mut self, side: Color) -> bool {
        self.least_valuable(side).is_some()
    }

    /// Removes the least valuable attacker of a side. Returns its value, and `true` if it is the king.
    #[inline]
    fn capture_with_least_valuable(&mut self, side: Color) -> Option<(i32, bool)> {
        let (number, kind) = self.least_valuable(side)?;
        self.removed[side.index()].insert(number);
        Some((see_value(kind), kind == PieceKind::King))
    }
}
