//! Tables of history scores of moves.

use crate::board::{Board, see_value};
use crate::config::Parameters;
use crate::types::{Depth, Move, SquareSet};

use super::bonus::{history_bonus, history_malus};
use super::context::{HistoryContext, threat_index};
use super::gravity::add_with_gravity;
use super::piece_to::{CONTINUATION_ROWS, ContinuationRow, PIECE_TO_COUNT, PieceTo, piece_to};
use super::searched_moves::SearchedMoves;

/// Limit of an entry.
const HISTORY_MAX: i32 = 16_384;

/// Value of a weight parameter with which the entries of a table count fully.
const WEIGHT_ONE: i32 = 64;

/// Number of pawn structures that are distinguished.
const PAWN_STRUCTURES: usize = 512;

/// Entry of a table, within ±[`HISTORY_MAX`].
type Entry = i16;

/// The rows of the tables that apply to all quiet moves of one node.
pub(in crate::search) struct QuietRows<'a> {
    threats: SquareSet,
    less_valuable_threats: [SquareSet; 6],
    butterfly: &'a [[Entry; 4096]; 4],
    continuations: [&'a [Entry; PIECE_TO_COUNT]; 3],
    pawns: &'a [Entry; PIECE_TO_COUNT],
}

impl QuietRows<'_> {
    /// Returns `true` if the opponent attacks the from or to square of a quiet move.
    #[inline]
    pub fn touches_attacked_square(&self, mv: Move) -> bool {
        threat_index(self.threats, mv) != 0
    }

    /// Returns the history score of a quiet move: the weighted sum over all tables, plus the part for attacks by less
    /// valuable pieces.
    #[inline]
    pub fn history_score(&self, board: &Board, mv: Move, parameters: &Parameters) -> i32 {
        let index = usize::from(piece_to(board, mv));
        let entry = |row: &[Entry; PIECE_TO_COUNT]| i32::from(row[index]);
        let [one, two, four] = self.continuations;
        let butterfly = i32::from(self.butterfly[threat_index(self.threats, mv)][mv.from_to()]);
        let sum = butterfly * parameters.history_butterfly()
            + entry(one) * parameters.history_one_ply()
            + entry(two) * parameters.history_two_plies()
            + entry(four) * parameters.history_four_plies()
            + entry(self.pawns) * parameters.history_pawns();
        sum / WEIGHT_ONE + threat_score(board, &self.less_valuable_threats, mv, parameters)
    }
}

/// Returns the part of a quiet move's history score for leaving (positive) or entering (negative) squares that less
/// valuable pieces attack. `threats` contains these squares by kind of the moving piece.
///
/// The part also counts for reductions, extensions of late moves and history pruning. (Source of the idea, for the
/// order only: Stockfish.)
#[inline]
fn threat_score(board: &Board, threats: &[SquareSet; 6], mv: Move, parameters: &Parameters) -> i32 {
    let Some(piece) = board.piece_on(mv.from()) else {
        return 0;
    };
    let threats = threats[piece.kind.index()];
    let escapes = i32::from(threats.contains(mv.from())) - i32::from(threats.contains(mv.to()));
    escapes * see_value(piece.kind) * parameters.threat_score() / 100
}

/// The history tables of one thread.
#[derive(Debug)]
pub(in crate::search) struct Histories {
    /// Index: colour, [`threat_index`], from and to square.
    butterfly: Box<[[[Entry; 4096]; 4]; 2]>,
    /// Index: [`ContinuationRow`] of the earlier move, piece and target square.
    continuations: Box<[[Entry; PIECE_TO_COUNT]]>,
    /// Index: pawn structure, piece and target square.
    pawns: Box<[[Entry; PIECE_TO_COUNT]]>,
    /// Index: piece and target square, captured piece; 5 (the king) stands for no capture, 6 and 7 are unused.
    captures: Box<[[Entry; 8]; PIECE_TO_COUNT]>,
}

