//! The way from TOML to a checked configuration.

use toml::de::DeTable;

use super::checks::{self, Presence};
use super::location::{Locations, line_and_column};
use super::messages::rewritten;
use super::repair;
use super::{Config, PASSWORD_VARIABLE, Problem};

/// Parses and checks the text of a configuration file.
///
/// Returns the configuration without the values that cannot be read, and all findings, in the order of the file:
/// unknown keys, values of a wrong type, and values that are not allowed. An error in the syntax is returned alone,
/// because the rest of the file is uncertain then.
pub(super) fn read(text: &str) -> (Option<Config>, Vec<Problem>) {
    let text = without_mark(text);
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            return (None, vec![syntax_problem(text, offset, error.message())]);
        }
    };
    let locations = Locations::new(text, table.get_ref());
    let repaired = repair::read(table);
    let unreadable = repaired.errors.iter().map(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let path = locations.path_at(offset);
        // The name of a section follows its bracket.
        let before = text.get(..offset).unwrap_or_default();
        let message = rewritten(error.message(), path, before.trim_end().ends_with('['));
        problem(&locations, path, offset, message)
    });
    let passwords = repaired.passwords.iter().map(|offset| {
        let path = locations.path_at(*offset);
        problem(&locations, path, *offset, password_message())
    });
    let presence = Presence {
        is_set: &|path| locations.contains(path),
        is_left_out: &|path| repaired.left_out.iter().any(|other| other == path),
    };
    let refused = checks::findings(&repaired.config, &presence)
        .into_iter()
        .map(|(path, message)| problem(&locations, &path, locations.offset_of(&path), message));
    let mut problems: Vec<Problem> = unreadable.chain(passwords).chain(refused).collect();
    problems.sort_by_key(|problem| (problem.line, problem.column));
    // Each key of an unknown section has the same error.
    problems.dedup();
    (Some(repaired.config), problems)
}

/// Describes an error of the syntax at a byte of the text.
fn syntax_problem(text: &str, offset: usize, message: &str) -> Problem {
    let (line, column) = line_and_column(text, offset);
    let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
    let is_end = after.trim_start_matches([' ', '\t']);
    let is_end = is_end.is_empty() || is_end.starts_with(['\n', '\r', '#']);
    let key = before.trim_end().strip_suffix('=').filter(|_| is_end);
    let message = match key.and_then(|before| before.lines().last()) {
        Some(key) => format!("the value of `{}` is missing", key.trim()),
        None => format!("not TOML: {}", message.trim()),
    };
    Problem {
        line,
        column,
        key: String::new(),
        message,
    }
}

/// Returns line and column of the value at `key`; `None` if the text does not contain it.
pub(super) fn position(text: &str, key: &str) -> Option<(usize, usize)> {
    let text = without_mark(text);
    let table = DeTable::parse(text).ok()?;
    let locations = Locations::new(text, table.get_ref());
    locations
        .contains(key)
        .then(|| locations.line_and_column(locations.offset_of(key)))
}

/// Removes the mark with which some editors of Windows begin a file.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn problem(locations: &Locations<'_>, path: &str, offset: usize, message: String) -> Problem {
    let (line, column) = locations.line_and_column(offset);
    Problem {
        line,
        column,
        key: path.to_owned(),
        message,
    }
}

fn password_message() -> String {
    format!(
        "the password does not belong in this file, which is often shown to others; write it into a file of its own \
         that only you can read and name that with `password_file`, or set the environment variable {PASSWORD_VARIABLE}"
    )
}
