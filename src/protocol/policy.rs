//! Draw and resign policy: when Gaur accepts a draw, and when it resigns.
//!
//! * Gaur accepts a draw if its last search scored at most `DrawScore`, or at most +20 centipawns in a long game. The
//!   ratings shift both limits: against a stronger opponent they are higher. The option `AcceptDraws` disables it.
//! * Gaur resigns if the option `Resign` is set, and `ResignMoves` consecutive searches scored that badly, but not in
//!   the opening.
//! * Humans who are unrated or rated below `PlayOutBelow` get neither, because they want to play the game out.

use std::collections::VecDeque;

use crate::config::{DrawAndResignSettings, MAX_RESIGN_MOVES};
use crate::game::Players;
use crate::types::Score;

/// Length of a long game in half-moves.
const LONG_GAME_PLIES: usize = 80;

/// Highest score in centipawns at which Gaur accepts a draw in a long game. The network expects 55 % of the points at
/// this score.
const LONG_GAME_DRAW_SCORE: i32 = 20;

/// Rating points by which the opponent must be stronger for a shift of one centipawn.
const RATING_POINTS_PER_CENTIPAWN: i32 = 8;

/// Largest shift by ratings in centipawns.
const MAX_RATING_SHIFT: i32 = 60;

/// Shortest game in half-moves in which Gaur resigns.
const MIN_RESIGN_PLIES: usize = 40;

/// Half-moves between two draw claims, if the first one did not end the game.
const CLAIM_INTERVAL_PLIES: usize = 20;

/// The policy against one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentPolicy {
    /// Set if Gaur accepts draws.
    accepts_draws: bool,
    /// Highest score in centipawns at which Gaur accepts a draw.
    draw_score: i32,
    /// Limit in a long game, unless `draw_score` is higher.
    long_game_draw_score: i32,
    /// Centipawns behind at which Gaur resigns; 0: never.
    resign: i32,
    /// Consecutive searches with such a score before Gaur resigns.
    resign_moves: usize,
}

impl OpponentPolicy {
    /// Returns the policy that these settings ask for against this opponent.
    pub fn new(settings: &DrawAndResignSettings, players: &Players) -> OpponentPolicy {
        let rating = players.opponent_rating.unwrap_or(0);
        let plays_out = !players.opponent_is_program() && rating < settings.play_out_below;
        let shift = match (players.own_rating, players.opponent_rating) {
            (Some(own), Some(opponent)) => rating_shift(own, opponent),
            _ => 0,
        };
        OpponentPolicy {
            accepts_draws: settings.accept_draws && !plays_out,
            draw_score: settings.draw_score + shift,
            long_game_draw_score: LONG_GAME_DRAW_SCORE + shift,
            resign: if plays_out { 0 } else { settings.resign },
            resign_moves: settings.resign_moves,
        }
    }

    /// Returns `true` if Gaur accepts a draw after a search with this score, `length` half-moves into the game.
    fn accepts_draw_at(&self, score: Score, length: usize) -> bool {
        let limit = if length >= LONG_GAME_PLIES {
            self.long_game_draw_score.max(self.draw_score)
        } else {
            self.draw_score
        };
        self.accepts_draws && score <= Score(limit)
    }
}

/// Returns the shift of the draw score by the ratings, in centipawns.
fn rating_shift(own: u32, opponent: u32) -> i32 {
    let points = i64::from(opponent) - i64::from(own);
    let max = i64::from(MAX_RATING_SHIFT);
    (points / i64::from(RATING_POINTS_PER_CENTIPAWN)).clamp(-max, max) as i32
}

/// The facts of the current game that the policy depends on.
#[derive(Clone, Debug, Default)]
pub struct PolicyState {
    /// Scores of the engine's last searches for a move, newest last.
    scores: VecDeque<Score>,
    /// Set if the opponent has offered a draw and the engine has not moved since.
    is_draw_offered: bool,
    /// Length of the game in half-moves at the last draw claim that did not end it.
    last_claim: Option<usize>,
}

impl PolicyState {
    /// Records a draw offer, which stands until the engine has moved.
    pub fn on_draw_offer(&mut self) {
        self.is_draw_offered = true;
    }

