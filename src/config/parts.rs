//! The parts of [`Config`](super::Config): the settings of one module each.

use std::path::PathBuf;

use super::parameters::Parameters;
use crate::types::Depth;

/// Largest value of `ResignMoves`.
pub const MAX_RESIGN_MOVES: usize = 20;

/// Largest value of `OfferDraws`.
pub const MAX_OFFER_MOVES: usize = 50;

/// Largest value of `SyzygyProbeLimit`: there are no larger tables.
pub const MAX_PROBE_MEN: usize = 7;

/// Largest value of `BookDepth`.
pub const MAX_BOOK_DEPTH: usize = 200;

/// Largest contempt in centipawns.
pub const MAX_CONTEMPT: i32 = 100;

/// Settings of the search threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Size of the transposition table in mebibytes, 1 to [`MAX_HASH_MEGABYTES`](super::MAX_HASH_MEGABYTES).
    pub hash_megabytes: u64,
    /// Search threads, 1 to [`MAX_THREADS`](super::MAX_THREADS). The search starts at most one per processor.
    pub threads: usize,
    /// Number of lines shown in analysis, at least 1.
    pub multi_pv: usize,
    /// Random variation of the evaluation in centipawns, by position and game; 0: none.
    pub variety: i32,
    /// Use of tablebases.
    pub probing: ProbeSettings,
    /// Evaluation function.
    pub evaluation: EvaluationChoice,
    /// Parameters of search and time management. Only a tuning build can change them.
    pub parameters: Parameters,
}

/// The choice of an evaluation function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationChoice {
    /// Set for the classical evaluation, which uses handwritten terms instead of a network.
    pub is_classical: bool,
    /// Network file; empty: the built-in network.
    pub eval_file: PathBuf,
    /// Number of the `EvalFile` command that named the file, so that naming the same file again loads it again;
    /// 0 for the built-in network.
    pub revision: u64,
}

impl EvaluationChoice {
    /// Returns `true` if the same `EvalFile` command named the network file of both.
    pub fn has_same_file(&self, other: &EvaluationChoice) -> bool {
        (self.revision, &self.eval_file) == (other.revision, &other.eval_file)
    }
}

/// The choice of endgame tablebases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablebaseChoice {
    /// Directories, separated as in `PATH`; empty: none.
    pub path: String,
    /// Number of the command that named them, so that naming the same directories again loads the tables again; 0 for
    /// none.
    pub revision: u64,
}

/// Limits of the positions that the search looks up in tablebases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeSettings {
    /// Least depth, at least 1, at which a position with as many men as the largest tables is looked up, unless these
    /// tables are in memory.
    pub depth: Depth,
    /// Largest number of men, kings and pawns included, of a position that is looked up, 0 to [`MAX_PROBE_MEN`].
    pub men: usize,
}

/// Settings of the opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookSettings {
    /// Set if Gaur plays moves from the book.
    pub is_used: bool,
    /// The book.
    pub choice: BookChoice,
    /// Number of moves of a side at the beginning of a game that may come from the book, 1 to [`MAX_BOOK_DEPTH`].
    pub depth: usize,
    /// Choice among the moves: 0 for the best one, 100 for all in proportion to their weights.
    pub variety: i32,
    /// Set if the results of games change the weights.
    pub learns: bool,
}

/// The choice of an opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookChoice {
    /// Name of the file; empty: the built-in book.
    pub file: String,
    /// Number of the command that named the file, so that naming the same file again reads it again; 0 for the
    /// built-in book.
    pub revision: u64,
}

/// Settings for draw offers and resignation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawAndResignSettings {
    /// Centipawns behind at which Gaur resigns; 0: never.
    pub resign: i32,
    /// Consecutive moves that far behind before Gaur resigns, 1 to [`MAX_RESIGN_MOVES`].
    pub resign_moves: usize,
    /// Set if Gaur may accept draw offers.
    pub accept_draws: bool,
    /// Highest score for Gaur, in centipawns above that of a draw, at which it accepts a draw.
    pub draw_score: i32,
    /// Consecutive moves with an even score before Gaur offers a draw, 0 to [`MAX_OFFER_MOVES`]; 0: never.
    pub offer_draws: usize,
    /// Rating of human opponents below which Gaur neither resigns nor offers or accepts draws; 0: no limit.
    pub play_out_below: u32,
}

