//! Policy towards the opponent: when a draw is taken, when the game is given up.
//!
//! * A draw is accepted when the last search saw the engine clearly worse, or when a long game has become level.
//!   The engine never offers one itself.
//! * The game is given up only if the user has asked for that with the option `Resign`: after a number of searches
//!   in a row have all come out so bad, and not in the opening.

use std::collections::VecDeque;

use crate::types::Score;

/// At this or worse a draw is a gain.
const WORSE: Score = Score(-120);

/// Within this of zero a long game is level.
const LEVEL: i32 = 20;

/// Half-moves after which a game is long.
const LONG_GAME: usize = 80;

/// So many searches in a row must come out bad before the engine resigns.
const HOPELESS_SEARCHES: usize = 4;

/// Nobody resigns before this many half-moves.
const EARLIEST_RESIGNATION: usize = 40;

/// What the policy needs to know of the game.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// Scores of the engine's last searches for a move, newest last.
    scores: VecDeque<Score>,
    /// The opponent has offered a draw that the engine has not answered with a move yet.
    draw_offered: bool,
}

impl Manners {
    /// The opponent offers a draw; the offer stands until the engine has moved.
    pub fn draw_offered(&mut self) {
        self.draw_offered = true;
    }

    /// Takes note of the score of a finished search.
    pub fn note(&mut self, score: Score) {
        if self.scores.len() == HOPELESS_SEARCHES {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }

    /// Whether a draw offer stands and is to be accepted now, `length` half-moves into the game.
    pub fn accepts_draw(&self, length: usize) -> bool {
        self.draw_offered
            && self
                .scores
                .back()
                .is_some_and(|&last| is_draw_welcome(last, length))
    }

    /// Whether it is time to resign, with the user's limit in centipawns (0: never).
    pub fn resigns(&self, limit: i32, length: usize) -> bool {
        limit > 0
            && length >= EARLIEST_RESIGNATION
            && self.scores.len() == HOPELESS_SEARCHES
            && self.scores.iter().all(|&score| score <= Score(-limit))
    }

    /// The engine has moved, or has accepted: the offer has been answered.
    pub fn offer_answered(&mut self) {
        self.draw_offered = false;
    }
}

/// Whether a draw is a good result when the last search came out like this.
fn is_draw_welcome(last: Score, length: usize) -> bool {
    last <= WORSE || (length >= LONG_GAME && last.0.abs() <= LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    fn after(scores: &[i32]) -> Manners {
        let mut manners = Manners::default();
        scores.iter().for_each(|&score| manners.note(Score(score)));
        manners
    }

    #[test]
    fn a_draw_is_welcome_when_worse_or_when_the_game_is_long_and_level() {
        assert!(is_draw_welcome(Score(-150), 10));
        assert!(is_draw_welcome(Score::mated_in(Ply(4)), 10));
        assert!(!is_draw_welcome(Score(-30), 10));
        assert!(is_draw_welcome(Score(5), 100));
        assert!(!is_draw_welcome(Score(90), 100));
    }

    #[test]
    fn only_an_offer_can_be_accepted_and_only_once() {
        let mut manners = after(&[-300]);
        assert!(!manners.accepts_draw(10));
        manners.draw_offered();
        assert!(manners.accepts_draw(10));
        manners.offer_answered();
        assert!(!manners.accepts_draw(10));
    }

    #[test]
    fn nothing_is_accepted_before_the_first_search() {
        let mut manners = Manners::default();
        manners.draw_offered();
        assert!(!manners.accepts_draw(100));
    }

    #[test]
    fn resignation_needs_a_limit_a_row_of_bad_searches_and_a_real_game() {
        let lost = after(&[50, -900, -950, -900, -1200]);
        assert!(lost.resigns(800, 60));
        assert!(!lost.resigns(0, 60));
        assert!(!lost.resigns(1000, 60));
        assert!(!lost.resigns(800, 20));
        assert!(!after(&[-900, -900, 20, -900]).resigns(800, 60));
        assert!(!after(&[-900, -900, -900]).resigns(800, 60));
    }
}
