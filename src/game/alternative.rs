//! The second game that the moves so far fit as well.
//!
//! The game with a takeback and the game without it go on side by side while it is only probable. A move that is
//! legal in one of them only decides.

use super::Game;
use crate::clock::Clocks;
use crate::types::Move;

impl Game {
    /// Keeps `other` beside this game: a game with the same side to move, to which the next moves are added
    /// as long as they are legal there, too.
    pub fn set_alternative(&mut self, mut other: Game) {
        other.alternative = None;
        self.alternative = Some(Box::new(other));
    }

    /// The game that the moves so far fit as well.
    pub fn alternative(&self) -> Option<&Game> {
        self.alternative.as_deref()
    }

    /// Removes the alternative and returns it.
    pub fn take_alternative(&mut self) -> Option<Game> {
        self.alternative.take().map(|other| *other)
    }

    /// Returns `true` if moves were taken back in this game that the alternative has still. Of two games that are
    /// equally long, each is one after a takeback.
    pub fn assumes_takeback(&self) -> bool {
        self.alternative()
            .is_some_and(|other| other.len() >= self.len())
    }

    /// Legal moves of this game that the alternative does not allow; none without an alternative.
    pub fn legal_here_only(&self) -> Vec<Move> {
        let (Some(position), Some(other)) = (self.position(), self.alternative()) else {
            return Vec::new();
        };
        let moves = position.legal_moves();
        let is_here_only = |mv: &&Move| other.counterpart(**mv).is_none();
        moves.iter().filter(is_here_only).copied().collect()
    }

    /// Adds a move that was made in this game to the alternative, which is dropped if the move is illegal there.
    pub(super) fn play_in_alternative(&mut self, mv: Move, clocks: Clocks) {
        self.alternative = self.alternative.take().and_then(|mut other| {
            let mv = other.counterpart(mv)?;
            other.play(mv, clocks).then_some(other)
        });
    }

    /// The legal move of this game that is written like `mv`. It may capture another piece.
    fn counterpart(&self, mv: Move) -> Option<Move> {
        let written = |mv: Move| (mv.from_to(), mv.promotion(), mv.is_castle());
        let moves = self.position()?.legal_moves();
        moves
            .iter()
            .copied()
            .find(|&own| written(own) == written(mv))
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

    /// A game in which `d7d5 g1f3` are assumed to be taken back, beside the game with these moves.
    fn assumed() -> Game {
        let mut game = Game::new(Variant::Standard);
        play(&mut game, "e2e4");
        let mut without_takeback = game.clone();
        play(&mut without_takeback, "d7d5 g1f3");
        game.set_alternative(without_takeback);
        game
    }

    #[test]
    fn moves_are_played_in_both_games_as_long_as_they_are_legal_there() {
        let mut game = assumed();
        assert!(game.assumes_takeback());
        play(&mut game, "c7c6 b1c3");
        assert_eq!(game.alternative().map(Game::len), Some(5));
        // The pawn has gone two squares there.
        play(&mut game, "d7d6");
        assert!(game.alternative().is_none() && !game.assumes_takeback());
    }

    #[test]
    fn legal_moves_of_one_game_only_are_known() {
        let mut game = assumed();
        let here_only = game.legal_here_only();
        let texts: Vec<String> = here_only
            .iter()
            .map(|mv| format!("{}{}", mv.from(), mv.to()))
            .collect();
        assert_eq!(texts, ["d7d6", "d7d5"]);
        play(&mut game, "d7d6");
        assert!(game.legal_here_only().is_empty());
    }

    #[test]
    fn nothing_but_a_move_keeps_the_alternative() {
        let mut game = assumed();
        let _ = game.take_back();
        assert!(game.alternative().is_none());
    }
}
