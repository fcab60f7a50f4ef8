//! Table of the parameters of search and time management: switches and numbers.
//!
//! The search calls, for example, `parameters.null_move()` in every build. In a normal build the call returns a
//! constant, so a technique that is switched off costs nothing. In a tuning build (cargo feature `tuning`) it returns a
//! field, and every parameter is an option of the same name: a match runner can switch off one technique or try
//! another value.
//!
//! A parameter of type `bool` is a switch; its option accepts 0 and 1. A parameter of type `i32` is a number with a
//! range.

use super::parameter_spec::ParameterSpec;

/// Expands the table to the type [`Parameters`], for normal builds and for tuning builds.
macro_rules! params {
    ($($name:ident: $type:ident = $default:literal $(in $min:literal..$max:literal)?, $doc:literal;)*) => {
        /// The parameters of search and time management.
        #[cfg(not(feature = "tuning"))]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Parameters {}

        #[cfg(not(feature = "tuning"))]
        impl Parameters {
            $(
                #[doc = $doc]
                #[inline(always)]
                pub const fn $name(&self) -> $type {
                    $default
                }
            )*
        }

        /// The parameters of search and time management.
        #[cfg(feature = "tuning")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($name: $type,)*
        }

        #[cfg(feature = "tuning")]
        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        #[cfg(feature = "tuning")]
        impl Parameters {
            $(
                #[doc = $doc]
                #[inline]
                pub const fn $name(&self) -> $type {
                    self.$name
                }
            )*

            /// Sets a parameter and returns `true`, or `false` if none has this name. A switch is on unless the value
            /// is 0.
            pub(super) fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = params!(@from_number $type, value),)*
                    _ => return false,
                }
                true
            }
        }

        impl Parameters {
            /// The table of all parameters, for the option list, the tuner and the tests.
            pub const TABLE: &'static [ParameterSpec] = &[$(
                ParameterSpec {
                    name: stringify!($name),
                    default: params!(@to_number $type, $default),
                    min: params!(@min $($min)?),
                    max: params!(@max $($max)?),
                    help: $doc,
                },
            )*];

            /// Returns the values in the order of [`Parameters::TABLE`]; a switch is 0 or 1.
            pub fn values(&self) -> Vec<i32> {
                vec![$(params!(@to_number $type, self.$name()),)*]
            }
        }
    };

    (@to_number bool, $value:expr) => { $value as i32 };
    (@to_number i32, $value:expr) => { $value };
    (@from_number bool, $value:expr) => { $value != 0 };
    (@from_number i32, $value:expr) => { $value };
    (@min $min:literal) => { $min };
    (@min) => { 0 };
    (@max $max:literal) => { $max };
    (@max) => { 1 };
}

