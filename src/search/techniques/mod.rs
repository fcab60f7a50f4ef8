//! Search techniques, one per file: condition, formula, search and test.
//!
//! `alphabeta.rs` calls them in numbered steps. The parameters are those of `config/parameters.rs`; the first one listed
//! switches the technique on or off in a tuning build.
//!
//! | step | technique | file | parameters |
//! |---|---|---|---|
//! | 1 | check extension | `check_extension.rs` | `check_extension` |
//! | 4 | mate distance pruning | `mate_distance_pruning.rs` | |
//! | 7a | reverse futility pruning (static null move pruning), threat verification | `reverse_futility.rs` | `reverse_futility`, `reverse_futility_*` |
//! | 7b | razoring | `razoring.rs` | `razoring`, `razoring_*` |
//! | 7c | null move pruning, verification search | `null_move.rs` | `null_move`, `null_move_*` |
//! | 7d | ProbCut | `probcut.rs` | `probcut`, `probcut_*` |
//! | 8 | internal iterative reduction | `internal_iterative_reduction.rs` | `internal_reduction`, `internal_reduction_depth` |
//! | 10 | futility pruning | `futility.rs` | `futility`, `futility_*` |
//! | 11a | late move pruning | `late_move_pruning.rs` | `late_move_pruning`, `late_move_base` |
//! | 11b | history pruning | `history_pruning.rs` | `history_pruning`, `history_pruning_*` |
//! | 11c | SEE pruning | `see_pruning.rs` | `see_pruning`, `see_pruning_*` |
//! | 12 | singular extension, double and negative extension, multi-cut | `singular.rs` | `singular`, `singular_*`, `double_extension_*`, `negative_extension`, `cut_node_extension` |
//! | 14 | late move reduction | `late_move_reductions.rs` | `late_move_reductions`, `reduction_*`, `extension_history_score` |
//! | 15 | principal variation search, re-search of reduced moves | `principal_variation_search.rs` | `principal_variation_search`, `deeper_margin`, `shallower_margin` |
//!
//! Techniques outside this folder:
//!
//! | technique | file | parameters |
//! |---|---|---|
//! | iterative deepening | `../iterate.rs` | `iterative_deepening`, `previous_line` |
//! | aspiration window | `../aspiration.rs` | `aspiration_window` |
//! | quiescence search, with delta pruning and checks | `../quiescence.rs` | `quiescence`, `quiescence_*` |
//! | transposition table | `../table.rs` | `table`, `table_move` |
//! | draws by repetition, upcoming repetition | `../path.rs` | `repetition`, `upcoming_repetition` |
//! | move ordering | `../picker.rs` | `losing_captures_last`, `check_bonus` |
//! | killer moves | `../killers.rs` | `killers` |
//! | histories | `../history/` | `history`, `bonus_*`, `malus_*` |
//! | correction history | `../history/correction.rs`, `../static_eval.rs` | `correction`, `correction_*` |
//!
//! # Adding a technique
//!
//! 1. Add its switch and its numbers to `config/parameters.rs`.
//! 2. Add a file here: a condition that takes the parameters, the [`NodeState`](super::node::NodeState) and, in the move
//!    loop, the [`MoveContext`](super::move_context::MoveContext); a search as `impl Searcher` if it needs one; a unit test.
//! 3. Add a numbered step to `alphabeta.rs` and a row to the table above.
//! 4. Measure it in a tuning build with `gaur bench --set name=0`, then with games.

pub(super) mod check_extension;
pub(super) mod futility;
pub(super) mod history_pruning;
pub(super) mod internal_iterative_reduction;
pub(super) mod late_move_pruning;
pub(super) mod late_move_reductions;
pub(super) mod mate_distance_pruning;
pub(super) mod null_move;
pub(super) mod principal_variation_search;
pub(super) mod probcut;
pub(super) mod razoring;
pub(super) mod reverse_futility;
pub(super) mod see_pruning;
pub(super) mod singular;
