//! Search techniques, one per file: condition, formula, search and test.
//!
//! `alphabeta.rs` calls them in numbered steps. A function `allows_X` is a condition for trying a technique;
//! `try_X` tests the condition and runs the search.
//!
//! `config/parameters.rs` describes the parameters. A parameter with the name of the technique switches it on or off in
//! a tuning build; the other rows list numbers only.
//!
//! | step | technique | file | parameters |
//! |---|---|---|---|
//! | 4 | mate distance pruning | `mate_distance_pruning` | |
//! | 5a | tablebase probe | `tablebase` | |
//! | 6a | hindsight | `hindsight` | `hindsight`, `hindsight_margin` |
//! | 7a | reverse futility pruning, threat verification | `reverse_futility` | `reverse_futility*` |
//! | 7b | razoring | `razoring` | `razoring*` |
//! | 7c | null move pruning, verification search | `null_move` | `null_move*` |
//! | 7d | ProbCut | `probcut` | `probcut*` |
//! | 8 | internal iterative reduction | `internal_iterative_reduction` | `internal_reduction*` |
//! | 10 | futility pruning | `futility` | `futility*` |
//! | 10, 11b, 11c | reduced depth (quiet moves) | `reduced_depth` | `pruning_not_improving` |
//! | 11a | late move pruning | `late_move_pruning` | `late_move_pruning`, `late_move_base` |
//! | 11b | history pruning | `history_pruning` | `history_pruning*` |
//! | 11c | SEE pruning | `see_pruning` | `see_pruning*` |
//! | 12 | singular extension | `singular` | `singular*` |
//! | 12 | double, triple and negative extension, multi-cut | `singular` | other `*_extension*` |
//! | 14 | late move reduction | `late_move_reductions` | `late_move_reductions`, other `reduction_*` |
//! | 14 | extension of late moves | `late_move_reductions` | `extension_history_score` |
//! | 14 | short search of a first move | `late_move_reductions` | `reduction_first_move` |
//! | 15 | principal variation search | `principal_variation_search` | `principal_variation_search` |
//! | 15 | re-search of reduced moves | `principal_variation_search` | `deeper_margin`, `shallower_margin` |
//! | 16 | smaller depth after a move that raised alpha | `raised_alpha` | `raised_alpha_depth` |
//!
//! Techniques outside this folder:
//!
//! | technique | file | parameters |
//! |---|---|---|
//! | iterative deepening | `../iterate` | `iterative_deepening` |
//! | aspiration window | `../aspiration` | `aspiration_window` |
//! | quiescence search, delta pruning, quiet checks | `../quiescence` | `quiescence*` |
//! | transposition table | `../table` | `table`, `table_move` |
//! | draws by repetition, upcoming repetition | `../path` | `repetition`, `upcoming_repetition` |
//! | move ordering | `../picker` | `bad_captures_last`, `bad_quiet_score`, `check_bonus` |
//! | previous principal variation first | `../pv` | `previous_line` |
//! | killer moves | `../killers` | `killers` |
//! | histories | `../history`, `../cutoff` | `history`, `bonus_*`, `malus_*` |
//! | weights of continuation histories | `../history` | `history_one_ply`, `history_two_plies`, `history_four_plies` |
//! | weights of other histories | `../history` | `history_butterfly`, `history_pawns` |
//! | attacks by less valuable pieces | `../history` | `threat_score` |
//! | correction history | `../history/correction`, `../static_eval` | `correction*` |
//!
//! # Adding a technique
//!
//! `docs/extending.md` lists the files under "A search patch". Techniques of the quiescence search belong to
//! `quiescence.rs`, those of move ordering to `picker.rs`.
//!
//! 1. Add its switch and its numbers to `config/parameters.rs`.
//! 2. Add a file here: a condition that takes the parameters, the [`NodeState`](super::node::NodeState) and, in the
//!    move loop, the [`MoveContext`](super::move_context::MoveContext); a search as `impl Searcher` if it needs one; a
//!    unit test. New inputs go to `node.rs` or `move_context.rs`, and to `test_support.rs`.
//! 3. Add a step to `alphabeta.rs`, a row to the table above and one to `docs/search.md`. A technique that prunes the
//!    node is a part of step 7, which is skipped in PV nodes, in check and in singular searches. One that prunes a move
//!    is a part of step 11, under the condition `may_prune`. Any other has a numbered step of its own.
//! 4. Measure it in a tuning build with `gaur bench --set name=0`, then with games.

pub(super) mod futility;
pub(super) mod hindsight;
pub(super) mod history_pruning;
pub(super) mod internal_iterative_reduction;
pub(super) mod late_move_pruning;
pub(super) mod late_move_reductions;
pub(super) mod mate_distance_pruning;
pub(super) mod null_move;
pub(super) mod principal_variation_search;
pub(super) mod probcut;
pub(super) mod raised_alpha;
pub(super) mod razoring;
pub(super) mod reduced_depth;
pub(super) mod reverse_futility;
pub(super) mod see_pruning;
pub(super) mod singular;
pub(super) mod tablebase;
