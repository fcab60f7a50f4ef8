//! Positions, searchers, nodes and moves for the tests of the search.

use std::sync::Arc;

use crate::board::{Board, Setup};
use crate::config::Parameters;
use crate::eval::{ClassicalEvaluator, Evaluator};
use crate::rules::{Position, Variant};
use crate::types::{Color, Move, MoveKind, Piece, Ply, Score, Square};

use super::history::CorrectionIndices;
use super::job::Shared;
use super::move_context::MoveContext;
use super::node::NodeState;
use super::searcher::Searcher;
use super::statistics::MoveClass;
use super::stop::RunId;
use super::table::Table;

/// Pieces of a position in which White mates with the rook on d8.
pub(super) const BACK_RANK_MATE: &str = "Kg1 Rd1 kg8 pf7 pg7 ph7 qb2";

/// Returns a position from pieces such as `Ke1` (White) and `ke8` (Black).
pub(super) fn position(side: Color, pieces: &str, halfmove_clock: u16) -> Position {
    let mut setup = Setup::empty();
    setup.side_to_move = side;
    setup.halfmove_clock = halfmove_clock;
    for word in pieces.split(' ') {
        let piece = word.chars().next().and_then(Piece::from_fen_letter);
        let square = Square::from_name(&word[1..]).expect("a square");
        setup.set(square, Some(piece.expect("a piece")));
    }
    Position::new(Board::from_setup(&setup).expect("legal"), Variant::Standard)
}

/// Returns a searcher at the current position of a game.
pub(super) fn searcher_at(position: &Position) -> Searcher<ClassicalEvaluator> {
    searcher_with(ClassicalEvaluator::new(), position)
}

/// Returns a searcher with this evaluator at the current position of a game.
pub(super) fn searcher_with<E: Evaluator>(evaluator: E, position: &Position) -> Searcher<E> {
    let shared = Arc::new(Shared::new(Table::new(1), 1));
    let mut searcher = Searcher::new(evaluator, shared, 0, Parameters::default());
    // Run 0 counts as stopped: its search ends at a poll after a few milliseconds.
    searcher.run = RunId(1);
    searcher.board = position.board().clone();
    searcher.path.start(position.earlier_keys());
    for ply in 0..16 {
        let frame = searcher.stack.at_mut(Ply(ply));
        frame.check_info = searcher.board.check_info();
        frame.correction_indices = CorrectionIndices::of(&searcher.board);
    }
    searcher
}

/// Enters searches into the correction history that scored far below the evaluation of the current position at `ply`,
/// and returns the correction that it now contains, in centipawns.
pub(super) fn learn_correction<E: Evaluator>(searcher: &mut Searcher<E>, ply: Ply) -> i32 {
    let indices = searcher.stack.at(ply).correction_indices;
    let moves = searcher.stack.last_moves(ply);
    for _ in 0..50 {
        searcher
            .corrections
            .update(indices, moves, 20, Score(-900), Score(0));
    }
    searcher
        .corrections
        .correction(indices, moves, &searcher.parameters)
}

/// Returns a cut node of depth 8 at ply 3 with a window around 0 and this evaluation.
pub(super) fn node_state(static_eval: Score) -> NodeState {
    NodeState {
        alpha: Score(-1),
        beta: Score(0),
        depth: 8,
        ply: Ply(3),
        pv_node: false,
        cut_node: true,
        raw_eval: static_eval,
        static_eval,
        correction: 0,
        estimate: static_eval,
        improving: false,
        table_entry: None,
        table_move: None,
        quiet_singular: false,
        on_pv: false,
    }
}

/// Returns a quiet move, the tenth of its node, without reductions.
pub(super) fn move_context() -> MoveContext {
    let [from, to] = [8, 16].map(Square::from_index);
    MoveContext {
        mv: Move::new(from, to, MoveKind::Quiet),
        class: MoveClass::Quiet,
        history_score: 0,
        gives_direct_check: false,
        move_count: 10,
        base_reduction: 0,
        reduced_depth: 7,
        new_depth: 7,
        reduction: 0,
    }
}
