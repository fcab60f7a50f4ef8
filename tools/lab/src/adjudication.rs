//! Adjudication: ends games early whose result is clear from the scores of both sides.

use crate::game_file::{Ending, GameResult};
use gaur::rules::Position;
use gaur::types::{Color, Score};

/// Rules by which a game ends before the rules of chess end it. Scores are in centipawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjudicationRules {
    /// Least score for the winner, according to both sides, of a won game.
    pub won_score: i32,
    /// Number of consecutive half-moves with such a score after which the game is won.
    pub won_plies: usize,
    /// Largest absolute score of a drawish position.
    pub drawish_score: i32,
    /// Number of consecutive half-moves with such a score after which the game is drawn.
    pub drawish_plies: usize,
    /// Least move number of the position in which a game is drawn by drawish scores.
    pub drawish_from_move: u16,
    /// Number of half-moves after which every game is drawn.
    pub max_plies: usize,
}

/// Applies the rules to the scores of a game.
pub(crate) struct Adjudicator {
    rules: AdjudicationRules,
    /// Number of half-moves of the game.
    plies: usize,
    /// Number of consecutive half-moves with a score that is won for White.
    white_won: usize,
    /// Number of consecutive half-moves with a score that is won for Black.
    black_won: usize,
    /// Number of consecutive half-moves with a drawish score.
    drawish: usize,
}

impl Adjudicator {
    /// Creates the adjudicator of a game in which no move has been played.
    pub fn new(rules: AdjudicationRules) -> Adjudicator {
        Adjudicator {
            rules,
            plies: 0,
            white_won: 0,
            black_won: 0,
            drawish: 0,
        }
    }

    /// Adds the score, for the mover, with which a move was played.
    pub fn add(&mut self, mover: Color, score: Score) {
        let white = match mover {
            Color::White => score.0,
            Color::Black => -score.0,
        };
        let count = |run: usize, continues: bool| if continues { run + 1 } else { 0 };
        self.plies += 1;
        self.white_won = count(self.white_won, white >= self.rules.won_score);
        self.black_won = count(self.black_won, white <= -self.rules.won_score);
        self.drawish = count(self.drawish, white.abs() <= self.rules.drawish_score);
    }

    /// Returns the result and its reason if the game is over in this position.
    pub fn result(&self, position: &Position) -> Option<(GameResult, Ending)> {
        let rules = &self.rules;
        if let Some(outcome) = position.outcome() {
            Some(Ending::of(outcome))
        } else if self.white_won >= rules.won_plies {
            Some((GameResult::WhiteWins, Ending::AdjudicatedWin))
        } else if self.black_won >= rules.won_plies {
            Some((GameResult::BlackWins, Ending::AdjudicatedWin))
        } else if self.drawish >= rules.drawish_plies
            && position.board().fullmove_number() >= rules.drawish_from_move
        {
            Some((GameResult::Draw, Ending::AdjudicatedDraw))
        } else if self.plies >= rules.max_plies {
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

    const RULES: AdjudicationRules = AdjudicationRules {
        won_score: 1500,
        won_plies: 6,
        drawish_score: 5,
        drawish_plies: 16,
        drawish_from_move: 50,
        max_plies: 40,
    };

    #[test]
    fn won_games_end_early() {
        let mut adjudicator = Adjudicator::new(RULES);
        let position = Position::standard();
        for ply in 0..RULES.won_plies {
            assert_eq!(adjudicator.result(&position), None);
            let (mover, score) = match ply % 2 {
                0 => (Color::Black, Score(RULES.won_score)),
                _ => (Color::White, Score(-RULES.won_score)),
            };
            adjudicator.add(mover, score);
        }
        let expected = (GameResult::BlackWins, Ending::AdjudicatedWin);
        assert_eq!(adjudicator.result(&position), Some(expected));
        adjudicator.add(Color::White, Score(0));
        assert_eq!(adjudicator.result(&position), None);
    }

    #[test]
    fn drawish_games_end_from_a_move_number_on() {
        let at_move = |number: u16| {
            let mut setup = Position::standard().board().to_setup();
            setup.fullmove_number = number;
            Position::from_setup(&setup, Variant::Standard).expect("a legal position")
        };
        let mut adjudicator = Adjudicator::new(RULES);
        for _ in 0..RULES.drawish_plies {
            assert_eq!(adjudicator.result(&at_move(50)), None);
            adjudicator.add(Color::White, Score(-RULES.drawish_score));
        }
        assert_eq!(adjudicator.result(&at_move(49)), None);
        let expected = (GameResult::Draw, Ending::AdjudicatedDraw);
        assert_eq!(adjudicator.result(&at_move(50)), Some(expected));
        adjudicator.add(Color::White, Score(RULES.drawish_score + 1));
        assert_eq!(adjudicator.result(&at_move(60)), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let mut adjudicator = Adjudicator::new(RULES);
        for _ in 0..RULES.max_plies {
            assert_eq!(adjudicator.result(&Position::standard()), None);
            adjudicator.add(Color::White, Score(100));
        }
        let expected = (GameResult::Draw, Ending::TooLong);
        assert_eq!(adjudicator.result(&Position::standard()), Some(expected));
    }
}
