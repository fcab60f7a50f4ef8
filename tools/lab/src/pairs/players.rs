//! Two players and the pair of games that they play from one opening.

use gaur::eval::EngineEvaluator;
use gaur::rules::Position;
use gaur::search::{SearchSetup, SingleThreadedSearch};
use gaur::types::Color;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::LabError;
use crate::adjudication::{AdjudicationRules, Adjudicator};
use crate::datagen::{OPENING_ATTEMPTS, standard_opening};
use crate::game_file::GameResult;

/// Size of each player's transposition table in mebibytes.
const HASH: u64 = 8;

/// Multiple of the node limit at which a search stops within an iteration.
const HARD_LIMIT: u64 = 4;

/// Largest score of a balanced opening, in centipawns.
const BALANCED: i32 = 120;

/// Rules by which test games end early.
const RULES: AdjudicationRules = AdjudicationRules {
    won_score: 700,
    won_plies: 6,
    drawish_score: 8,
    drawish_plies: 12,
    drawish_from_move: 35,
    max_plies: 400,
};

/// Two players.
pub(super) struct Players {
    players: [SingleThreadedSearch<EngineEvaluator>; 2],
    /// Description of the second player's evaluation.
    second_evaluation: String,
    /// Nodes per move after which a search starts no further iteration.
    nodes: u64,
    seed: u64,
}

impl Players {
    /// Creates two players that search `nodes` nodes per move.
    pub(super) fn new(setups: &[SearchSetup; 2], nodes: u64, seed: u64) -> Players {
        Players {
            players: setups
                .each_ref()
                .map(|setup| SingleThreadedSearch::new(HASH, setup)),
            second_evaluation: setups[1].evaluation.to_string(),
            nodes,
            seed,
        }
    }

    /// Plays the pair with this number and returns the half points of the first player, 0 to 4.
    ///
    /// The games depend on the number, the seed and the players only. Returns `None` as soon as `stop` returns `true`.
    ///
    /// # Errors
    /// If the second player finds too few openings balanced.
    pub(super) fn play_pair(
        &mut self,
        number: u64,
        stop: impl Fn() -> bool,
    ) -> Result<Option<usize>, LabError> {
        let Some(opening) = self.opening(number, BALANCED, &stop)? else {
            return Ok(None);
        };
        let mut points = 0;
        for first_plays in Color::ALL {
            let Some(result) = self.play(opening.clone(), first_plays, &stop) else {
                return Ok(None);
            };
            points += match (result, first_plays) {
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
                _ => 0,
            };
        }
        Ok(Some(points))
    }

    /// Draws openings until the second player's score of one is at most `balanced` centipawns. Returns `None` as soon
    /// as `stop` returns `true`.
    ///
    /// # Errors
    /// If none of [`OPENING_ATTEMPTS`] openings is balanced.
    fn opening(
        &mut self,
        number: u64,
        balanced: i32,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Position>, LabError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        for _ in 0..OPENING_ATTEMPTS {
            if stop() {
                return Ok(None);
            }
            let opening = self.balanced_opening(&mut random, balanced);
            if opening.is_some() {
                return Ok(opening);
            }
        }
        Err(LabError::NoBalancedOpening {
            evaluation: self.second_evaluation.clone(),
            attempts: OPENING_ATTEMPTS,
        })
    }

    /// Draws an opening and returns it if the second player's score is at most `balanced` centipawns.
    fn balanced_opening(&mut self, random: &mut ChaCha8Rng, balanced: i32) -> Option<Position> {
        let opening = standard_opening(random)?;
        let second = &mut self.players[1];
        second.forget();
        let found = second.run_with_soft_limit(&opening, self.nodes, HARD_LIMIT * self.nodes);
        (found.score.0.abs() <= balanced).then_some(opening)
    }

    /// Plays a game in which the first player has the colour `first_plays`.
    fn play(
        &mut self,
        mut position: Position,
        first_plays: Color,
        stop: impl Fn() -> bool,
    ) -> Option<GameResult> {
        for player in &mut self.players {
            player.forget();
        }
        let mut adjudicator = Adjudicator::new(RULES);
        loop {
            if let Some((result, _)) = adjudicator.result(&position) {
                return Some(result);
            }
            if stop() {
                return None;
            }
            let mover = position.side_to_move();
            let player = &mut self.players[usize::from(mover != first_plays)];
            let found = player.run_with_soft_limit(&position, self.nodes, HARD_LIMIT * self.nodes);
            adjudicator.add(mover, found.score);
            let _ = position.play(found.best?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_without_balanced_openings_ends_the_run() {
        let mut players = Players::new(&Default::default(), 20, 1);
        let found = players.opening(0, BALANCED, || false);
        assert!(matches!(found, Ok(Some(_))));
        assert!(matches!(players.opening(0, -1, || true), Ok(None)));
        // No score is small enough.
        let error = players.opening(0, -1, || false).unwrap_err().to_string();
        let name = SearchSetup::default().evaluation.to_string();
        assert_eq!(
            error,
            format!(
                "the evaluation of the second player ({name}) finds none of 100 openings balanced; \
                 give it another one"
            )
        );
    }
}
