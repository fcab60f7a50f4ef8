//! What the search learns about moves: how often a kind of move was best where it could be played.
//!
//! | table | asks | by |
//! |---|---|---|
//! | butterfly | quiet move | colour, from, to (Winglet), whether the opponent attacks either square (Berserk) |
//! | continuation | quiet move | piece and target, with those of the move 1, 2 and 4 half-moves before (Stockfish) |
//! | pawns | quiet move | pawn structure, piece and target (Caissa, Stockfish) |
//! | captures | capture or promotion | piece, target, what is taken (Stockfish) |
//!
//! Entries stay within [`HISTORY_MAX`]; the nearer to it, the less a bonus adds, so that old news fades.

mod correction;

use std::cell::OnceCell;

use crate::board::Board;
use crate::types::{Key, Move, SquareSet};

pub(super) use correction::{Corrections, Places};

/// No entry goes beyond this, either way.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// Numbers of a coloured piece on a square: [`Board::piece_code`] times 64, plus the square's index.
const PIECE_SQUARES: usize = 16 * 64;

/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 512;

/// A coloured piece on a square, below [`PIECE_SQUARES`].
pub(super) type PieceSquare = u16;

/// No move: a null move, or before the root. No piece has its number.
pub(super) const NO_PIECE_SQUARE: PieceSquare = 0;

/// The piece that a move is going to move, on the square that it goes to.
#[inline]
pub(super) fn piece_square(board: &Board, mv: Move) -> PieceSquare {
    ((board.piece_code(mv.from()) << 6 | mv.indices().1) % PIECE_SQUARES) as PieceSquare
}

/// The index of the square in a number of [`piece_square`].
#[inline]
pub(super) fn target_index(piece_square: PieceSquare) -> usize {
    usize::from(piece_square) % 64
}

/// What the worth of a move depends on besides the move. Belongs to one position: the first board that asks fills it.
#[derive(Debug)]
pub(super) struct Context {
    /// The moves 1, 2 and 4 half-moves before.
    pub before: [PieceSquare; 3],
    /// The key of the pawns.
    pub pawns: Key,
    /// What the opponent attacks, once somebody has asked.
    threats: OnceCell<SquareSet>,
}

impl Context {
    /// After these moves, with these pawns.
    #[inline]
    pub fn new(before: [PieceSquare; 3], pawns: Key) -> Context {
        Context {
            before,
            pawns,
            threats: OnceCell::new(),
        }
    }

    /// Whether the opponent attacks the square that a quiet move leaves, or the one that it enters. If not, nobody can
    /// take the piece there: a slider that sees the square entered only after the move attacks the one left.
    #[inline]
    pub fn is_in_danger(&self, board: &Board, mv: Move) -> bool {
        threat_index(self.threats(board), mv) != 0
    }

    /// What the opponent attacks.
    #[inline]
    fn threats(&self, board: &Board) -> SquareSet {
        *self
            .threats
            .get_or_init(|| board.attack_map(!board.side_to_move()))
    }
}

/// Whether the squares that a move leaves and enters are attacked: 2 for the first, 1 for the second.
#[inline]
fn threat_index(threats: SquareSet, mv: Move) -> usize {
    let (from, to) = mv.indices();
    usize::from(threats.contains_index(from)) * 2 + usize::from(threats.contains_index(to))
}

type Entry = i16;

/// The rows of the tables that the quiet moves of one node share.
pub(super) struct QuietRows<'a> {
    threats: SquareSet,
    butterfly: &'a [[Entry; 4096]; 4],
    continuations: [&'a [Entry; PIECE_SQUARES]; 3],
    pawns: &'a [Entry; PIECE_SQUARES],
}

impl QuietRows<'_> {
    /// As [`Context::is_in_danger`].
    #[inline]
    pub fn is_in_danger(&self, mv: Move) -> bool {
        threat_index(self.threats, mv) != 0
    }

    /// The merit of a quiet move for ordering: the sum of all tables.
    #[inline]
    pub fn merit(&self, board: &Board, mv: Move) -> i32 {
        let here = place(board, mv);
        let entry = |row: &[Entry; PIECE_SQUARES]| i32::from(row[here]);
        let [one, two, four] = self.continuations;
        i32::from(self.butterfly[threat_index(self.threats, mv)][mv.from_to()])
            + entry(one)
            + entry(two)
            + entry(four) / 2
            + entry(self.pawns)
    }
}

