//! Static exchange evaluation: who wins the captures on one square?

use crate::types::{Color, Move, MoveKind, PieceKind, PieceSet};

use super::Board;
use super::geometry::{Index0x88, forward, step};

/// Exchange values by [`PieceKind::index`], in centipawns; the king's only has to exceed all others.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// What a piece counts in exchanges, in centipawns.
#[inline]
pub const fn see_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

impl Board {
    /// Whether the exchange that this legal move starts wins at least `threshold` centipawns, both sides always
    /// taking with their least valuable piece and stopping when they like. Pins are not considered.
    ///
    /// (The swap algorithm with a running balance: as in the Chess Programming Wiki's description of SEE.)
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
        // What the side that has just captured is ahead of its goal; below 0 it has failed.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= on_square;
        if balance >= 0 {
            return true;
        }
        let captured_by_passing =
            (mv.kind() == MoveKind::EnPassant).then(|| to.wrapping_sub(forward(us)));
        let mut exchange = Exchange::new(self, to, from, captured_by_passing);
        let mut side = !us;
        // `side` is to recapture; `balance` is seen by the other side and negative.
        while let Some((value, is_king)) = exchange.take_with_least(side) {
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

/// The pieces that can still take part in the captures on one square, looked for when it is their turn: most exchanges
/// end before the second capture.
struct Exchange<'a> {
    board: &'a Board,
    target: Index0x88,
    gone: [PieceSet; 2],
    /// By colour, once needed: pieces that attack the target if nobody stands between.
    pseudo_attackers: [Option<PieceSet>; 2],
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(
        board: &'a Board,
        target: Index0x88,
        first: Index0x88,
        passed: Option<Index0x88>,
    ) -> Exchange<'a> {
        let mut gone = [PieceSet::EMPTY; 2];
        for index in std::iter::once(first).chain(passed) {
            let entry = board.entry(index);
            gone[entry.color().index()].insert(entry.number());
        }
        Exchange {
            board,
            target,
            gone,
            pseudo_attackers: [None; 2],
        }
    }

    /// Whether nothing stands between a index and the target, pieces that are gone not counted.
    #[inline]
    fn is_open(&self, from: Index0x88) -> bool {
        let step = step(self.target, from);
        let mut index = self.target.wrapping_add(step);
        while index != from {
            let entry = self.board.entry(index);
            if !entry.is_empty() && !self.gone[entry.color().index()].contains(entry.number()) {
                return false;
            }
            index = index.wrapping_add(step);
        }
        true
    }

    #[inline]
    fn pseudo_attackers(&mut self, side: Color) -> PieceSet {
        let known = &mut self.pseudo_attackers[side.index()];
        let all = *known.get_or_insert_with(|| self.board.pseudo_attackers(self.target, side));
        all & !self.gone[side.index()]
    }

    /// The least valuable attacker of a side by number, and its kind.
    #[inline]
    fn least(&mut self, side: Color) -> Option<(usize, PieceKind)> {
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

    fn has_attacker(&mut self, side: Color) -> bool {
        self.least(side).is_some()
    }

    /// Uses up the least valuable attacker of a side: its value, and whether it is the king.
    #[inline]
    fn take_with_least(&mut self, side: Color) -> Option<(i32, bool)> {
        let (number, kind) = self.least(side)?;
        self.gone[side.index()].insert(number);
        Some((see_value(kind), kind == PieceKind::King))
    }
}
