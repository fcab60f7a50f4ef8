//! One game of self-play, from its number alone.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::data::{Ending, GameRecord, GameResult, ScoredMove};
use crate::eval::EngineEvaluator;
use crate::rules::Position;
use crate::search::{Mind, SoloSearch};

use super::opening::random_opening;
use super::verdicts::{Bounds, Verdicts};

/// Hash table of a game in mebibytes; both sides share it.
const HASH: u64 = 4;

/// A move may take so many times its nodes where one iteration is long.
const HARD_LIMIT: u64 = 5;

/// An opening is searched so many times as long as a move before it is taken.
const OPENING_EFFORT: u64 = 2;

/// The largest score, in centipawns, with which an opening counts as balanced; with all men on the board some 67 are an
/// even chance to win (`docs/nnue.md`).
const BALANCED: i32 = 50;

/// When a game is ended.
const BOUNDS: Bounds = Bounds {
    decided: 800,
    decided_plies: 6,
    dead: 5,
    dead_plies: 16,
    dead_from_move: 50,
    too_long: 500,
};

/// Plays games by their numbers.
pub(super) struct Player {
    search: SoloSearch<EngineEvaluator>,
    seed: u64,
    nodes: u64,
    chess960_permille: u16,
}

impl Player {
    /// A player for a run.
    pub(super) fn new(mind: &Mind, seed: u64, nodes: u64, chess960_permille: u16) -> Player {
        Player {
            search: SoloSearch::new(HASH, mind),
            seed,
            nodes,
            chess960_permille,
        }
    }

    /// Plays the game with this number; nothing but the run's settings and the number counts. `None` as soon as
    /// `stop` says so; it is asked before every move.
    pub(super) fn play(&mut self, number: u64, stop: impl Fn() -> bool) -> Option<GameRecord> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        let mut position = loop {
            if stop() {
                return None;
            }
            if let Some(opening) = self.opening(&mut random) {
                break opening;
            }
        };
        self.search.forget();
        let mut game = GameRecord {
            variant: position.variant(),
            start: position.board().to_setup(),
            moves: Vec::with_capacity(200),
            result: GameResult::Draw,
            ending: Ending::TooLong,
        };
        let mut verdicts = Verdicts::new(BOUNDS);
        loop {
            if let Some(verdict) = verdicts.end(&position) {
                (game.result, game.ending) = verdict;
                return Some(game);
            }
            if stop() {
                return None;
            }
            let found = self
                .search
                .run_softly(&position, self.nodes, HARD_LIMIT * self.nodes);
            let mv = found.best?;
            verdicts.note(position.side_to_move(), found.score);
            game.moves.push(ScoredMove {
                mv,
                score: found.score,
            });
            let _ = position.play(mv);
        }
    }

    /// A random opening, if a short search finds it balanced.
    fn opening(&mut self, random: &mut ChaCha8Rng) -> Option<Position> {
        let chess960 =
            (u64::from(random.next_u32()) * 1000) >> 32 < u64::from(self.chess960_permille);
        let position = random_opening(random, chess960)?;
        self.search.forget();
        let nodes = OPENING_EFFORT * self.nodes;
        let found = self.search.run_softly(&position, nodes, HARD_LIMIT * nodes);
        (found.score.0.abs() <= BALANCED).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_depends_on_its_number_and_is_legal() {
        let mut player = Player::new(&Mind::default(), 7, 100, 500);
        let games: Vec<GameRecord> = (0..6)
            .map(|number| player.play(number, || false).unwrap())
            .collect();
        for game in &games {
            assert_eq!(game.verify(), Ok(()));
        }
        assert!(games[0] != games[1]);
        let mut other = Player::new(&Mind::default(), 7, 100, 500);
        assert_eq!(other.play(3, || false).as_ref(), Some(&games[3]));
        assert!(other.play(4, || true).is_none());
    }
}