/// Settings for the value of draws in searches for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContemptSettings {
    /// Centipawns that a draw is worse than an equal position, at most [`MAX_CONTEMPT`] up or down.
    pub centipawns: i32,
    /// Set if the ratings of the players and the odds that Gaur gives add to `centipawns`.
    pub is_automatic: bool,
}

/// Lowest playing strength of a limited level.
pub const MIN_ELO: u32 = 600;

/// Highest playing strength of a limited level.
pub const MAX_ELO: u32 = 2800;

/// Settings of the playing strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrengthSettings {
    /// Set if Gaur plays with the strength `elo`.
    pub is_limited: bool,
    /// Strength, [`MIN_ELO`] to [`MAX_ELO`].
    pub elo: u32,
    /// Set if Gaur plays on servers with the strength of a rated opponent.
    pub adapts: bool,
}

/// Settings for messages on chess servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatSettings {
    /// Set if Gaur sends `greeting` and `goodbye` to its opponents.
    pub greet: bool,
    /// Message before the game; empty: none.
    pub greeting: String,
    /// Message after the game; empty: none.
    pub goodbye: String,
    /// Recipients of score and line.
    pub kibitz: Kibitz,
    /// Number of moves between two such messages, at least 1.
    pub kibitz_every: usize,
}

/// Recipients of score and line on a chess server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kibitz {
    /// No recipients.
    #[default]
    Off,
    /// Players and observers (`kibitz`).
    Everybody,
    /// Observers only (`whisper`).
    Observers,
}

/// Settings of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// Folder of the log files; empty: no log.
    pub folder: PathBuf,
    /// Size in mebibytes at which a new log file begins, at least 1.
    pub max_megabytes: u32,
}

impl SearchSettings {
    /// Returns the settings before the table of options has set its defaults. `memory`, `cores` and the search
    /// parameters have no option there, so these values are their defaults.
    pub(super) fn unset() -> SearchSettings {
        SearchSettings {
            hash_megabytes: 64,
            threads: 1,
            multi_pv: 1,
            variety: 0,
            probing: ProbeSettings::default(),
            evaluation: EvaluationChoice::default(),
            parameters: Parameters::default(),
        }
    }
}

impl DrawAndResignSettings {
    /// Returns the settings before the table of options has set its defaults.
    pub(super) fn unset() -> DrawAndResignSettings {
        DrawAndResignSettings {
            resign: 0,
            resign_moves: 1,
            accept_draws: false,
            draw_score: 0,
            offer_draws: 0,
            play_out_below: 0,
        }
    }
}

impl ContemptSettings {
    /// Returns the settings before the table of options has set its defaults.
    pub(super) fn unset() -> ContemptSettings {
        ContemptSettings {
            centipawns: 0,
            is_automatic: false,
        }
    }
}

impl StrengthSettings {
    /// Returns the settings before the table of options has set its defaults.
    pub(super) fn unset() -> StrengthSettings {
        StrengthSettings {
            is_limited: false,
            elo: MIN_ELO,
            adapts: false,
        }
    }
}

impl ChatSettings {
    /// Returns the settings before the table of options has set its defaults.
    pub(super) fn unset() -> ChatSettings {
        ChatSettings {
            greet: false,
            greeting: String::new(),
            goodbye: String::new(),
            kibitz: Kibitz::Off,
            kibitz_every: 1,
        }
    }
}

impl LogSettings {
    /// Returns the settings before the table of options has set its defaults.
    pub(super) fn unset() -> LogSettings {
        LogSettings {
            folder: PathBuf::new(),
            max_megabytes: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn defaults_of_all_parts_come_from_the_table_of_options() {
        assert_eq!(SearchSettings::default().multi_pv, 1);
        let policy = DrawAndResignSettings::default();
        assert!(policy.accept_draws);
        assert_eq!((policy.resign_moves, policy.draw_score), (4, -60));
        assert!(!ChatSettings::default().goodbye.is_empty());
        assert_eq!(LogSettings::default().max_megabytes, 10);
    }

    #[test]
    fn a_file_named_twice_is_not_the_same_file() {
        let mut config = Config::default();
        let mut choices = Vec::new();
        for value in ["a.nnue", "a.nnue", "", " "] {
            assert!(config.set(crate::config::EVAL_FILE, Some(value)).is_ok());
            choices.push(config.search.evaluation.clone());
        }
        assert!(!choices[0].has_same_file(&choices[1]));
        assert!(choices[2].has_same_file(&choices[3]));
        assert!(choices[2].has_same_file(&EvaluationChoice::default()));
    }
}
