//! Draw offers of Gaur.
//!
//! * Gaur offers a draw after `OfferDraws` consecutive even scores, against a stronger opponent after half as many. A
//!   weaker opponent is offered a draw only if Gaur stands slightly worse, and hardly ever.
//! * A draw by tablebase is offered after few moves, but not to a weaker opponent.
//! * A program has to play on for long: its operator wants to see a game, and agreement must not spoil a win.
//! * Offers are rare, because a declined offer is a nuisance when it is repeated.

use crate::config::MAX_OFFER_MOVES;
use crate::game::Players;

use super::even_scores::{EVEN_SCORE, EvenScores};

/// Least number of consecutive even scores before Gaur offers a program a draw.
const PROGRAM_MOVES: usize = 40;

/// Consecutive draws by tablebase before Gaur offers a draw.
const TABLEBASE_MOVES: usize = 3;

/// Consecutive draws by tablebase before Gaur offers a program a draw.
const PROGRAM_TABLEBASE_MOVES: usize = 10;

/// Shift of the limits from which an opponent counts as stronger, and its negative as weaker: 96 rating points.
const CLEAR_SHIFT: i32 = 12;

/// Half-moves between two offers.
const OFFER_INTERVAL_PLIES: usize = 40;

/// Largest number of offers in a game.
const MAX_OFFERS: usize = 3;

/// The conditions of draw offers to one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OfferPolicy {
    /// Consecutive scores in `even` before an offer; 0: no offers.
    pub even_moves: usize,
    /// Scores at which Gaur offers a draw.
    pub even: EvenScores,
    /// Consecutive draws by tablebase before an offer.
    pub tablebase_moves: usize,
}

impl OfferPolicy {
    /// Returns the policy for offers after `moves` even scores. `shift` is positive for a stronger opponent, in
    /// centipawns.
    pub fn new(moves: usize, players: &Players, shift: i32, even: EvenScores) -> OfferPolicy {
        let is_program = players.opponent_is_program();
        let is_stronger = shift >= CLEAR_SHIFT;
        let is_weaker = shift <= -CLEAR_SHIFT;
        OfferPolicy {
            even_moves: match moves {
                0 => 0,
                _ if is_program => moves.max(PROGRAM_MOVES),
                _ if is_stronger => moves.div_ceil(2),
                _ => moves,
            },
            even: EvenScores {
                highest: even.highest + shift.min(EVEN_SCORE),
                ..even
            },
            tablebase_moves: match is_program {
                _ if is_weaker => UNREACHABLE,
                true => PROGRAM_TABLEBASE_MOVES,
                false => TABLEBASE_MOVES,
            },
        }
    }
}

/// Number of consecutive results that no game reaches.
const UNREACHABLE: usize = MAX_OFFER_MOVES + 1;

/// The draw offers of Gaur in the current game.
#[derive(Clone, Debug, Default)]
pub(super) struct OfferState {
    /// Number of offers.
    count: usize,
    /// Length of the game in half-moves at the last offer.
    last: Option<usize>,
    /// Set from an offer until the opponent has moved.
    is_standing: bool,
}

impl OfferState {
    /// Returns `true` and records an offer if the last one is long ago, `length` half-moves into the game.
    pub fn may_offer(&mut self, length: usize) -> bool {
        let is_recent = self
            .last
            .is_some_and(|last| length < last.saturating_add(OFFER_INTERVAL_PLIES));
        let may_offer = self.count < MAX_OFFERS && !is_recent;
        if may_offer {
            self.count += 1;
            self.last = Some(length);
            self.is_standing = true;
        }
        may_offer
    }

    /// Returns `true` while an offer stands.
    pub fn is_standing(&self) -> bool {
        self.is_standing
    }

    /// Ends the offer.
    pub fn end(&mut self) {
        self.is_standing = false;
    }
}
