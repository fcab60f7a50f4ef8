//! The tree search and its threads.
//!
//! The search thread handles orders, keeps the time and searches; helper threads search with it. Each has its own board
//! and histories, and all share the transposition table. The search sends events and never prints. `docs/search.md`
//! describes the techniques.
//!
//! | group | modules |
//! |---|---|
//! | search thread | `controller`, `immediate`, `running_search`, `line_filter`, `resources` |
//! | workers | `pool`, `job`, `monitor`, `stop`, `poll`, `vote` |
//! | entry points for tools | `single_threaded`, `parallel` |
//! | driver of a worker | `iterate`, `aspiration`, `root`, `root_moves`, `pv` |
//! | playing strength | `strength` |
//! | tree | `alphabeta`, `techniques`, `probe_limits`, `quiescence`, `make_move`, `static_eval`, `cutoff` |
//! | state of the tree search | `searcher`, `setup`, `stack`, `path`, `node`, `move_context`, `statistics` |
//! | move ordering | `picker`, `scored` |
//! | tables | `table`, `history`, `killers`, `reduction_table` |

mod alphabeta;
mod aspiration;
mod controller;
mod cutoff;
mod history;
mod immediate;
mod iterate;
mod job;
mod killers;
mod line_filter;
mod make_move;
mod monitor;
mod move_context;
mod node;
mod parallel;
mod path;
mod picker;
mod poll;
mod pool;
mod probe_limits;
mod pv;
mod quiescence;
mod reduction_table;
mod resources;
mod root;
mod root_moves;
mod running_search;
mod scored;
mod searcher;
mod setup;
mod single_threaded;
mod stack;
mod static_eval;
mod statistics;
mod stop;
mod strength;
mod table;
mod techniques;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
mod vote;

pub use controller::{EventHandler, SearchHandle, start};
pub use immediate::ImmediateMoves;
pub use parallel::ParallelSearch;
pub use resources::{can_start, has_memory_for_file};
pub use setup::SearchSetup;
pub use single_threaded::{SingleThreadedResult, SingleThreadedSearch};
pub use statistics::{MoveClass, Statistics};
pub use table::Pages;
