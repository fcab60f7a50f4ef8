//! Draw and resign policy: when Gaur accepts a draw, when it offers one, and when it resigns.
//!
//! * Gaur accepts a draw if its last search scored at most `DrawScore`; late in a game at most +20 centipawns, or
//!   whatever the limits if the last searches were even. The ratings shift both limits: against a stronger opponent
//!   they are higher. The limits count from the score of a draw, which contempt moves. The option `AcceptDraws`
//!   disables it.
//! * Gaur offers a draw late in a game after some even scores (`draw_offers`).
//! * Gaur resigns if the option `Resign` is set, and `ResignMoves` consecutive searches scored that badly, but not in
//!   the opening.
//! * Humans who are unrated or rated below `PlayOutBelow` get none of these, because they want to play the game out.
//!
//! In a game at odds, all limits are lower by the value of the odds that Gaur gives.

mod draw_offers;
mod even_scores;

use std::collections::VecDeque;

use crate::config::{DrawAndResignSettings, MAX_OFFER_MOVES};
use crate::game::Players;
use crate::types::{Color, Score};

use draw_offers::{OfferPolicy, OfferState};
use even_scores::EvenScores;

/// Length of a long game in half-moves.
const LONG_GAME_PLIES: usize = 80;

/// Largest number of pieces, pawns and kings included, in an endgame that counts as late whatever the length.
const ENDGAME_PIECES: usize = 7;

/// Highest score in centipawns at which Gaur accepts a draw late in a game. The network expects 55 % of the points at
/// this score.
const LATE_DRAW_SCORE: i32 = 20;

/// Consecutive even scores after which Gaur accepts a draw late in a game from any opponent, also at odds.
const EVEN_MOVES: usize = 20;

/// Rating points by which the opponent must be stronger for a shift of one centipawn.
const RATING_POINTS_PER_CENTIPAWN: i32 = 8;

/// Largest shift by ratings in centipawns.
const MAX_RATING_SHIFT: i32 = 60;

/// Shortest game in half-moves in which Gaur resigns.
const MIN_RESIGN_PLIES: usize = 40;

/// Half-moves between two draw claims, if the first one did not end the game.
const CLAIM_INTERVAL_PLIES: usize = 20;

/// Number of results that the policy needs.
const MAX_RESULTS: usize = MAX_OFFER_MOVES;

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Half-moves since the start position or the last set-up.
    pub length: usize,
    /// Number of pieces on the board, pawns and kings included.
    pub pieces: usize,
}

impl Stage {
    /// Returns `true` late in a game: it is long, or few pieces are left.
    fn is_late(self) -> bool {
        self.length >= LONG_GAME_PLIES || self.pieces <= ENDGAME_PIECES
    }
}

/// Terms of a game that change the scores of its searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTerms {
    /// Value in centipawns of the odds that Gaur gives; 0: none.
    pub odds: i32,
    /// Contempt in centipawns. A drawn position scores its negative.
    pub contempt: i32,
}

/// The policy against one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentPolicy {
    /// Set if Gaur accepts draws.
    accepts_draws: bool,
    /// Highest score in centipawns, above that of a draw, at which Gaur accepts a draw.
    draw_score: i32,
    /// Limit late in a game, unless `draw_score` is higher.
    late_draw_score: i32,
    /// Contempt in centipawns. A drawn position scores its negative.
    contempt: i32,
    /// Scores of even positions.
    even: EvenScores,
    /// Draw offers of Gaur.
    offers: OfferPolicy,
    /// Centipawns behind at which Gaur resigns; 0: never.
    resign: i32,
    /// Consecutive searches with such a score before Gaur resigns.
    resign_moves: usize,
}

impl OpponentPolicy {
    /// Returns the policy that these settings ask for against this opponent.
    pub fn new(
        settings: &DrawAndResignSettings,
        players: &Players,
        terms: GameTerms,
    ) -> OpponentPolicy {
        let rating = players.opponent_rating.unwrap_or(0);
        let plays_out = !players.opponent_is_program() && rating < settings.play_out_below;
        let by_ratings = match (players.own_rating, players.opponent_rating) {
            (Some(own), Some(opponent)) => rating_shift(own, opponent),
            _ => 0,
        };
        let shift = by_ratings - terms.odds;
        let offers = match settings.offer_draws {
            0 => OfferPolicy::NONE,
            _ if plays_out => OfferPolicy::NONE,
            moves => OfferPolicy::new(moves, players, shift, terms.contempt),
        };
        let resign = if plays_out { 0 } else { settings.resign };
        OpponentPolicy {
            accepts_draws: settings.accept_draws && !plays_out,
            draw_score: settings.draw_score + shift,
            late_draw_score: LATE_DRAW_SCORE + shift,
            contempt: terms.contempt,
            even: EvenScores::with_contempt(terms.contempt),
            offers,
            resign: if resign == 0 { 0 } else { resign + terms.odds },
            resign_moves: settings.resign_moves,
        }
    }

