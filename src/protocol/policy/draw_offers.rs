//! Draw offers of Gaur.
//!
//! * Gaur offers a draw after `OfferDraws` consecutive even scores, against a stronger opponent after half as many. A
//!   weaker opponent is offered a draw only if Gaur stands slightly worse, and hardly ever.
//! * A draw by tablebase is offered after few moves, but not to a weaker opponent.
//! * With contempt, Gaur prefers an equal position to a draw, and treats its opponent as weaker.
//! * A program has to play on for long: its operator wants to see a game, and agreement must not spoil a win.
//! * Offers are rare, because a declined offer is a nuisance when it is repeated.

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
    /// Consecutive scores in `even` before an offer; `None`: no such offers.
    pub even_moves: Option<usize>,
    /// Scores at which Gaur offers a draw. The range may be empty.
    pub even: EvenScores,
    /// Consecutive draws by tablebase before an offer; `None`: no such offers.
    pub tablebase_moves: Option<usize>,
}

impl OfferPolicy {
    /// The policy without offers.
    pub const NONE: OfferPolicy = OfferPolicy {
        even_moves: None,
        even: EvenScores {
            lowest: 0,
            highest: 0,
        },
        tablebase_moves: None,
    };

    /// Returns the policy for offers after `moves` even scores. `shift` is positive for a stronger opponent, in
    /// centipawns. A drawn position scores the negative of `contempt`.
    pub fn new(moves: usize, players: &Players, shift: i32, contempt: i32) -> OfferPolicy {
        let is_program = players.opponent_is_program();
        let is_stronger = shift >= CLEAR_SHIFT;
        let is_reluctant = shift <= -CLEAR_SHIFT || contempt > 0;
        let shift = match contempt {
            1.. => shift.min(-contempt),
            _ => shift.min(EVEN_SCORE),
        };
        OfferPolicy {
            even_moves: Some(match is_program {
                true => moves.max(PROGRAM_MOVES),
                false if is_stronger => moves.div_ceil(2),
                false => moves,
            }),
            even: EvenScores {
                lowest: -EVEN_SCORE - contempt.max(0),
                highest: EVEN_SCORE - contempt + shift,
            },
            tablebase_moves: match is_program {
                _ if is_reluctant => None,
                true => Some(PROGRAM_TABLEBASE_MOVES),
                false => Some(TABLEBASE_MOVES),
            },
        }
    }
}

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