params! {
    // name: type = default in min..max (both included), help;

    // Iterative deepening and the root.
    iterative_deepening: bool = true, "Iterative deepening (off: search the requested depth only).";
    aspiration_window: i32 = 11 in 0..500, "Half width of the first aspiration window in centipawns (0: full window).";
    previous_line: bool = true, "Search the principal variation of the previous iteration first.";

    // Transposition table and draws.
    table: bool = true, "Transposition table.";
    table_move: bool = true, "Search the move of the transposition table first.";
    repetition: bool = true, "Score repeated positions in the search tree as draws.";
    upcoming_repetition: bool = true, "Raise alpha to a draw if the side to move can repeat a position.";

    // Move ordering.
    killers: bool = true, "Killer moves.";
    history: bool = true, "Order quiet moves by history score.";
    bad_captures_last: bool = true, "Search bad captures after the quiet moves, except those of bad_quiet_score (off: directly after the killer moves).";
    check_bonus: i32 = 8115 in 0..32000, "Addition to the sort key of a quiet move that gives check safely.";
    threat_score: i32 = 1532 in 0..8000, "History score of a quiet move off a square that less valuable pieces attack, per pawn of its value; subtracted for a move onto one.";
    bad_quiet_score: i32 = 7753 in 0..100000, "Quiet moves with a sort key below the negative of this are searched after the bad captures.";
    history_butterfly: i32 = 61 in 0..128, "Weight of the butterfly history in a quiet move's history score, in 1/64.";
    history_one_ply: i32 = 68 in 0..128, "Weight of the continuation history one ply before, in 1/64.";
    history_two_plies: i32 = 58 in 0..128, "Weight of the continuation history two plies before, in 1/64.";
    history_four_plies: i32 = 30 in 0..128, "Weight of the continuation history four plies before, in 1/64.";
    history_pawns: i32 = 68 in 0..128, "Weight of the pawn history, in 1/64.";
    bonus_per_ply: i32 = 219 in 20..600, "History bonus of a move that fails high, per ply of depth.";
    bonus_offset: i32 = 100 in 0..600, "Amount subtracted from the history bonus.";
    bonus_limit: i32 = 1750 in 200..6000, "Maximum history bonus.";
    malus_per_ply: i32 = 264 in 20..600, "History malus of moves searched before the one that fails high, per ply of depth.";
    malus_offset: i32 = 100 in 0..600, "Amount subtracted from the history malus.";
    malus_limit: i32 = 1103 in 200..6000, "Maximum history malus.";
    malus_early: i32 = 61 in 0..200, "Percent of the malus for a quiet move that was searched early and is refuted.";

    // Correction history.
    correction: bool = true, "Correction history: adjust the static evaluation by earlier errors.";
    correction_pawns: i32 = 31 in 0..200, "Largest correction by pawn structure in centipawns.";
    correction_minors: i32 = 26 in 0..200, "Largest correction by minor pieces in centipawns.";
    correction_pieces: i32 = 37 in 0..200, "Largest correction by the pieces of one colour in centipawns.";
    correction_moves: i32 = 24 in 0..200, "Largest correction by the last two moves in centipawns.";

    // Quiescence search.
    quiescence: bool = true, "Quiescence search (off: evaluate at depth 0).";
    quiescence_checks: bool = true, "Quiet direct checks in quiescence search, in the first half of a line.";
    quiescence_check_loss: i32 = 100 in 0..500, "Centipawns that such a check may lose by SEE.";
    quiescence_nodes: i32 = 512 in 1..100000, "Nodes after which a quiescence search tries recaptures only.";
    quiescence_futility: i32 = 131 in 0..600, "Futility margin of captures in quiescence search in centipawns.";

    // Pruning of nodes.
    reverse_futility: bool = true, "Reverse futility pruning.";
    reverse_futility_depth: i32 = 8 in 1..20, "Maximum depth for reverse futility pruning.";
    reverse_futility_margin: i32 = 89 in 20..300, "Reverse futility margin above beta in centipawns, per ply of depth.";
    reverse_futility_improving: i32 = 63 in 0..300, "Reduction of the reverse futility margin if improving, in centipawns.";
    reverse_futility_guard: i32 = 3 in 1..21, "Minimum depth for threat verification before reverse futility pruning (21: off).";
    razoring: bool = true, "Razoring.";
    razoring_depth: i32 = 3 in 1..10, "Maximum depth for razoring.";
    razoring_margin: i32 = 261 in 50..800, "Razoring margin below alpha in centipawns, per ply of depth.";
    null_move: bool = true, "Null move pruning.";
    null_move_depth: i32 = 2 in 1..10, "Minimum depth for a null move.";
    null_move_base: i32 = 4 in 1..8, "Minimum reduction of the null move search in plies.";
    null_move_divisor: i32 = 4 in 1..20, "Plies of depth per additional ply of null move reduction.";
    null_move_surplus: i32 = 159 in 50..600, "Centipawns above beta per additional ply of null move reduction, at most 3 plies.";
    null_move_slack: i32 = 22 in 0..100, "Centipawns by which each ply of depth lowers the evaluation required for a null move.";
    null_move_margin: i32 = 149 in -200..500, "Static evaluation above beta required for a null move at depth 0, in centipawns.";
    null_move_verification: i32 = 14 in 1..127, "Minimum depth for the verification of a null move.";
    probcut: bool = true, "ProbCut.";
    probcut_depth: i32 = 5 in 4..20, "Minimum depth for ProbCut.";
    probcut_margin: i32 = 177 in 50..600, "ProbCut margin above beta in centipawns.";
    probcut_improving: i32 = 44 in 0..300, "Reduction of the ProbCut margin if improving, in centipawns.";

    // Pruning of moves.
    pruning_not_improving: i32 = 402 in 0..2048, "Addition to the base reduction in the reduced depth if not improving, in 1/1024 ply.";
    late_move_pruning: bool = true, "Late move pruning.";
    late_move_base: i32 = 6 in 0..20, "Moves before late move pruning at depth 0, if improving.";
    futility: bool = true, "Futility pruning.";
    futility_depth: i32 = 5 in 1..20, "Maximum reduced depth for futility pruning.";
    futility_base: i32 = 71 in 0..500, "Futility margin below alpha at reduced depth 0, in centipawns.";
    futility_margin: i32 = 96 in 10..300, "Futility margin in centipawns, per ply of reduced depth.";
    history_pruning: bool = true, "History pruning.";
    history_pruning_depth: i32 = 5 in 1..20, "Maximum reduced depth for history pruning.";
    history_pruning_margin: i32 = 4212 in 500..16000, "History score below zero that prunes a move, per ply of depth.";
    see_pruning: bool = true, "SEE pruning.";
    see_pruning_depth: i32 = 9 in 1..20, "Maximum depth for SEE pruning: reduced depth for quiet moves, depth for captures.";
    see_pruning_quiet: i32 = 28 in 5..100, "Centipawns that a quiet move may lose, times the square of the reduced depth.";
    see_pruning_noisy: i32 = 92 in 20..300, "Centipawns that a capture may lose, per ply of depth.";

    // Extensions.
    singular: bool = true, "Singular extension.";
    singular_depth: i32 = 6 in 4..20, "Minimum depth for singular extension.";
    singular_on_pv: i32 = 1 in 0..4, "Addition to singular_depth if the position is or was on a principal variation.";
    singular_margin: i32 = 21 in 4..80, "Singular margin below the table score in 1/16 centipawns, per ply of depth.";
    double_extension_margin: i32 = 16 in 0..200, "Centipawns below the singular margin that extend by two plies.";
    double_extension_pv: i32 = 26 in 0..1000, "Addition to double_extension_margin in PV nodes, in centipawns.";
    triple_extension_margin: i32 = 60 in 0..1000, "Centipawns below the singular margin that extend a quiet move by three plies, outside PV nodes.";
    double_extension_limit: i32 = 6 in 0..40, "Maximum number of double and triple extensions in one line.";
    negative_extension: i32 = 3 in 0..4, "Reduction of a table move above beta that is not singular, in plies; one less in PV nodes.";
    cut_node_extension: i32 = 2 in 0..4, "Reduction of another table move that is not singular in cut nodes, in plies.";

    // Reductions.
    principal_variation_search: bool = true, "Search moves after the first with a zero window (off: open window).";
    internal_reduction: bool = true, "Internal iterative reduction.";
    internal_reduction_depth: i32 = 4 in 2..12, "Minimum depth for internal iterative reduction.";
    late_move_reductions: bool = true, "Late move reductions.";
    reduction_base: i32 = 105 in 0..300, "Base of the reduction formula in hundredths of a ply.";
    reduction_divisor: i32 = 231 in 50..600, "Divisor of ln(depth) * ln(move count) in the reduction formula, in hundredths.";
    reduction_cut_node: i32 = 1364 in 0..4096, "Additional reduction in cut nodes, in 1/1024 ply.";
    reduction_noisy_table_move: i32 = 884 in 0..4096, "Additional reduction if the table move is noisy, in 1/1024 ply.";
    reduction_not_improving: i32 = 476 in 0..4096, "Additional reduction if not improving, in 1/1024 ply.";
    reduction_cutoff_count: i32 = 749 in 0..4096, "Additional reduction if more than three children failed high, in 1/1024 ply.";
    reduction_on_pv: i32 = 500 in 0..4096, "Smaller reduction if the position is or was on a principal variation, in 1/1024 ply.";
    reduction_table_score: i32 = 450 in 0..4096, "Smaller reduction, in addition to reduction_on_pv, if the table score exceeds alpha before the first move, in 1/1024 ply.";
    reduction_table_depth: i32 = 450 in 0..4096, "Smaller reduction, in addition to reduction_on_pv, if the table entry has the depth of the node, in 1/1024 ply.";
    reduction_pv_node: i32 = 515 in 0..4096, "Smaller reduction in PV nodes, in 1/1024 ply.";
    reduction_killer: i32 = 1059 in 0..4096, "Smaller reduction of killer moves, in 1/1024 ply.";
    reduction_late_parent: i32 = 380 in 0..4096, "Smaller reduction after the eighth or a later move of the parent node, in 1/1024 ply.";
    reduction_singular: i32 = 510 in 0..4096, "Smaller reduction after a quiet singular table move, in 1/1024 ply.";
    reduction_check: i32 = 957 in 0..4096, "Smaller reduction of moves that give check, in 1/1024 ply.";
    reduction_correction: i32 = 10 in 0..100, "Smaller reduction per centipawn of correction in the static evaluation, in 1/1024 ply.";
    reduction_history: i32 = 1927 in 0..8192, "Smaller reduction per 16384 of history score of a quiet move, in 1/1024 ply.";
    reduction_capture_history: i32 = 1461 in 0..8192, "Smaller reduction per 16384 of history score of a capture, in 1/1024 ply.";
    reduction_first_move: i32 = 3400 in 0..20000, "Late move reduction above which the first move of a zero-window node is searched one ply shallower, in 1/1024 ply.";
    raised_alpha_depth: i32 = 5 in 0..20, "Maximum depth at which the moves after one that raised alpha are searched one ply shallower.";
    hindsight: bool = true, "Hindsight: change the depth after a reduced move by the static evaluations before and after it.";
    hindsight_margin: i32 = 60 in 0..400, "Sum of both static evaluations in centipawns above which the position after a reduced move is searched one ply shallower.";
    extension_history_score: i32 = 12000 in 0..100000, "History score above which a late move may be extended by one ply.";
    deeper_margin: i32 = 40 in 0..200, "Centipawns above the best score at which the re-search is one ply deeper.";
    shallower_margin: i32 = 3 in 0..100, "Centipawns above the best score below which the re-search is one ply shallower.";

    // Time management. The share is the part of the clock that a move gets; both limits are multiples of it.
    time_moves: i32 = 24 in 8..60, "Moves among which the remaining time is divided without periods and with little or no increment.";
    time_moves_increment: i32 = 16 in 6..50, "Moves among which the remaining time is divided without periods and with a sufficient increment.";
    time_increment: i32 = 75 in 0..100, "Percent of the increment less the lag that is added to the share.";
    time_soft: i32 = 70 in 20..200, "Soft limit in percent of the share.";
    time_hard: i32 = 400 in 100..1000, "Hard limit in percent of the share.";
    time_hard_clock: i32 = 30 in 10..50, "Largest hard limit in percent of the usable time on the clock, with many moves left.";
    time_by_effort: bool = true, "Adjust the soft time limit to the stability of best move and score.";
    time_stable_0: i32 = 160 in 80..300, "Factor of the soft limit in percent if the best move has just changed.";
    time_stable_1: i32 = 125 in 60..250, "Factor of the soft limit in percent after one more iteration with the same best move.";
    time_stable_2: i32 = 105 in 50..200, "Factor of the soft limit in percent after two more iterations with the same best move.";
    time_stable_3: i32 = 95 in 40..160, "Factor of the soft limit in percent after three more iterations with the same best move.";
    time_stable_4: i32 = 88 in 40..160, "Factor of the soft limit in percent after four more iterations with the same best move.";
    time_stable_5: i32 = 82 in 30..160, "Factor of the soft limit in percent after five or more iterations with the same best move.";
    time_nodes_base: i32 = 55 in 10..120, "Factor of the soft limit in percent if all nodes were spent on the best move.";
    time_nodes_slope: i32 = 130 in 0..400, "Addition to the factor of the soft limit in percent if no nodes were spent on the best move.";
    time_drop: i32 = 120 in 20..1000, "Drop of the score in centipawns that doubles the soft limit, before it is limited.";
    time_drop_min: i32 = 85 in 30..100, "Smallest factor of the soft limit by a rising score, in percent.";
    time_drop_max: i32 = 150 in 100..300, "Largest factor of the soft limit by a falling score, in percent.";
    time_factor_max: i32 = 250 in 100..600, "Largest factor of the soft limit from all causes, in percent.";
}
