//! The description of a parameter of search or time management.

/// An entry of the table of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterSpec {
    /// Name in the code and of the option.
    pub name: &'static str,
    /// Value in a normal build; 0 or 1 for a switch.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Description in one line.
    pub help: &'static str,
}

impl ParameterSpec {
    /// Returns `true` if the parameter switches a technique on (1) or off (0).
    pub const fn is_switch(&self) -> bool {
        self.min == 0 && self.max == 1
    }

    /// Returns `true` for a parameter of time management, which has no effect on a search without a clock.
    pub fn needs_clock(&self) -> bool {
        self.name.starts_with("time_")
    }
}
