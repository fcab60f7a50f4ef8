//! The state of the opening book.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::book::{BookSource, Learned, LearnedMove, LearnedResult, encode_move};
use crate::config::BookChoice;
use crate::game::Game;
use crate::protocol::command::GameResult;
use crate::types::{Color, Move};

use super::interface::MachineSettings;

/// A move that the engine has played from the book in the current game.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedBookMove {
    /// Number of half-moves before it.
    pub(super) plies: usize,
    /// Key of the position before it.
    pub(super) key: u64,
    /// The move.
    pub(super) mv: Move,
    /// Side that has played it.
    pub(super) side: Color,
}

/// The opening book in use.
#[derive(Debug)]
pub(super) struct OpeningBook {
    /// Book that is built in; `None` if the caller has none.
    pub(super) built_in: Option<Arc<dyn BookSource>>,
    /// Book in use; `None` if it cannot be used.
    pub(super) source: Option<Arc<dyn BookSource>>,
    /// The book that was requested last, and whether Gaur was to learn.
    pub(super) requested: (BookChoice, bool),
    /// Results of earlier games; `None` if Gaur does not learn or the file cannot be used.
    pub(super) learned: Option<Learned>,
    /// Set once a result could not be written: no other one is.
    pub(super) is_learning_stopped: bool,
    /// Set once the user knows that the book contains illegal moves.
    pub(super) has_reported_illegal: bool,
    pub(super) random: ChaCha8Rng,
    /// Moves of the book in use in the current game.
    played: Vec<PlayedBookMove>,
    /// Set if the result of the current game teaches nothing: it has been learned, or Gaur has played with limited
    /// strength.
    is_game_closed: bool,
}

impl OpeningBook {
    /// Creates the state with the built-in book.
    pub(super) fn new(settings: &MachineSettings) -> OpeningBook {
        OpeningBook {
            built_in: settings.built_in_book.clone(),
            source: settings.built_in_book.clone(),
            requested: (BookChoice::default(), false),
            learned: None,
            is_learning_stopped: false,
            has_reported_illegal: false,
            random: ChaCha8Rng::seed_from_u64(settings.book_seed),
            played: Vec::new(),
            is_game_closed: false,
        }
    }

    /// Returns `true` if look-ups take no time.
    pub(super) fn is_in_memory(&self) -> bool {
        self.source.as_ref().is_some_and(|book| book.is_in_memory())
    }

    /// Records that another book was requested. It has not been played from yet.
    pub(super) fn on_request(&mut self, wanted: (BookChoice, bool)) {
        if wanted.0 != self.requested.0 {
            self.played.clear();
        }
        self.requested = wanted;
        self.has_reported_illegal = false;
        self.is_learning_stopped = false;
    }

    /// Records a move that the engine plays from the book.
    pub(super) fn record(&mut self, played: PlayedBookMove) {
        self.played.push(played);
    }

    /// Prepares for the result of another game.
    pub(super) fn on_new_game(&mut self) {
        self.played.clear();
        self.is_game_closed = false;
    }

    /// Forgets the moves that have been taken back: those that are not in the game any more.
    pub(super) fn on_takeback(&mut self, game: &Game) {
        self.played
            .retain(|played| game.moves().nth(played.plies) == Some(played.mv));
    }

    /// Makes sure that nothing is learned from the current game.
    pub(super) fn close_game(&mut self) {
        self.is_game_closed = true;
    }

    /// Returns what is to be learned from the result of the current game. It is returned once.
    pub(super) fn lessons(&mut self, result: GameResult) -> Vec<LearnedMove> {
        if self.is_game_closed || result == GameResult::Unfinished {
            return Vec::new();
        }
        self.is_game_closed = true;
        let lesson = |played: &PlayedBookMove| LearnedMove {
            key: played.key,
            mv: encode_move(played.mv),
            result: match (result, played.side) {
                (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
                    LearnedResult::Win
                }
                (GameResult::WhiteWins | GameResult::BlackWins, _) => LearnedResult::Loss,
                (GameResult::Draw | GameResult::Unfinished, _) => LearnedResult::Draw,
            },
        };
        self.played.iter().map(lesson).collect()
    }
}