impl Histories {
    /// Creates tables with all scores 0.
    pub fn new() -> Histories {
        Histories {
            butterfly: Box::new([[[0; 4096]; 4]; 2]),
            continuations: vec![[0; PIECE_TO_COUNT]; CONTINUATION_ROWS].into(),
            pawns: vec![[0; PIECE_TO_COUNT]; PAWN_STRUCTURES].into(),
            captures: Box::new([[0; 8]; PIECE_TO_COUNT]),
        }
    }

    /// Returns the rows for the quiet moves of a node.
    #[inline]
    pub fn quiet_rows(&self, board: &Board, context: &HistoryContext) -> QuietRows<'_> {
        let threats = context.threats(board);
        QuietRows {
            threats: threats.by_all,
            less_valuable_threats: threats.by_less_valuable(),
            butterfly: &self.butterfly[board.side_to_move().index()],
            continuations: context
                .continuation_rows
                .map(|row| &self.continuations[usize::from(row)]),
            pawns: &self.pawns[context.pawn_key.0 as usize % PAWN_STRUCTURES],
        }
    }

    /// Returns the history score of a move of the side to move.
    #[inline]
    pub fn history_score(
        &self,
        board: &Board,
        context: &HistoryContext,
        mv: Move,
        parameters: &Parameters,
    ) -> i32 {
        if mv.is_noisy() {
            self.capture_score(board, mv)
        } else {
            self.quiet_rows(board, context)
                .history_score(board, mv, parameters)
        }
    }

    /// Returns the history score of a capture or promotion.
    #[inline]
    pub fn capture_score(&self, board: &Board, mv: Move) -> i32 {
        let (piece_to, captured) = capture_index(board, mv);
        i32::from(self.captures[piece_to][captured])
    }

    /// Updates the tables after `mv` has failed high at `depth`: a bonus for it, a malus for the moves searched before.
    /// If it is a capture, the quiet moves before it get no malus.
    pub fn update_after_cutoff(
        &mut self,
        board: &Board,
        context: &HistoryContext,
        mv: Move,
        searched: &SearchedMoves,
        depth: Depth,
        parameters: &Parameters,
    ) {
        let bonus = history_bonus(parameters, depth);
        let malus = history_malus(parameters, depth);
        if mv.is_noisy() {
            self.update_capture(board, mv, bonus);
        } else {
            self.update_quiet(board, context, mv, bonus);
            for &quiet in &searched.quiets {
                self.update_quiet(board, context, quiet, -malus);
            }
        }
        for &capture in &searched.captures {
            self.update_capture(board, capture, -malus);
        }
    }

    /// Adds a bonus to all entries of a quiet move of the side to move.
    pub fn update_quiet(&mut self, board: &Board, context: &HistoryContext, mv: Move, bonus: i32) {
        let piece_to = piece_to(board, mv);
        let row = &mut self.butterfly[board.side_to_move().index()];
        let threats = threat_index(context.threats(board).by_all, mv);
        add_with_gravity::<HISTORY_MAX>(&mut row[threats][mv.from_to()], bonus);
        self.update_continuations(context.continuation_rows, piece_to, bonus);
        let structure = context.pawn_key.0 as usize % PAWN_STRUCTURES;
        let entry = &mut self.pawns[structure][usize::from(piece_to)];
        add_with_gravity::<HISTORY_MAX>(entry, bonus);
    }

    /// Adds a bonus to the continuation history of a move in the rows of the moves 1, 2 and 4 plies before.
    pub fn update_continuations(
        &mut self,
        rows: [ContinuationRow; 3],
        piece_to: PieceTo,
        bonus: i32,
    ) {
        for row in rows {
            let entry = &mut self.continuations[usize::from(row)][usize::from(piece_to)];
            add_with_gravity::<HISTORY_MAX>(entry, bonus);
        }
    }

    /// Adds a bonus to the entry of a capture or promotion.
    pub fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        let (piece_to, captured) = capture_index(board, mv);
        add_with_gravity::<HISTORY_MAX>(&mut self.captures[piece_to][captured], bonus);
    }

    /// Sets all scores to 0.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuations.as_flattened_mut().fill(0);
        self.pawns.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
    }
}

