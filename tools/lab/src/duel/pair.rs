//! A pair of games: the same opening twice, with colours reversed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::game_file::GameResult;
use gaur::eval::EngineEvaluator;
use gaur::rules::Position;
use gaur::search::{SearchSetup, SingleThreadedSearch};
use gaur::types::Color;

use crate::datagen::{Bounds, Verdicts, standard_opening};

/// Hash table of each player in mebibytes.
const HASH: u64 = 8;

/// A move may take so many times its nodes where one iteration is long.
const HARD_LIMIT: u64 = 4;

/// The largest score, in centipawns, with which an opening counts as balanced.
const BALANCED: i32 = 120;

/// When games are decided without being played out.
const BOUNDS: Bounds = Bounds {
    decided: 700,
    decided_plies: 6,
    dead: 8,
    dead_plies: 12,
    dead_from_move: 35,
    too_long: 400,
};

/// Two players.
pub(crate) struct Rivals {
    players: [SingleThreadedSearch<EngineEvaluator>; 2],
    nodes: u64,
    seed: u64,
}

impl Rivals {
    /// Players with these setups, who think for so many nodes.
    pub fn new(setups: &[SearchSetup; 2], nodes: u64, seed: u64) -> Rivals {
        Rivals {
            players: setups
                .each_ref()
                .map(|search_setup| SingleThreadedSearch::new(HASH, search_setup)),
            nodes,
            seed,
        }
    }

    /// The half points of the first player in the pair with this number, 0 to 4; nothing but the number, the seed and
    /// the players count. `None` as soon as `stop` says so.
    pub fn play_pair(&mut self, number: u64, stop: impl Fn() -> bool) -> Option<usize> {
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

    /// Judged by the second player.
    fn balanced_opening(&mut self, random: &mut ChaCha8Rng) -> Option<Position> {
        let opening = standard_opening(random)?;
        let evaluation = &mut self.players[1];
        evaluation.forget();
        let found = evaluation.run_softly(&opening, self.nodes, HARD_LIMIT * self.nodes);
        (found.score.0.abs() <= BALANCED).then_some(opening)
    }

    fn play(
        &mut self,
        mut position: Position,
        first_plays: Color,
        stop: impl Fn() -> bool,
    ) -> Option<GameResult> {
        for player in &mut self.players {
            player.forget();
        }
        let mut verdicts = Verdicts::new(BOUNDS);
        loop {
            if let Some((result, _)) = verdicts.end(&position) {
                return Some(result);
            }
            if stop() {
                return None;
            }
            let mover = position.side_to_move();
            let player = &mut self.players[usize::from(mover != first_plays)];
            let found = player.run_softly(&position, self.nodes, HARD_LIMIT * self.nodes);
            verdicts.note(mover, found.score);
            let _ = position.play(found.best?);
        }
    }
}
