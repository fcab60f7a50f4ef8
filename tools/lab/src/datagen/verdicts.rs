//! When a game that tools play is over: by the rules, or because both sides have agreed on it for long.

use crate::game_file::{Ending, GameResult};
use gaur::rules::Position;
use gaur::types::{Color, Score};

/// When games are ended that the rules would let go on. Scores in centipawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// A game is decided when both sides have agreed on this advantage, ...
    pub decided: i32,
    /// ... for so many half-moves.
    pub decided_plies: usize,
    /// A game is a dead draw when no score has been above this ...
    pub dead: i32,
    /// ... for so many half-moves, ...
    pub dead_plies: usize,
    /// ... and the position has at least this move number.
    pub dead_from_move: u16,
    /// A game of so many half-moves is called a draw.
    pub too_long: usize,
}

/// How long both sides have said the same.
pub(crate) struct Verdicts {
    bounds: Bounds,
    plies: usize,
    /// Half-moves in a row with a won score for White, for Black, and with a dead one.
    white: usize,
    black: usize,
    dead: usize,
}

impl Verdicts {
    /// Nothing has been said yet.
    pub fn new(bounds: Bounds) -> Verdicts {
        Verdicts {
            bounds,
            plies: 0,
            white: 0,
            black: 0,
            dead: 0,
        }
    }

    /// The mover has said what it thinks of the position, and moved.
    pub fn note(&mut self, mover: Color, score: Score) {
        let white = match mover {
            Color::White => score.0,
            Color::Black => -score.0,
        };
        let count = |run: usize, goes_on: bool| if goes_on { run + 1 } else { 0 };
        self.plies += 1;
        self.white = count(self.white, white >= self.bounds.decided);
        self.black = count(self.black, white <= -self.bounds.decided);
        self.dead = count(self.dead, white.abs() <= self.bounds.dead);
    }

    /// The result, and why, if the game is over in this position.
    pub fn end(&self, position: &Position) -> Option<(GameResult, Ending)> {
        let bounds = &self.bounds;
        if let Some(outcome) = position.outcome() {
            Some(Ending::of(outcome))
        } else if self.white >= bounds.decided_plies {
            Some((GameResult::WhiteWins, Ending::AdjudicatedWin))
        } else if self.black >= bounds.decided_plies {
            Some((GameResult::BlackWins, Ending::AdjudicatedWin))
        } else if self.dead >= bounds.dead_plies
            && position.board().fullmove_number() >= bounds.dead_from_move
        {
            Some((GameResult::Draw, Ending::AdjudicatedDraw))
        } else if self.plies >= bounds.too_long {
            Some((GameResult::Draw, Ending::TooLong))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::rules::Variant;

    const BOUNDS: Bounds = Bounds {
        decided: 1500,
        decided_plies: 6,
        dead: 5,
        dead_plies: 16,
        dead_from_move: 50,
        too_long: 40,
    };

    #[test]
    fn decided_games_end_early() {
        let mut verdicts = Verdicts::new(BOUNDS);
        let position = Position::standard();
        for ply in 0..BOUNDS.decided_plies {
            assert_eq!(verdicts.end(&position), None);
            let (mover, score) = match ply % 2 {
                0 => (Color::Black, Score(BOUNDS.decided)),
                _ => (Color::White, Score(-BOUNDS.decided)),
            };
            verdicts.note(mover, score);
        }
        let expected = (GameResult::BlackWins, Ending::AdjudicatedWin);
        assert_eq!(verdicts.end(&position), Some(expected));
        verdicts.note(Color::White, Score(0));
        assert_eq!(verdicts.end(&position), None);
    }

    #[test]
    fn dead_draws_need_the_move_number_only_at_their_end() {
        let at_move = |number: u16| {
            let mut setup = Position::standard().board().to_setup();
            setup.fullmove_number = number;
            Position::from_setup(&setup, Variant::Standard).expect("a legal position")
        };
        let mut verdicts = Verdicts::new(BOUNDS);
        for _ in 0..BOUNDS.dead_plies {
            assert_eq!(verdicts.end(&at_move(50)), None);
            verdicts.note(Color::White, Score(-BOUNDS.dead));
        }
        assert_eq!(verdicts.end(&at_move(49)), None);
        let expected = (GameResult::Draw, Ending::AdjudicatedDraw);
        assert_eq!(verdicts.end(&at_move(50)), Some(expected));
        verdicts.note(Color::White, Score(BOUNDS.dead + 1));
        assert_eq!(verdicts.end(&at_move(60)), None);
    }

    #[test]
    fn nothing_goes_on_for_ever() {
        let mut verdicts = Verdicts::new(BOUNDS);
        for _ in 0..BOUNDS.too_long {
            assert_eq!(verdicts.end(&Position::standard()), None);
            verdicts.note(Color::White, Score(100));
        }
        let expected = (GameResult::Draw, Ending::TooLong);
        assert_eq!(verdicts.end(&Position::standard()), Some(expected));
    }
}
