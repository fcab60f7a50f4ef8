//! Root moves that the user has excluded from the search, and scores that the user has set.

use crate::game::Game;
use crate::messages::ScoreOverrides;
use crate::rules::Position;
use crate::types::{Depth, Key, Move, MoveList, Score};

/// The user's constraints on searches.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchConstraints {
    /// Root moves excluded from the search of the current position (`exclude`).
    excluded_moves: Vec<Move>,
    /// Scores set for positions (`setscore`).
    score_overrides: ScoreOverrides,
}

impl SearchConstraints {
    /// Returns the excluded root moves.
    pub(super) fn excluded_moves(&self) -> &[Move] {
        &self.excluded_moves
    }

    /// Excludes root moves. Returns `true` if this changes the set.
    pub(super) fn exclude(&mut self, moves: &[Move]) -> bool {
        let before = self.excluded_moves.len();
        for mv in moves {
            if !self.excluded_moves.contains(mv) {
                self.excluded_moves.push(*mv);
            }
        }
        self.excluded_moves.len() != before
    }

    /// Includes root moves again. Returns `true` if this changes the set.
    pub(super) fn include(&mut self, moves: &[Move]) -> bool {
        let before = self.excluded_moves.len();
        self.excluded_moves.retain(|mv| !moves.contains(mv));
        self.excluded_moves.len() != before
    }

    /// Includes all root moves again, because the position has changed.
    pub(super) fn clear_excluded_moves(&mut self) {
        self.excluded_moves.clear();
    }

    /// Returns the scores that the user has set.
    pub(super) fn score_overrides(&self) -> &ScoreOverrides {
        &self.score_overrides
    }

    /// Sets the score of a position in searches up to `depth`.
    pub(super) fn set_score(&mut self, key: Key, score: Score, depth: Depth) {
        self.score_overrides.set(key, score, depth);
    }

    /// Removes all scores, for a new game.
    pub(super) fn clear_scores(&mut self) {
        self.score_overrides = ScoreOverrides::default();
    }

    /// Returns the legal moves of the game's position that are not excluded.
    pub(super) fn remaining_moves(&self, game: &Game) -> MoveList {
        let legal = game
            .position()
            .map_or_else(MoveList::new, Position::legal_moves);
        legal
            .into_iter()
            .filter(|mv| !self.excluded_moves.contains(mv))
            .collect()
    }

    /// Returns the root moves to exclude from a search that must return a move.
    ///
    /// The set never contains all legal moves. While a takeback is assumed, it also contains the moves that would be
    /// illegal without the takeback: the server would ignore such a move, and the game would not continue.
    pub(super) fn excluded_for_play(&self, game: &Game) -> Vec<Move> {
        let Some(position) = game.position() else {
            return Vec::new();
        };
        let legal = position.legal_moves();
        let leaves_a_move = |excluded: &[Move]| legal.iter().any(|mv| !excluded.contains(mv));
        let mut excluded = Vec::new();
        if leaves_a_move(&self.excluded_moves) {
            excluded.clone_from(&self.excluded_moves);
        }
        if game.assumes_takeback() {
            let user_excluded = excluded.clone();
            excluded.extend(game.moves_illegal_in_alternative());
            if !leaves_a_move(&excluded) {
                return user_excluded;
            }
        }
        excluded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::rules::Variant;

    #[test]
    fn a_search_for_a_move_always_has_one() {
        let game = Game::new(Variant::Standard);
        let legal = game.position().expect("a position").legal_moves();
        let mut constraints = SearchConstraints::default();
        assert!(constraints.exclude(&legal[1..]));
        assert!(!constraints.exclude(&legal[1..]));
        assert_eq!(constraints.remaining_moves(&game)[..], legal[..1]);
        assert_eq!(constraints.excluded_for_play(&game), legal[1..]);
        assert!(constraints.exclude(&legal));
        assert!(constraints.remaining_moves(&game).is_empty());
        assert!(constraints.excluded_for_play(&game).is_empty());
    }

    #[test]
    fn moves_can_be_included_again() {
        let game = Game::new(Variant::Standard);
        let position = game.position().expect("a position");
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_move(position, text).expect("legal"));
        let mut constraints = SearchConstraints::default();
        assert!(constraints.exclude(&[e4, d4]));
        assert!(constraints.include(&[e4]) && !constraints.include(&[e4]));
        assert_eq!(constraints.excluded_moves(), [d4]);
        constraints.clear_excluded_moves();
        assert!(constraints.excluded_moves().is_empty());
    }
}
