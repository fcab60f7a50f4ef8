//! Settings of self-play games.

use std::sync::Arc;

use crate::game_file::{FileId, Header, NodeLimit, Run};
use gaur::eval::Evaluation;
use gaur::search::SearchSetup;

use super::book::Book;

/// Version of the rules by which games are played: openings, search limits, adjudication. Raised whenever they change,
/// so that no file mixes games of two versions. Changes of the search change the fingerprint.
const GENERATOR: u32 = 2;

/// Everything that games depend on besides seed and number.
#[derive(Clone, Debug)]
pub(crate) struct GameSettings {
    /// Node limits and how often each is used.
    pub limits: Vec<NodeLimit>,
    /// Games of Fischer Random per thousand.
    pub chess960_permille: u16,
    /// Games of double Fischer Random per thousand.
    pub double_chess960_permille: u16,
    /// Fewest random half-moves at the start of a game.
    pub random_plies: u16,
    /// Positions that games start from; `None` for the start position of chess.
    pub book: Option<Arc<Book>>,
    /// Search parameters and evaluation function.
    pub search_setup: SearchSetup,
    /// CRC-32 of a test game. It distinguishes files of different searches.
    pub fingerprint: String,
}

impl GameSettings {
    /// Returns the header of a file for the run with this seed.
    pub fn header(&self, seed: u64) -> Header {
        Header::new(Some(Run {
            generator: GENERATOR,
            seed,
            nodes: self.limits.clone(),
            chess960_permille: self.chess960_permille,
            double_chess960_permille: self.double_chess960_permille,
            random_plies: self.random_plies,
            openings: self.book.as_ref().map(|book| book.id().clone()),
            network: self.network(),
            fingerprint: self.fingerprint.clone(),
        }))
    }

    /// Returns the network that evaluates positions; `None` for the classical evaluation.
    pub fn network(&self) -> Option<FileId> {
        match &self.search_setup.evaluation {
            Evaluation::Classical => None,
            Evaluation::Network(network, _) => {
                Some(FileId::new(network.name(), network.checksum()))
            }
        }
    }
}
