//! The switches and values of the search, in one table.
//!
//! The search asks `parameters.null_move()` in every build. In a normal one the answer is a constant that
//! the compiler puts in place; with the cargo feature `lab` it is a field that an option of the same name
//! sets, so that a match runner can switch each technique off or try another value. A parameter with the
//! range 0 to 1 is a switch.

use super::LabParameter;

/// Expands the table to the type [`Parameters`] in both its forms.
macro_rules! params {
    ($($name:ident: $default:literal, $min:literal, $max:literal, $doc:literal;)*) => {
        /// What the search may be told to do differently.
        #[cfg(not(feature = "lab"))]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Parameters {}

        #[cfg(not(feature = "lab"))]
        impl Parameters {
            $(
                #[doc = $doc]
                #[inline(always)]
                pub const fn $name(&self) -> i32 {
                    $default
                }
            )*
        }

        /// What the search may be told to do differently.
        #[cfg(feature = "lab")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($name: i32,)*
        }

        #[cfg(feature = "lab")]
        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        #[cfg(feature = "lab")]
        impl Parameters {
            $(
                #[doc = $doc]
                #[inline]
                pub const fn $name(&self) -> i32 {
                    self.$name
                }
            )*

            /// The place of a parameter's value.
            pub(super) fn value_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        impl Parameters {
            /// The table, for those who announce, print or try the parameters.
            pub const TABLE: &'static [LabParameter] = &[$(
                LabParameter {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    help: $doc,
                },
            )*];

            /// The values in the order of [`Parameters::TABLE`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name(),)*]
            }
        }
    };
}

