//! Search for all keys of a configuration file that cannot be read: unknown keys and values of a wrong type.
//!
//! The deserializer stops at the first error. Each part of the file is therefore read alone where the whole cannot be
//! read.

use std::ops::Range;

use serde::Deserialize as _;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue, Deserializer, Error};

use super::Config;

/// A configuration without the values that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Repaired {
    /// The values that can be read.
    pub(super) config: Config,
    /// Errors of the others.
    pub(super) errors: Vec<Error>,
    /// Keys that contain a password, by the byte at which they begin.
    pub(super) passwords: Vec<usize>,
    /// Paths that are left out, such as `server.port` or `challenges.prefer`.
    pub(super) left_out: Vec<String>,
}

/// Container of a value in the file: its bytes, and the key of the value in a section; `None` in a list.
type Step<'a> = (Range<usize>, Option<Spanned<DeString<'a>>>);

/// Reads a configuration and leaves out what cannot be read.
pub(super) fn read(table: Spanned<DeTable<'_>>) -> Repaired {
    let mut repaired = Repaired::default();
    let whole = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    let rest = repaired.readable(&mut Vec::new(), &whole);
    // What is left has been read in parts.
    if let Some(Ok(config)) = rest.map(|rest| parse(&[], rest)) {
        repaired.config = config;
    }
    repaired
}

impl Repaired {
    /// Returns the part of a value that can be read, and collects the errors of the rest. A list with an error is left
    /// out as a whole, so that the numbers of elements in later messages are those of the file.
    fn readable<'a>(
        &mut self,
        steps: &mut Vec<Step<'a>>,
        value: &Spanned<DeValue<'a>>,
    ) -> Option<Spanned<DeValue<'a>>> {
        if let Some(offset) = password(steps) {
            self.passwords.push(offset);
            return None;
        }
        let Err(error) = parse(steps, value.clone()) else {
            return Some(value.clone());
        };
        let before = (self.errors.len(), self.passwords.len());
        let mut part = None;
        match value.get_ref() {
            DeValue::Table(table) => {
                let mut rest = DeTable::new();
                for (key, value_of_key) in table {
                    steps.push((value.span(), Some(key.clone())));
                    if let Some(readable) = self.readable(steps, value_of_key) {
                        rest.insert(key.clone(), readable);
                    }
                    steps.pop();
                }
                part = Some(Spanned::new(value.span(), DeValue::Table(rest)));
            }
            DeValue::Array(list) => {
                for element in list.iter() {
                    steps.push((value.span(), None));
                    self.readable(steps, element);
                    steps.pop();
                }
            }
            _ => {}
        }
        if before == (self.errors.len(), self.passwords.len()) {
            self.errors.push(error);
        }
        // An unknown section has no part that can be read.
        part = part.filter(|part| parse(steps, part.clone()).is_ok());
        if part.is_none() {
            self.left_out.push(path(steps));
        }
        part
    }
}

/// Reads a configuration that contains nothing but this value.
fn parse<'a>(steps: &[Step<'a>], value: Spanned<DeValue<'a>>) -> Result<Config, Error> {
    let mut whole = value;
    for (span, key) in steps.iter().rev() {
        let container = match key {
            Some(key) => {
                let mut table = DeTable::new();
                table.insert(key.clone(), whole);
                DeValue::Table(table)
            }
            None => {
                let mut list = DeArray::new();
                list.push(whole);
                DeValue::Array(list)
            }
        };
        whole = Spanned::new(span.clone(), container);
    }
    let span = whole.span();
    let table = match whole.into_inner() {
        DeValue::Table(table) => table,
        _ => DeTable::new(),
    };
    Config::deserialize(Deserializer::from(Spanned::new(span, table)))
}

/// Returns the byte at which the last key begins, if that is `password`. An engine may have an option of this name.
fn password(steps: &[Step<'_>]) -> Option<usize> {
    let name = |step: &Step<'_>| step.1.as_ref().map(|key| key.get_ref().to_string());
    let last = steps
        .last()
        .filter(|step| name(step).as_deref() == Some("password"))?;
    let is_option = steps.first().and_then(name).as_deref() == Some("engine") && steps.len() > 2;
    let key = last.1.as_ref().filter(|_| !is_option)?;
    Some(key.span().start)
}

/// Returns the path of a value, without numbers of elements.
fn path(steps: &[Step<'_>]) -> String {
    let keys: Vec<&str> = steps
        .iter()
        .filter_map(|(_, key)| Some(key.as_ref()?.get_ref().as_ref()))
        .collect();
    keys.join(".")
}
