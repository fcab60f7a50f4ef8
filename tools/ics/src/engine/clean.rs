//! Text of others in commands to an engine.

/// Longest text, in characters.
const MAX_LENGTH: usize = 1000;

/// Returns text that is one line of limited length.
pub(super) fn clean(text: &str) -> String {
    let printable = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars()
        .take(MAX_LENGTH)
        .map(printable)
        .collect::<String>()
        .trim()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_one_line() {
        assert_eq!(clean("a\nquit\r"), "a quit");
    }
}
