//! Training samples: positions of games as records of fixed length, which the training script reads without a board.
//!
//! `docs/data.md` describes the bytes.

use crate::game_file::{GameRecord, ScoredMove};
use gaur::board::Board;
use gaur::rules::Position;
use gaur::types::{Color, PieceKind, Score};

/// Number of pieces in a record.
const PIECES: usize = 32;

/// Feature number of an absent piece.
const NO_PIECE: u16 = 768;

/// Factor lambda of TD(lambda): the weight of the following move's target in the target of a move.
const TD_LAMBDA: f64 = 0.9;

/// Scale, in centipawns, of the sigmoid that converts a score to an expected result. The training uses the same.
const SIGMOID_SCALE: f64 = 200.0;

/// Length of a record in bytes.
pub(super) const RECORD_BYTES: usize = PIECES * 2 + 8;

/// Returns the records of all training positions of a game, one after the other.
///
/// # Errors
/// If the game is illegal.
pub(super) fn records(game: &GameRecord) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut targets = td_targets(game).into_iter();
    let replayed = game.replay(|position, scored| {
        let target = targets.next().unwrap_or_default();
        if is_training_position(position, scored) {
            bytes.extend(record(game, position, scored, target));
        }
    });
    replayed.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Returns the TD(lambda) target of each move: the result for White, 0 to 1, estimated from the scores of this move and
/// all later ones and from the result of the game. Near moves have the largest weight. (Richard Sutton, 1988.)
fn td_targets(game: &GameRecord) -> Vec<f64> {
    let mut target = f64::from(game.result as u8) / 2.0;
    let mut color = match game.moves.len() % 2 {
        0 => game.start.side_to_move,
        _ => !game.start.side_to_move,
    };
    let mut targets: Vec<f64> = game
        .moves
        .iter()
        .rev()
        .map(|scored| {
            color = !color;
            let expected = expected_result(scored.score);
            let for_white = match color {
                Color::White => expected,
                Color::Black => 1.0 - expected,
            };
            target = TD_LAMBDA * target + (1.0 - TD_LAMBDA) * for_white;
            target
        })
        .collect();
    targets.reverse();
    targets
}

/// Returns the expected result of a score, 0 to 1.
fn expected_result(score: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score.0) / SIGMOID_SCALE).exp())
}

/// Returns `true` if a network learns from the position: the side to move is not in check, the move played is neither a
/// capture nor a promotion, and its score is not a mate score.
fn is_training_position(position: &Position, ScoredMove { mv, score }: ScoredMove) -> bool {
    !position.board().in_check() && !mv.is_noisy() && !score.is_mate()
}

/// Returns the record of a position, with the TD(lambda) target for White.
fn record(game: &GameRecord, position: &Position, scored: ScoredMove, target: f64) -> Vec<u8> {
    let board = position.board();
    let us = board.side_to_move();
    let mut numbers = features(board);
    let pieces = numbers.len();
    numbers.resize(PIECES, NO_PIECE);
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
    bytes.extend((scored.score.0 as i16).to_le_bytes());
    let (half_points, target) = match us {
        Color::White => (game.result as u8, target),
        Color::Black => (2 - game.result as u8, 1.0 - target),
    };
    let king = |side: Color| board.king(side).relative_to(side).index() as u8;
    bytes.extend([half_points, pieces as u8, king(us), king(!us)]);
    bytes.extend(((target * f64::from(u16::MAX)).round() as u16).to_le_bytes());
    bytes
}

/// Returns the feature numbers of all pieces from the perspective of the side to move: its own pieces first, sorted by
/// kind and square. Squares are counted from the own back rank.
fn features(board: &Board) -> Vec<u16> {
    let us = board.side_to_move();
    let mut numbers = Vec::with_capacity(PIECES);
    for (side, color) in [us, !us].into_iter().enumerate() {
        for kind in PieceKind::ALL {
            let first = (side * 6 + kind.index()) * 64;
            let squares = board.pieces(color, kind);
            numbers.extend(squares.map(|square| (first + square.relative_to(us).index()) as u16));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::{Ending, GameResult};
    use gaur::notation::{parse_fen, parse_move};
    use gaur::rules::Variant;

    fn game(fen: &str, moves: &[(&str, i32)]) -> GameRecord {
        let start = parse_fen(fen).unwrap();
        let mut position = Position::new(Board::from_setup(&start).unwrap(), Variant::Standard);
        let moves = moves.iter().map(|&(text, score)| {
            let mv = parse_move(&position, text).unwrap();
            let _ = position.play(mv);
            ScoredMove {
                mv,
                score: Score(score),
            }
        });
        GameRecord {
            variant: Variant::Standard,
            start,
            nodes: 250,
            moves: moves.collect(),
            result: GameResult::WhiteWins,
            ending: Ending::AdjudicatedWin,
        }
    }

    fn numbers(record: &[u8]) -> Vec<u16> {
        let words = record[..PIECES * 2].as_chunks::<2>().0.iter();
        words.map(|word| u16::from_le_bytes(*word)).collect()
    }

    #[test]
    fn records_have_the_perspective_of_the_side_to_move() {
        let bytes = records(&game(
            "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1",
            &[("a2a3", 700), ("e8e7", -650)],
        ))
        .unwrap();
        let [white, black] = bytes.as_chunks::<RECORD_BYTES>().0 else {
            panic!("two records")
        };
        // Pawn a2, rook a1, king e1; the opponent's king e8.
        assert_eq!(numbers(white)[..5], [8, 192, 324, 764, NO_PIECE]);
        assert_eq!(
            white[64..70],
            [(700u16 & 255) as u8, (700u16 >> 8) as u8, 2, 4, 4, 4]
        );
        // For Black its king on e8 is on e1, White's pawn on a3 on a6, and the rook on a1 on a8.
        assert_eq!(
            numbers(black)[..5],
            [324, 384 + 40, 576 + 56, 764, NO_PIECE]
        );
        assert_eq!(i16::from_le_bytes([black[64], black[65]]), -650);
        assert_eq!(black[66..70], [0, 4, 4, 4]);
        let expected = |score: f64| 1.0 / (1.0 + (-score / 200.0).exp());
        let [first, second] = [white, black]
            .map(|record| f64::from(u16::from_le_bytes([record[70], record[71]])) / 65535.0);
        let last = 0.9 + 0.1 * expected(650.0);
        assert!((1.0 - second - last).abs() < 1e-4, "{second}");
        assert!(
            (first - 0.9 * last - 0.1 * expected(700.0)).abs() < 1e-4,
            "{first}"
        );
    }

    #[test]
    fn checks_captures_and_mate_scores_are_left_out() {
        let length = |fen, mv, score| records(&game(fen, &[(mv, score)])).unwrap().len();
        let quiet = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1";
        assert_eq!(length(quiet, "a1a2", 500), RECORD_BYTES);
        assert_eq!(length(quiet, "e4d5", 500), 0);
        assert_eq!(length(quiet, "a1a2", 31_900), 0);
        assert_eq!(length("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "e1f1", -500), 0);
    }
}
