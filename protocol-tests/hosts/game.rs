//! The game according to the lines of a host, followed by a chess library that is independent of the engine.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, PositionError};

/// A game with all its positions.
#[derive(Clone)]
pub struct Game {
    /// Positions, the current one last; never empty.
    positions: Vec<Chess>,
    castling: CastlingMode,
    /// Not set after an impossible position, in which no move can be checked.
    possible: bool,
}

impl Game {
    /// Returns a game of normal chess at the start position.
    pub fn new() -> Game {
        Game {
            positions: vec![Chess::default()],
            castling: CastlingMode::Standard,
            possible: true,
        }
    }

    /// Records a line from the host.
    pub fn record_host_line(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "new" => *self = Game::new(),
            "variant" => self.set_variant(rest),
            "setboard" => self.set(rest),
            "usermove" => self.play(rest)?,
            "undo" => self.take_back(1)?,
            "remove" => self.take_back(2)?,
            _ => {}
        }
        Ok(())
    }

    /// Sets the variant.
    fn set_variant(&mut self, name: &str) {
        self.castling = if name == "fischerandom" {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
    }

    /// Sets the position.
    fn set(&mut self, fen: &str) {
        let position = Fen::from_ascii(fen.trim().as_bytes()).ok().and_then(|fen| {
            fen.into_position(self.castling)
                .or_else(PositionError::ignore_too_much_material)
                .ok()
        });
        self.possible = position.is_some();
        self.positions = vec![position.unwrap_or_default()];
    }

    /// Plays a move in coordinates or SAN.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        if !self.possible {
            return Ok(());
        }
        let position = self.position();
        let chosen =
            read_move(position, text).ok_or_else(|| format!("not a legal move: {text}"))?;
        let mut next = position.clone();
        next.play_unchecked(chosen);
        self.positions.push(next);
        Ok(())
    }

    /// Takes back this number of moves.
    fn take_back(&mut self, moves: usize) -> Result<(), String> {
        if self.positions.len() <= moves {
            return Err(format!("{moves} moves cannot be taken back"));
        }
        self.positions.truncate(self.positions.len() - moves);
        Ok(())
    }

    /// Returns the current position.
    pub fn position(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns `true` if a claim such as `1/2-1/2 {Stalemate}` agrees with the board.
    pub fn ends_as(&self, claim: &str) -> bool {
        let position = self.position();
        let mate = position.is_checkmate();
        match claim {
            _ if !self.possible => true,
            "1-0 {White mates}" => mate && position.turn() == Color::Black,
            "0-1 {Black mates}" => mate && position.turn() == Color::White,
            "1/2-1/2 {Stalemate}" => position.is_stalemate(),
            "1/2-1/2 {Insufficient material}" => position.is_insufficient_material(),
            "1/2-1/2 {Draw by repetition}" => self.is_repeated(),
            // A mate has precedence.
            "1/2-1/2 {50-move rule}" => !mate && position.halfmoves() >= 100,
            _ => false,
        }
    }

    /// Returns `true` if a draw by repetition or by the fifty-move rule can be claimed.
    pub fn is_drawn(&self) -> bool {
        !self.possible || self.is_repeated() || self.position().halfmoves() >= 100
    }

    /// Returns `true` late in a game, when an even score is reason enough for a draw offer.
    pub fn is_late(&self) -> bool {
        self.positions.len() > 80 || self.position().board().occupied().count() <= 7
    }

    fn is_repeated(&self) -> bool {
        let now = self.position();
        self.positions.iter().filter(|one| *one == now).count() >= 3
    }

    /// Returns `true` for a legal move.
    pub fn allows(&self, text: &str) -> bool {
        !self.possible || read_move(self.position(), text).is_some()
    }

    /// Returns `true` if this is the number of legal moves.
    pub fn has_moves(&self, count: usize) -> bool {
        !self.possible || self.position().legal_moves().len() == count
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }
}

fn read_move(position: &Chess, text: &str) -> Option<Move> {
    match UciMove::from_ascii(text.as_bytes()) {
        Ok(coordinates) => coordinates.to_move(position).ok(),
        Err(_) => San::from_ascii(text.as_bytes())
            .ok()?
            .to_move(position)
            .ok(),
    }
}
