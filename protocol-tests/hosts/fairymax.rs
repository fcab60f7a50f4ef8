//! Start of Fairy-Max.

/// Commands that Fairy-Max 5.0b must receive before a game. After a line that it does not know, such as `computer` or
/// `rating`, it uses variables that only a move sets: without an earlier move, half of its processes end with a
/// segmentation fault.
pub const FIRST_LINES: [&str; 4] = ["new", "force", "e2e4", "new"];
