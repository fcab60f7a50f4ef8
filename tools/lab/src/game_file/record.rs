//! One game: where it began, its moves with their scores, and how it ended.

use std::fmt;

use gaur::board::Setup;
use gaur::rules::{DrawReason, Outcome, Position, Variant};
use gaur::types::{Color, Move, Score};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GameResult {
    /// Black.
    BlackWins = 0,
    /// Nobody.
    Draw = 1,
    /// White.
    WhiteWins = 2,
}

impl GameResult {
    /// All results by their numbers.
    pub const ALL: [GameResult; 3] = [
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::WhiteWins,
    ];

    /// The result when this side wins.
    pub fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// White's points: 0, a half, or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::WhiteWins => "1-0",
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// Mate on the board.
    Mate = 0,
    /// Stalemate.
    Stalemate = 1,
    /// The same position for the third time.
    Repetition = 2,
    /// The fifty-move rule.
    FiftyMoves = 3,
    /// Nobody can mate.
    InsufficientMaterial = 4,
    /// Stopped because both sides agreed who wins.
    AdjudicatedWin = 5,
    /// Stopped because both sides saw a dead draw.
    AdjudicatedDraw = 6,
    /// Stopped as a draw because it had become too long.
    TooLong = 7,
}

impl Ending {
    /// All endings by their numbers.
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

    /// What a reader calls it.
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

    /// Result and ending of a game that is over on the board.
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

/// A move that was played and what its search said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// For the side that played it: centipawns or a distance to mate.
    pub score: Score,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Standard chess or Fischer Random.
    pub variant: Variant,
    /// The position in which the players began to think.
    pub start: Setup,
    /// Nodes per move on average; 0 if unknown. Version 1 of the file format stores the number of nodes after which no
    /// further iteration starts.
    pub nodes: u32,
    /// What they played.
    pub moves: Vec<ScoredMove>,
    /// Who won.
    pub result: GameResult,
    /// Why it was over.
    pub ending: Ending,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalGame {
    /// The start position cannot occur.
    Start(gaur::board::SetupError),
    /// A move cannot be played; by its number, from 0.
    Move(usize),
    /// The game was over before this move, from 0.
    After(usize),
    /// The last position says something else than the result or the ending.
    Result,
}

impl fmt::Display for IllegalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalGame::Start(error) => write!(f, "impossible start position: {error}"),
            IllegalGame::Move(ply) => write!(f, "half-move {} is illegal", ply + 1),
            IllegalGame::After(ply) => {
                write!(f, "half-move {} follows the end of the game", ply + 1)
            }
            IllegalGame::Result => f.write_str("the result is not that of the last position"),
        }
    }
}

impl std::error::Error for IllegalGame {}

impl GameRecord {
    /// The position at the start.
    ///
    /// # Errors
    /// If it cannot occur.
    pub fn start_position(&self) -> Result<Position, IllegalGame> {
        Position::from_setup(&self.start, self.variant).map_err(IllegalGame::Start)
    }

    /// Shows each position with the move played there, in order, and returns the last position.
    ///
    /// # Errors
    /// If the start position or a move is impossible; `visit` has seen what came before.
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

    /// Checks that all moves are legal, that none follows the end, and that the end is what the record says.
    ///
    /// # Errors
    /// The first thing that is wrong.
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
