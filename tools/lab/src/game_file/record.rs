//! The record of a game: start position, moves with their scores, result and ending.

use gaur::board::{Setup, SetupError};
use gaur::rules::{DrawReason, Outcome, Position, Variant};
use gaur::types::{Color, Move, Score};
use thiserror::Error;

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GameResult {
    /// Black has won.
    BlackWins = 0,
    /// Draw.
    Draw = 1,
    /// White has won.
    WhiteWins = 2,
}

impl GameResult {
    /// All results, in the order of their numbers in files.
    pub const ALL: [GameResult; 3] = [
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::WhiteWins,
    ];

    /// Returns the result of a game that this side has won.
    pub fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Returns White's points: 0, 0.5 or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// Returns the result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::WhiteWins => "1-0",
        }
    }
}

/// Reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// Mate on the board.
    Mate = 0,
    /// Stalemate.
    Stalemate = 1,
    /// Third occurrence of a position.
    Repetition = 2,
    /// The fifty-move rule.
    FiftyMoves = 3,
    /// Neither side can mate.
    InsufficientMaterial = 4,
    /// Adjudicated because the scores of both sides showed the same winner.
    AdjudicatedWin = 5,
    /// Adjudicated because the scores of both sides were near 0.
    AdjudicatedDraw = 6,
    /// Adjudicated as a draw because of its length.
    TooLong = 7,
}

impl Ending {
    /// All endings, in the order of their numbers in files.
    pub const ALL: [Ending; 8] = [
        Ending::Mate,
        Ending::Stalemate,
        Ending::Repetition,
        Ending::FiftyMoves,
        Ending::InsufficientMaterial,
        Ending::AdjudicatedWin,
        Ending::AdjudicatedDraw,
        Ending::TooLong,
    ];

    /// Returns the name shown to the user.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Mate => "mate",
            Ending::Stalemate => "stalemate",
            Ending::Repetition => "repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::InsufficientMaterial => "insufficient material",
            Ending::AdjudicatedWin => "adjudicated win",
            Ending::AdjudicatedDraw => "adjudicated draw",
            Ending::TooLong => "too long",
        }
    }

    /// Returns result and ending of a game that has ended by the rules of chess.
    pub fn of(outcome: Outcome) -> (GameResult, Ending) {
        match outcome {
            Outcome::Mate { winner } => (GameResult::won_by(winner), Ending::Mate),
            Outcome::Draw(reason) => {
                let ending = match reason {
                    DrawReason::Stalemate => Ending::Stalemate,
                    DrawReason::Repetition => Ending::Repetition,
                    DrawReason::FiftyMoves => Ending::FiftyMoves,
                    DrawReason::InsufficientMaterial => Ending::InsufficientMaterial,
                };
                (GameResult::Draw, ending)
            }
        }
    }
}

/// A move that was played, with the score of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Score for the side that played the move, in centipawns, or a mate score.
    pub score: Score,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Standard chess or Fischer Random.
    pub variant: Variant,
    /// Position before the first recorded move.
    pub start: Setup,
    /// Nodes per move on average; 0 if unknown. Version 1 of the file format stores the number of nodes after which no
    /// further iteration starts.
    pub nodes: u32,
    /// Moves played.
    pub moves: Vec<ScoredMove>,
    /// Result.
    pub result: GameResult,
    /// Reason for the end.
    pub ending: Ending,
}

/// Reason why a game is illegal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IllegalGame {
    /// The start position cannot occur.
    #[error("impossible start position: {0}")]
    Start(#[source] SetupError),
    /// A move cannot be played. Its number is counted from 0.
    #[error("half-move {} is illegal", .0 + 1)]
    Move(usize),
    /// The game was over before this move. Its number is counted from 0.
    #[error("half-move {} follows the end of the game", .0 + 1)]
    After(usize),
    /// Result or ending do not agree with the last position.
    #[error("the result is not that of the last position")]
    Result,
}

impl GameRecord {
    /// Returns the start position.
    ///
    /// # Errors
    /// If it cannot occur.
    pub fn start_position(&self) -> Result<Position, IllegalGame> {
        Position::from_setup(&self.start, self.variant).map_err(IllegalGame::Start)
    }

    /// Calls `visit` with each position and the move played in it, in order, and returns the last position.
    ///
    /// # Errors
    /// If the start position or a move is impossible. `visit` has been called with the moves before it.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Position, ScoredMove),
    ) -> Result<Position, IllegalGame> {
        let mut position = self.start_position()?;
        for (ply, &scored) in self.moves.iter().enumerate() {
            if !position.is_legal(scored.mv) {
                return Err(IllegalGame::Move(ply));
            }
            visit(&position, scored);
            let _ = position.play(scored.mv);
        }
        Ok(position)
    }

    /// Checks that all moves are legal, that no move follows the end, and that result and ending agree with the last
    /// position.
    ///
    /// # Errors
    /// If one of these conditions is not met: the first one.
    pub fn verify(&self) -> Result<(), IllegalGame> {
        let mut early = None;
        let mut ply = 0;
        let last = self.replay(|position, _| {
            if early.is_none() && position.outcome().is_some() {
                early = Some(ply);
            }
            ply += 1;
        })?;
        if let Some(ply) = early {
            return Err(IllegalGame::After(ply));
        }
        let agrees = match (last.outcome().map(Ending::of), self.ending) {
            (Some(end), _) => end == (self.result, self.ending),
            (None, Ending::AdjudicatedWin) => self.result != GameResult::Draw,
            (None, Ending::AdjudicatedDraw | Ending::TooLong) => self.result == GameResult::Draw,
            (None, _) => false,
        };
        if agrees {
            Ok(())
        } else {
            Err(IllegalGame::Result)
        }
    }
}
