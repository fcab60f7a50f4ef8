//! Strictly legal move generation.
//!
//! The generator receives checkers and pins ([`CheckInfo`]), so that it need not make a move to test its legality.
//! Pinned pieces move only along the line of the pin. In check, pieces move only to squares that end the check. The
//! king moves only to squares that the opponent does not attack. (Pinned pieces first, then all others without a test:
//! H. G. Muller's qperft.)

use crate::types::{CastlingSide, Color, Move, MoveKind, MoveList, PieceKind, PieceSet, Square};

use super::geometry::{
    DIAGONAL_STEPS, EAST, Index0x88, KING_TARGETS, KNIGHT_TARGETS, STRAIGHT_STEPS, WEST,
    attack_mask, attacks, forward, step,
};
use super::king::{bits, line_of};
use super::{Board, CheckInfo, MailboxEntry, MoveCounter, MoveSink};

/// Selection of the moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFilter {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// All other moves.
    Quiet,
}

impl Board {
    /// Returns all legal moves.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&self.check_info(), MoveFilter::All, &mut moves);
        moves
    }

    /// Returns the number of legal moves.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().count_legal(), 20);
    /// ```
    #[inline]
    pub fn count_legal(&self) -> u64 {
        let mut counter = MoveCounter::default();
        self.generate(&self.check_info(), MoveFilter::All, &mut counter);
        counter.0
    }

    /// Returns `true` if a legal move gives mate. The position does not change.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::notation::parse_fen;
    /// use gaur::rules::{Position, Variant};
    ///
    /// let setup = parse_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").expect("a position");
    /// let position = Position::from_setup(&setup, Variant::Standard).expect("a legal position");
    /// let mut board = position.board().clone();
    /// let moves = position.legal_moves();
    /// assert_eq!(moves.iter().filter(|&&mv| board.gives_mate(mv)).count(), 1);
    /// ```
    pub fn gives_mate(&mut self, mv: Move) -> bool {
        let undo = self.make(mv);
        let is_mate = self.in_check() && self.count_legal() == 0;
        self.unmake(mv, undo);
        is_mate
    }

    /// Adds the legal moves that `filter` selects to `sink`. `check_info` must be [`Board::check_info`] of this
    /// position.
    ///
    /// ```
    /// use gaur::board::{Board, MoveFilter};
    /// use gaur::types::MoveList;
    ///
    /// let board = Board::standard();
    /// let mut captures = MoveList::new();
    /// board.generate(&board.check_info(), MoveFilter::Noisy, &mut captures);
    /// assert!(captures.is_empty());
    /// ```
    #[inline]
    pub fn generate(&self, check_info: &CheckInfo, filter: MoveFilter, sink: &mut impl MoveSink) {
        match filter {
            MoveFilter::All => self.generate_for::<true, true>(check_info, sink),
            MoveFilter::Noisy => self.generate_for::<true, false>(check_info, sink),
            MoveFilter::Quiet => self.generate_for::<false, true>(check_info, sink),
        }
    }

    #[inline]
    fn generate_for<const NOISY: bool, const QUIET: bool>(
        &self,
        check_info: &CheckInfo,
        sink: &mut impl MoveSink,
    ) {
        // Compiled separately for each colour: directions and addresses of lists are then constants.
        match (self.side_to_move, check_info.count) {
            (Color::White, 0) => self.moves_without_check::<true, NOISY, QUIET>(check_info, sink),
            (Color::Black, 0) => self.moves_without_check::<false, NOISY, QUIET>(check_info, sink),
            (Color::White, _) => self.evasions::<true, NOISY, QUIET>(check_info, sink),
            (Color::Black, _) => self.evasions::<false, NOISY, QUIET>(check_info, sink),
        }
    }

    /// Generates the moves of a side that is not in check.
    #[inline(always)]
    fn moves_without_check<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        check_info: &CheckInfo,
        sink: &mut impl MoveSink,
    ) {
        let mut generator = Generator::<_, WHITE, NOISY, QUIET, false> {
            board: self,
            sink,
            targets: [0; 2],
        };
        for number in check_info.pinned {
            generator.pinned_moves(number);
        }
        generator.piece_moves(!check_info.pinned);
        generator.en_passant();
        let safe = generator.king_moves();
        if QUIET {
            generator.castling(check_info.pinned, safe);
        }
    }

    /// Generates the moves of a side in check.
    fn evasions<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        check_info: &CheckInfo,
        sink: &mut impl MoveSink,
    ) {
        let mut generator = Generator::<_, WHITE, NOISY, QUIET, true> {
            board: self,
            sink,
            targets: self.check_evasion_targets(check_info),
        };
        generator.king_moves();
        if check_info.count == 1 {
            // A pinned piece cannot end another check: its line and that of the checker meet only at the king.
            generator.piece_moves(!check_info.pinned);
            generator.en_passant();
        }
    }

    /// Returns the squares to which a piece other than the king can move to end a check by one piece: the checker's
    /// square and those between it and the king. The set has a bit for each 0x88 index, so that no index needs a
    /// conversion.
    fn check_evasion_targets(&self, check_info: &CheckInfo) -> [u64; 2] {
        let king = self.list(self.side_to_move)[0];
        let mut targets = [0; 2];
        let mut add = |index: Index0x88| targets[(index >> 6 & 1) as usize] |= 1 << (index & 63);
        add(check_info.checker);
        let step = step(king, check_info.checker);
        if step != 0 {
            let mut index = king.wrapping_add(step);
            while index != check_info.checker {
                add(index);
                index = index.wrapping_add(step);
            }
        }
        targets
    }
}

