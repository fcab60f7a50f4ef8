//! The state of the opening book.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::book::{BookSource, Learned};
use crate::config::BookChoice;

use super::interface::MachineSettings;

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
    /// Set once the user knows that the book contains illegal moves.
    pub(super) has_reported_illegal: bool,
    /// Length of the game whose result has been learned.
    pub(super) learned_length: Option<usize>,
    pub(super) random: ChaCha8Rng,
}

impl OpeningBook {
    /// Creates the state with the built-in book.
    pub(super) fn new(settings: &MachineSettings) -> OpeningBook {
        OpeningBook {
            built_in: settings.built_in_book.clone(),
            source: settings.built_in_book.clone(),
            requested: (BookChoice::default(), false),
            learned: None,
            has_reported_illegal: false,
            learned_length: None,
            random: ChaCha8Rng::seed_from_u64(settings.book_seed),
        }
    }

    /// Prepares for the result of another game.
    pub(super) fn on_new_game(&mut self) {
        self.learned_length = None;
    }
}
