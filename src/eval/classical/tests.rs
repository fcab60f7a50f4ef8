//! Symmetries on positions of random games, and facts of chess that the evaluation must reflect.

use super::endgame::scale_of_sum;
use super::eval_context::EvalContext;
use super::{ClassicalEvaluator, Explanation, Tapered, Weights, explain};
use crate::board::{Board, Setup};
use crate::eval::Evaluator;
use crate::types::{Color, MoveList, Piece, PieceKind, Square, SquareSet};

/// Returns the position of the first two fields of a FEN, without castling rights.
fn board(fen: &str) -> Board {
    let (placement, mover) = fen.split_once(' ').expect("two fields");
    let mut setup = Setup::empty();
    for (row, pieces) in placement.split('/').enumerate() {
        let mut index = 8 * (7 - row);
        for letter in pieces.chars() {
            match letter.to_digit(10) {
                Some(empty) => index += empty as usize,
                None => {
                    setup.set(Square::from_index(index), Piece::from_fen_letter(letter));
                    index += 1;
                }
            }
        }
    }
    setup.side_to_move = if mover == "w" {
        Color::White
    } else {
        Color::Black
    };
    Board::from_setup(&setup).expect("a legal position")
}

/// Returns the score of a position for White, in centipawns.
fn white(fen: &str) -> i32 {
    explain(&board(fen)).white.0
}

/// Returns the position with its squares mapped by `to`, and with colors swapped if `swap` is set.
fn transformed(board: &Board, to: impl Fn(Square) -> Square, swap: bool) -> Board {
    let old = board.to_setup();
    let mut new = Setup::empty();
    for square in Square::all() {
        let piece = old.piece_on(square).map(|piece| match swap {
            true => Piece::new(!piece.color, piece.kind),
            false => piece,
        });
        new.set(to(square), piece);
    }
    new.side_to_move = if swap {
        !old.side_to_move
    } else {
        old.side_to_move
    };
    new.en_passant = old.en_passant.map(&to);
    if swap {
        new.castling = [old.castling[1], old.castling[0]];
    }
    new.halfmove_clock = old.halfmove_clock;
    Board::from_setup(&new).expect("a mirror of a legal position is legal")
}

/// Calls `visit` with `count` positions of random games, which are the same in every run.
pub(super) fn random_positions(count: usize, mut visit: impl FnMut(&Board)) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    let mut board = Board::standard();
    let mut length = 0;
    for _ in 0..count {
        let moves: MoveList = board.legal_moves();
        if moves.is_empty() || length > 160 {
            board = Board::standard();
            length = 0;
            continue;
        }
        let _ = board.make(moves[random(moves.len())]);
        length += 1;
        visit(&board);
    }
}

#[test]
fn scores_do_not_depend_on_the_color() {
    let mut evaluator = ClassicalEvaluator::new();
    random_positions(6000, |board| {
        let mirror = transformed(board, Square::flip_rank, true);
        assert_eq!(
            evaluator.evaluate(board),
            evaluator.evaluate(&mirror),
            "{board:?}"
        );
    });
}

#[test]
fn scores_do_not_change_when_the_board_is_mirrored() {
    let mut evaluator = ClassicalEvaluator::new();
    random_positions(6000, |board| {
        let mirror = transformed(board, Square::flip_file, false);
        assert_eq!(
            evaluator.evaluate(board),
            evaluator.evaluate(&mirror),
            "{board:?}"
        );
    });
}

#[test]
fn cached_pawn_entries_do_not_change_scores() {
    let mut with_cache = ClassicalEvaluator::new();
    let mut checked = 0;
    random_positions(6000, |board| {
        let cached = with_cache.evaluate(board);
        checked += 1;
        if checked % 40 == 0 {
            let fresh = ClassicalEvaluator::new().evaluate(board);
            assert_eq!(cached, fresh, "{board:?}");
            assert_eq!(with_cache.evaluate(board), fresh, "{board:?}");
        }
    });
}

#[test]
fn the_breakdown_adds_up_to_the_score_of_the_evaluator() {
    let mut evaluator = ClassicalEvaluator::new();
    let mut checked = 0;
    random_positions(4000, |board| {
        checked += 1;
        if checked % 20 != 0 {
            return;
        }
        let explanation = explain(board);
        let mut sum = Tapered::ZERO;
        for row in &explanation.rows {
            sum += row.white - row.black;
        }
        assert_eq!(sum, explanation.sum, "{board:?}");
        assert_eq!(explanation.score, evaluator.evaluate(board), "{board:?}");
    });
}

