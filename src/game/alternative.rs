//! Alternative game while a takeback is uncertain.
//!
//! The game with the takeback and the game without it continue in parallel. A move that is legal in only one of them
//! decides.

use crate::clock::Clocks;
use crate::types::Move;

use super::record::Game;

impl Game {
    /// Sets the alternative: a game with the same side to move. Later moves are played in it, too, as long as they are
    /// legal there.
    pub fn set_alternative(&mut self, mut other: Game) {
        other.alternative = None;
        self.alternative = Some(Box::new(other));
    }

    /// Returns the alternative.
    pub fn alternative(&self) -> Option<&Game> {
        self.alternative.as_deref()
    }

    /// Removes the alternative and returns it.
    pub fn take_alternative(&mut self) -> Option<Game> {
        self.alternative.take().map(|other| *other)
    }

    /// Returns `true` if moves were taken back in this game that the alternative still contains. Of two games of equal
    /// length, each is one after a takeback.
    pub fn assumes_takeback(&self) -> bool {
        self.alternative()
            .is_some_and(|other| other.len() >= self.len())
    }

    /// Returns the legal moves that are illegal in the alternative; none without an alternative.
    pub fn moves_illegal_in_alternative(&self) -> Vec<Move> {
        let (Some(position), Some(other)) = (self.position(), self.alternative()) else {
            return Vec::new();
        };
        let moves = position.legal_moves();
        let is_illegal_there = |mv: &&Move| other.equivalent_move(**mv).is_none();
        moves.iter().filter(is_illegal_there).copied().collect()
    }

    /// Plays a move of this game in the alternative, which is removed if the move is illegal there.
    pub(super) fn play_in_alternative(&mut self, mv: Move, clocks: Clocks) {
        self.alternative = self.alternative.take().and_then(|mut other| {
            let mv = other.equivalent_move(mv)?;
            other.play(mv, clocks).then_some(other)
        });
    }

    /// Returns the legal move of this game with the text of `mv`. It may capture another piece.
    fn equivalent_move(&self, mv: Move) -> Option<Move> {
        let text_of = |mv: Move| (mv.from_to(), mv.promotion(), mv.is_castle());
        let moves = self.position()?.legal_moves();
        moves
            .iter()
            .copied()
            .find(|&own| text_of(own) == text_of(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;
    use crate::rules::Variant;

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            let position = game.position().expect("a position");
            let mv = position
                .legal_moves()
                .iter()
                .copied()
                .find(|mv| format!("{}{}", mv.from(), mv.to()) == text)
                .expect("a legal move");
            assert!(game.play(mv, Clocks::new(TimeControl::default())));
        }
    }

    /// Returns a game in which `d7d5 g1f3` are assumed to be taken back, with the game without the takeback as its
    /// alternative.
    fn game_with_assumed_takeback() -> Game {
        let mut game = Game::new(Variant::Standard);
        play(&mut game, "e2e4");
        let mut without_takeback = game.clone();
        play(&mut without_takeback, "d7d5 g1f3");
        game.set_alternative(without_takeback);
        game
    }

    #[test]
    fn moves_are_played_in_the_alternative_while_they_are_legal_there() {
        let mut game = game_with_assumed_takeback();
        assert!(game.assumes_takeback());
        play(&mut game, "c7c6 b1c3");
        assert_eq!(game.alternative().map(Game::len), Some(5));
        // In the alternative, the pawn is on d5.
        play(&mut game, "d7d6");
        assert!(game.alternative().is_none() && !game.assumes_takeback());
    }

    #[test]
    fn moves_illegal_in_the_alternative_are_found() {
        let mut game = game_with_assumed_takeback();
        let moves = game.moves_illegal_in_alternative();
        let texts: Vec<String> = moves
            .iter()
            .map(|mv| format!("{}{}", mv.from(), mv.to()))
            .collect();
        assert_eq!(texts, ["d7d6", "d7d5"]);
        play(&mut game, "d7d6");
        assert!(game.moves_illegal_in_alternative().is_empty());
    }

    #[test]
    fn a_takeback_removes_the_alternative() {
        let mut game = game_with_assumed_takeback();
        let _ = game.take_back();
        assert!(game.alternative().is_none());
    }
}
