//! Which chess is being played.

/// A variant of chess. The board plays all of them; they differ in how castling is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Fischer Random chess: any start squares for king and rooks.
    Fischerandom,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 2] = [Variant::Standard, Variant::Fischerandom];

    /// The name the xboard protocol uses.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "normal",
            Variant::Fischerandom => "fischerandom",
        }
    }

    /// The variant of a protocol name.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == name)
    }
}
