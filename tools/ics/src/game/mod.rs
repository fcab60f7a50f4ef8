//! One game on the server: its positions and moves, as the board lines of the server show them.

mod notation;
#[cfg(test)]
mod tests;

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError,
};

use crate::text::{Board, ListedMove, Relation};

/// A half-move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Coordinates, as xboard engines expect them: `e2e4`, `e7e8q`, `O-O` in Fischer Random chess.
    pub coordinates: String,
    /// Standard algebraic notation, with `+` and `#`.
    pub san: String,
    /// Thinking time that the server has charged; `None` if it has not shown it.
    pub spent: Option<Duration>,
    /// Clock of the mover after the move; `None` for a move from a move list.
    pub clock: Option<Duration>,
}

/// A legal move of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// Text that servers accept: `e2e4`, `e7e8=q`, `O-O`.
    pub for_server: String,
    /// Coordinates, as in [`PlayedMove::coordinates`].
    pub coordinates: String,
}

/// Difference between a board line and the game so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// No new half-move.
    Same,
    /// This number of new half-moves.
    Moves(usize),
    /// This number of half-moves has been taken back.
    Takeback(usize),
    /// A position that the game does not explain. The game begins anew with it.
    Replaced,
}

/// Reason why the client cannot follow a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The line belongs to a game of others or to an examined game.
    #[error("the board is not of an own game")]
    NotOwn,
    /// The squares, the castling rights or the king make no position.
    #[error("the server shows an impossible position: {0}")]
    Position(String),
    /// The move list does not lead to the position of the board.
    #[error("the server's move list does not lead to its board")]
    MoveList,
    /// The engine's move.
    #[error("{0} is not a legal move")]
    Illegal(String),
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    own: Color,
    mode: CastlingMode,
    start: Chess,
    /// Half-moves of the server's count before `start`.
    start_ply: usize,
    positions: Vec<Chess>,
    moves: Vec<PlayedMove>,
}

impl Game {
    /// Begins a game with the position of a board line.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is not of an own game or shows an impossible position.
    pub fn start(board: &Board, fischer_random: bool) -> Result<Game, GameError> {
        let own = own_color(board).ok_or(GameError::NotOwn)?;
        let mode = CastlingMode::from_chess960(fischer_random);
        let start = position(board, mode)?;
        Ok(Game {
            board: board.clone(),
            own,
            mode,
            start_ply: half_moves(board),
            positions: vec![start.clone()],
            start,
            moves: Vec::new(),
        })
    }

    /// Continues an interrupted game: the moves lead from the start position to the board.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is not of an own game, or the moves do not lead to it.
    pub fn resume(board: &Board, moves: &[ListedMove]) -> Result<Game, GameError> {
        let mut first = board.clone();
        first.move_number = 1;
        first.white_to_move = true;
        let own = own_color(board).ok_or(GameError::NotOwn)?;
        let mut game = Game {
            board: first,
            own,
            mode: CastlingMode::Standard,
            start: Chess::default(),
            start_ply: 0,
            positions: vec![Chess::default()],
            moves: Vec::new(),
        };
        for listed in moves {
            let san: SanPlus = listed.san.parse().map_err(|_| GameError::MoveList)?;
            let mv = san
                .san
                .to_move(game.position())
                .map_err(|_| GameError::MoveList)?;
            game.push(mv, Some(listed.time), None);
        }
        let leads_here =
            game.moves.len() == half_moves(board) && placement(game.position()) == board.placement;
        game.board = board.clone();
        if leads_here {
            Ok(game)
        } else {
            Err(GameError::MoveList)
        }
    }

    /// Compares a board line of the same game with the game and follows it.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is not of an own game or shows an impossible position; the game is then unchanged.
    pub fn update(&mut self, board: &Board) -> Result<Change, GameError> {
        if own_color(board) != Some(self.own) {
            return Err(GameError::NotOwn);
        }
        let change = match half_moves(board).checked_sub(self.start_ply) {
            Some(index) if index <= self.moves.len() && self.shows(index, board) => {
                let taken_back = self.moves.len() - index;
                self.moves.truncate(index);
                self.positions.truncate(index + 1);
                if taken_back == 0 {
                    Change::Same
                } else {
                    Change::Takeback(taken_back)
                }
            }
            Some(index) if index > self.moves.len() => {
                match self.explain(board, index - self.moves.len()) {
                    Some(moves) => self.follow(&moves, board),
                    None => self.replace(board)?,
                }
            }
            _ => self.replace(board)?,
        };
        self.board = board.clone();
        Ok(change)
    }

    /// Returns the last board line.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the own colour.
    pub fn own(&self) -> Color {
        self.own
    }

    /// Returns `true` if it is the own turn.
    pub fn is_own_turn(&self) -> bool {
        self.position().turn() == self.own
    }

    /// Returns `true` in Fischer Random chess.
    pub fn is_fischer_random(&self) -> bool {
        self.mode.is_chess960()
    }

    /// Returns the number of half-moves that the server counts from the start of the game to now.
    pub fn ply(&self) -> usize {
        self.start_ply + self.moves.len()
    }

    /// Returns the half-moves since the start position.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Returns the current position.
    pub fn position(&self) -> &Chess {
        self.positions.last().unwrap_or(&self.start)
    }

    /// Returns the start position as a FEN record, or `None` if it is that of chess.
    pub fn start_fen(&self) -> Option<String> {
        let is_usual = self.start == Chess::default() && !self.mode.is_chess960();
        (!is_usual).then(|| Fen::from_position(&self.start, EnPassantMode::Legal).to_string())
    }

