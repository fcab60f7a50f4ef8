//! What the machine is doing, as one value that can only be one thing.

use std::time::Instant;

use crate::messages::{SearchEvent, SearchId};
use crate::rules::Setup;
use crate::types::{Color, Move};

/// What is going on. Each mode holds what is true only in it.
#[derive(Debug)]
pub(super) enum Mode {
    /// Observing: moves of both sides are made silently.
    Force,
    /// The engine plays this side and has nothing to do now.
    Waiting { engine: Color },
    /// As [`Mode::Waiting`], but the search runs on the opponent's time: on the position after the guess, or,
    /// without a guess, on the present one.
    Pondering {
        engine: Color,
        search: SearchId,
        guess: Option<Move>,
    },
    /// The engine owes a move, asked for at `since`.
    Thinking {
        engine: Color,
        search: SearchId,
        since: Instant,
        best_so_far: Option<Move>,
        /// `?` has come.
        hurried: bool,
    },
    /// Analysis. No search runs when there is nothing to search, or after `force` until the position changes.
    Analysing {
        search: Option<SearchId>,
        best_so_far: Option<Move>,
    },
    /// Between `edit` and its `.`: the position in the making, the colour being placed, and the mode that comes
    /// after it, which is one at rest.
    Editing {
        draft: Setup,
        color: Color,
        after: Box<Mode>,
    },
    /// The game in which the engine played this side is over.
    Over { engine: Color },
    /// `pause`, at `since`: everything stands still in the mode inside; events that were on their way are held.
    Paused {
        inner: Box<Mode>,
        since: Instant,
        held: Vec<SearchEvent>,
    },
}

impl Mode {
    /// The search that is running.
    pub(super) fn search(&self) -> Option<SearchId> {
        match self {
            Mode::Pondering { search, .. } | Mode::Thinking { search, .. } => Some(*search),
            Mode::Analysing { search, .. } => *search,
            Mode::Paused { inner, .. } => inner.search(),
            Mode::Force | Mode::Waiting { .. } | Mode::Editing { .. } | Mode::Over { .. } => None,
        }
    }

    /// Returns `true` in a pause.
    pub(super) fn is_paused(&self) -> bool {
        matches!(self, Mode::Paused { .. })
    }

    /// The search for the move that is owed.
    pub(super) fn thinking(&self) -> Option<SearchId> {
        match self {
            Mode::Thinking { search, .. } => Some(*search),
            Mode::Paused { inner, .. } => inner.thinking(),
            _ => None,
        }
    }

    /// Whether this is analysis, paused or not.
    pub(super) fn is_analysing(&self) -> bool {
        match self {
            Mode::Analysing { .. } => true,
            Mode::Paused { inner, .. } => inner.is_analysing(),
            _ => false,
        }
    }

    /// Whether a move is being looked for, without a pause.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self, Mode::Thinking { .. })
    }

    /// Whether a move is owed at once.
    pub(super) fn is_hurried(&self) -> bool {
        matches!(self, Mode::Thinking { hurried: true, .. })
    }

    /// Notes the first move of the newest principal variation.
    pub(super) fn note_best(&mut self, best: Option<Move>) {
        if let Mode::Thinking { best_so_far, .. } | Mode::Analysing { best_so_far, .. } = self {
            *best_so_far = best.or(*best_so_far);
        }
    }

    /// Becomes the mode that remains when the search is taken away.
    pub(super) fn settle(&mut self) {
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
                inner.settle();
                *self = std::mem::replace(inner, Mode::Force);
            }
            Mode::Force | Mode::Waiting { .. } | Mode::Editing { .. } | Mode::Over { .. } => {}
        }
    }
}
