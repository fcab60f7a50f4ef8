//! The current activity of the machine, as one value.

use std::time::Instant;

use crate::messages::{SearchEvent, SearchId};
use crate::rules::Setup;
use crate::types::{Color, Move};

/// The current activity, with the data that exist only during it.
#[derive(Debug)]
pub(super) enum Mode {
    /// Force mode: Gaur records the moves of both sides and plays neither.
    Force,
    /// The engine plays a side and has nothing to do.
    Waiting {
        /// The engine's side.
        engine: Color,
    },
    /// The engine searches on the opponent's time.
    Pondering {
        /// The engine's side.
        engine: Color,
        /// Number of the search.
        search: SearchId,
        /// Expected move. Without one, the search examines the current position.
        ponder_move: Option<Move>,
    },
    /// The engine searches for a move.
    Thinking {
        /// The engine's side.
        engine: Color,
        /// Number of the search.
        search: SearchId,
        /// Time of the request for the move; pauses do not count.
        since: Instant,
        /// First move of the newest principal variation.
        best_so_far: Option<Move>,
        /// Set after `?`.
        is_move_now: bool,
    },
    /// Analysis.
    Analysing {
        /// Number of the search; `None` if there is nothing to search, and after `force` until the position changes.
        search: Option<SearchId>,
        /// First move of the newest principal variation.
        best_so_far: Option<Move>,
    },
    /// Edit mode, between `edit` and its `.`.
    Editing {
        /// Position on the edited board.
        draft: Setup,
        /// Colour of the pieces that are placed.
        color: Color,
        /// Mode after the end of edit mode; no search runs in it.
        after: Box<Mode>,
    },
    /// The game is over.
    Over {
        /// The engine's side.
        engine: Color,
    },
    /// Clocks and search stand still after `pause`.
    Paused {
        /// Mode after the pause.
        inner: Box<Mode>,
        /// Time of `pause`.
        since: Instant,
        /// Search events that arrive during the pause.
        held_events: Vec<SearchEvent>,
    },
}

impl Mode {
    /// Returns the mode in which the engine searches for a move from `now` on.
    pub(super) fn thinking_since(now: Instant, engine: Color, search: SearchId) -> Mode {
        Mode::Thinking {
            engine,
            search,
            since: now,
            best_so_far: None,
            is_move_now: false,
        }
    }

    /// Returns the number of the running search, also during a pause.
    pub(super) fn search(&self) -> Option<SearchId> {
        match self {
            Mode::Pondering { search, .. } | Mode::Thinking { search, .. } => Some(*search),
            Mode::Analysing { search, .. } => *search,
            Mode::Paused { inner, .. } => inner.search(),
            Mode::Force | Mode::Waiting { .. } | Mode::Editing { .. } | Mode::Over { .. } => None,
        }
    }

    /// Returns the number of the search for a move, also during a pause.
    pub(super) fn search_for_move(&self) -> Option<SearchId> {
        match self {
            Mode::Thinking { search, .. } => Some(*search),
            Mode::Paused { inner, .. } => inner.search_for_move(),
            _ => None,
        }
    }

    /// Returns the engine's side if it plays one.
    pub(super) fn engine(&self) -> Option<Color> {
        match self {
            Mode::Waiting { engine }
            | Mode::Pondering { engine, .. }
            | Mode::Thinking { engine, .. }
            | Mode::Over { engine } => Some(*engine),
            Mode::Paused { inner, .. } => inner.engine(),
            Mode::Force | Mode::Analysing { .. } | Mode::Editing { .. } => None,
        }
    }

    /// Returns `true` during a pause.
    pub(super) fn is_paused(&self) -> bool {
        matches!(self, Mode::Paused { .. })
    }

    /// Returns `true` in analysis, also during a pause.
    pub(super) fn is_analysing(&self) -> bool {
        match self {
            Mode::Analysing { .. } => true,
            Mode::Paused { inner, .. } => inner.is_analysing(),
            _ => false,
        }
    }

    /// Returns `true` while the engine searches for a move, but not during a pause.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self, Mode::Thinking { .. })
    }

    /// Returns `true` if a draw offer can be answered at once. Otherwise the engine's next move answers it.
    pub(super) fn answers_draw_offers(&self) -> bool {
        match self {
            Mode::Waiting { .. } | Mode::Pondering { .. } => true,
            Mode::Paused { .. } => self.search_for_move().is_none(),
            _ => false,
        }
    }

    /// Returns `true` if `?` was received and its move has not been sent yet.
    pub(super) fn is_move_now_pending(&self) -> bool {
        matches!(
            self,
            Mode::Thinking {
                is_move_now: true,
                ..
            }
        )
    }

    /// Returns the move that the engine ponders on, also during a pause.
    pub(super) fn ponder_move(&self) -> Option<Move> {
        match self {
            Mode::Pondering { ponder_move, .. } => *ponder_move,
            Mode::Paused { inner, .. } => inner.ponder_move(),
            _ => None,
        }
    }

    /// Records the first move of the newest principal variation.
    pub(super) fn set_best_so_far(&mut self, best: Option<Move>) {
        if let Mode::Thinking { best_so_far, .. } | Mode::Analysing { best_so_far, .. } = self {
            *best_so_far = best.or(*best_so_far);
        }
    }

    /// Changes to the mode that remains without the running search.
    pub(super) fn stop_search(&mut self) {
        match self {
            Mode::Pondering { engine, .. } | Mode::Thinking { engine, .. } => {
                *self = Mode::Waiting { engine: *engine };
            }
            Mode::Analysing {
                search,
                best_so_far,
            } => {
                *search = None;
                *best_so_far = None;
            }
            Mode::Paused { inner, .. } => {
                inner.stop_search();
                *self = std::mem::replace(inner, Mode::Force);
            }
            Mode::Force | Mode::Waiting { .. } | Mode::Editing { .. } | Mode::Over { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking() -> Mode {
        Mode::thinking_since(Instant::now(), Color::White, SearchId(3))
    }

    fn paused(inner: Mode) -> Mode {
        Mode::Paused {
            inner: Box::new(inner),
            since: Instant::now(),
            held_events: Vec::new(),
        }
    }

    #[test]
    fn a_pause_keeps_the_search_but_is_not_thinking() {
        let mode = paused(thinking());
        assert_eq!(mode.search_for_move(), Some(SearchId(3)));
        assert!(mode.is_paused() && !mode.is_thinking() && !mode.answers_draw_offers());
        let waiting = Mode::Waiting {
            engine: Color::White,
        };
        assert!(paused(waiting).answers_draw_offers());
    }

    #[test]
    fn stopping_a_search_ends_the_pause_and_keeps_the_side() {
        let mut mode = paused(thinking());
        mode.stop_search();
        assert!(matches!(
            mode,
            Mode::Waiting {
                engine: Color::White
            }
        ));
        let mut analysis = Mode::Analysing {
            search: Some(SearchId(4)),
            best_so_far: None,
        };
        analysis.stop_search();
        assert!(analysis.is_analysing() && analysis.search().is_none());
    }
}