#[test]
fn attacks_equal_those_of_the_board() {
    random_positions(3000, |board| {
        let context = EvalContext::new(board, |_, _, _| ());
        for color in Color::ALL {
            for kind in PieceKind::ALL
                .into_iter()
                .filter(|&kind| kind != PieceKind::Pawn)
            {
                for square in board.pieces(color, kind) {
                    let mut expected = SquareSet::EMPTY;
                    board.for_each_attack(square, |to, _| expected.insert(to));
                    assert_eq!(
                        context.attacks_from(kind, square),
                        expected,
                        "{square} {board:?}"
                    );
                }
            }
            let mut expected = SquareSet::EMPTY;
            for square in board.pieces(color, PieceKind::Pawn) {
                board.for_each_attack(square, |to, _| expected.insert(to));
            }
            assert_eq!(
                context.attacks_by(color, PieceKind::Pawn),
                expected,
                "{board:?}"
            );
        }
    });
}

#[test]
fn the_starting_position_scores_the_tempo_bonus() {
    let score = ClassicalEvaluator::new().evaluate(&Board::standard());
    assert_eq!(score.0, Weights::DEFAULT.tempo.middlegame());
}

#[test]
fn evaluations_are_never_mate_scores() {
    let mut evaluator = ClassicalEvaluator::new();
    for fen in [
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/k7/2K5 b",
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/k1p5/2K5 b",
        "qqqqqqqq/qqqqqqq1/8/8/8/8/K6k/8 w",
        "QQQQQQQQ/8/8/8/6pp/k6p/6pp/K6B b",
    ] {
        let score = evaluator.evaluate(&board(fen));
        assert!(!score.is_mate() && score.0.abs() > 5000, "{fen}: {score:?}");
    }
    random_positions(2000, |board| assert!(!evaluator.evaluate(board).is_mate()));
}

#[test]
fn an_additional_queen_wins() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    let without = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    assert!(white(without) - white(start) > 700);
}

#[test]
fn passed_pawns_gain_value_as_they_advance() {
    let third = white("4k3/1r3ppp/8/8/8/P7/1R3PPP/4K3 w");
    let fifth = white("4k3/1r3ppp/8/P7/8/8/1R3PPP/4K3 w");
    let seventh = white("4k3/Pr3ppp/8/8/8/8/1R3PPP/4K3 w");
    assert!(
        third < fifth && fifth < seventh,
        "{third} {fifth} {seventh}"
    );
}

#[test]
fn an_unstoppable_pawn_scores_more_than_one_that_can_be_caught() {
    let caught = white("8/8/2k5/P7/8/8/8/7K w");
    let free = white("8/8/6k1/P7/8/8/8/7K w");
    assert!(free > caught + 150, "{free} {caught}");
}

#[test]
fn king_and_pawn_against_king_is_exact() {
    assert_eq!(white("4k3/8/4K3/8/4P3/8/8/8 w").signum(), 1);
    assert_eq!(white("8/4k3/8/4K3/4P3/8/8/8 w"), 0);
    let on_sixth = white("3k4/8/3KP3/8/8/8/8/8 b");
    let on_fifth = white("4k3/8/3K4/4P3/8/8/8/8 b");
    assert!(
        on_sixth > on_fifth && on_fifth > 400,
        "{on_sixth} {on_fifth}"
    );
    assert!(on_sixth < white("8/8/8/8/3QK2k/8/8/8 b"));
}

#[test]
fn a_bishop_pair_has_a_bonus() {
    let pair = explain(&board("4k3/pppp4/8/8/8/8/PPPP4/2B1KB2 w"));
    let same = explain(&board("4k3/pppp4/8/8/8/8/PPPP4/2B1K1B1 w"));
    let bishops = |explanation: &Explanation| {
        explanation
            .rows
            .iter()
            .find(|row| row.name == "bishops")
            .map(|row| row.white.endgame())
    };
    assert!(bishops(&pair) > bishops(&same));
}

#[test]
fn pawns_in_front_of_the_king_shelter_it() {
    let behind = white("r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R1BQ1RK1 w");
    let bare = white("r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPPPP3/R1BQ1RK1 w");
    assert!(behind > bare + 100, "{behind} {bare}");
}

