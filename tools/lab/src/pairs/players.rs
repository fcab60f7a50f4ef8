//! Two players and the pair of games that they play from one opening.

use gaur::eval::EngineEvaluator;
use gaur::rules::Position;
use gaur::search::{SearchSetup, SingleThreadedSearch};
use gaur::types::Color;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::adjudication::{AdjudicationRules, Adjudicator};
use crate::datagen::standard_opening;
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
            nodes,
            seed,
        }
    }

    /// Plays the pair with this number and returns the half points of the first player, 0 to 4.
    ///
    /// The games depend on the number, the seed and the players only. Returns `None` as soon as `stop` returns `true`.
    pub(super) fn play_pair(&mut self, number: u64, stop: impl Fn() -> bool) -> Option<usize> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        let opening = loop {
            if stop() {
                return None;
            }
            if let Some(opening) = self.balanced_opening(&mut random) {
                break opening;
            }
        };
        let mut points = 0;
        for first_plays in Color::ALL {
            points += match (self.play(opening.clone(), first_plays, &stop)?, first_plays) {
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
                _ => 0,
            };
        }
        Some(points)
    }

    /// Draws an opening and returns it if the second player's score is small.
    fn balanced_opening(&mut self, random: &mut ChaCha8Rng) -> Option<Position> {
        let opening = standard_opening(random)?;
        let second = &mut self.players[1];
        second.forget();
        let found = second.run_with_soft_limit(&opening, self.nodes, HARD_LIMIT * self.nodes);
        (found.score.0.abs() <= BALANCED).then_some(opening)
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
