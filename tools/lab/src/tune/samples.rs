//! The positions from which the weights are tuned.

use std::path::PathBuf;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::LabError;
use crate::game_file::ScoredMove;
use crate::game_input::for_each_game;
use crate::interrupt::Interrupt;
use gaur::board::Board;
use gaur::eval::Weights;
use gaur::rules::Position;
use gaur::types::{Color, Move};

use super::coefficients::{CoefficientExtractor, Coefficients};

/// Largest absolute score of a sample, in centipawns. The result of decided games depends little on the weights.
const MAX_SCORE: i32 = 1000;

/// A position with its score and result.
pub(super) struct Sample {
    /// Coefficients of the weights in its evaluation.
    pub(super) coefficients: Coefficients,
    /// Score of the search for White, in centipawns.
    pub(super) score: f32,
    /// White's points in the game: 0, 0.5 or 1.
    pub(super) result: f32,
}

/// The samples of all files.
#[derive(Default)]
pub(super) struct Samples {
    /// Number of games read.
    pub(super) games: usize,
    /// Number of positions in these games.
    pub(super) positions: usize,
    /// Samples of the training set.
    pub(super) training: Vec<Sample>,
    /// Samples of the validation set.
    pub(super) validation: Vec<Sample>,
}

/// Reads the quiet positions of all games. Training and validation set contain whole games, because the positions of a
/// game resemble each other.
///
/// # Errors
/// If a file cannot be read or contains an illegal move. An incomplete game at the end of a file is skipped, because
/// its run may be in progress.
pub(super) fn read_samples(
    paths: &[PathBuf],
    validation: f64,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Samples, LabError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut extractor = CoefficientExtractor::new(&Weights::DEFAULT);
    let mut samples = Samples::default();
    for path in paths {
        for_each_game(path, |game| {
            if interrupt.is_set() {
                return Ok(());
            }
            let is_validation = f64::from(random.next_u32()) < validation * f64::from(u32::MAX);
            let target = match is_validation {
                true => &mut samples.validation,
                false => &mut samples.training,
            };
            samples.games += 1;
            samples.positions += game.moves.len();
            let result = game.result.points() as f32;
            let replayed = game.replay(|position, scored| {
                if !is_training_position(position, scored) {
                    return;
                }
                if let Some(coefficients) = extractor.extract(position.board()) {
                    let score = match position.side_to_move() {
                        Color::White => scored.score.0,
                        Color::Black => -scored.score.0,
                    };
                    target.push(Sample {
                        coefficients,
                        score: score as f32,
                        result,
                    });
                }
            });
            replayed.map(|_| ()).map_err(|error| error.to_string())
        })?;
        if interrupt.is_set() {
            break;
        }
    }
    Ok(samples)
}

/// Returns `true` if the static evaluation should predict the score of the search: the side to move is not in check,
/// the move played is neither a capture nor a promotion, no other move wins material by SEE, and the score is small.
fn is_training_position(position: &Position, scored: ScoredMove) -> bool {
    let board = position.board();
    scored.score.0.abs() <= MAX_SCORE
        && !scored.mv.is_noisy()
        && !board.in_check()
        && !position
            .legal_moves()
            .iter()
            .any(|&mv| wins_material(board, mv))
}

/// Returns `true` for a capture or promotion that wins material by SEE.
fn wins_material(board: &Board, mv: Move) -> bool {
    mv.is_noisy() && board.see_at_least(mv, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::notation::{parse_fen, parse_move};
    use gaur::rules::Variant;
    use gaur::types::Score;

    #[test]
    fn only_quiet_undecided_positions_are_samples() {
        for (fen, mv, score, expected) in [
            ("4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1", "e1e2", 10, true),
            (
                "4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1",
                "e1e2",
                1001,
                false,
            ),
            // A rook hangs.
            (
                "4k3/pp3ppp/8/4r3/8/8/PP3PPP/4RK2 w - - 0 1",
                "f1g1",
                10,
                false,
            ),
            // It is defended.
            (
                "4k3/pp3ppp/5p2/4r3/8/8/PP3PPP/4RK2 w - - 0 1",
                "f1g1",
                10,
                true,
            ),
            (
                "4k3/pp3ppp/5p2/4r3/8/8/PP3PPP/4RK2 w - - 0 1",
                "e1e5",
                10,
                false,
            ),
            // Check.
            (
                "4k3/pp3ppp/8/8/8/8/PP1r1PPP/3RK3 b - - 0 1",
                "d2d3",
                10,
                false,
            ),
            (
                "4k3/pp3ppp/8/8/8/8/PP3PPP/3rK3 w - - 0 1",
                "e1e2",
                10,
                false,
            ),
        ] {
            let setup = parse_fen(fen).unwrap();
            let position = Position::from_setup(&setup, Variant::Standard).unwrap();
            let scored = ScoredMove {
                mv: parse_move(&position, mv).unwrap(),
                score: Score(score),
            };
            assert_eq!(
                is_training_position(&position, scored),
                expected,
                "{fen} {mv}"
            );
        }
    }
}
