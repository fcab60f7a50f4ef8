//! What has happened in this game so far: where it began, what was played, where it stands.
//!
//! A GUI can also set up a position that is no chess position. Then there is a game in which nothing can be
//! played, and nobody has to remember that: [`Game::position`] is `None`.

mod alternative;
mod players;

pub use players::Players;

use crate::clock::Clocks;
use crate::rules::{Outcome, PlayedMove, Position, Setup, Variant};
use crate::types::{Color, Move};

/// One half-move of the game.
#[derive(Clone, Debug)]
struct Turn {
    played: PlayedMove,
    /// The answer the engine expects to it.
    expected: Option<Move>,
    /// The clocks as they were before it.
    clocks: Clocks,
}

/// A position that can be played from, and how it came about.
#[derive(Clone, Debug)]
struct Line {
    position: Position,
    turns: Vec<Turn>,
}

impl Line {
    fn new(position: Position) -> Line {
        Line {
            position,
            turns: Vec::new(),
        }
    }
}

/// The record of a game.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    /// `None` after an impossible position was set up.
    line: Option<Line>,
    /// The impossible position, for whoever wants to mend it.
    impossible: Option<Setup>,
    /// The game before [`Game::set_side_to_move`] gave the move to the other side, until something is played.
    before_turn_change: Option<Line>,
    /// The game that the moves so far fit as well; `None` after anything but a move.
    alternative: Option<Box<Game>>,
}

impl Game {
    /// A game from the usual start position of the variant. In Fischer Random that is the one set-up of the
    /// 960 that looks like normal chess.
    pub fn new(variant: Variant) -> Game {
        match variant {
            Variant::Standard => Game::from_position(Position::standard()),
            other => {
                Game::from_position(Position::new(Position::standard().board().clone(), other))
            }
        }
    }

    /// A game that begins at this position.
    pub fn from_position(position: Position) -> Game {
        Game {
            variant: position.variant(),
            line: Some(Line::new(position)),
            impossible: None,
            before_turn_change: None,
            alternative: None,
        }
    }

    /// A game in which nothing can be played, at this impossible position.
    pub fn unplayable(setup: Setup, variant: Variant) -> Game {
        Game {
            variant,
            line: None,
            impossible: Some(setup),
            before_turn_change: None,
            alternative: None,
        }
    }

    /// The rules it is played by.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The present position; `None` when it is impossible.
    pub fn position(&self) -> Option<&Position> {
        self.line.as_ref().map(|line| &line.position)
    }

    /// What stands on the board, be it possible or not.
    pub fn setup(&self) -> Setup {
        match (self.position(), &self.impossible) {
            (Some(position), _) => position.board().to_setup(),
            (None, Some(setup)) => setup.clone(),
            (None, None) => Setup::empty(),
        }
    }

    /// How the game has ended on the board, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position()?.outcome()
    }

    /// Half-moves played since the start or the last set-up.
    pub fn len(&self) -> usize {
        self.line.as_ref().map_or(0, |line| line.turns.len())
    }

    /// Whether nothing has been played yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plays a move if it is legal now, and says whether it was. The clocks are remembered for a take-back.
    pub fn play(&mut self, mv: Move, clocks: Clocks) -> bool {
        let Some(line) = self.line.as_mut().filter(|line| line.position.is_legal(mv)) else {
            return false;
        };
        let played = line.position.play(mv);
        line.turns.push(Turn {
            played,
            expected: None,
            clocks,
        });
        self.before_turn_change = None;
        self.play_in_alternative(mv, clocks);
        true
    }

    /// Takes back the last half-move; gives the clocks as they were before it, `None` if there is none.
    pub fn take_back(&mut self) -> Option<Clocks> {
        let line = self.line.as_mut()?;
        let turn = line.turns.pop()?;
        line.position.take_back(turn.played);
        self.before_turn_change = None;
        self.alternative = None;
        Some(turn.clocks)
    }

    /// The last half-move.
    pub fn last_move(&self) -> Option<Move> {
        Some(self.line.as_ref()?.turns.last()?.played.mv())
    }

    /// The clocks as they were before the half-move made so many half-moves ago, 1 being the last.
    pub fn clocks_before(&self, ago: usize) -> Option<&Clocks> {
        let turns = &self.line.as_ref()?.turns;
        Some(&turns[turns.len().checked_sub(ago)?..].first()?.clocks)
    }

    /// The game without `gone` half-moves, but with the `kept` ones that came after them, and the clocks as they were
    /// before the first that is gone. `None` if there are fewer, or if those kept are not legal then.
    pub fn with_moves_removed(&self, gone: usize, kept: usize) -> Option<(Game, Clocks)> {
        let mut game = self.clone();
        let mut again = Vec::with_capacity(kept);
        for _ in 0..kept {
            let mv = game.line.as_ref()?.turns.last()?.played.mv();
            again.push((mv, game.take_back()?));
        }
        let mut clocks = None;
        for _ in 0..gone {
            clocks = Some(game.take_back()?);
        }
        let replayed = again.into_iter().rev().all(|(mv, at)| game.play(mv, at));
        clocks.filter(|_| replayed).map(|clocks| (game, clocks))
    }

    /// Notes the answer that the engine expects to the last move; kept only if it is legal.
    pub fn set_ponder_move(&mut self, answer: Option<Move>) {
        if let Some(line) = &mut self.line
            && let Some(turn) = line.turns.last_mut()
        {
            turn.expected = answer.filter(|&mv| line.position.is_legal(mv));
        }
    }

    /// The answer expected to the last move, legal now.
    pub fn ponder_move(&self) -> Option<Move> {
        self.line.as_ref()?.turns.last()?.expected
    }

    /// Gives the move to `color` (the old commands `white` and `black`), as at the start of a game: what was played
    /// is forgotten, unless the next thing is that the move is given back. Does nothing when `color` is on move
    /// or when the position would be impossible.
    pub fn set_side_to_move(&mut self, color: Color) {
        let Some(line) = self
            .line
            .as_mut()
            .filter(|line| line.position.side_to_move() != color)
        else {
            return;
        };
        self.alternative = None;
        if let Some(before) = self.before_turn_change.take() {
            *line = before;
            return;
        }
        if let Some(turned) = turned(&line.position, color) {
            self.before_turn_change = Some(std::mem::replace(line, Line::new(turned)));
        }
    }
}

/// The position with `color` on move.
fn turned(position: &Position, color: Color) -> Option<Position> {
    let mut setup = position.board().to_setup();
    setup.side_to_move = color;
    setup.en_passant = None;
    Position::from_setup(&setup, position.variant()).ok()
}
