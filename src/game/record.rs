//! The record of a game: its start position, the moves played, and the current position.
//!
//! A GUI can also set up an illegal position. No move can be played in such a game, and [`Game::position`] is `None`.

use crate::clock::Clocks;
use crate::rules::{Odds, Outcome, PlayedMove, Position, Setup, Variant};
use crate::types::{Color, Move};

/// One half-move of the game.
#[derive(Clone, Debug)]
struct HalfMove {
    played: PlayedMove,
    /// Expected reply.
    ponder_move: Option<Move>,
    /// Clocks before the half-move.
    clocks: Clocks,
}

/// The moves of a game and the legal position after them.
#[derive(Clone, Debug)]
struct Line {
    position: Position,
    half_moves: Vec<HalfMove>,
}

impl Line {
    fn new(position: Position) -> Line {
        Line {
            position,
            half_moves: Vec::new(),
        }
    }
}

/// The record of a game.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    /// Odds of the start position or the last set-up.
    odds: Option<Odds>,
    /// Moves and position; `None` if the position is illegal.
    line: Option<Line>,
    /// Illegal position, which edit mode can correct.
    illegal: Option<Setup>,
    /// Moves before [`Game::set_side_to_move`] changed the side to move, until the next move.
    before_side_change: Option<Line>,
    /// Alternative game while a takeback is uncertain. Anything but a move removes it.
    pub(super) alternative: Option<Box<Game>>,
}

impl Game {
    /// Creates a game from the start position of the variant. In Fischer Random it is the start position of normal
    /// chess.
    pub fn new(variant: Variant) -> Game {
        match variant {
            Variant::Standard => Game::from_position(Position::standard()),
            other => {
                Game::from_position(Position::new(Position::standard().board().clone(), other))
            }
        }
    }

    /// Creates a game that begins at this position.
    pub fn from_position(position: Position) -> Game {
        Game {
            variant: position.variant(),
            odds: Odds::of(position.board(), position.variant()),
            line: Some(Line::new(position)),
            illegal: None,
            before_side_change: None,
            alternative: None,
        }
    }

    /// Creates a game at this illegal position. No move can be played in it.
    pub fn unplayable(setup: Setup, variant: Variant) -> Game {
        Game {
            variant,
            odds: None,
            line: None,
            illegal: Some(setup),
            before_side_change: None,
            alternative: None,
        }
    }

    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the odds of the start position or the last set-up, if there are any.
    pub fn odds(&self) -> Option<&Odds> {
        self.odds.as_ref()
    }

    /// Returns the current position, or `None` if it is illegal.
    pub fn position(&self) -> Option<&Position> {
        self.line.as_ref().map(|line| &line.position)
    }

    /// Returns the current position as a setup, even if it is illegal.
    pub fn setup(&self) -> Setup {
        match (self.position(), &self.illegal) {
            (Some(position), _) => position.board().to_setup(),
            (None, Some(setup)) => setup.clone(),
            (None, None) => Setup::empty(),
        }
    }

    /// Returns the outcome if the game is over on the board.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position()?.outcome()
    }

    /// Returns the number of half-moves since the start position or the last set-up.
    pub fn len(&self) -> usize {
        self.line.as_ref().map_or(0, |line| line.half_moves.len())
    }

    /// Returns `true` if no move has been played.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plays a move and returns `true`, or returns `false` if it is illegal. The clocks are restored by a takeback.
    pub fn play(&mut self, mv: Move, clocks: Clocks) -> bool {
        let Some(line) = self.line.as_mut().filter(|line| line.position.is_legal(mv)) else {
            return false;
        };
        let played = line.position.play(mv);
        line.half_moves.push(HalfMove {
            played,
            ponder_move: None,
            clocks,
        });
        self.before_side_change = None;
        self.play_in_alternative(mv, clocks);
        true
    }

    /// Takes back the last half-move and returns the clocks before it, or `None` if there is none.
    pub fn take_back(&mut self) -> Option<Clocks> {
        let line = self.line.as_mut()?;
        let half_move = line.half_moves.pop()?;
        line.position.take_back(half_move.played);
        self.before_side_change = None;
        self.alternative = None;
        Some(half_move.clocks)
    }

    /// Returns the moves since the start position or the last set-up.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        let half_moves = self.line.iter().flat_map(|line| &line.half_moves);
        half_moves.map(|half_move| half_move.played.mv())
    }

    /// Returns the position before the first of [`Game::moves`], or `None` if the position is illegal.
    pub fn start(&self) -> Option<Position> {
        let mut game = self.clone();
        while game.take_back().is_some() {}
        game.line.map(|line| line.position)
    }

    /// Returns the last half-move.
    pub fn last_move(&self) -> Option<Move> {
        Some(self.line.as_ref()?.half_moves.last()?.played.mv())
    }

    /// Returns the clocks before the last `count` half-moves.
    pub fn clocks_before(&self, count: usize) -> Option<&Clocks> {
        let half_moves = &self.line.as_ref()?.half_moves;
        Some(
            &half_moves[half_moves.len().checked_sub(count)?..]
                .first()?
                .clocks,
        )
    }

    /// Returns the game without `removed` half-moves that precede the last `kept` ones, and the clocks before the first
    /// removed half-move. Returns `None` if the game is shorter, or if the later half-moves are then illegal.
    pub fn with_moves_removed(&self, removed: usize, kept: usize) -> Option<(Game, Clocks)> {
        let mut game = self.clone();
        let mut later = Vec::with_capacity(kept);
        for _ in 0..kept {
            let mv = game.line.as_ref()?.half_moves.last()?.played.mv();
            later.push((mv, game.take_back()?));
        }
        let mut clocks = None;
        for _ in 0..removed {
            clocks = Some(game.take_back()?);
        }
        let replayed = later.into_iter().rev().all(|(mv, at)| game.play(mv, at));
        clocks.filter(|_| replayed).map(|clocks| (game, clocks))
    }

    /// Sets the expected reply to the last move; an illegal one is ignored.
    pub fn set_ponder_move(&mut self, reply: Option<Move>) {
        if let Some(line) = &mut self.line
            && let Some(half_move) = line.half_moves.last_mut()
        {
            half_move.ponder_move = reply.filter(|&mv| line.position.is_legal(mv));
        }
    }

    /// Returns the expected reply to the last move, which is legal in the current position.
    pub fn ponder_move(&self) -> Option<Move> {
        self.line.as_ref()?.half_moves.last()?.ponder_move
    }

    /// Sets the side to move (the old commands `white` and `black`), as in a new game: the moves are removed. Setting
    /// it back before the next move restores them. Has no effect if `color` is to move already, or if the position
    /// would be illegal.
    pub fn set_side_to_move(&mut self, color: Color) {
        let Some(line) = self
            .line
            .as_mut()
            .filter(|line| line.position.side_to_move() != color)
        else {
            return;
        };
        self.alternative = None;
        if let Some(before) = self.before_side_change.take() {
            *line = before;
            return;
        }
        if let Some(turned) = with_side_to_move(&line.position, color) {
            self.before_side_change = Some(std::mem::replace(line, Line::new(turned)));
        }
    }
}

/// Returns the position with `color` to move, unless it is illegal.
fn with_side_to_move(position: &Position, color: Color) -> Option<Position> {
    let mut setup = position.board().to_setup();
    setup.side_to_move = color;
    setup.en_passant = None;
    Position::from_setup(&setup, position.variant()).ok()
}
