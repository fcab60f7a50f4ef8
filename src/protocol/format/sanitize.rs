//! Removal of invisible characters and phrases that a GUI would act on from text for the GUI.
//!
//! XBoard searches whole lines for phrases. Some mean that the engine could not be started, others that the engine
//! lacks a command or has rejected the user's move. In text from other sources such a phrase gets an underscore, so
//! that it stays readable.

use super::invisible::is_invisible;

/// Longest text from the GUI that is sent back, in characters.
const MAX_ECHO_CHARS: usize = 100;

/// Longest other text in characters. XBoard reads lines of about 500 characters.
const MAX_TEXT_CHARS: usize = 300;

/// Phrases that GUIs act on in any line. XBoard reads them as an error of a remote shell or of GNU Chess 4, or as a
/// part of a draw offer; PyChess reads the last one as output of a UCI engine.
const FORBIDDEN_PHRASES: [&str; 9] = [
    "unknown host",
    "No remote directory",
    "not found",
    "No such file",
    "can't alloc",
    "Permission denied",
    "(no matching move)",
    "offer",
    "info string",
];

/// Commands that XBoard no longer uses after an error message that contains them: draw offers, clocks, analysis, and
/// protocol version 2.
const COMMANDS_DISABLED_BY_ERRORS: [&str; 4] = ["draw", "time", "analyze", "protover"];

/// Phrase that XBoard reads as the rejection of a move.
const MOVE_REJECTION: [&str; 1] = ["llegal"];

/// Returns text for one line: without invisible characters and forbidden phrases, truncated to the maximum length.
pub fn sanitize(text: &str) -> String {
    break_words(&printable(text, MAX_TEXT_CHARS), &FORBIDDEN_PHRASES)
}

/// Returns the beginning of a text from the GUI for use within a line. It is long enough for any FEN.
pub fn excerpt(text: &str) -> String {
    break_words(&printable(text.trim(), MAX_ECHO_CHARS), &FORBIDDEN_PHRASES)
}

/// Returns text for a chess server, which accepts only ASCII.
pub fn for_server(text: &str) -> String {
    sanitize(text)
        .trim()
        .chars()
        .map(|c| if c.is_ascii() { c } else { '?' })
        .collect()
}

/// Returns a line of the GUI for use after `Error (...): ` or `Illegal move: `. The first word stays unchanged if it is
/// the command, because an error about `draw` must name `draw`.
pub fn echo(line: &str) -> String {
    let line = printable(line.trim(), MAX_ECHO_CHARS);
    let line = break_words(&break_words(&line, &FORBIDDEN_PHRASES), &MOVE_REJECTION);
    let verb_length = line.find(' ').unwrap_or(line.len());
    let (verb, args) = line.split_at(verb_length);
    let args = break_words(args, &COMMANDS_DISABLED_BY_ERRORS);
    if COMMANDS_DISABLED_BY_ERRORS.contains(&verb) || verb == "otim" {
        format!("{verb}{args}")
    } else {
        format!("{}{args}", break_words(verb, &COMMANDS_DISABLED_BY_ERRORS))
    }
}

/// Returns the first `limit` characters, with dots for invisible characters.
fn printable(text: &str, limit: usize) -> String {
    let mut chars = text.chars();
    let mut printed: String = chars
        .by_ref()
        .take(limit)
        .map(|c| match c {
            '\t' => ' ',
            c if is_invisible(c) => '.',
            c => c,
        })
        .collect();
    if chars.next().is_some() {
        printed.push_str("...");
    }
    printed
}

/// Inserts an underscore after the first character of each occurrence of `words` in `text`, in upper or lower case.
fn break_words(text: &str, words: &[&str]) -> String {
    let mut broken = text.to_owned();
    for word in words {
        // ASCII lower case leaves every byte offset unchanged.
        let word = word.to_ascii_lowercase();
        while let Some(start) = broken.to_ascii_lowercase().find(&word) {
            broken.insert(start + 1, '_');
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn phrases_of_a_failed_start_are_broken() {
        assert_eq!(sanitize("table not found"), "table n_ot found");
        assert_eq!(sanitize("x: Permission denied"), "x: P_ermission denied");
        assert_eq!(echo("open: No such file"), "open: N_o such file");
        assert_eq!(sanitize("shall we offer a draw"), "shall we o_ffer a draw");
        assert_eq!(echo("illegal"), "il_legal");
        assert_eq!(sanitize("info string x"), "i_nfo string x");
        assert_eq!(echo("Info string x"), "I_nfo string x");
    }

    #[test]
    fn commands_stay_only_as_the_first_word() {
        for line in [
            "draw",
            "time x",
            "otim x",
            "analyze",
            "protover x",
            "frobnicate 3",
        ] {
            assert_eq!(echo(line), line);
        }
        assert_eq!(echo("timeodds 3"), "t_imeodds 3");
        assert_eq!(echo("please draw"), "please d_raw");
        assert_eq!(echo("draw time"), "draw t_ime");
    }

    #[test]
    fn long_text_is_truncated_between_characters() {
        let text = "\u{e9}".repeat(1000);
        assert_eq!(echo(&text).chars().count(), MAX_ECHO_CHARS + 3);
        assert!(echo(&text).ends_with("\u{e9}..."));
        assert_eq!(
            echo(&"x".repeat(MAX_ECHO_CHARS)),
            "x".repeat(MAX_ECHO_CHARS)
        );
        assert_eq!(excerpt(&text).chars().count(), MAX_ECHO_CHARS + 3);
        assert_eq!(sanitize(&text).chars().count(), MAX_TEXT_CHARS + 3);
    }

    proptest! {
        #[test]
        fn no_phrase_remains_in_any_combination(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(FORBIDDEN_PHRASES.to_vec()).prop_map(str::to_owned),
                    prop::sample::select(COMMANDS_DISABLED_BY_ERRORS.to_vec()).prop_map(str::to_owned),
                    prop::sample::select(vec!["Not Found", "ll", "egal", "o", " ", "dr", "aw", "\u{e9}", "\n"])
                        .prop_map(str::to_owned),
                    ".{0,3}",
                    "[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]{0,3}",
                ],
                0..12,
            ),
        ) {
            let text = parts.concat();
            for printed in [sanitize(&text), excerpt(&text), echo(&text)] {
                let small = printed.to_ascii_lowercase();
                prop_assert!(FORBIDDEN_PHRASES.iter().all(|word| !small.contains(&word.to_ascii_lowercase())));
                prop_assert!(!printed.contains(is_invisible));
                prop_assert!(printed.chars().count() < 500);
            }
            let echoed = echo(&text);
            let args = echoed.split_once(' ').map_or("", |(_, args)| args);
            prop_assert!(COMMANDS_DISABLED_BY_ERRORS.iter().all(|word| !args.contains(word)));
            prop_assert!(!echoed.contains("llegal"));
        }
    }

    #[test]
    fn invisible_characters_become_dots() {
        assert_eq!(echo("a\0b\u{1b}[c\rd\te\u{85}f"), "a.b.[c.d e.f");
        assert_eq!(sanitize("a\u{202e}b\u{2066}c\u{200f}d"), "a.b.c.d");
        // An invisible character does not hide a phrase.
        assert_eq!(echo("il\u{200b}legal"), "il.legal");
    }
}
