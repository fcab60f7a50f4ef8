//! A position in a game: the board, the variant, and the keys of the positions before it.

use crate::board::{Board, Setup, Undo};
use crate::types::{Color, Key, Move, MoveList};

use super::outcome::is_material_insufficient;
use super::{DrawReason, Outcome, Variant};

/// Half-moves without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u16 = 100;

/// A board with what the rules need to know of its past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    variant: Variant,
    /// Keys of all earlier positions of the game, oldest first.
    earlier: Vec<Key>,
}

/// Information that [`Position::take_back`] needs.
#[must_use = "without it the move cannot be taken back"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    mv: Move,
    undo: Undo,
}

impl PlayedMove {
    /// The move itself.
    pub fn mv(&self) -> Move {
        self.mv
    }
}

impl Position {
    /// The position in which games of chess begin.
    pub fn standard() -> Position {
        Position::new(Board::standard(), Variant::Standard)
    }

    /// A position without past.
    pub fn new(board: Board, variant: Variant) -> Position {
        Position {
            board,
            variant,
            earlier: Vec::new(),
        }
    }

    /// A position without past from a setup.
    ///
    /// # Errors
    /// Returns an error if the setup is not a legal position.
    pub fn from_setup(
        setup: &Setup,
        variant: Variant,
    ) -> Result<Position, crate::board::SetupError> {
        Ok(Position::new(Board::from_setup(setup)?, variant))
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Keys of the positions since the last capture or pawn move, oldest first, this one not included: all that can
    /// be repeated.
    pub fn earlier_keys(&self) -> &[Key] {
        let length = usize::from(self.board.halfmove_clock()).min(self.earlier.len());
        &self.earlier[self.earlier.len() - length..]
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.board.legal_moves()
    }

    /// Returns `true` if a move is legal, for any content of its bits.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) -> PlayedMove {
        self.earlier.push(self.board.key());
        let undo = self.board.make(mv);
        PlayedMove { mv, undo }
    }

    /// Takes back the last move played.
    pub fn take_back(&mut self, played: PlayedMove) {
        self.board.unmake(played.mv, played.undo);
        self.earlier.pop();
    }

    /// Returns the number of occurrences of this position, the current one included.
    pub fn occurrences(&self) -> usize {
        let key = self.board.key();
        1 + self
            .earlier_keys()
            .iter()
            .filter(|&&earlier| earlier == key)
            .count()
    }

    /// Returns the result if the game is over. Mate has precedence over every draw.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.board.count_legal() == 0 {
            return Some(if self.board.in_check() {
                Outcome::Mate {
                    winner: !self.side_to_move(),
                }
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        let reason = if is_material_insufficient(&self.board) {
            DrawReason::InsufficientMaterial
        } else if self.board.halfmove_clock() >= FIFTY_MOVES {
            DrawReason::FiftyMoves
        } else if self.occurrences() >= 3 {
            DrawReason::Repetition
        } else {
            return None;
        };
        Some(Outcome::Draw(reason))
    }
}
