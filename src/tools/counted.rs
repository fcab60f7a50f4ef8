//! Numbers with nouns.

/// Returns a number with a noun, which gets an `s` unless the number is 1.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
