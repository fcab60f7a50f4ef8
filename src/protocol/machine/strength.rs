//! The playing strength of the engine's next move.

use crate::config::{MAX_ELO, MIN_ELO};
use crate::messages::{Purpose, Strength};
use crate::types::Depth;

use super::state::Machine;

/// Level whose first book move is its first unknown one.
const ELO_WITHOUT_BOOK: u32 = 400;

/// Elo for which a level knows one more book move.
const ELO_PER_BOOK_MOVE: u32 = 200;

/// Elo that a ply of `sd` adds to the lowest level after `random`.
const ELO_PER_PLY: u32 = 200;

impl Machine {
    /// `random`: switches between full strength and the level that `sd` selects. [`Machine::new_game`] switches it off.
    pub(super) fn random(&mut self) {
        self.is_random = !self.is_random;
    }

    /// Returns the strength of a search; `None` for full strength. Only searches for a move are limited.
    pub(super) fn strength(&self, purpose: Purpose) -> Option<Strength> {
        if purpose != Purpose::Play {
            return None;
        }
        let elo = self.elo()?;
        let last_move = self.game.last_move();
        Some(Strength::new(elo, last_move.map(|mv| mv.to())))
    }

    /// Returns the number of moves at the beginning of a game that the engine plays from the book at most: a weak
    /// player knows few.
    pub(super) fn known_book_moves(&self) -> usize {
        let depth = self.config.book.depth;
        let known = |elo: u32| elo.saturating_sub(ELO_WITHOUT_BOOK) / ELO_PER_BOOK_MOVE;
        self.elo()
            .map_or(depth, |elo| depth.min(known(elo) as usize))
    }

    /// Returns the level that holds; `None` for full strength.
    ///
    /// With `Adapt`, it is the rating of the opponent on a server, and there is no limit against a rating above all
    /// levels. Otherwise the options decide, then `sd` and `random`: in games of a user at the GUI, because others send
    /// both without asking for a weak opponent.
    pub fn elo(&self) -> Option<u32> {
        let settings = &self.config.strength;
        if settings.adapts
            && self.players.server.is_some()
            && let Some(rating) = self.players.opponent_rating
        {
            return (rating <= MAX_ELO).then_some(rating.max(MIN_ELO));
        }
        if settings.is_limited {
            return Some(settings.elo);
        }
        let players = &self.players;
        let is_game_with_user = players.server.is_none() && !players.opponent_is_computer;
        let depth = self.time.depth_limit()?;
        elo_of_depth(depth).filter(|_| self.is_random && is_game_with_user)
    }
}

/// Returns the level for a depth limit together with `random`; `None` if the depth is that of a strong player.
fn elo_of_depth(depth: Depth) -> Option<u32> {
    let plies = u32::try_from(depth).ok()?;
    let elo = MIN_ELO.checked_add(plies.checked_mul(ELO_PER_PLY)?)?;
    (elo <= MAX_ELO).then_some(elo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_depths_are_weak_levels() {
        assert_eq!(elo_of_depth(1), Some(800));
        assert_eq!(elo_of_depth(3), Some(1200));
        assert_eq!(elo_of_depth(11), Some(2800));
        assert_eq!(elo_of_depth(12), None);
        assert_eq!(elo_of_depth(Depth::MAX), None);
    }
}