    /// Returns `true` if Gaur accepts a draw at this stage after a search with this score.
    fn accepts_draw_at(&self, score: Score, stage: Stage) -> bool {
        let limit = if stage.is_late() {
            self.late_draw_score.max(self.draw_score)
        } else {
            self.draw_score
        };
        self.accepts_draws && score + self.contempt <= Score(limit)
    }
}

/// Returns the shift of the draw score by the ratings, in centipawns.
fn rating_shift(own: u32, opponent: u32) -> i32 {
    let points = i64::from(opponent) - i64::from(own);
    let max = i64::from(MAX_RATING_SHIFT);
    (points / i64::from(RATING_POINTS_PER_CENTIPAWN)).clamp(-max, max) as i32
}

/// The result of a search for a move.
#[derive(Clone, Copy, Debug)]
struct SearchedScore {
    score: Score,
    is_tablebase_draw: bool,
}

/// The facts of the current game that the policy depends on.
#[derive(Clone, Debug, Default)]
pub struct PolicyState {
    /// Results of the engine's last searches for a move, newest last.
    results: VecDeque<SearchedScore>,
    /// Side that the engine plays, or played last.
    engine_color: Option<Color>,
    /// Set if the opponent has offered a draw and the engine has not moved since.
    is_draw_offered: bool,
    /// Draw offers of the engine.
    offers: OfferState,
    /// Length of the game in half-moves at the last draw claim that did not end it.
    last_claim: Option<usize>,
}

impl PolicyState {
    /// Records a draw offer of the opponent, which stands until the engine has moved.
    pub fn on_draw_offer(&mut self) {
        self.is_draw_offered = true;
    }

    /// Records the result of a finished search for a move. `is_tablebase_draw` is set if tablebases have shown that the
    /// engine can only draw, and the search without them has seen no advantage for it.
    pub fn record_result(&mut self, score: Score, is_tablebase_draw: bool) {
        if self.results.len() == MAX_RESULTS {
            self.results.pop_front();
        }
        self.results.push_back(SearchedScore {
            score,
            is_tablebase_draw,
        });
    }

    /// Forgets the scores of the moves so far, because one was played without a search, such as a book move, or some
    /// were taken back.
    pub fn forget_scores(&mut self) {
        self.results.clear();
    }

    /// Records which side the engine plays. The scores of the other side do not count.
    pub fn set_engine_color(&mut self, color: Color) {
        if self.engine_color.replace(color) != Some(color) {
            self.forget_scores();
        }
    }

    /// Returns `true` if a draw offer stands and Gaur accepts it at this stage. It always accepts while its own offer
    /// stands.
    pub fn accepts_draw(&self, policy: &OpponentPolicy, stage: Stage) -> bool {
        let is_even = policy.accepts_draws
            && stage.is_late()
            && self.last_results_are(EVEN_MOVES, |result| policy.even.contains(result.score));
        let is_low_enough = || {
            let last = self.results.back();
            last.is_some_and(|last| policy.accepts_draw_at(last.score, stage))
        };
        self.is_draw_offered && (self.offers.is_standing() || is_even || is_low_enough())
    }

    /// Returns `true` and records the offer if Gaur offers a draw at this stage.
    pub fn offers_draw(&mut self, policy: &OpponentPolicy, stage: Stage) -> bool {
        let offers = policy.offers;
        let is_even = |result: &SearchedScore| offers.even.contains(result.score);
        let is_tablebase_draw = |result: &SearchedScore| result.is_tablebase_draw;
        let has_reason = offers
            .even_moves
            .is_some_and(|moves| self.last_results_are(moves, is_even))
            || offers
                .tablebase_moves
                .is_some_and(|moves| self.last_results_are(moves, is_tablebase_draw));
        has_reason && stage.is_late() && self.offers.may_offer(stage.length)
    }

    /// Ends the engine's own draw offer, because the opponent has moved or the position has changed.
    pub fn end_own_offer(&mut self) {
        self.offers.end();
    }

    /// Returns `true` if Gaur resigns, `length` half-moves into the game.
    pub fn resigns(&self, policy: &OpponentPolicy, length: usize) -> bool {
        policy.resign > 0
            && length >= MIN_RESIGN_PLIES
            && self.last_results_are(policy.resign_moves, |result| {
                result.score <= Score(-policy.resign)
            })
    }

    /// Removes the draw offer of the opponent, because the engine has moved or has accepted it.
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

    /// Returns `true` if the last `count` results exist and satisfy a condition.
    fn last_results_are(&self, count: usize, condition: impl Fn(&SearchedScore) -> bool) -> bool {
        self.results.len() >= count && self.results.iter().rev().take(count).all(condition)
    }
}

#[cfg(test)]
mod tests;
