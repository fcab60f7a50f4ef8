//! The choice of a limited level among the root moves that it has compared.

use crate::types::{Move, Score};

use super::level::{Level, SEES_MATE_IN_ONE};

/// Loss in temperatures from which a move is not chosen.
const MOST_TEMPERATURES: f64 = 3.0;

/// Centipawns by which a recapture that wins material may seem worse than the best move and is played all the same, for
/// the lowest level that considers every recapture.
const RECAPTURE_MARGIN: f64 = 300.0;

/// Elo from which a recapture must not seem worse than the best move.
const COMPARES_RECAPTURES: u32 = 2000;

/// Score in centipawns that adds 100 % to the temperature, up to [`MOST_CARELESS`].
const CARELESS: f64 = 700.0;

/// Largest factor of the temperature in a decided game.
const MOST_CARELESS: f64 = 1.5;

/// Centipawns by which a good move is at most worse than the best, in temperatures.
const GOOD_TEMPERATURES: f64 = 2.0;

/// A root move and its score in the last iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The line, which begins with the move.
    pub line: Vec<Move>,
    /// Score for the side to move.
    pub score: Score,
}

/// Returns the index of the candidate that a level plays. The first candidate is the best. `recaptures` returns `true`
/// for a capture of the piece that has just moved that wins material. `uniform` is a random number from 0 to below 1.
pub(super) fn choose(
    level: &Level,
    candidates: &[Candidate],
    recaptures: impl Fn(Move) -> bool,
    uniform: f64,
) -> usize {
    let Some(best) = candidates.first() else {
        return 0;
    };
    if best.score.is_decisive() {
        return 0;
    }
    let margin = recapture_margin(level);
    let is_recapture = |candidate: &Candidate| {
        best.score.0 - candidate.score.0 <= margin
            && candidate.line.first().is_some_and(|&mv| recaptures(mv))
    };
    if level.sees_mate_in_one()
        && let Some(index) = candidates.iter().position(is_recapture)
    {
        return index;
    }
    let weights: Vec<f64> = candidates
        .iter()
        .map(|candidate| weight(level, best.score, candidate.score))
        .collect();
    let mut rest = uniform * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    0
}

/// Returns the centipawns by which a recapture may seem worse than the best move and is played all the same. Weak
/// players recapture without comparing moves for long, strong ones compare.
fn recapture_margin(level: &Level) -> i32 {
    let least = SEES_MATE_IN_ONE;
    let left = f64::from(COMPARES_RECAPTURES.saturating_sub(level.elo.max(least)));
    (RECAPTURE_MARGIN * left / f64::from(COMPARES_RECAPTURES - least)) as i32
}

/// Returns the number of candidates that seem hardly worse than the best.
pub(super) fn good_moves(level: &Level, candidates: &[Candidate]) -> usize {
    let Some(best) = candidates.first() else {
        return 0;
    };
    let good = |candidate: &&Candidate| {
        let loss = loss(level, best.score, candidate.score);
        loss <= GOOD_TEMPERATURES
    };
    candidates.iter().filter(good).count()
}

/// Returns the weight of a move in the choice.
fn weight(level: &Level, best: Score, score: Score) -> f64 {
    let loss = loss(level, best, score);
    if loss > MOST_TEMPERATURES {
        0.0
    } else {
        (-loss).exp()
    }
}

/// Returns the loss of a move against the best, in temperatures. In a decided game, people look less closely.
fn loss(level: &Level, best: Score, score: Score) -> f64 {
    let careless = (1.0 + f64::from(best.0).abs() / CARELESS).min(MOST_CARELESS);
    let temperature = (level.temperature * careless).max(1.0);
    f64::from(best.0 - score.0) / temperature
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Ply, Square};

    fn candidate(kind: MoveKind, to: usize, score: i32) -> Candidate {
        let mv = Move::new(Square::from_index(0), Square::from_index(to), kind);
        Candidate {
            line: vec![mv],
            score: Score(score),
        }
    }

    fn quiet(scores: &[i32]) -> Vec<Candidate> {
        let candidate = |(to, &score)| candidate(MoveKind::Quiet, to, score);
        (1..).zip(scores).map(candidate).collect()
    }

    /// Returns how often each candidate is chosen in 1000 tries.
    fn counts(elo: u32, candidates: &[Candidate], target: Option<Square>) -> Vec<usize> {
        let mut counts = vec![0; candidates.len()];
        for number in 0..1000 {
            let uniform = f64::from(number) / 1000.0;
            let recaptures = |mv: Move| mv.is_capture() && Some(mv.to()) == target;
            counts[choose(&Level::of(elo), candidates, recaptures, uniform)] += 1;
        }
        counts
    }

    #[test]
    fn better_moves_are_played_more_often_and_strong_levels_choose_better() {
        let moves = quiet(&[20, 0, -10, -400]);
        let (weak, strong) = (counts(600, &moves, None), counts(2600, &moves, None));
        assert!(
            weak[0] > weak[1] && weak[1] > weak[2] && weak[2] > 100,
            "{weak:?}"
        );
        assert_eq!(weak[3], 0, "no piece is given away on purpose");
        assert!(strong[0] > 900, "{strong:?}");
    }

    #[test]
    fn a_mate_is_played() {
        let mut moves = quiet(&[0, 0]);
        moves[0].score = Score::mate_in(Ply(1));
        assert_eq!(counts(600, &moves, None), [1000, 0]);
    }

    #[test]
    fn a_recapture_that_wins_material_is_played_from_1000_on() {
        let square = Square::from_index(9);
        let moves = [
            candidate(MoveKind::Quiet, 5, 100),
            candidate(MoveKind::Capture, 9, 60),
        ];
        assert_eq!(counts(1000, &moves, Some(square)), [0, 1000]);
        assert!(counts(800, &moves, Some(square))[0] > 500);
        assert!(counts(1000, &moves, None)[0] > 500);
        let blunder = [
            candidate(MoveKind::Quiet, 5, 100),
            candidate(MoveKind::Capture, 9, -250),
        ];
        assert_eq!(counts(1000, &blunder, Some(square)), [1000, 0]);
    }

    #[test]
    fn stronger_levels_compare_recaptures_with_other_moves() {
        let square = Square::from_index(9);
        let moves = [
            candidate(MoveKind::Quiet, 5, 130),
            candidate(MoveKind::Capture, 9, 10),
        ];
        assert_eq!(counts(1300, &moves, Some(square)), [0, 1000]);
        for elo in [1700, 2000, 2800] {
            assert_eq!(counts(elo, &moves, Some(square)), [1000, 0], "{elo}");
        }
        let margins = [1000, 1500, 2000, 2800].map(|elo| recapture_margin(&Level::of(elo)));
        assert_eq!(margins, [300, 150, 0, 0]);
    }

    /// Without a limit, a move that loses a rook would be chosen when a queen up.
    #[test]
    fn an_advantage_makes_a_level_careless_within_limits() {
        let equal = quiet(&[0, -110]);
        let ahead = quiet(&[350, 240]);
        let far_ahead = quiet(&[2000, 1750]);
        let chosen = |moves: &[Candidate]| counts(600, moves, None)[1];
        assert_eq!((chosen(&equal), chosen(&far_ahead)), (0, 0));
        assert!(chosen(&ahead) > 0);
    }

    #[test]
    fn good_moves_are_counted() {
        let level = Level::of(1600);
        assert_eq!(good_moves(&level, &quiet(&[20, 10, -300])), 2);
        assert_eq!(good_moves(&level, &[]), 0);
    }
}
