//! The tree search and its threads.
//!
//! The controller thread handles orders and keeps the time. Worker threads search; each has its own board and
//! histories, and all share the transposition table. The search sends events and never prints. `docs/search.md`
//! describes the techniques.

mod alphabeta;
mod aspiration;
mod controller;
mod history;
mod iterate;
mod job;
mod killers;
mod learn;
mod line_filter;
mod node;
mod parallel;
mod picker;
mod poll;
mod pool;
mod prune;
mod pv;
mod quiescence;
mod reduce;
mod root;
mod running_search;
mod scored;
mod searcher;
mod setup;
mod shortcuts;
mod single_threaded;
mod stack;
mod statistics;
mod stop;
mod table;
#[cfg(test)]
mod tests;
mod vote;

pub use controller::{SearchHandle, start};
pub use parallel::ParallelSearch;
pub use setup::SearchSetup;
pub use single_threaded::{SingleThreadedResult, SingleThreadedSearch};
pub use statistics::{CutGroup, Statistics};