    /// Records the score of a finished search for a move.
    pub fn record_score(&mut self, score: Score) {
        if self.scores.len() == MAX_RESIGN_MOVES {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }

    /// Returns `true` if a draw offer stands and Gaur accepts it, `length` half-moves into the game.
    pub fn accepts_draw(&self, policy: &OpponentPolicy, length: usize) -> bool {
        let last = self.scores.back();
        self.is_draw_offered && last.is_some_and(|&last| policy.accepts_draw_at(last, length))
    }

    /// Returns `true` if Gaur resigns, `length` half-moves into the game.
    pub fn resigns(&self, policy: &OpponentPolicy, length: usize) -> bool {
        let mut last_scores = self.scores.iter().rev().take(policy.resign_moves);
        policy.resign > 0
            && length >= MIN_RESIGN_PLIES
            && self.scores.len() >= policy.resign_moves
            && last_scores.all(|&score| score <= Score(-policy.resign))
    }

    /// Removes the draw offer, because the engine has moved or has accepted it.
    pub fn clear_draw_offer(&mut self) {
        self.is_draw_offered = false;
    }

    /// Returns `true` and records a claim if Gaur may claim a draw, `length` half-moves into a game that continues
    /// after the claim.
    pub fn may_claim_draw(&mut self, length: usize) -> bool {
        let is_recent = self
            .last_claim
            .is_some_and(|last| length < last.saturating_add(CLAIM_INTERVAL_PLIES));
        if !is_recent {
            self.last_claim = Some(length);
        }
        !is_recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::types::Ply;

    fn after(scores: &[i32]) -> PolicyState {
        let mut state = PolicyState::default();
        scores
            .iter()
            .for_each(|&score| state.record_score(Score(score)));
        state
    }

    fn policy(settings: &[(&str, &str)], players: &Players) -> OpponentPolicy {
        let mut config = Config::default();
        for (name, value) in settings {
            assert!(config.set(name, Some(value)).is_ok(), "{name}");
        }
        OpponentPolicy::new(&config.draw_and_resign, players)
    }

    fn rated(own: i32, opponent: i32, is_computer: bool) -> Players {
        let mut players = Players {
            opponent_is_computer: is_computer,
            ..Players::default()
        };
        players.set_ratings(own, opponent);
        players
    }

    #[test]
    fn draws_are_accepted_when_worse_and_in_long_equal_games() {
        let policy = policy(&[], &Players::default());
        assert!(policy.accepts_draw_at(Score(-150), 10));
        assert!(policy.accepts_draw_at(Score::mated_in(Ply(4)), 10));
        assert!(!policy.accepts_draw_at(Score(-30), 10));
        assert!(policy.accepts_draw_at(Score(5), 100));
        assert!(policy.accepts_draw_at(Score(-50), 100));
        assert!(!policy.accepts_draw_at(Score(90), 100));
    }

    #[test]
    fn options_decide_about_draws() {
        let unrated = Players::default();
        assert!(!policy(&[("AcceptDraws", "0")], &unrated).accepts_draw_at(Score(-900), 100));
        let greedy = policy(&[("DrawScore", "-300")], &unrated);
        assert!(
            !greedy.accepts_draw_at(Score(-299), 10) && greedy.accepts_draw_at(Score(-300), 10)
        );
        let peaceful = policy(&[("DrawScore", "50")], &unrated);
        assert!(
            peaceful.accepts_draw_at(Score(50), 10) && peaceful.accepts_draw_at(Score(50), 100)
        );
    }

    #[test]
    fn ratings_shift_the_draw_score() {
        let accepts = |own, opponent, score| {
            policy(&[], &rated(own, opponent, false)).accepts_draw_at(Score(score), 10)
        };
        assert!(accepts(2000, 2400, -10) && !accepts(2000, 2400, -9));
        assert!(accepts(2400, 2000, -110) && !accepts(2400, 2000, -109));
        assert!(accepts(1, 9999, 0) && !accepts(1, 9999, 1));
        // An unrated player shifts nothing.
        assert!(!accepts(2400, 0, -59) && accepts(2400, 0, -60));
    }

    #[test]
    fn weak_humans_may_play_the_game_out() {
        let lost = after(&[-900; 4]);
        let settings = [("Resign", "800"), ("PlayOutBelow", "1800")];
        for (opponent, is_computer, ends) in [
            (1799, false, false),
            (0, false, false),
            (1800, false, true),
            (1500, true, true),
            (0, true, true),
        ] {
            let policy = policy(&settings, &rated(1800, opponent, is_computer));
            assert_eq!(lost.resigns(&policy, 60), ends, "{opponent}");
            assert_eq!(policy.accepts_draw_at(Score(-900), 60), ends, "{opponent}");
        }
    }

    #[test]
    fn an_offer_can_be_accepted_once() {
        let policy = policy(&[], &Players::default());
        let mut state = after(&[-300]);
        assert!(!state.accepts_draw(&policy, 10));
        state.on_draw_offer();
        assert!(state.accepts_draw(&policy, 10));
        state.clear_draw_offer();
        assert!(!state.accepts_draw(&policy, 10));
    }

    #[test]
    fn no_offer_is_accepted_before_the_first_search() {
        let mut state = PolicyState::default();
        state.on_draw_offer();
        assert!(!state.accepts_draw(&policy(&[], &Players::default()), 100));
    }

    #[test]
    fn resignation_needs_consecutive_bad_scores_and_a_real_game() {
        let unrated = Players::default();
        let at = |limit| policy(&[("Resign", limit)], &unrated);
        let lost = after(&[50, -900, -950, -900, -1200]);
        assert!(lost.resigns(&at("800"), 60));
        assert!(!lost.resigns(&at("0"), 60));
        assert!(!lost.resigns(&at("1000"), 60));
        assert!(!lost.resigns(&at("800"), 20));
        assert!(!after(&[-900, -900, 20, -900]).resigns(&at("800"), 60));
        assert!(!after(&[-900, -900, -900]).resigns(&at("800"), 60));
        let soon = policy(&[("Resign", "800"), ("ResignMoves", "2")], &unrated);
        assert!(after(&[50, -900, -900]).resigns(&soon, 60));
        assert!(!after(&[50, -900]).resigns(&soon, 60));
        let late = policy(&[("Resign", "800"), ("ResignMoves", "20")], &unrated);
        assert!(after(&[-900; 20]).resigns(&late, 60));
        assert!(!after(&[-900; 19]).resigns(&late, 60));
        assert!(after(&[-900; 300]).scores.len() <= MAX_RESIGN_MOVES);
    }

    #[test]
    fn claims_are_repeated_after_an_interval() {
        let mut state = PolicyState::default();
        assert!(state.may_claim_draw(50));
        assert!(!state.may_claim_draw(51));
        assert!(!state.may_claim_draw(69));
        assert!(state.may_claim_draw(70));
        assert!(!state.may_claim_draw(71));
    }
}
