//! Policy towards the opponent: when a draw is taken, when the game is given up.
//!
//! * A draw is accepted when the last search came out at `DrawScore` or worse, or when a long game has become level;
//!   from a higher rated opponent a little earlier, from a lower rated one a little later. The option `AcceptDraws`
//!   forbids it. The engine never offers a draw itself.
//! * The game is given up only if the user has asked for that with the option `Resign`: after `ResignMoves` searches
//!   in a row that have all come out so bad, and not in the opening.
//! * Humans rated below `PlayOutBelow`, or unrated, get neither: they want to see how it ends.

use std::collections::VecDeque;

use crate::config::{DrawAndResignSettings, MAX_RESIGN_MOVES};
use crate::game::Players;
use crate::types::Score;

/// Half-moves after which a game is long.
const LONG_GAME: usize = 80;

/// At this or worse a draw is welcome in a long game: no more than 55 % of the points on the network's scale.
const LEVEL: i32 = 20;

/// So many rating points are worth a centipawn.
const POINTS_PER_CENTIPAWN: i32 = 8;

/// The most centipawns that ratings can be worth.
const MOST_FOR_RATING: i32 = 60;

/// Nobody resigns before this many half-moves.
const EARLIEST_RESIGNATION: usize = 40;

/// After a draw claim that the other side did not take, none is made for this many half-moves.
const CLAIM_PAUSE: usize = 20;

/// What the user and the opponent make of the rules above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    accepts_draws: bool,
    /// Centipawns at which a draw is welcome, and the same in a long game.
    draw_score: i32,
    level: i32,
    /// Centipawns behind at which to resign; 0: never.
    resign: i32,
    resign_moves: usize,
}

impl Policy {
    /// The policy of these settings towards this opponent.
    pub fn new(settings: &DrawAndResignSettings, players: &Players) -> Policy {
        let rating = players.opponent_rating.unwrap_or(0);
        let plays_out = !players.opponent_is_program() && rating < settings.play_out_below;
        let shift = match (players.own_rating, players.opponent_rating) {
            (Some(own), Some(opponent)) => worth(own, opponent),
            _ => 0,
        };
        Policy {
            accepts_draws: settings.accept_draws && !plays_out,
            draw_score: settings.draw_score + shift,
            level: LEVEL + shift,
            resign: if plays_out { 0 } else { settings.resign },
            resign_moves: settings.resign_moves,
        }
    }

    /// Whether a draw is a good result when the last search came out like this.
    fn welcomes_draw(&self, last: Score, length: usize) -> bool {
        let limit = if length >= LONG_GAME {
            self.level.max(self.draw_score)
        } else {
            self.draw_score
        };
        self.accepts_draws && last <= Score(limit)
    }
}

/// What the difference of two ratings is worth, in centipawns.
fn worth(own: u32, opponent: u32) -> i32 {
    let points = i64::from(opponent) - i64::from(own);
    let most = i64::from(MOST_FOR_RATING);
    (points / i64::from(POINTS_PER_CENTIPAWN)).clamp(-most, most) as i32
}

/// What the policy needs to know of the game.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// Scores of the engine's last searches for a move, newest last.
    scores: VecDeque<Score>,
    /// The opponent has offered a draw that the engine has not answered with a move yet.
    draw_offered: bool,
    /// The length of the game when a draw was claimed that was not granted.
    claimed: Option<usize>,
}

impl Manners {
    /// The opponent offers a draw; the offer stands until the engine has moved.
    pub fn draw_offered(&mut self) {
        self.draw_offered = true;
    }

