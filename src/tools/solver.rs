//! A search on the engine's own threads that finds the best moves of positions, one after the other.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};

use crate::clock::TimeBudget;
use crate::config::SearchSettings;
use crate::messages::{
    Contempt, Limits, Purpose, ScoreOverrides, SearchEvent, SearchId, SearchOrder, SearchRequest,
    TimeSource,
};
use crate::rules::Position;
use crate::runtime::read_network;
use crate::search::{self, SearchHandle};
use crate::types::Move;

use super::ToolError;

/// A running search.
pub struct Solver {
    search: SearchHandle,
    events: Receiver<SearchEvent>,
    last: SearchId,
}

impl Solver {
    /// Starts the search with these settings.
    ///
    /// # Errors
    /// Returns an error if the system grants no thread, or if the network file of the settings cannot be used.
    pub fn start(settings: SearchSettings) -> Result<Solver, ToolError> {
        let network = read_network(&settings.evaluation.eval_file).map_err(ToolError::Network)?;
        let (sender, events) = unbounded();
        // There is no receiver only while the program ends.
        let on_event = Box::new(move |event| sender.send(event).unwrap_or_default());
        let search = search::start(settings, network, on_event).map_err(ToolError::Search)?;
        Ok(Solver {
            search,
            events,
            last: SearchId::default(),
        })
    }

    /// Returns the best move of a position after this time; `None` if there is no legal move or the search has ended.
    pub fn solve(&mut self, position: &Position, time: Duration) -> Option<Move> {
        self.forget()?;
        self.last = SearchId(self.last.0 + 1);
        let id = self.last;
        let limits = Limits {
            budget: Some(TimeBudget {
                soft: time,
                hard: time,
            }),
            ..Limits::default()
        };
        let request = SearchRequest {
            id,
            position: position.clone(),
            purpose: Purpose::Play,
            limits,
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        };
        self.search
            .orders
            .send(SearchOrder::Start(Box::new(request)))
            .ok()?;
        loop {
            match self.events.recv().ok()? {
                SearchEvent::Best {
                    id: answered, best, ..
                } if answered == id => return best,
                _ => {}
            }
        }
    }

    /// Clears the transposition table and waits for it, so that clearing does not take time from the next position.
    fn forget(&mut self) -> Option<()> {
        self.search.orders.send(SearchOrder::NewGame).ok()?;
        while self.events.recv().ok()? != SearchEvent::Configured {}
        Some(())
    }
}
