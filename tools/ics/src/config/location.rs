//! Positions of keys and values in the text of a configuration file.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One key of the file, or one element of a list.
#[derive(Debug)]
struct Entry {
    /// Path such as `seek.games[1].base`; elements of lists count from 1.
    path: String,
    /// Bytes of the key; of the value for an element of a list.
    key: Range<usize>,
    /// Bytes of the value.
    value: Range<usize>,
}

/// The keys of a configuration file with their positions.
#[derive(Debug)]
pub(super) struct Locations<'a> {
    text: &'a str,
    entries: Vec<Entry>,
}

impl<'a> Locations<'a> {
    /// Collects the keys of `table`, which was read from `text`.
    pub(super) fn new(text: &'a str, table: &DeTable<'_>) -> Self {
        let mut locations = Self {
            text,
            entries: Vec::new(),
        };
        locations.add_table("", table);
        locations
    }

    fn add_table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let separator = if path.is_empty() { "" } else { "." };
            let path = format!("{path}{separator}{}", key.get_ref());
            self.add(path, key.span(), value);
        }
    }

    fn add(&mut self, path: String, key: Range<usize>, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(&path, table),
            DeValue::Array(list) => {
                for (index, element) in list.iter().enumerate() {
                    self.add(format!("{path}[{}]", index + 1), element.span(), element);
                }
            }
            _ => {}
        }
        self.entries.push(Entry {
            path,
            key,
            value: value.span(),
        });
    }

    /// Returns `true` if the file contains the path.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.entries.iter().any(|entry| entry.path == path)
    }

    /// Returns the path of the smallest key or value that contains the byte `offset`; empty if there is none.
    pub(super) fn path_at(&self, offset: usize) -> &str {
        let size = |entry: &Entry| {
            [&entry.key, &entry.value]
                .into_iter()
                .filter(|range| range.contains(&offset))
                .map(ExactSizeIterator::len)
                .min()
        };
        self.entries
            .iter()
            .filter_map(|entry| Some((size(entry)?, entry)))
            .min_by_key(|(size, entry)| (*size, std::cmp::Reverse(entry.path.len())))
            .map_or("", |(_, entry)| entry.path.as_str())
    }

    /// Returns the offset of the value at `path`, or of the nearest section or list that contains it; 0 without one.
    pub(super) fn offset_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(entry) = self.entries.iter().find(|entry| entry.path == path) {
                return entry.value.start;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = path.get(..end).unwrap_or_default(),
                None => return 0,
            }
        }
    }

    /// Returns line and column of a byte, both from 1. Columns count characters.
    pub(super) fn line_and_column(&self, offset: usize) -> (usize, usize) {
        line_and_column(self.text, offset)
    }
}

/// Returns line and column of a byte of `text`, both from 1. Columns count characters.
pub(super) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    // Continuation bytes of UTF-8 belong to the character before.
    let column = before
        .iter()
        .skip(start)
        .filter(|byte| *byte & 0xC0 != 0x80)
        .count();
    (line, column + 1)
}