    /// Takes note of the score of a finished search.
    pub fn note(&mut self, score: Score) {
        if self.scores.len() == MAX_RESIGN_MOVES {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }

    /// Whether a draw offer stands and is to be accepted now, `length` half-moves into the game.
    pub fn accepts_draw(&self, policy: &Policy, length: usize) -> bool {
        let last = self.scores.back();
        self.draw_offered && last.is_some_and(|&last| policy.welcomes_draw(last, length))
    }

    /// Whether it is time to resign.
    pub fn resigns(&self, policy: &Policy, length: usize) -> bool {
        let row = self.scores.iter().rev().take(policy.resign_moves);
        policy.resign > 0
            && length >= EARLIEST_RESIGNATION
            && self.scores.len() >= policy.resign_moves
            && row.copied().all(|score| score <= Score(-policy.resign))
    }

    /// The engine has moved, or has accepted: the offer has been answered.
    pub fn offer_answered(&mut self) {
        self.draw_offered = false;
    }

    /// Whether to claim a draw, `length` half-moves into a game that goes on if the claim is not granted. Not again and
    /// again.
    pub fn claims_draw(&mut self, length: usize) -> bool {
        let recent = self
            .claimed
            .is_some_and(|last| length < last.saturating_add(CLAIM_PAUSE));
        if !recent {
            self.claimed = Some(length);
        }
        !recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::types::Ply;

    fn after(scores: &[i32]) -> Manners {
        let mut manners = Manners::default();
        scores.iter().for_each(|&score| manners.note(Score(score)));
        manners
    }

    fn policy(settings: &[(&str, &str)], players: &Players) -> Policy {
        let mut config = Config::default();
        for (name, value) in settings {
            assert!(config.set(name, Some(value)).is_ok(), "{name}");
        }
        Policy::new(&config.draw_and_resign, players)
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
    fn a_draw_is_welcome_when_worse_or_when_the_game_is_long_and_level() {
        let policy = policy(&[], &Players::default());
        assert!(policy.welcomes_draw(Score(-150), 10));
        assert!(policy.welcomes_draw(Score::mated_in(Ply(4)), 10));
        assert!(!policy.welcomes_draw(Score(-30), 10));
        assert!(policy.welcomes_draw(Score(5), 100));
        assert!(policy.welcomes_draw(Score(-50), 100));
        assert!(!policy.welcomes_draw(Score(90), 100));
    }

    #[test]
    fn the_user_decides_about_draws() {
        let nobody = Players::default();
        assert!(!policy(&[("AcceptDraws", "0")], &nobody).welcomes_draw(Score(-900), 100));
        let greedy = policy(&[("DrawScore", "-300")], &nobody);
        assert!(!greedy.welcomes_draw(Score(-299), 10) && greedy.welcomes_draw(Score(-300), 10));
        let peaceful = policy(&[("DrawScore", "50")], &nobody);
        assert!(peaceful.welcomes_draw(Score(50), 10) && peaceful.welcomes_draw(Score(50), 100));
    }

    #[test]
    fn ratings_shift_what_is_welcome() {
        let welcome = |own, opponent, score| {
            policy(&[], &rated(own, opponent, false)).welcomes_draw(Score(score), 10)
        };
        assert!(welcome(2000, 2400, -10) && !welcome(2000, 2400, -9));
        assert!(welcome(2400, 2000, -110) && !welcome(2400, 2000, -109));
        assert!(welcome(1, 9999, 0) && !welcome(1, 9999, 1));
        // Unrated: nothing is known.
        assert!(!welcome(2400, 0, -59) && welcome(2400, 0, -60));
    }

    #[test]
    fn weak_humans_may_play_it_out() {
        let hopeless = after(&[-900; 4]);
        let settings = [("Resign", "800"), ("PlayOutBelow", "1800")];
        for (opponent, is_computer, ends) in [
            (1799, false, false),
            (0, false, false),
            (1800, false, true),
            (1500, true, true),
            (0, true, true),
        ] {
            let policy = policy(&settings, &rated(1800, opponent, is_computer));
            assert_eq!(hopeless.resigns(&policy, 60), ends, "{opponent}");
            assert_eq!(policy.welcomes_draw(Score(-900), 60), ends, "{opponent}");
        }
    }

    #[test]
    fn only_an_offer_can_be_accepted_and_only_once() {
        let policy = policy(&[], &Players::default());
        let mut manners = after(&[-300]);
        assert!(!manners.accepts_draw(&policy, 10));
        manners.draw_offered();
        assert!(manners.accepts_draw(&policy, 10));
        manners.offer_answered();
        assert!(!manners.accepts_draw(&policy, 10));
    }

    #[test]
    fn nothing_is_accepted_before_the_first_search() {
        let mut manners = Manners::default();
        manners.draw_offered();
        assert!(!manners.accepts_draw(&policy(&[], &Players::default()), 100));
    }

    #[test]
    fn resignation_needs_a_limit_a_row_of_bad_searches_and_a_real_game() {
        let nobody = Players::default();
        let at = |limit| policy(&[("Resign", limit)], &nobody);
        let lost = after(&[50, -900, -950, -900, -1200]);
        assert!(lost.resigns(&at("800"), 60));
        assert!(!lost.resigns(&at("0"), 60));
        assert!(!lost.resigns(&at("1000"), 60));
        assert!(!lost.resigns(&at("800"), 20));
        assert!(!after(&[-900, -900, 20, -900]).resigns(&at("800"), 60));
        assert!(!after(&[-900, -900, -900]).resigns(&at("800"), 60));
        let soon = policy(&[("Resign", "800"), ("ResignMoves", "2")], &nobody);
        assert!(after(&[50, -900, -900]).resigns(&soon, 60));
        assert!(!after(&[50, -900]).resigns(&soon, 60));
        let late = policy(&[("Resign", "800"), ("ResignMoves", "20")], &nobody);
        assert!(after(&[-900; 20]).resigns(&late, 60));
        assert!(!after(&[-900; 19]).resigns(&late, 60));
        assert!(after(&[-900; 300]).scores.len() <= MAX_RESIGN_MOVES);
    }

    #[test]
    fn claims_are_not_repeated_at_once() {
        let mut manners = Manners::default();
        assert!(manners.claims_draw(50));
        assert!(!manners.claims_draw(51));
        assert!(!manners.claims_draw(69));
        assert!(manners.claims_draw(70));
        assert!(!manners.claims_draw(71));
    }
}