/// Returns the indices of a capture or promotion in the capture table.
#[inline]
fn capture_index(board: &Board, mv: Move) -> (usize, usize) {
    let captured = match board.piece_on(mv.to()) {
        Some(piece) => piece.kind.index(),
        None if mv.is_capture() => 0, // en passant
        None => 5,
    };
    (usize::from(piece_to(board, mv)), captured)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::search::history::NO_PIECE_TO;
    use crate::types::{Key, MoveKind, PieceKind, Square};

    fn quiet(from: &str, to: &str) -> Move {
        let square = |name| Square::from_name(name).expect("a square");
        Move::new(square(from), square(to), MoveKind::Quiet)
    }

    fn context(previous: PieceTo) -> HistoryContext {
        HistoryContext::new([previous, NO_PIECE_TO, NO_PIECE_TO], Key(7))
    }

    #[test]
    fn scores_depend_on_the_move_and_the_previous_move() {
        let board = Board::standard();
        let mut histories = Histories::new();
        let (knight, other) = (quiet("g1", "f3"), quiet("b1", "c3"));
        histories.update_quiet(&board, &context(67), knight, 1000);
        let after_same =
            histories.history_score(&board, &context(67), knight, &Parameters::default());
        let after_other =
            histories.history_score(&board, &context(68), knight, &Parameters::default());
        assert!(after_same > after_other && after_other > 0);
        assert_eq!(
            histories.history_score(&board, &context(67), other, &Parameters::default()),
            0
        );
        histories.clear();
        assert_eq!(
            histories.history_score(&board, &context(67), knight, &Parameters::default()),
            0
        );
    }

    #[test]
    fn scores_depend_on_attacks_on_the_squares_of_the_move() {
        let knight = quiet("g1", "f3");
        let safe = Board::standard();
        // A bishop on c5 attacks g1: no pawns stand between.
        let fen = "rnbqk1nr/pppp1ppp/8/2b1p3/8/8/PPP1P1PP/RNBQKBNR w KQkq - 0 1";
        let attacked = Board::from_setup(&parse_fen(fen).expect("a FEN")).expect("legal");
        let mut histories = Histories::new();
        histories.update_quiet(&safe, &context(67), knight, 1000);
        let scores = [&safe, &attacked].map(|board| {
            histories.history_score(board, &context(67), knight, &Parameters::default())
        });
        assert!(scores[0] > scores[1], "{scores:?}");
    }

    #[test]
    fn scores_depend_on_attacks_by_less_valuable_pieces() {
        // The pawn on e5 attacks d4 and f4; the rook on d8 attacks d4, too, but is more valuable than a knight.
        let fen = "3rk3/8/8/4p3/3N4/8/4N3/4K3 w - - 0 1";
        let board = Board::from_setup(&parse_fen(fen).expect("a FEN")).expect("legal");
        let histories = Histories::new();
        let parameters = Parameters::default();
        let score = |mv| histories.history_score(&board, &context(67), mv, &parameters);
        let expected = see_value(PieceKind::Knight) * parameters.threat_score() / 100;
        assert_eq!(score(quiet("d4", "b3")), expected);
        assert_eq!(score(quiet("e2", "f4")), -expected);
        assert_eq!(score(quiet("e2", "c3")), 0);
        assert_eq!(score(quiet("e1", "d1")), 0);
    }

    #[test]
    fn a_cutoff_rewards_its_move_and_punishes_those_before() {
        let board = Board::standard();
        let parameters = Parameters::default();
        let mut histories = Histories::new();
        let (best, failed, unsearched) = (quiet("g1", "f3"), quiet("b1", "c3"), quiet("b1", "a3"));
        let mut searched = SearchedMoves::default();
        searched.push(failed);
        histories.update_after_cutoff(&board, &context(67), best, &searched, 6, &parameters);
        let score = |mv| histories.history_score(&board, &context(67), mv, &Parameters::default());
        assert!(score(best) > 0 && score(failed) < 0);
        assert_eq!(score(unsearched), 0);
    }
}
