//! Chess variants.

/// A variant of chess. The board plays all of them with the same code; they differ in how castling is written.
///
/// To add a variant, add it here and to [`Variant::ALL`]. The compiler then points to the places in `notation` that
/// depend on the variant; the protocol announces it without further changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard chess.
    #[default]
    Standard,
    /// Fischer Random chess (Chess960): other start squares of king, rooks and the other pieces.
    Fischerandom,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 2] = [Variant::Standard, Variant::Fischerandom];

    /// Returns the name of the variant in the xboard protocol.
    ///
    /// ```
    /// use gaur::rules::Variant;
    ///
    /// assert_eq!(Variant::Standard.name(), "normal");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "normal",
            Variant::Fischerandom => "fischerandom",
        }
    }

    /// Returns the variant with this name in the xboard protocol, if Gaur plays it.
    ///
    /// ```
    /// use gaur::rules::Variant;
    ///
    /// assert_eq!(Variant::from_name("fischerandom"), Some(Variant::Fischerandom));
    /// assert_eq!(Variant::from_name("crazyhouse"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == name)
    }
}
