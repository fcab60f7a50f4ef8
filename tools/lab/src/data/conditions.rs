//! Conditions that select games.

use clap::ValueEnum;

use crate::game_file::{GameRecord, GameResult};
use gaur::rules::Variant;

/// Conditions for games to be kept.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Conditions {
    /// Only this kind of chess
    #[arg(long, value_enum, value_name = "KIND")]
    pub variant: Option<Kind>,
    /// Only games with this result
    #[arg(long, value_enum, value_name = "RESULT")]
    pub result: Option<Winner>,
    /// Only games of at least so many half-moves
    #[arg(long, value_name = "N")]
    pub at_least: Option<usize>,
    /// Only games of at most so many half-moves
    #[arg(long, value_name = "N")]
    pub at_most: Option<usize>,
    /// Only games with this node limit per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u32>,
}

/// Variant of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Chess
    Standard,
    /// Fischer Random
    Chess960,
}

/// Winner of a game, or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Winner {
    /// White
    White,
    /// Black
    Black,
    /// Draw
    Draw,
}

impl Conditions {
    /// Returns `true` if a game meets all conditions.
    pub(super) fn are_met_by(&self, game: &GameRecord) -> bool {
        let variant = match game.variant {
            Variant::Standard => Kind::Standard,
            Variant::Fischerandom => Kind::Chess960,
        };
        let winner = match game.result {
            GameResult::WhiteWins => Winner::White,
            GameResult::BlackWins => Winner::Black,
            GameResult::Draw => Winner::Draw,
        };
        let length = game.moves.len();
        self.variant.is_none_or(|wanted| wanted == variant)
            && self.result.is_none_or(|wanted| wanted == winner)
            && self.nodes.is_none_or(|wanted| wanted == game.nodes)
            && self.at_least.is_none_or(|least| length >= least)
            && self.at_most.is_none_or(|most| length <= most)
    }
}