/// All histories of one thread.
#[derive(Debug)]
pub(super) struct Histories {
    /// By colour, [`threat_index`], and squares.
    butterfly: Box<[[[Entry; 4096]; 4]; 2]>,
    /// By the earlier and the present piece and target.
    continuations: Box<[[Entry; PIECE_SQUARES]]>,
    pawns: Box<[[Entry; PIECE_SQUARES]]>,
    /// By piece and target, and by what is taken; 5 (the king) stands for nothing, 6 and 7 for no piece at all.
    captures: Box<[[Entry; 8]; PIECE_SQUARES]>,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            butterfly: Box::new([[[0; 4096]; 4]; 2]),
            continuations: vec![[0; PIECE_SQUARES]; PIECE_SQUARES].into(),
            pawns: vec![[0; PIECE_SQUARES]; PAWN_STRUCTURES].into(),
            captures: Box::new([[0; 8]; PIECE_SQUARES]),
        }
    }

    /// What the quiet moves of a node share.
    #[inline]
    pub fn rows(&self, board: &Board, context: &Context) -> QuietRows<'_> {
        QuietRows {
            threats: context.threats(board),
            butterfly: &self.butterfly[board.side_to_move().index()],
            continuations: context
                .before
                .map(|before| &self.continuations[usize::from(before)]),
            pawns: &self.pawns[context.pawns.0 as usize % PAWN_STRUCTURES],
        }
    }

    /// The merit of a quiet move of the side to move for ordering.
    #[inline]
    pub fn quiet(&self, board: &Board, context: &Context, mv: Move) -> i32 {
        self.rows(board, context).merit(board, mv)
    }

    /// The merit of a capture or promotion.
    #[inline]
    pub fn capture(&self, board: &Board, mv: Move) -> i32 {
        let (here, taken) = capture_index(board, mv);
        i32::from(self.captures[here][taken])
    }

    /// Raises or lowers the merit of a quiet move of the side to move.
    pub fn update_quiet(&mut self, board: &Board, context: &Context, mv: Move, bonus: i32) {
        let here = piece_square(board, mv);
        let row = &mut self.butterfly[board.side_to_move().index()];
        let threats = threat_index(context.threats(board), mv);
        update(&mut row[threats][mv.from_to()], bonus);
        self.update_continuations(context.before, here, bonus);
        let structure = context.pawns.0 as usize % PAWN_STRUCTURES;
        update(&mut self.pawns[structure][usize::from(here)], bonus);
    }

    /// Raises or lowers what is thought of a move after those before it.
    pub fn update_continuations(
        &mut self,
        before: [PieceSquare; 3],
        here: PieceSquare,
        bonus: i32,
    ) {
        for before in before {
            let row = &mut self.continuations[usize::from(before)];
            update(&mut row[usize::from(here)], bonus);
        }
    }

    /// Raises or lowers the merit of a capture or promotion.
    pub fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        let (here, taken) = capture_index(board, mv);
        update(&mut self.captures[here][taken], bonus);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuations.as_flattened_mut().fill(0);
        self.pawns.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
    }
}

/// Where the piece that moves and its target are in a row.
#[inline]
fn place(board: &Board, mv: Move) -> usize {
    usize::from(piece_square(board, mv))
}

#[inline]
fn capture_index(board: &Board, mv: Move) -> (usize, usize) {
    let taken = match board.piece_on(mv.to()) {
        Some(piece) => piece.kind.index(),
        None if mv.is_capture() => 0, // en passant
        None => 5,
    };
    (place(board, mv), taken)
}

/// Adds a bonus within ±[`HISTORY_MAX`]; the nearer the entry is to its end, the less.
#[inline]
fn update(entry: &mut Entry, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as Entry;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::types::{MoveKind, Square};

    fn square(name: &str) -> Square {
        Square::from_name(name).expect("a square")
    }

    fn context(before: PieceSquare) -> Context {
        Context::new([before, NO_PIECE_SQUARE, NO_PIECE_SQUARE], Key(7))
    }

    #[test]
    fn entries_stay_in_range() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 30_000);
            assert!(i32::from(entry) <= HISTORY_MAX);
        }
        assert!(i32::from(entry) > HISTORY_MAX / 2);
        for _ in 0..1000 {
            update(&mut entry, -1500);
            assert!(i32::from(entry) >= -HISTORY_MAX);
        }
        assert!(i32::from(entry) < -HISTORY_MAX / 2);
    }

    #[test]
    fn a_bonus_is_for_the_same_move_after_the_same_moves() {
        let board = Board::standard();
        let mut histories = Histories::new();
        let knight = Move::new(square("g1"), square("f3"), MoveKind::Quiet);
        let other = Move::new(square("b1"), square("c3"), MoveKind::Quiet);
        histories.update_quiet(&board, &context(67), knight, 1000);
        let after_same = histories.quiet(&board, &context(67), knight);
        let after_other = histories.quiet(&board, &context(68), knight);
        assert!(after_same > after_other && after_other > 0);
        assert_eq!(histories.quiet(&board, &context(67), other), 0);
        histories.clear();
        assert_eq!(histories.quiet(&board, &context(67), knight), 0);
    }

    #[test]
    fn a_move_out_of_attack_is_another_move() {
        let knight = Move::new(square("g1"), square("f3"), MoveKind::Quiet);
        let safe = Board::standard();
        // A bishop on c5 attacks g1 when the pawns between are gone.
        let fen = "rnbqk1nr/pppp1ppp/8/2b1p3/8/8/PPP1P1PP/RNBQKBNR w KQkq - 0 1";
        let attacked = Board::from_setup(&parse_fen(fen).expect("a FEN")).expect("legal");
        let mut histories = Histories::new();
        histories.update_quiet(&safe, &context(67), knight, 1000);
        let merits = [&safe, &attacked].map(|board| histories.quiet(board, &context(67), knight));
        assert!(merits[0] > merits[1], "{merits:?}");
    }
}
