//! Strictly legal move generation.
//!
//! Checkers and pins are known beforehand ([`Checks`]), so no move is made to see whether it is legal: pinned pieces
//! walk their line only, evasions go to the squares that end the check, and the king asks whether his target is
//! attacked. (The order of work, pinned pieces first and then the rest without a test, is that of H. G. Muller's qperft.)

use crate::types::{
    CastlingSide, Color, File, Move, MoveKind, MoveList, PieceKind, PieceSet, Rank, Square,
};

use super::geometry::{
    Code, DIAGONAL_STEPS, EAST, KING_STEPS, KNIGHT_STEPS, STRAIGHT_STEPS, WEST, attacks, forward,
    off_board, reach, step,
};
use super::{Board, Checks, MoveCounter, MoveSink};

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// The others.
    Quiet,
}

impl Board {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&self.checks(), Which::All, &mut moves);
        moves
    }

    /// How many legal moves there are; faster than listing them.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        let mut counter = MoveCounter::default();
        self.generate(&self.checks(), Which::All, &mut counter);
        counter.0
    }

    /// Gives the legal moves of one sort to `sink`; `checks` must be [`Board::checks`] of this position.
    #[inline]
    pub fn generate(&self, checks: &Checks, which: Which, sink: &mut impl MoveSink) {
        match which {
            Which::All => self.generate_for::<true, true>(checks, sink),
            Which::Noisy => self.generate_for::<true, false>(checks, sink),
            Which::Quiet => self.generate_for::<false, true>(checks, sink),
        }
    }

    #[inline]
    fn generate_for<const NOISY: bool, const QUIET: bool>(
        &self,
        checks: &Checks,
        sink: &mut impl MoveSink,
    ) {
        if checks.count == 0 {
            let generator = Generator::<_, NOISY, QUIET, false> {
                board: self,
                sink,
                targets: [0; 2],
            };
            generator.free_moves(checks.pinned);
        } else {
            let targets = self.check_line(checks);
            let generator = Generator::<_, NOISY, QUIET, true> {
                board: self,
                sink,
                targets,
            };
            generator.evasions(checks);
        }
    }

    /// The squares on which a check is answered by a piece other than the king: the checker's and those between; as
    /// a bit set over codes.
    fn check_line(&self, checks: &Checks) -> [u64; 2] {
        let king = self.list(self.side_to_move)[0];
        let mut targets = [0; 2];
        let mut add = |code: Code| targets[(code >> 6 & 1) as usize] |= 1 << (code & 63);
        add(checks.checker);
        let step = step(king, checks.checker);
        if step != 0 {
            let mut code = king.wrapping_add(step);
            while code != checks.checker {
                add(code);
                code = code.wrapping_add(step);
            }
        }
        targets
    }
}

/// One run of the generator; `EVASION` limits the moves to `targets`.
struct Generator<'a, S, const NOISY: bool, const QUIET: bool, const EVASION: bool> {
    board: &'a Board,
    sink: &'a mut S,
    targets: [u64; 2],
}

