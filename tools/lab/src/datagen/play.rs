//! A game of self-play, which depends on its number only.

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::adjudication::{AdjudicationRules, Adjudicator};
use crate::game_file::{Ending, GameRecord, GameResult, NodeLimit, ScoredMove};
use gaur::eval::EngineEvaluator;
use gaur::rules::Position;
use gaur::search::{SingleThreadedResult, SingleThreadedSearch};

use super::game_settings::GameSettings;
use super::opening::{OPENING_ATTEMPTS, below, plain_opening, random_opening};

/// Hash table of a game in mebibytes, shared by both sides. It fits into the cache of most processors.
const HASH: u64 = 1;

/// Share of the node limit after which a search starts no further iteration: nine sixteenths. The iteration that is
/// running then ends later, so that searches take about the node limit on average (0.94 of 250 nodes, 1.06 of 1,000,
/// 1.19 of 2,000).
const SOFT_LIMIT: (u64, u64) = (9, 16);

/// Multiple of the node limit at which a search stops within an iteration. Stopping earlier saves few nodes, and the
/// scores of incomplete iterations are worse.
const HARD_LIMIT: u64 = 5;

/// Largest score in centipawns, up or down, with which an opening is used.
const BALANCED: i32 = 150;

/// Rules by which games end early.
const RULES: AdjudicationRules = AdjudicationRules {
    won_score: 800,
    won_plies: 6,
    drawish_score: 5,
    drawish_plies: 16,
    drawish_from_move: 50,
    max_plies: 500,
};

/// Plays games by their numbers.
pub(super) struct Player<'a> {
    search: SingleThreadedSearch<EngineEvaluator>,
    settings: &'a GameSettings,
    seed: u64,
}

impl<'a> Player<'a> {
    /// Creates a player for a run.
    pub(super) fn new(settings: &'a GameSettings, seed: u64) -> Player<'a> {
        Player {
            search: SingleThreadedSearch::new(HASH, &settings.search_setup),
            settings,
            seed,
        }
    }

    /// Plays the game with this number, which depends on nothing but settings, seed and number. Returns `None` as soon
    /// as `stop` returns `true`; it is called before every search.
    pub(super) fn play(&mut self, number: u32, stop: impl Fn() -> bool) -> Option<GameRecord> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(number));
        let nodes = choose_limit(&self.settings.limits, &mut random);
        self.search.forget();
        let (mut position, mut found) = self.opening(&mut random, nodes, &stop)?;
        let mut game = GameRecord {
            variant: position.variant(),
            start: position.board().to_setup(),
            nodes,
            moves: Vec::with_capacity(200),
            result: GameResult::Draw,
            ending: Ending::TooLong,
        };
        let mut adjudicator = Adjudicator::new(RULES);
        loop {
            let mv = found.best?;
            adjudicator.add(position.side_to_move(), found.score);
            game.moves.push(ScoredMove {
                mv,
                score: found.score,
            });
            let _ = position.play(mv);
            if let Some(end) = adjudicator.result(&position) {
                (game.result, game.ending) = end;
                return Some(game);
            }
            if stop() {
                return None;
            }
            found = self.search(&position, nodes);
        }
    }

    /// Draws openings until the search finds one balanced, and returns it with this search, which chooses the first
    /// move.
    fn opening(
        &mut self,
        random: &mut ChaCha8Rng,
        nodes: u32,
        stop: impl Fn() -> bool,
    ) -> Option<(Position, SingleThreadedResult)> {
        // With a file of unbalanced openings, one is used with any score, and without random moves.
        for _ in 0..OPENING_ATTEMPTS {
            if stop() {
                return None;
            }
            let Some(position) = random_opening(random, self.settings) else {
                continue;
            };
            let found = self.search(&position, nodes);
            if found.score.0.abs() <= BALANCED {
                return Some((position, found));
            }
        }
        let position = plain_opening(random, self.settings);
        let found = self.search(&position, nodes);
        Some((position, found))
    }

    fn search(&mut self, position: &Position, nodes: u32) -> SingleThreadedResult {
        let nodes = u64::from(nodes);
        let soft = (nodes * SOFT_LIMIT.0 / SOFT_LIMIT.1).max(1);
        self.search
            .run_with_soft_limit(position, soft, HARD_LIMIT * nodes)
    }
}

/// Chooses a node limit at random, by the shares. With a single limit no random number is used.
fn choose_limit(limits: &[NodeLimit], random: &mut ChaCha8Rng) -> u32 {
    let (Some(last), true) = (limits.last(), limits.len() > 1) else {
        return limits.first().map_or(1, |limit| limit.nodes);
    };
    let mut left = below(random, 1000);
    for limit in limits {
        match left.checked_sub(usize::from(limit.permille)) {
            Some(rest) => left = rest,
            None => return limit.nodes,
        }
    }
    last.nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::search::SearchSetup;

    fn settings(limits: &[(u32, u16)]) -> GameSettings {
        GameSettings {
            limits: limits
                .iter()
                .map(|&(nodes, permille)| NodeLimit { nodes, permille })
                .collect(),
            chess960_permille: 300,
            double_chess960_permille: 300,
            random_plies: 8,
            book: None,
            search_setup: SearchSetup::default(),
            fingerprint: String::new(),
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_is_legal() {
        let settings = settings(&[(50, 500), (100, 500)]);
        let mut player = Player::new(&settings, 7);
        let games: Vec<GameRecord> = (0..8)
            .map(|number| player.play(number, || false).unwrap())
            .collect();
        for game in &games {
            assert_eq!(game.verify(), Ok(()));
        }
        assert!(games[0] != games[1]);
        let limits = |nodes| games.iter().filter(|game| game.nodes == nodes).count();
        assert!(limits(50) > 0 && limits(100) > 0 && limits(50) + limits(100) == 8);
        let mut other = Player::new(&settings, 7);
        assert_eq!(other.play(3, || false).as_ref(), Some(&games[3]));
        assert!(other.play(4, || true).is_none());
    }

    #[test]
    fn searches_take_the_node_limit_on_average() {
        let settings = settings(&[(250, 1000)]);
        let mut player = Player::new(&settings, 1);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut nodes, mut searches) = (0, 0);
        for _ in 0..5 {
            player.search.forget();
            let (mut position, mut found) = player.opening(&mut random, 250, || false).unwrap();
            while let (Some(mv), None) = (found.best, position.outcome()) {
                let _ = position.play(mv);
                found = player.search(&position, 250);
                nodes += found.nodes;
                searches += 1;
            }
        }
        let mean = nodes / searches;
        assert!((200..=300).contains(&mean), "{mean} of 250 nodes");
    }

    #[test]
    fn an_unbalanced_book_does_not_stop_the_generator() {
        use crate::datagen::book::Book;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("won.epd");
        std::fs::write(&path, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n").unwrap();
        let settings = GameSettings {
            book: Some(Book::read(&path).unwrap().into()),
            chess960_permille: 0,
            double_chess960_permille: 0,
            random_plies: 0,
            ..settings(&[(20, 1000)])
        };
        let game = Player::new(&settings, 1).play(0, || false).unwrap();
        assert_eq!(game.result, GameResult::WhiteWins);
    }
}
