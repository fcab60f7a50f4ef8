//! Static exchange evaluation: who wins the captures on one square?

use crate::types::{Color, Move, MoveKind, PieceKind, PieceSet};

use super::Board;
use super::geometry::{Code, attacks, forward, off_board, reach, step};

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

/// The pieces that can still take part in the captures on one square.
struct Exchange<'a> {
    board: &'a Board,
    target: Code,
    attackers: [PieceSet; 2],
    gone: [PieceSet; 2],
}

impl<'a> Exchange<'a> {
    fn new(board: &'a Board, target: Code, first: Code, passed: Option<Code>) -> Exchange<'a> {
        let mut exchange = Exchange {
            board,
            target,
            attackers: [PieceSet::EMPTY; 2],
            gone: [PieceSet::EMPTY; 2],
        };
        for code in std::iter::once(first).chain(passed) {
            let cell = board.cell(code);
            exchange.gone[cell.color().index()].insert(cell.number());
        }
        for color in Color::ALL {
            let (list, reaches) = (board.list(color), board.reaches(color));
            for number in board.alive(color) & !exchange.gone[color.index()] {
                let from = list[number];
                let hits = attacks(from, target) & reaches[number];
                // A slider behind another piece joins when that piece has left (`uncover`).
                if hits != 0 && (hits & reach::SLIDING == 0 || exchange.is_open(from)) {
                    exchange.attackers[color.index()].insert(number);
                }
            }
        }
        exchange
    }

    /// Whether nothing stands between a code and the target, pieces that are gone not counted.
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

    fn has_attacker(&self, side: Color) -> bool {
        !self.attackers[side.index()].is_empty()
    }

    /// Uses up the least valuable attacker of a side: its value, and whether it is the king.
    fn take_with_least(&mut self, side: Color) -> Option<(i32, bool)> {
        let own = self.attackers[side.index()];
        for kind in PieceKind::ALL {
            if let Some(number) = (own & self.board.set(side, kind)).first() {
                self.attackers[side.index()].remove(number);
                self.gone[side.index()].insert(number);
                self.uncover(self.board.list(side)[number]);
                return Some((see_value(kind), kind == PieceKind::King));
            }
        }
        None
    }

    /// Adds the slider that was waiting behind a piece that has just left `from`.
    fn uncover(&mut self, from: Code) {
        let step = step(self.target, from);
        if step == 0 {
            return; // a knight hides nobody
        }
        let mut code = from.wrapping_add(step);
        while !off_board(code) {
            let cell = self.board.cell(code);
            if !cell.is_empty() && !self.gone[cell.color().index()].contains(cell.number()) {
                let hits = attacks(code, self.target) & self.board.reach_of(cell) & reach::SLIDING;
                if hits != 0 {
                    self.attackers[cell.color().index()].insert(cell.number());
                }
                return;
            }
            code = code.wrapping_add(step);
        }
    }
}
