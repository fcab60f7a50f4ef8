//! Messages of serde and toml, rewritten for readers who do not know Rust.

use super::Config;

/// Greatest number of changed characters at which a word counts as a misspelling.
const MAX_TYPOS: usize = 3;

/// Returns `message` with cause and remedy for a user of the configuration file. `path` is the key of the finding,
/// `is_section` states that it is the heading of a section.
pub(super) fn rewritten(message: &str, path: &str, is_section: bool) -> String {
    let message = message.trim();
    if let Some((name, known)) = choice(message, "unknown field `").filter(|_| is_section) {
        format!("unknown section [{name}]{}", suggestion(name, &known))
    } else if let Some((name, known)) = choice(message, "unknown field `") {
        let mut text = format!("unknown key `{name}`");
        text.push_str(&remedy(name, &known, path));
        text
    } else if let Some((name, known)) = choice(message, "unknown variant `") {
        format!("`{name}` is not allowed{}", suggestion(name, &known))
    } else if let Some((found, expected)) = mismatch(message) {
        format!("found {found}, expected {}", described(expected))
    } else {
        message.to_owned()
    }
}

/// Splits a message like "unknown field `x`, expected one of `a`, `b`" into the wrong word and the known ones.
fn choice<'a>(message: &'a str, start: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let (name, rest) = message.strip_prefix(start)?.rsplit_once("`, expected ")?;
    // Every second part is between two marks.
    let known = rest.split('`').skip(1).step_by(2).collect();
    Some((name, known))
}

/// Splits a message like "invalid type: string "x", expected u16".
fn mismatch(message: &str) -> Option<(&str, &str)> {
    let rest = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| message.strip_prefix(start))?;
    rest.rsplit_once(", expected ")
}

/// Returns the description of a type.
fn described(expected: &str) -> &str {
    match expected {
        "u8" => "an integer from 0 to 255",
        // The only one is a port.
        "u16" => "an integer from 1 to 65535",
        "u32" | "u64" | "usize" => "an integer that is not negative",
        "a boolean" => "true or false",
        "a string" | "path string" => "a text in quotation marks",
        "a sequence" => "a list in square brackets",
        "a map" => "a section",
        expected if expected.starts_with("struct ") => "a section",
        expected => expected,
    }
}

/// Returns the remedy for an unknown key: the nearest known one, or the section that it belongs to.
fn remedy(name: &str, known: &[&str], path: &str) -> String {
    let section = path.rsplit_once('.').map_or("", |(section, _)| section);
    match section_of(name).filter(|found| found != section) {
        Some(found) if nearest(name, known).is_none() => {
            format!("; it belongs to the section [{found}]")
        }
        _ => suggestion(name, known),
    }
}

/// Returns the nearest known word, if there is one, and all known words.
fn suggestion(name: &str, known: &[&str]) -> String {
    let mut text = String::new();
    if let Some(word) = nearest(name, known) {
        text.push_str(&format!("; did you mean `{word}`?"));
    }
    text.push_str(if text.is_empty() {
        "; allowed: "
    } else {
        " Allowed: "
    });
    text.push_str(&known.join(", "));
    text
}

/// Returns the known word that differs least from `name`, if it is similar.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase().replace('-', "_");
    // A word must keep most of its characters.
    let limit = MAX_TYPOS.min(name.chars().count() / 2);
    known
        .iter()
        .map(|word| (strsim::damerau_levenshtein(&name, word), *word))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Returns the section that contains a key with this name.
fn section_of(name: &str) -> Option<String> {
    let serde_json::Value::Object(sections) = serde_json::to_value(Config::default()).ok()? else {
        return None;
    };
    sections
        .into_iter()
        .find(|(_, keys)| keys.get(name).is_some())
        .map(|(section, _)| section)
}