    /// Returns the opponent's name.
    pub fn opponent(&self) -> &str {
        self.own.fold_wb(&self.board.black, &self.board.white)
    }

    /// Returns a line of the engine that begins with the last half-move in algebraic notation, from the first move on
    /// that cannot be read as the engine has written it.
    pub fn algebraic_line(&self, line: &str) -> String {
        let before = self.positions.len().checked_sub(2);
        let Some(mut position) = before.and_then(|index| self.positions.get(index).cloned()) else {
            return line.to_string();
        };
        let mut is_readable = true;
        let mut words = Vec::new();
        for word in line.split_whitespace() {
            // Numbers of moves remain.
            let is_number = word.trim_end_matches('.').parse::<u32>().is_ok();
            let mv =
                notation::read(word, &position, self.mode).filter(|_| is_readable && !is_number);
            is_readable &= is_number || mv.is_some();
            words.push(match mv {
                Some(mv) => SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string(),
                None => word.to_string(),
            });
        }
        words.join(" ")
    }

    /// Reads a move of the engine.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a legal move in the current position.
    pub fn read_move(&self, text: &str) -> Result<EngineMove, GameError> {
        let mv = notation::read(text, self.position(), self.mode)
            .ok_or_else(|| GameError::Illegal(text.to_string()))?;
        Ok(EngineMove {
            for_server: notation::for_server(mv),
            coordinates: notation::for_engine(mv, self.mode),
        })
    }

    /// Returns `true` if the board shows the position after this number of moves.
    fn shows(&self, index: usize, board: &Board) -> bool {
        self.positions
            .get(index)
            .is_some_and(|known| is_position(known, board))
    }

    /// Searches one or two moves that lead to the board.
    fn explain(&self, board: &Board, distance: usize) -> Option<Vec<Move>> {
        let from = self.position();
        for first in from.legal_moves() {
            let mut after = from.clone();
            after.play_unchecked(first);
            if distance == 1 {
                if is_position(&after, board) {
                    return Some(vec![first]);
                }
                continue;
            }
            if distance > 2 {
                return None;
            }
            for second in after.legal_moves() {
                let mut end = after.clone();
                end.play_unchecked(second);
                if is_position(&end, board) {
                    return Some(vec![first, second]);
                }
            }
        }
        None
    }

    fn follow(&mut self, moves: &[Move], board: &Board) -> Change {
        for (index, mv) in moves.iter().enumerate() {
            let is_last = index + 1 == moves.len();
            let clock = self
                .position()
                .turn()
                .fold_wb(board.white_time, board.black_time);
            let spent = is_last.then_some(board.last_time);
            self.push(*mv, spent, is_last.then(|| to_duration(clock)));
        }
        Change::Moves(moves.len())
    }

    fn push(&mut self, mv: Move, spent: Option<Duration>, clock: Option<Duration>) {
        let mut after = self.position().clone();
        let coordinates = notation::for_engine(mv, self.mode);
        let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
        self.positions.push(after);
        self.moves.push(PlayedMove {
            coordinates,
            san,
            spent,
            clock,
        });
    }

    fn replace(&mut self, board: &Board) -> Result<Change, GameError> {
        *self = Game::start(board, self.mode.is_chess960())?;
        Ok(Change::Replaced)
    }
}

/// Returns the colour of the own pieces, or `None` for games of others, examined games and set-up boards.
fn own_color(board: &Board) -> Option<Color> {
    match board.relation {
        Relation::PlayingMyMove => Some(Color::from_white(board.white_to_move)),
        Relation::PlayingOpponentToMove => Some(Color::from_white(!board.white_to_move)),
        _ => None,
    }
}

/// Returns the number of half-moves before the position of the board, as the server counts.
pub fn half_moves(board: &Board) -> usize {
    let full_moves = usize::try_from(board.move_number.saturating_sub(1)).unwrap_or(0);
    full_moves.saturating_mul(2) + usize::from(!board.white_to_move)
}

fn placement(position: &Chess) -> String {
    position.board().board_fen().to_string()
}

fn is_position(position: &Chess, board: &Board) -> bool {
    position.turn().is_white() == board.white_to_move && placement(position) == board.placement
}

/// Reads the position of a board line. Servers also show castling rights and en passant squares without use.
fn position(board: &Board, mode: CastlingMode) -> Result<Chess, GameError> {
    let right = |index: usize, letter: char| {
        board
            .castling
            .get(index)
            .copied()
            .unwrap_or(false)
            .then_some(letter)
    };
    let rights: String = [(0, 'K'), (1, 'Q'), (2, 'k'), (3, 'q')]
        .into_iter()
        .filter_map(|(index, letter)| right(index, letter))
        .collect();
    let en_passant = match board.double_push {
        // The side to move captures behind the pawn of the other side.
        Some(file @ 0..8) => format!(
            "{}{}",
            char::from(b'a' + file),
            if board.white_to_move { 6 } else { 3 }
        ),
        _ => "-".to_string(),
    };
    let fen = format!(
        "{} {} {} {en_passant} {} {}",
        board.placement,
        if board.white_to_move { 'w' } else { 'b' },
        if rights.is_empty() { "-" } else { &rights },
        board.irreversible,
        board.move_number.max(1),
    );
    let invalid = |error: &dyn std::fmt::Display| GameError::Position(format!("{fen} ({error})"));
    let parsed: Fen = fen.parse().map_err(|error| invalid(&error))?;
    Chess::from_setup(parsed.into_setup(), mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| invalid(&error))
}

/// Converts a clock of the server, which may be below zero.
fn to_duration(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}
