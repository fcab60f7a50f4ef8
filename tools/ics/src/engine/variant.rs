//! Chess variants, by their names in the xboard protocol.

/// Chess variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Chess.
    #[default]
    Normal,
    /// Fischer Random chess, also called Chess960.
    FischerRandom,
    /// Name of another variant, in the words of the xboard protocol.
    Other(String),
}

impl Variant {
    /// Returns the name in the xboard protocol.
    pub fn name(&self) -> &str {
        match self {
            Variant::Normal => "normal",
            Variant::FischerRandom => "fischerandom",
            Variant::Other(name) => name,
        }
    }
}