params! {
    // name: default, least, largest, what it is;
    iterative_deepening: 1, 0, 1, "Whether shallower iterations come before the one asked for.";
    previous_line: 1, 0, 1, "Whether the last iteration's line is tried first in the next one.";
    aspiration_window: 23, 0, 500, "Centipawns to each side of the last score in the first window at the root; 0: all.";
    principal_variation_search: 1, 0, 1, "Whether moves after the first are searched with a zero window first.";
    table: 1, 0, 1, "Whether there is a transposition table.";
    table_move: 1, 0, 1, "Whether the table's move is tried first.";
    killers: 1, 0, 1, "Whether quiet moves that cut at the same ply come early.";
    history: 1, 0, 1, "Whether quiet moves are ordered by their history.";
    losing_captures_last: 1, 0, 1, "Whether captures that lose material come after the quiet moves instead of before.";
    quiescence: 1, 0, 1, "Whether captures are played out at the horizon.";
    quiescence_see: 1, 0, 1, "Whether quiescence leaves out captures that lose material.";
    quiescence_checks: 1, 0, 1, "Whether quiescence begins with direct quiet checks, too, in the first half of a line.";
    quiescence_check_loss: 100, 0, 500, "Centipawns that such a check may lose.";
    quiescence_nodes: 512, 1, 100000, "Nodes of a quiescence search after which it tries recaptures only.";
    quiescence_evasions: 1, 0, 1, "Whether quiescence answers checks with every evasion.";
    check_extension: 1, 0, 1, "Whether a check is answered before the depth counts down.";
    reverse_futility: 1, 0, 1, "Whether a node far above its window near the horizon is cut.";
    reverse_futility_depth: 8, 1, 20, "Largest depth for that.";
    reverse_futility_margin: 92, 20, 300, "Centipawns above beta that it takes, for each ply of depth.";
    reverse_futility_improving: 62, 0, 300, "So many fewer when the side to move is improving.";
    reverse_futility_guard: 3, 1, 21, "Least depth at which that asks, in the first half of a line, what the opponent threatens; 21: never.";
    razoring: 1, 0, 1, "Whether a node far below its window near the horizon is left to quiescence.";
    razoring_depth: 3, 1, 10, "Largest depth for that.";
    razoring_margin: 245, 50, 800, "Centipawns below alpha that it takes, for each ply of depth.";
    null_move: 1, 0, 1, "Whether a node may fail high by passing.";
    null_move_depth: 2, 1, 10, "Least depth for a null move.";
    null_move_base: 4, 1, 8, "Plies a null move's search is reduced by, at least.";
    null_move_divisor: 4, 1, 20, "A null move's search is reduced by one more ply for each so many plies of depth.";
    null_move_surplus: 198, 50, 600, "And by one more, up to three, for each so many centipawns above beta.";
    null_move_slack: 22, 0, 100, "Centipawns for each ply of depth that the static evaluation may be lower for a null move.";
    null_move_margin: 129, -200, 500, "Centipawns above beta where it begins.";
    null_move_verification: 14, 1, 127, "Depth from which a null move's success is verified.";
    probcut: 1, 0, 1, "Whether a capture that in a shallow search wins much may cut.";
    probcut_depth: 5, 4, 20, "Least depth for that.";
    probcut_margin: 186, 50, 600, "Centipawns above beta that it must reach.";
    probcut_improving: 60, 0, 300, "So many fewer when the side to move is improving.";
    internal_reduction: 1, 0, 1, "Whether a node without a table move is searched one ply less deep.";
    internal_reduction_depth: 4, 2, 12, "Least depth for that.";
    late_move_pruning: 1, 0, 1, "Whether quiet moves are left out after some number of moves.";
    late_move_base: 6, 0, 20, "That number at depth 0, when improving.";
    futility: 1, 0, 1, "Whether quiet moves are left out when the static evaluation is far below the window.";
    futility_depth: 5, 1, 20, "Largest depth after reduction for that.";
    futility_base: 98, 0, 500, "Centipawns below alpha that it takes.";
    futility_margin: 93, 10, 300, "And so many for each ply after reduction.";
    spare_checks: 1, 0, 1, "Whether quiet checks are looked at where other quiet moves no longer are.";
    see_pruning: 1, 0, 1, "Whether moves that lose material by SEE are left out.";
    see_pruning_depth: 9, 1, 20, "Largest depth for that.";
    see_pruning_quiet: 24, 5, 100, "Centipawns that a quiet move may lose, times the square of the depth after reduction.";
    see_pruning_noisy: 92, 20, 300, "Centipawns that a capture may lose, for each ply of depth.";
    history_pruning: 1, 0, 1, "Whether quiet moves with a bad history are left out.";
    history_pruning_depth: 5, 1, 20, "Largest depth after reduction for that.";
    history_pruning_margin: 3954, 500, 16000, "How bad, for each ply of depth.";
    singular: 1, 0, 1, "Whether a table move that alone is good is searched deeper.";
    singular_depth: 7, 4, 20, "Least depth for that.";
    singular_margin: 24, 4, 80, "Sixteenths of a centipawn for each ply of depth that the other moves must stay behind.";
    double_extension_margin: 17, 0, 200, "Centipawns more for two plies instead of one.";
    double_extension_limit: 6, 0, 40, "Extensions by two plies in one line.";
    multi_cut: 1, 0, 1, "Whether a node is cut when other moves than the table's reach beta in the singular search, too.";
    negative_extension: 2, 0, 4, "Plies less for a table move above beta that is not singular, one fewer with an open window.";
    cut_node_extension: 1, 0, 4, "Plies less for another where a cut-off is expected.";
    late_move_reductions: 1, 0, 1, "Whether late moves are searched less deep.";
    reduction_base: 90, 0, 300, "Reduction of late moves: hundredths of a ply to begin with.";
    reduction_divisor: 215, 50, 600, "Reduction of late moves: hundredths by which the product of logarithms is divided.";
    reduction_cut_node: 1461, 0, 4096, "1024ths of a ply more where a cut-off is expected.";
    reduction_noisy_table_move: 884, 0, 4096, "More where the table move is a capture.";
    reduction_not_improving: 419, 0, 4096, "More where the side to move is not improving.";
    reduction_child_cuts: 749, 0, 4096, "More where more than three children of the node have cut.";
    reduction_on_pv: 762, 0, 4096, "Less where the position is or was on a principal variation.";
    reduction_pv_node: 515, 0, 4096, "Less with an open window.";
    reduction_killer: 1059, 0, 4096, "Less for killers.";
    reduction_check: 957, 0, 4096, "Less for checks.";
    reduction_history: 1584, 0, 8192, "Less for each 16384 of a quiet move's merit.";
    reduction_capture_history: 1461, 0, 8192, "The same for a capture's.";
    extension_merit: 12000, 0, 100000, "Merit above which a late move may be searched one ply deeper than others.";
    deeper_margin: 40, 0, 200, "Centipawns above the best at which a reduced move is searched one ply deeper again.";
    shallower_margin: 3, 0, 100, "Centipawns above the best below which it is searched one ply less deep again.";
    check_bonus: 8115, 0, 32000, "What a quiet move that gives check safely is worth more in ordering.";
    capture_history: 1, 0, 1, "Whether captures are ordered by their history, too.";
    bonus_per_ply: 165, 20, 600, "What a cut-off is worth to histories, for each ply of depth.";
    bonus_offset: 100, 0, 600, "So much less.";
    bonus_limit: 1723, 200, 6000, "At most so much.";
    malus_per_ply: 208, 20, 600, "What a cut-off costs moves tried before it, for each ply of depth.";
    malus_offset: 100, 0, 600, "So much less.";
    malus_limit: 1287, 200, 6000, "At most so much.";
    correction: 1, 0, 1, "Whether the static evaluation is corrected by what searches of similar positions found.";
    correction_pawns: 31, 0, 200, "Centipawns of a full correction by pawns.";
    correction_minors: 26, 0, 200, "By minor pieces.";
    correction_pieces: 37, 0, 200, "By the pieces of each colour.";
    correction_moves: 24, 0, 200, "By the last two moves.";
    quiescence_futility: 141, 0, 600, "Centipawns above the static evaluation that a capture of nothing valuable could reach in quiescence.";
    time_by_effort: 1, 0, 1, "Whether a move that looks hard gets more time, one that looks easy less.";
    mate_distance: 1, 0, 1, "Whether lines that cannot improve on a known mate are cut.";
    upcoming_repetition: 1, 0, 1, "Whether a node from which a position can be repeated is worth at least a draw.";
    repetition: 1, 0, 1, "Whether repeated positions count as draws inside the tree.";
}
