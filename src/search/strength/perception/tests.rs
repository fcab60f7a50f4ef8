//! Tests of errors in evaluations, and of moves that are overlooked.

use super::*;
use crate::rules::Position;
use crate::search::test_support::position;

fn perception(elo: u32, seed: u64, board: &Board) -> Perception {
    let mut perception = Perception::new(&Evaluation::Classical);
    perception.adjust(Level::of(elo), seed, None, board);
    perception.reset(board);
    perception
}

/// Returns the standard deviation of the evaluation over many games.
fn spread(elo: u32, board: &Board) -> f64 {
    let mut perception = perception(elo, 0, board);
    let scores: Vec<f64> = (0..400)
        .map(|seed| {
            perception.adjust(Level::of(elo), seed, None, board);
            f64::from(perception.evaluate(board).0)
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / 400.0;
    let squares = scores.iter().map(|score| (score - mean).powi(2));
    (squares.sum::<f64>() / 400.0).sqrt()
}

/// Returns the share of the legal moves that are overlooked, over many games.
fn overlooked(elo: u32, board: &Board, is_counted: impl Fn(&Perception, Move) -> bool) -> f64 {
    let moves = board.legal_moves();
    let mut perception = perception(elo, 0, board);
    let mut counted = 0;
    let mut overlooked = 0;
    for seed in 0..300 {
        perception.adjust(Level::of(elo), seed, None, board);
        for &mv in &moves {
            if is_counted(&perception, mv) {
                counted += 1;
                overlooked += usize::from(perception.overlooks(board, mv));
            }
        }
    }
    overlooked as f64 / f64::from(counted.max(1))
}

#[test]
fn a_position_keeps_its_evaluation_in_a_game_and_differs_between_games() {
    let board = Board::standard();
    let score = |seed| perception(1200, seed, &board).evaluate(&board);
    assert_eq!(score(1), score(1));
    assert_ne!(score(1), score(2));
}

#[test]
fn noise_falls_with_the_level_and_with_the_number_of_pieces() {
    let start = Board::standard();
    let ending = position(Color::White, "Ke2 Ra1 Pe3 Pf3 ke7 ra8 pe6 pf6", 0);
    assert!(spread(600, &start) > 3.0 * spread(2200, &start));
    assert!(spread(600, &start) > 1.3 * spread(600, ending.board()));
}

#[test]
fn quiet_moves_are_overlooked_more_often_than_captures() {
    // White can capture the queen with the knight, or a defended pawn with the queen.
    let position = position(Color::White, "Kg1 Nd4 Qd1 kg8 qe6 pd6 pe7", 0);
    let board = position.board();
    let captures = overlooked(1000, board, |_, mv| mv.is_capture());
    let quiet = overlooked(1000, board, |_, mv| !mv.is_capture());
    assert!(
        quiet > 1.5 * captures && captures > 0.0,
        "{quiet} {captures}"
    );
    assert!(quiet > 2.0 * overlooked(2000, board, |_, mv| !mv.is_capture()));
    assert!(overlooked(2800, board, |_, _| true) == 0.0);
}

#[test]
fn moves_deep_in_the_tree_are_overlooked_more_often() {
    let board = Board::standard();
    let mut perception = perception(1200, 5, &board);
    let mv = board.legal_moves()[0];
    let near = perception.blindness(&board, mv);
    for _ in 0..4 {
        perception.targets.push(None);
    }
    assert!(perception.blindness(&board, mv) > 2.0 * near);
}

#[test]
fn recaptures_are_never_overlooked_from_1000_on() {
    let position = position(Color::White, "Kg1 Nd4 kg8 qe6 pd6 pe7", 0);
    let board = position.board();
    let target = Square::from_name("e6");
    let capture = |mv: Move| mv.is_capture() && Some(mv.to()) == target;
    let count = |elo| {
        let mut perception = perception(elo, 0, board);
        let mut count = 0;
        for seed in 0..3000 {
            perception.adjust(Level::of(elo), seed, target, board);
            for mv in board.legal_moves() {
                count += usize::from(capture(mv) && perception.overlooks(board, mv));
            }
        }
        count
    };
    assert_eq!(count(1000), 0);
    assert!(count(600) > 0);
}

#[test]
fn elementary_endings_are_evaluated_without_errors_from_1000_on() {
    let rook = position(Color::White, "Ke2 Ra1 ke7", 0);
    assert_eq!(spread(1000, rook.board()), 0.0);
    assert!(spread(800, rook.board()) > 1.0);
    let minors = position(Color::White, "Ke2 Ba1 Nb1 ke7", 0);
    assert!(spread(1000, minors.board()) > 1.0);
}

#[test]
fn fewer_terms_still_count_material() {
    for elo in [600, 1400, 2600] {
        let up_a_queen = position(Color::White, "Kg1 Qd1 Pf2 Pg2 kg8 pf7 pg7", 0);
        let mut perception = perception(elo, 3, up_a_queen.board());
        assert!(perception.evaluate(up_a_queen.board()) > Score(400));
    }
    let start = Position::standard();
    assert_eq!(simple_evaluation(start.board()), 0);
}
