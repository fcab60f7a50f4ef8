//! Static exchange evaluation: who wins the captures on one square?

use crate::types::{Color, Move, MoveKind, PieceKind, PieceSet};

use super::Board;
use super::geometry::{Code, forward, step};

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
        let (from, to) = (mv.from().code(), mv.to().code());
        if mv.is_castle() {
            return threshold <= 0;
        }
        let mut gain = match mv.kind() {
            MoveKind::EnPassant => VALUES[0],
            _ if mv.is_capture() => see_value(self.cell(to).kind()),
            _ => 0,
        };
        let mut on_square = see_value(self.cell(from).kind());
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
    target: Code,
    gone: [PieceSet; 2],
    /// By colour, once needed: pieces that attack the target if nobody stands between.
    candidates: [Option<PieceSet>; 2],
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(board: &'a Board, target: Code, first: Code, passed: Option<Code>) -> Exchange<'a> {
        let mut gone = [PieceSet::EMPTY; 2];
        for code in std::iter::once(first).chain(passed) {
            let cell = board.cell(code);
            gone[cell.color().index()].insert(cell.number());
        }
        Exchange {
            board,
            target,
            gone,
            candidates: [None; 2],
        }
    }

    /// Whether nothing stands between a code and the target, pieces that are gone not counted.
    #[inline]
    fn is_open(&self, from: Code) -> bool {
        let step = step(self.target, from);
        let mut code = self.target.wrapping_add(step);
        while code != from {
            let cell = self.board.cell(code);
            if !cell.is_empty() && !self.gone[cell.color().index()].contains(cell.number()) {
                return false;
            }
            code = code.wrapping_add(step);
        }
        true
    }

    #[inline]
    fn candidates(&mut self, side: Color) -> PieceSet {
        let known = &mut self.candidates[side.index()];
        let all = *known.get_or_insert_with(|| self.board.candidates(self.target, side));
        all & !self.gone[side.index()]
    }

    /// The least valuable attacker of a side by number, and its kind.
    #[inline]
    fn least(&mut self, side: Color) -> Option<(usize, PieceKind)> {
        let candidates = self.candidates(side);
        let pawns = candidates & self.board.set(side, PieceKind::Pawn);
        if let Some(number) = pawns.first() {
            return Some((number, PieceKind::Pawn));
        }
        let list = self.board.list(side);
        let mut least: Option<(usize, PieceKind)> = None;
        for number in candidates {
            let kind = self.board.cell(list[number]).kind();
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