impl<S: MoveSink, const NOISY: bool, const QUIET: bool, const EVASION: bool>
    Generator<'_, S, NOISY, QUIET, EVASION>
{
    #[inline(always)]
    fn free_moves(mut self, pinned: PieceSet) {
        for number in pinned {
            self.pinned_moves(number);
        }
        self.piece_moves(!pinned);
        self.en_passant();
        self.king_moves();
        if QUIET {
            for side in CastlingSide::ALL {
                if self.board.can_castle(side, pinned) {
                    self.castle(side);
                }
            }
        }
    }

    fn evasions(mut self, checks: &Checks) {
        self.king_moves_in_check();
        if checks.count == 1 {
            // A pinned piece cannot answer another check: its line and the checker's meet only at the king.
            self.piece_moves(!checks.pinned);
            self.en_passant();
        }
    }

    #[inline(always)]
    fn us(&self) -> Color {
        self.board.side_to_move
    }

    #[inline(always)]
    fn add(&mut self, from: Code, to: Code, kind: MoveKind) {
        self.sink.add(Move::new(
            Square::from_code(from),
            Square::from_code(to),
            kind,
        ));
    }

    #[inline(always)]
    fn is_wanted(&self, to: Code) -> bool {
        !EVASION || self.targets[(to >> 6 & 1) as usize] >> (to & 63) & 1 != 0
    }

    /// A move of a piece to an on-board square; returns whether a slider may go on.
    #[inline(always)]
    fn try_target(&mut self, from: Code, to: Code) -> bool {
        let target = self.board.cell(to);
        if target.is_empty() {
            if QUIET && self.is_wanted(to) {
                self.add(from, to, MoveKind::Quiet);
            }
            return true;
        }
        if NOISY && target.color() != self.us() && self.is_wanted(to) {
            self.add(from, to, MoveKind::Capture);
        }
        false
    }

    #[inline(always)]
    fn slide(&mut self, from: Code, step: Code) {
        let mut to = from.wrapping_add(step);
        while !off_board(to) && self.try_target(from, to) {
            to = to.wrapping_add(step);
        }
    }

    /// All moves but those of king and pinned pieces.
    #[inline(always)]
    fn piece_moves(&mut self, free: PieceSet) {
        let board = self.board;
        let us = self.us();
        let list = board.list(us);
        for number in board.set(us, PieceKind::Pawn) & free {
            self.pawn_moves(list[number]);
        }
        for number in board.set(us, PieceKind::Knight) & free {
            for step in KNIGHT_STEPS {
                let to = list[number].wrapping_add(step);
                if !off_board(to) {
                    self.try_target(list[number], to);
                }
            }
        }
        let queens = board.set(us, PieceKind::Queen);
        for number in (board.set(us, PieceKind::Bishop) | queens) & free {
            for step in DIAGONAL_STEPS {
                self.slide(list[number], step);
            }
        }
        for number in (board.set(us, PieceKind::Rook) | queens) & free {
            for step in STRAIGHT_STEPS {
                self.slide(list[number], step);
            }
        }
    }

    #[inline(always)]
    fn pawn_moves(&mut self, from: Code) {
        let ahead = from.wrapping_add(forward(self.us()));
        self.pawn_pushes(from, ahead);
        if NOISY {
            self.pawn_capture(from, ahead.wrapping_add(EAST));
            self.pawn_capture(from, ahead.wrapping_add(WEST));
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, from: Code, ahead: Code) {
        if !self.board.cell(ahead).is_empty() {
            return;
        }
        if is_end_rank(ahead) {
            if NOISY && self.is_wanted(ahead) {
                self.promote(from, ahead, false);
            }
        } else if QUIET {
            if self.is_wanted(ahead) {
                self.add(from, ahead, MoveKind::Quiet);
            }
            let start_rank = if self.us() == Color::White {
                0x10
            } else {
                0x60
            };
            if from & 0x70 == start_rank {
                let two_ahead = ahead.wrapping_add(forward(self.us()));
                if self.board.cell(two_ahead).is_empty() && self.is_wanted(two_ahead) {
                    self.add(from, two_ahead, MoveKind::DoublePush);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_capture(&mut self, from: Code, to: Code) {
        if !off_board(to) && self.board.cell(to).is_of(!self.us()) && self.is_wanted(to) {
            if is_end_rank(to) {
                self.promote(from, to, true);
            } else {
                self.add(from, to, MoveKind::Capture);
            }
        }
    }

    #[inline(always)]
    fn promote(&mut self, from: Code, to: Code, capture: bool) {
        for kind in PieceKind::PROMOTIONS {
            self.add(from, to, MoveKind::promotion(kind, capture));
        }
    }

    /// Moves of a pinned piece along its line, the pinner's square included.
    #[inline(never)]
    fn pinned_moves(&mut self, number: usize) {
        let us = self.us();
        let (king, from) = (self.board.list(us)[0], self.board.list(us)[number]);
        let away = step(king, from);
        let own_reach = self.board.reaches(us)[number];
        if own_reach & attacks(king, from) & reach::SLIDING != 0
            || own_reach & reach::SLIDING & line_of(away) != 0
        {
            self.slide(from, away);
            self.slide(from, away.wrapping_neg());
        } else if own_reach & (reach::WHITE_PAWN | reach::BLACK_PAWN) != 0 {
            let ahead = from.wrapping_add(forward(us));
            if away == forward(us) || away == forward(!us) {
                self.pawn_pushes(from, ahead);
            } else if NOISY {
                for side in [EAST, WEST] {
                    if forward(us).wrapping_add(side) == away {
                        self.pawn_capture(from, ahead.wrapping_add(side));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self) {
        if NOISY && let Some(square) = self.board.en_passant {
            self.en_passant_to(square.code());
        }
    }

    #[inline(never)]
    fn en_passant_to(&mut self, to: Code) {
        let behind = to.wrapping_sub(forward(self.us()));
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if self.board.is_en_passant_legal(from, to) {
                self.add(from, to, MoveKind::EnPassant);
            }
        }
    }

    #[inline(always)]
    fn king_moves(&mut self) {
        let king = self.board.list(self.us())[0];
        for step in KING_STEPS {
            self.king_move(king, king.wrapping_add(step));
        }
    }

    /// As [`Self::king_moves`], with the king's shadow on a checker's line counted as attacked.
    #[inline(always)]
    fn king_moves_in_check(&mut self) {
        let king = self.board.list(self.us())[0];
        for step in KING_STEPS {
            let to = king.wrapping_add(step);
            if !off_board(to) && !self.board.is_in_shadow(king, step) {
                self.king_move(king, to);
            }
        }
    }

    #[inline(always)]
    fn king_move(&mut self, king: Code, to: Code) {
        if off_board(to) {
            return;
        }
        let target = self.board.cell(to);
        if target.is_empty() {
            if QUIET && !self.board.is_code_attacked(to, !self.us()) {
                self.add(king, to, MoveKind::Quiet);
            }
        } else if NOISY
            && target.color() != self.us()
            && !self.board.is_code_attacked(to, !self.us())
        {
            self.add(king, to, MoveKind::Capture);
        }
    }

    fn castle(&mut self, side: CastlingSide) {
        let us = self.us();
        let rook = self.board.castling_rook(us, side);
        self.sink
            .add(Move::new(self.board.king(us), rook, MoveKind::Castle));
    }
}

/// Whether a code is on rank 1 or 8.
#[inline(always)]
pub(super) fn is_end_rank(code: Code) -> bool {
    code & 0x70 == 0 || code & 0x70 == 0x70
}

/// The reach bit of a slider that moves by `step`.
#[inline(always)]
fn line_of(step: Code) -> u8 {
    attacks(0, step) & reach::SLIDING
}

impl Board {
    /// Whether the king, stepping by `step`, would stay on the line of a slider that gives check from behind him.
    #[inline(always)]
    pub(super) fn is_in_shadow(&self, king: Code, step: Code) -> bool {
        let them = !self.side_to_move;
        let back = step.wrapping_neg();
        let mut code = king.wrapping_add(back);
        while !off_board(code) {
            let cell = self.cell(code);
            if !cell.is_empty() {
                return cell.is_of(them) && self.reach[cell.slot()] & line_of(step) != 0;
            }
            code = code.wrapping_add(back);
        }
        false
    }

    /// Whether castling to `side` is legal; the side to move must not be in check.
    #[inline(always)]
    pub(super) fn can_castle(&self, side: CastlingSide, pinned: PieceSet) -> bool {
        self.rights.has(self.side_to_move, side) && self.castling_is_free(side, pinned)
    }

    fn castling_is_free(&self, side: CastlingSide, pinned: PieceSet) -> bool {
        let us = self.side_to_move;
        let king = self.king(us).code();
        let rook = self.castling_rook(us, side).code();
        // The rook shields the king from an enemy rook on the home rank (Fischer Random only).
        if pinned.contains(self.cell(rook).number()) {
            return false;
        }
        let (king_to, rook_to) = castling_targets(us, side);
        let is_free = |code: Code| self.cell(code).is_empty() || code == king || code == rook;
        span(king, king_to)
            .chain([king_to])
            .all(|code| is_free(code) && !self.is_code_attacked(code, !us))
            && span(rook, rook_to).chain([rook_to]).all(is_free)
    }

    /// Whether a pawn of the side to move on `from` may take en passant on `to`; any codes, on the board or not.
    pub(super) fn is_en_passant_legal(&self, from: Code, to: Code) -> bool {
        let us = self.side_to_move;
        let pawn = super::cell::piece_code(us, PieceKind::Pawn);
        if off_board(from) || self.cell(from).piece_code() != pawn {
            return false;
        }
        let captured = to.wrapping_sub(forward(us));
        let king = self.list(us)[0];
        let (list, reaches) = (self.list(!us), self.reaches(!us));
        // Walks see the board as it will be: `from` and `captured` empty, `to` full.
        let blocks = |code: Code| {
            code == to || (code != from && code != captured && !self.cell(code).is_empty())
        };
        let attacks_king = |number: usize| {
            let slider = list[number];
            let hits = attacks(slider, king) & reaches[number];
            if hits & reach::SLIDING == 0 {
                hits != 0
            } else {
                !span(king, slider).any(blocks)
            }
        };
        let pawn_checks = || {
            let behind = king.wrapping_sub(forward(!us));
            let enemy = super::cell::piece_code(!us, PieceKind::Pawn);
            [EAST, WEST]
                .map(|side| behind.wrapping_add(side))
                .into_iter()
                .any(|code| {
                    !off_board(code) && code != captured && self.cell(code).piece_code() == enemy
                })
        };
        !self.non_pawns(!us).into_iter().any(attacks_king) && !pawn_checks()
    }
}

/// Where king and rook stand after castling.
pub(super) fn castling_targets(color: Color, side: CastlingSide) -> (Code, Code) {
    let rank = Rank::home(color);
    let (king, rook) = match side {
        CastlingSide::HSide => (File::G, File::F),
        CastlingSide::ASide => (File::C, File::D),
    };
    (
        Square::new(king, rank).code(),
        Square::new(rook, rank).code(),
    )
}

/// The codes strictly between two codes on one line; none where there is no line.
pub(super) fn span(from: Code, to: Code) -> impl Iterator<Item = Code> {
    let step = step(from, to);
    let first = if step == 0 {
        to
    } else {
        from.wrapping_add(step)
    };
    std::iter::successors(Some(first), move |code| Some(code.wrapping_add(step)))
        .take_while(move |&code| code != to)
}
