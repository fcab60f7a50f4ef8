//! The positions of a game from which networks learn, with their training targets.

use crate::game_file::{GameRecord, ScoredMove};
use crate::sample_file::Sample;
use gaur::rules::Position;
use gaur::types::{Color, Score};

/// Factor lambda of TD(lambda): the weight of the following move's target in the target of a move.
const TD_LAMBDA: f64 = 0.9;

/// Scale, in centipawns, of the sigmoid that converts a score to an expected result. The training uses the same.
const SIGMOID_SCALE: f64 = 200.0;

/// Returns the samples of all training positions of a game, in order.
///
/// # Errors
/// If the game is illegal.
pub(in crate::data) fn samples(game: &GameRecord) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    let mut targets = td_targets(game).into_iter();
    let replayed = game.replay(|position, scored| {
        let target = targets.next().unwrap_or_default();
        if is_training_position(position, scored) {
            samples.push(sample(game, position, scored, target));
        }
    });
    replayed.map_err(|error| error.to_string())?;
    Ok(samples)
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
/// capture nor a promotion, its score is not a mate score, and the engine evaluates such a position by the network.
fn is_training_position(position: &Position, ScoredMove { mv, score }: ScoredMove) -> bool {
    let board = position.board();
    !board.in_check() && !board.has_bare_king() && !mv.is_noisy() && !score.is_mate()
}

/// Returns the sample of a position, with the TD(lambda) target for White.
fn sample(game: &GameRecord, position: &Position, scored: ScoredMove, target: f64) -> Sample {
    let board = position.board();
    let us = board.side_to_move();
    let (result, target) = match us {
        Color::White => (game.result as u8, target),
        Color::Black => (2 - game.result as u8, 1.0 - target),
    };
    Sample {
        score: scored.score.0 as i16,
        result,
        lambda_return: (target * f64::from(u16::MAX)).round() as u16,
        ..Sample::of_board(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::{Ending, GameResult};
    use gaur::board::Board;
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

    #[test]
    fn samples_have_the_perspective_of_the_side_to_move() {
        let samples = samples(&game(
            "4k3/7p/8/8/8/8/P7/R3K3 w Q - 0 1",
            &[("a2a3", 700), ("e8e7", -650)],
        ))
        .unwrap();
        let [white, black] = samples[..] else {
            panic!("two samples")
        };
        let pieces = |sample: &Sample| sample.placed().collect::<Vec<_>>();
        // Rook a1, king e1, pawn a2; the opponent's pawn h7 and king e8.
        assert_eq!(pieces(&white), [(0, 3), (4, 5), (8, 0), (55, 8), (60, 13)]);
        assert_eq!((white.score, white.result), (700, 2));
        // For Black its king on e8 is on e1, its pawn on h7 on h2, White's pawn on a3 on a6, and the rook on a1 on a8.
        let expected = [(4, 5), (15, 0), (40, 8), (56, 11), (60, 13)];
        assert_eq!(pieces(&black), expected);
        assert_eq!((black.score, black.result), (-650, 0));
        let expected = |score: f64| 1.0 / (1.0 + (-score / 200.0).exp());
        let [first, second] =
            [white, black].map(|sample| f64::from(sample.lambda_return) / 65535.0);
        let last = 0.9 + 0.1 * expected(650.0);
        assert!((1.0 - second - last).abs() < 1e-4, "{second}");
        assert!(
            (first - 0.9 * last - 0.1 * expected(700.0)).abs() < 1e-4,
            "{first}"
        );
    }

    #[test]
    fn checks_captures_mate_scores_and_bare_kings_are_left_out() {
        let count = |fen, mv, score| samples(&game(fen, &[(mv, score)])).unwrap().len();
        let quiet = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1";
        assert_eq!(count(quiet, "a1a2", 500), 1);
        assert_eq!(count(quiet, "e4d5", 500), 0);
        assert_eq!(count(quiet, "a1a2", 31_900), 0);
        assert_eq!(count("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "e1f1", -500), 0);
        assert_eq!(count("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2", 500), 0);
    }
}
