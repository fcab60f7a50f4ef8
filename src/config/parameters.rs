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
    aspiration_window: 25, 5, 500, "Centipawns to each side of the last score in the first window at the root.";
    null_move: 1, 0, 1, "Whether a node may fail high by passing.";
    late_move_reductions: 1, 0, 1, "Whether late moves are searched less deep.";
}
