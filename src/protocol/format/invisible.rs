//! Characters that have no glyph: controls, line separators, and format characters.
//!
//! Some format characters reverse the direction of the text after them (U+202E), others hide in a name (U+200B). A text
//! that contains one can look like another text, in a log as well as in the dialog of a GUI.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Returns `true` for a character without a glyph: a control, a separator of lines or paragraphs, a format character,
/// or a character that Unicode calls ignorable by default, such as a variation selector.
pub fn is_invisible(character: char) -> bool {
    let category = character.general_category();
    matches!(
        category,
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || is_ignorable(character)
}

/// Returns `true` for an ignorable character of another category than format: marks, letters and reserved code points.
fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        // Grapheme joiner
        '\u{34f}'
        // Hangul fillers
        | '\u{115f}'..='\u{1160}' | '\u{3164}' | '\u{ffa0}'
        // Khmer vowels
        | '\u{17b4}'..='\u{17b5}'
        // Variation selectors
        | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}'
        // Reserved code points
        | '\u{2065}' | '\u{fff0}'..='\u{fff8}'
        // Tags, further variation selectors, reserved code points
        | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns the text with an escape such as `\u{202e}` or `\t` for each invisible character.
pub fn escape_invisible(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, HirKind};

    use super::*;

    #[test]
    fn letters_marks_and_symbols_are_visible() {
        // With a combining accent and an ideographic space, as in names of files.
        for text in [
            "e2e4 \\ \"'",
            "\u{e9}e\u{301}",
            "\u{3000}\u{6f22}\u{a0}",
            "\u{265e}\u{fffd}",
        ] {
            assert!(!text.contains(is_invisible), "{text:?}");
            assert_eq!(escape_invisible(text), text);
        }
    }

    #[test]
    fn directional_characters_are_escaped() {
        let directions = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\
                          \u{2066}\u{2067}\u{2068}\u{2069}";
        assert!(directions.chars().all(is_invisible));
        assert_eq!(escape_invisible("x\u{202e}y\t\n"), r"x\u{202e}y\t\n");
    }

    /// Returns the characters of a class in the syntax of regular expressions.
    fn characters(class: &str) -> Vec<char> {
        let parsed = regex_syntax::parse(class).expect("valid syntax");
        let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
            panic!("{class} is not a class")
        };
        class
            .iter()
            .flat_map(|range| range.start()..=range.end())
            .collect()
    }

    #[test]
    fn every_invisible_character_is_found() {
        let all = characters(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]");
        assert!(all.len() > 4000);
        for character in all {
            assert!(is_invisible(character), "{character:?}");
            assert!(escape_invisible(&character.to_string()).is_ascii());
        }
    }

    #[test]
    fn no_visible_character_is_escaped() {
        let all = characters(r"[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cn}]");
        assert!(all.len() > 250_000);
        let text = String::from_iter(all);
        assert_eq!(
            text.chars().find(|&character| is_invisible(character)),
            None
        );
        assert!(escape_invisible(&text) == text);
    }
}