/// Generator for one colour. `EVASION` limits the moves to `targets`.
struct Generator<
    'a,
    S,
    const WHITE: bool,
    const NOISY: bool,
    const QUIET: bool,
    const EVASION: bool,
> {
    board: &'a Board,
    sink: &'a mut S,
    targets: [u64; 2],
}

impl<S: MoveSink, const WHITE: bool, const NOISY: bool, const QUIET: bool, const EVASION: bool>
    Generator<'_, S, WHITE, NOISY, QUIET, EVASION>
{
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };

    #[inline(always)]
    fn add(&mut self, from: Index0x88, to: Index0x88, kind: MoveKind) {
        self.sink.add(Move::new(
            Square::from_index_0x88(from),
            Square::from_index_0x88(to),
            kind,
        ));
    }

    /// Returns `true` if `to` is a target of the generated moves.
    #[inline(always)]
    fn is_wanted(&self, to: Index0x88) -> bool {
        !EVASION || self.targets[(to >> 6 & 1) as usize] >> (to & 63) & 1 != 0
    }

    /// Adds the move of a piece to a square on the board, if the filter selects it.
    #[inline(always)]
    fn try_target(&mut self, from: Index0x88, to: Index0x88) {
        let target = self.board.entry(to);
        let wanted = match (NOISY, QUIET) {
            (true, true) => !target.is_of(Self::US),
            (true, false) => target.is_of(Self::THEM),
            (false, _) => target.is_empty(),
        };
        if wanted && self.is_wanted(to) {
            self.add(from, to, quiet_or_capture(target));
        }
    }

    /// Adds the moves of a slider in one direction.
    #[inline(always)]
    fn slide(&mut self, from: Index0x88, step: Index0x88) {
        let mut to = from.wrapping_add(step);
        while self.board.entry(to).is_empty() {
            if QUIET && self.is_wanted(to) {
                self.add(from, to, MoveKind::Quiet);
            }
            to = to.wrapping_add(step);
        }
        if NOISY && self.board.entry(to).is_of(Self::THEM) && self.is_wanted(to) {
            self.add(from, to, MoveKind::Capture);
        }
    }

    /// Adds the moves of all pieces in `free` except the king.
    #[inline(always)]
    fn piece_moves(&mut self, free: PieceSet) {
        let board = self.board;
        let us = Self::US;
        let list = board.list(us);
        for number in board.set(us, PieceKind::Pawn) & free {
            self.pawn_moves(list[number]);
        }
        if !EVASION
            && let Some(moves) = self.sink.list()
            && let Some(simd) = board.simd
        {
            simd.piece_moves::<WHITE, NOISY, QUIET>(board, free, moves);
        } else {
            self.scalar_piece_moves(free);
        }
    }

    /// Adds the moves of knights, bishops, rooks and queens in `free`.
    #[inline(always)]
    fn scalar_piece_moves(&mut self, free: PieceSet) {
        let (board, us) = (self.board, Self::US);
        let list = board.list(us);
        for number in board.set(us, PieceKind::Knight) & free {
            let from = list[number];
            for to in KNIGHT_TARGETS[(from & 127) as usize] {
                self.try_target(from, to);
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
    fn pawn_moves(&mut self, from: Index0x88) {
        let ahead = from.wrapping_add(forward(Self::US));
        self.pawn_pushes(from, ahead);
        if NOISY {
            self.pawn_capture(from, ahead.wrapping_add(EAST));
            self.pawn_capture(from, ahead.wrapping_add(WEST));
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, from: Index0x88, ahead: Index0x88) {
        if !self.board.entry(ahead).is_empty() {
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
            let start_rank = if Self::US == Color::White { 0x10 } else { 0x60 };
            if from & 0x70 == start_rank {
                let two_ahead = ahead.wrapping_add(forward(Self::US));
                if self.board.entry(two_ahead).is_empty() && self.is_wanted(two_ahead) {
                    self.add(from, two_ahead, MoveKind::DoublePush);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_capture(&mut self, from: Index0x88, to: Index0x88) {
        if self.board.entry(to).is_of(Self::THEM) && self.is_wanted(to) {
            if is_end_rank(to) {
                self.promote(from, to, true);
            } else {
                self.add(from, to, MoveKind::Capture);
            }
        }
    }

    #[inline(always)]
    fn promote(&mut self, from: Index0x88, to: Index0x88, capture: bool) {
        for kind in PieceKind::PROMOTIONS {
            self.add(from, to, MoveKind::promotion(kind, capture));
        }
    }

    /// Adds the moves of a pinned piece along the line of the pin, captures of the pinning piece included.
    #[inline(never)]
    fn pinned_moves(&mut self, number: usize) {
        let us = Self::US;
        let (king, from) = (self.board.list(us)[0], self.board.list(us)[number]);
        let away = step(king, from);
        let own_mask = self.board.attack_masks(us)[number];
        if own_mask & attacks(king, from) & attack_mask::SLIDING != 0
            || own_mask & attack_mask::SLIDING & line_of(away) != 0
        {
            self.slide(from, away);
            self.slide(from, away.wrapping_neg());
        } else if own_mask & (attack_mask::WHITE_PAWN | attack_mask::BLACK_PAWN) != 0 {
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
        if NOISY && let Some(square) = self.board.state.en_passant {
            self.en_passant_to(square.index_0x88());
        }
    }

    #[inline(never)]
    fn en_passant_to(&mut self, to: Index0x88) {
        let behind = to.wrapping_sub(forward(Self::US));
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if self.board.is_en_passant_legal(from, to) {
                self.add(from, to, MoveKind::EnPassant);
            }
        }
    }

    /// Adds the moves of the king except castling. Returns its safe steps, see [`Board::safe_king_steps`].
    #[inline(always)]
    fn king_moves(&mut self) -> u8 {
        let king = self.board.list(Self::US)[0];
        let targets = &KING_TARGETS[(king & 127) as usize];
        let mut wanted = 0;
        for (bit, &to) in targets.iter().enumerate() {
            let target = self.board.entry(to);
            let is_wanted = QUIET && target.is_empty() || NOISY && target.is_of(Self::THEM);
            wanted |= u8::from(is_wanted) << bit;
        }
        if wanted == 0 {
            return 0; // own pieces occupy all squares around the king, as in most middlegames
        }
        let safe = self.board.safe_king_steps::<EVASION>(Self::US, wanted);
        for bit in bits(safe) {
            let to = targets[bit];
            self.add(king, to, quiet_or_capture(self.board.entry(to)));
        }
        safe
    }

    #[inline(always)]
    fn castling(&mut self, pinned: PieceSet, safe: u8) {
        for side in CastlingSide::ALL {
            if self.board.can_castle(Self::US, side, pinned, safe) {
                let rook = self.board.castling_rook(Self::US, side);
                let king = self.board.king(Self::US);
                self.sink.add(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }
}

/// Returns the kind of a move of a piece other than a pawn, by the entry of its target.
#[inline(always)]
fn quiet_or_capture(target: MailboxEntry) -> MoveKind {
    if target.is_empty() {
        MoveKind::Quiet
    } else {
        MoveKind::Capture
    }
}

/// Returns `true` for an index on rank 1 or 8.
#[inline(always)]
pub(super) fn is_end_rank(index: Index0x88) -> bool {
    index & 0x70 == 0 || index & 0x70 == 0x70
}
