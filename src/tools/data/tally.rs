//! What there is in files of games, in numbers.

use std::fmt;

use crate::data::{Ending, GameRecord, GameResult};
use crate::rules::Variant;

/// Counts of games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    games: u64,
    positions: u64,
    chess960: u64,
    results: [u64; GameResult::ALL.len()],
    endings: [u64; Ending::ALL.len()],
}

impl Tally {
    /// One game more.
    pub(super) fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.chess960 += u64::from(game.variant == Variant::Fischerandom);
        self.results[game.result as usize] += 1;
        self.endings[game.ending as usize] += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            games, positions, ..
        } = self;
        let mean = *positions as f64 / (*games).max(1) as f64;
        writeln!(f, "{games} games, {positions} positions, {mean:.1} a game")?;
        let [black, draws, white] = self.results;
        writeln!(f, "White wins {white}, draws {draws}, Black wins {black}")?;
        writeln!(f, "Fischer Random {}", self.chess960)?;
        for (ending, count) in Ending::ALL.into_iter().zip(self.endings) {
            writeln!(f, "{:<22} {count}", ending.name())?;
        }
        Ok(())
    }
}
