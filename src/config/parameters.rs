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
    aspiration_window: 25, 0, 500, "Centipawns to each side of the last score in the first window at the root; 0: all.";
    principal_variation_search: 1, 0, 1, "Whether moves after the first are searched with a zero window first.";
    table: 1, 0, 1, "Whether there is a transposition table.";
    table_move: 1, 0, 1, "Whether the table's move is tried first.";
    killers: 1, 0, 1, "Whether quiet moves that cut at the same ply come early.";
    history: 1, 0, 1, "Whether quiet moves are ordered by their history.";
    losing_captures_last: 0, 0, 1, "Whether captures that lose material come after the quiet moves instead of before.";
    sort_moves: 0, 0, 1, "Whether moves are sorted at once instead of picked one at a time.";
    quiescence: 1, 0, 1, "Whether captures are played out at the horizon.";
    quiescence_see: 1, 0, 1, "Whether quiescence leaves out captures that lose material.";
    quiescence_evasions: 1, 0, 1, "Whether quiescence answers checks with every evasion.";
    check_extension: 1, 0, 1, "Whether a check is answered before the depth counts down.";
    null_move: 1, 0, 1, "Whether a node may fail high by passing.";
    null_move_depth: 3, 1, 10, "Least depth for a null move.";
    null_move_base: 3, 1, 6, "Plies a null move's search is reduced by, at least.";
    null_move_divisor: 6, 1, 20, "A null move's search is reduced by one more ply for each so many plies of depth.";
    null_move_verification: 10, 1, 127, "Depth from which a null move's success is verified.";
    late_move_reductions: 1, 0, 1, "Whether late moves are searched less deep.";
    reduction_base: 50, 0, 300, "Reduction of late moves: hundredths of a ply to begin with.";
    reduction_divisor: 225, 50, 600, "Reduction of late moves: hundredths by which the product of logarithms is divided.";
    mate_distance: 1, 0, 1, "Whether lines that cannot improve on a known mate are cut.";
    repetition: 1, 0, 1, "Whether repeated positions count as draws inside the tree.";
}
