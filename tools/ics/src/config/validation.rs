//! The way from TOML to a checked configuration.

use toml::de::DeTable;

use super::checks::{self, Presence};
use super::location::{Locations, line_and_column};
use super::messages::rewritten;
use super::repair;
use super::{Config, PASSWORD_VARIABLE, Problem};

/// Parses and checks the text of a configuration file.
///
/// Returns all findings, in the order of the file: unknown keys, values of a wrong type, and values that are not
/// allowed. An error in the syntax is returned alone, because the rest of the file is uncertain then.
pub(super) fn parse(text: &str) -> Result<Config, Vec<Problem>> {
    let text = without_mark(text);
    let table = DeTable::parse(text).map_err(|error| {
        let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
        vec![Problem {
            line,
            column,
            key: String::new(),
            message: format!("not TOML: {}", error.message().trim()),
        }]
    })?;
    let locations = Locations::new(text, table.get_ref());
    let repaired = repair::read(table);
    let unreadable = repaired.errors.iter().map(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let path = locations.path_at(offset);
        let message = rewritten(error.message(), path);
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
    if problems.is_empty() {
        Ok(repaired.config)
    } else {
        Err(problems)
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
