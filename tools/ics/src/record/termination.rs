//! The way in which a game ended, in the words of the PGN standard.

/// Words of servers, in lower case, and the value for them. The first that occurs counts.
const WORDS: [(&[&str], &str); 4] = [
    (&["adjourned"], "unterminated"),
    (&["aborted", "by disconnection"], "abandoned"),
    (&["on time", "ran out of time"], "time forfeit"),
    (&["adjudicat"], "adjudication"),
];

/// Returns the value of the tag `Termination` for a game that ended for this reason, in the words of the server.
///
/// A game without a result and a reason that is not known is unterminated.
pub(super) fn termination(reason: &str, has_result: bool) -> &'static str {
    let reason = reason.to_ascii_lowercase();
    let known = WORDS
        .iter()
        .find(|(words, _)| words.iter().any(|word| reason.contains(word)));
    match known {
        Some((_, value)) => value,
        None if has_result => "normal",
        None => "unterminated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_servers_have_a_value_of_the_standard() {
        for (reason, has_result, value) in [
            ("Rabbit resigns", true, "normal"),
            ("Rabbit checkmated", true, "normal"),
            ("Game drawn by mutual agreement", true, "normal"),
            ("Rabbit forfeits on time", true, "time forfeit"),
            (
                "Gaur ran out of time and Rabbit has no material to mate",
                true,
                "time forfeit",
            ),
            ("Rabbit forfeits by disconnection", true, "abandoned"),
            ("Gaur wins by adjudication", true, "adjudication"),
            ("Game aborted by mutual agreement", false, "abandoned"),
            ("Game aborted on move 1", false, "abandoned"),
            (
                "Rabbit lost connection; game adjourned",
                false,
                "unterminated",
            ),
            ("connection lost", false, "unterminated"),
            ("the program has ended", false, "unterminated"),
        ] {
            assert_eq!(termination(reason, has_result), value, "{reason}");
        }
    }
}
