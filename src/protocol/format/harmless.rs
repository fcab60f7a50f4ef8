//! Foreign text made fit for a line to the GUI.
//!
//! xboard looks for words anywhere in a line, and acts on them: some make it believe that the engine could
//! not be started, others that the engine lacks a command or has refused the user's move. Where such a word
//! is only part of what somebody typed it gets an underscore inside, so that it is still readable.

/// An echo is cut after this many characters.
const LONGEST_ECHO: usize = 100;

/// Any other text is cut after this many; xboard reads lines of up to 500 or so.
const LONGEST_TEXT: usize = 300;

/// Texts that hosts act on in any line: xboard takes them for the complaint of a remote shell or of GNU Chess 4, or for
/// half of a draw offer, PyChess takes the last one for the answer of a UCI engine.
const NEVER: [&str; 9] = [
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

/// In an error, what tells xboard that the engine lacks the command: from then on it does without draw
/// offers, clocks, analysis, or version 2.
const COMMANDS_LOST: [&str; 4] = ["draw", "time", "analyze", "protover"];

/// In an error, what xboard takes for the refusal of a move.
const REFUSAL: [&str; 1] = ["llegal"];

/// Text for one line: without control characters, cut when long, and without words that xboard acts on.
pub fn harmless(text: &str) -> String {
    break_words(&printable(text, LONGEST_TEXT), &NEVER)
}

/// The beginning of a text from the GUI, long enough for any FEN, to be printed within a line.
pub fn excerpt(text: &str) -> String {
    break_words(&printable(text.trim(), LONGEST_ECHO), &NEVER)
}

/// Text to be said on a chess server, which knows only ASCII.
pub fn for_server(text: &str) -> String {
    harmless(text)
        .trim()
        .chars()
        .map(|c| if c.is_ascii() { c } else { '?' })
        .collect()
}

/// A line of the GUI to be printed after `Error (...): ` or `Illegal move: `. Its first word stays as it
/// is, since an error about `draw` has to name `draw`.
pub fn echo(line: &str) -> String {
    let line = printable(line.trim(), LONGEST_ECHO);
    let line = break_words(&break_words(&line, &NEVER), &REFUSAL);
    let verb_length = line.find(' ').unwrap_or(line.len());
    let (verb, args) = line.split_at(verb_length);
    let args = break_words(args, &COMMANDS_LOST);
    if COMMANDS_LOST.contains(&verb) || verb == "otim" {
        format!("{verb}{args}")
    } else {
        format!("{}{args}", break_words(verb, &COMMANDS_LOST))
    }
}

/// The first `limit` characters, dots for those that are not for print or could end a line somewhere.
fn printable(text: &str, limit: usize) -> String {
    let mut letters = text.chars();
    let mut printed: String = letters
        .by_ref()
        .take(limit)
        .map(|c| match c {
            '\t' => ' ',
            '\u{2028}' | '\u{2029}' => '.',
            c if c.is_control() => '.',
            c => c,
        })
        .collect();
    if letters.next().is_some() {
        printed.push_str("...");
    }
    printed
}

/// Puts an underscore after the first character of each of `words` in `text`, in whatever case it stands.
fn break_words(text: &str, words: &[&str]) -> String {
    let mut broken = text.to_owned();
    for word in words {
        // Lowering ASCII letters alone leaves every character in its place.
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
    fn words_of_a_failed_start_are_broken() {
        assert_eq!(harmless("table not found"), "table n_ot found");
        assert_eq!(harmless("x: Permission denied"), "x: P_ermission denied");
        assert_eq!(echo("open: No such file"), "open: N_o such file");
        assert_eq!(harmless("shall we offer a draw"), "shall we o_ffer a draw");
        assert_eq!(echo("illegal"), "il_legal");
        assert_eq!(harmless("info string x"), "i_nfo string x");
        assert_eq!(echo("Info string x"), "I_nfo string x");
    }

    #[test]
    fn commands_are_named_only_where_they_are_meant() {
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
    fn long_text_is_cut_between_characters() {
        let text = "\u{e9}".repeat(1000);
        assert_eq!(echo(&text).chars().count(), LONGEST_ECHO + 3);
        assert!(echo(&text).ends_with("\u{e9}..."));
        assert_eq!(echo(&"x".repeat(LONGEST_ECHO)), "x".repeat(LONGEST_ECHO));
        assert_eq!(excerpt(&text).chars().count(), LONGEST_ECHO + 3);
        assert_eq!(harmless(&text).chars().count(), LONGEST_TEXT + 3);
    }

    proptest! {
        #[test]
        fn no_word_survives_in_any_company(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(NEVER.to_vec()).prop_map(str::to_owned),
                    prop::sample::select(COMMANDS_LOST.to_vec()).prop_map(str::to_owned),
                    prop::sample::select(vec!["Not Found", "ll", "egal", "o", " ", "dr", "aw", "\u{e9}", "\n"])
                        .prop_map(str::to_owned),
                    ".{0,3}",
                ],
                0..12,
            ),
        ) {
            let text = parts.concat();
            for printed in [harmless(&text), excerpt(&text), echo(&text)] {
                let small = printed.to_ascii_lowercase();
                prop_assert!(NEVER.iter().all(|word| !small.contains(&word.to_ascii_lowercase())));
                prop_assert!(!printed.contains(char::is_control));
                prop_assert!(printed.chars().count() < 500);
            }
            let echoed = echo(&text);
            let args = echoed.split_once(' ').map_or("", |(_, args)| args);
            prop_assert!(COMMANDS_LOST.iter().all(|word| !args.contains(word)));
            prop_assert!(!echoed.contains("llegal"));
        }
    }

    #[test]
    fn control_characters_become_dots() {
        assert_eq!(echo("a\0b\u{1b}[c\rd\te\u{85}f"), "a.b.[c.d e.f");
    }
}