#[test]
fn attackers_near_the_king_increase_danger() {
    let danger = |fen: &str| {
        let explanation = explain(&board(fen));
        let row = explanation
            .rows
            .iter()
            .find(|row| row.name == "king danger")
            .copied();
        row.expect("the row").black.middlegame()
    };
    let quiet = danger("r1bq1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R1BQ1RK1 w");
    let attacked = danger("r1bq1rk1/ppp2ppp/8/5N1Q/8/3B2R1/PPP2PPP/R5K1 w");
    assert!(attacked < quiet - 150, "{attacked} {quiet}");
}

#[test]
fn two_knights_against_a_bare_king_draw() {
    assert_eq!(white("4k3/8/8/8/8/8/8/3NKN2 w"), 0);
    assert_eq!(white("4k3/8/8/8/8/8/8/4KB2 w"), 0);
    assert!(white("4k3/8/8/8/8/8/8/2RNK3 w") > 1000);
}

#[test]
fn pieces_without_a_winning_advantage_are_scaled_down() {
    for fen in [
        "3bk3/8/8/8/8/8/8/4K2R w",
        "3nk3/8/8/8/8/8/8/4K2R w",
        "r3k3/8/8/8/8/8/8/3BK2R w",
    ] {
        assert!((0..100).contains(&white(fen)), "{fen}: {}", white(fen));
    }
    assert!(white("r3k3/8/8/8/8/8/8/Q3K3 w") > 400);
}

#[test]
fn a_rook_pawn_with_the_wrong_bishop_draws() {
    assert_eq!(white("k7/8/8/P7/8/8/8/2B1K3 w"), 0);
    assert_eq!(white("1k6/8/8/P7/8/8/8/4K3 w"), 0);
    assert!(white("k7/8/8/P7/8/8/8/4KB2 w") > 200);
    assert!(white("8/8/4k3/P7/8/8/8/2B1K3 w") > 200);
}

#[test]
fn opposite_bishops_are_scaled_down() {
    let same = white("4kb2/pp6/8/8/8/8/PPPP4/2B1K3 w");
    let opposite = white("2b1k3/pp6/8/8/8/8/PPPP4/2B1K3 w");
    assert!(opposite < same * 3 / 4, "{opposite} {same}");
}

/// If the endgame is balanced and the middlegame is not, one centipawn must not change the scale of both values.
#[test]
fn scales_are_continuous_where_the_endgame_is_balanced() {
    let position = board("3qk3/ppp5/8/8/8/8/8/R1BQK3 w");
    let context = EvalContext::new(&position, |_, _, _| ());
    let value = |endgame: i16| {
        let scale = scale_of_sum(&context, Tapered::new(200, endgame));
        (200 * scale.middlegame, i32::from(endgame) * scale.endgame)
    };
    assert_eq!(value(1).0, value(-1).0);
    assert!((value(1).1 - value(-1).1).abs() <= 2 * 128);
}

#[test]
fn bare_kings_are_driven_to_the_edge_or_the_right_corner() {
    assert!(white("k7/8/2K5/8/8/8/8/7R w") > white("8/8/2K1k3/8/8/8/8/7R w"));
    // The bishop on c1 moves on dark squares, so mate is possible in the corners a1 and h8.
    let right = white("7k/8/5K2/8/4N3/8/8/2B5 w");
    let wrong = white("k7/8/2K5/8/4N3/8/8/2B5 w");
    let centre = white("8/8/2K1k3/8/8/3N4/8/2B5 w");
    assert!(right > centre && centre > wrong, "{right} {centre} {wrong}");
    assert!(
        white("7k/8/5K2/8/4N3/8/P7/2B5 w") > right,
        "an additional pawn"
    );
    // Along the edge, each step from the wrong corner towards a right one increases the score.
    let assert_increasing = |squares: &[&str]| {
        let values: Vec<i32> = squares
            .iter()
            .map(|rank| white(&format!("{rank}/8/8/3K4/4N3/8/8/2B5 w")))
            .collect();
        assert!(values.windows(2).all(|two| two[1] > two[0]), "{values:?}");
    };
    assert_increasing(&["k7", "1k6", "2k5", "3k4", "4k3", "5k2", "6k1", "7k"]);
    // Advancing a winning pawn increases the score.
    let pawn = ["8/8/1P6", "8/1P6/8"].map(|top| white(&format!("{top}/8/8/3k4/8/1K6 w")));
    assert!(pawn[1] > pawn[0] && pawn[0] > 300, "{pawn:?}");
    // Promoting a pawn scores at least as much as keeping it.
    assert!(white("k7/8/2K5/8/8/8/8/6QQ w") > white("k7/6P1/2K5/8/8/8/8/6Q1 w"));
}
