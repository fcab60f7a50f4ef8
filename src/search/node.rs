//! Kinds of nodes, known when the code is compiled.

/// What is expected of a node.
pub(super) trait Node {
    /// Searched with an open window: its exact value is wanted.
    const PV: bool;
    /// The position the search was asked about.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// On a principal variation.
pub(super) struct Pv;
/// Searched with a zero window: only "at least" or "at most" is wanted.
pub(super) struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
