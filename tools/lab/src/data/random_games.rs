//! Random games for tests.

use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

use crate::game_file::{Ending, GameRecord, GameResult, ScoredMove};
use gaur::notation::parse_fen;
use gaur::rules::{Position, Variant};
use gaur::types::Score;

/// Returns a random game from this position, at most 120 half-moves long, with a random result by adjudication.
pub(super) fn random_game(fen: &str, variant: Variant, random: &mut ChaCha8Rng) -> GameRecord {
    let start = parse_fen(fen).unwrap();
    let mut position = Position::from_setup(&start, variant).unwrap();
    let mut moves = Vec::new();
    while moves.len() < 120 && position.outcome().is_none() {
        let legal = position.legal_moves();
        let mv = legal[random.next_u32() as usize % legal.len()];
        let score = Score(random.next_u32() as i32 % 3000);
        moves.push(ScoredMove { mv, score });
        let _ = position.play(mv);
    }
    let result = GameResult::ALL[random.next_u32() as usize % GameResult::ALL.len()];
    GameRecord {
        variant,
        start,
        nodes: 0,
        moves,
        result,
        ending: match result {
            GameResult::Draw => Ending::AdjudicatedDraw,
            _ => Ending::AdjudicatedWin,
        },
    }
}
