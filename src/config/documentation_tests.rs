//! Comparison of the option tables in the documentation with the option table in the code.
//!
//! Every markdown table whose header row begins with `| option |` is read. Names and defaults must agree with
//! [`OPTIONS`], and the limits must agree where a table has a column `range` (`MIN to MAX`).

use super::{OPTIONS, OptionKind, OptionSpec};

/// One row of a markdown table of options.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    default: String,
    range: Option<String>,
}

/// Returns the rows of all option tables in a markdown text.
fn option_rows(markdown: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut columns: Option<Vec<String>> = None;
    for line in markdown.lines() {
        let Some(cells) = cells(line) else {
            columns = None;
            continue;
        };
        match &columns {
            None if line.starts_with("| option |") => columns = Some(cells),
            Some(columns) if !line.starts_with("|---") => {
                let cell = |title: &str| {
                    let index = columns.iter().position(|column| column == title)?;
                    cells.get(index).cloned()
                };
                rows.push(Row {
                    name: cell("option").expect("an option column"),
                    default: cell("default").expect("a default column"),
                    range: cell("range"),
                });
            }
            _ => {}
        }
    }
    rows
}

/// Returns the cells of a table row without backquotes, or `None` if the line is not a table row.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let plain = |cell: &str| cell.replace('`', "").trim().to_owned();
    Some(inner.split('|').map(plain).collect())
}

/// Returns the row that documents `option`.
fn expected_row(option: &OptionSpec, has_range: bool) -> Row {
    let default = match option.kind {
        OptionKind::Check { default, .. } => if default { "on" } else { "off" }.to_owned(),
        _ => option.kind.default_text().unwrap_or_default(),
    };
    let range = match option.kind {
        OptionKind::Spin { min, max, .. } | OptionKind::Slider { min, max, .. } => {
            format!("{min} to {max}")
        }
        _ => String::new(),
    };
    Row {
        name: option.name.to_owned(),
        default,
        range: has_range.then_some(range),
    }
}

/// Panics unless every row documents an existing option correctly.
fn check_rows(rows: &[Row], document: &str) {
    assert!(!rows.is_empty(), "{document} has no table of options");
    for row in rows {
        let option = OPTIONS
            .iter()
            .find(|option| option.name == row.name)
            .unwrap_or_else(|| panic!("{document} names the unknown option {}", row.name));
        assert_eq!(
            *row,
            expected_row(option, row.range.is_some()),
            "{document}"
        );
    }
}

#[test]
fn readme_lists_every_option_once_with_its_default() {
    let rows = option_rows(include_str!("../../README.md"));
    check_rows(&rows, "README.md");
    for option in OPTIONS {
        let count = rows.iter().filter(|row| row.name == option.name).count();
        assert_eq!(count, 1, "rows for {} in README.md", option.name);
    }
}

#[test]
fn server_page_lists_options_with_their_defaults() {
    let rows = option_rows(include_str!("../../docs/ics-bridges.md"));
    check_rows(&rows, "docs/ics-bridges.md");
    for (index, row) in rows.iter().enumerate() {
        assert!(
            rows[..index].iter().all(|other| other.name != row.name),
            "docs/ics-bridges.md lists {} twice",
            row.name
        );
    }
}

#[test]
fn tables_of_options_are_recognised_by_their_header() {
    let markdown = "\
| option | default | range | meaning |
|---|---|---|---|
| `Variety` | 0 | 0 to 100 | random variation |
| `LogNote` | | | text |

| command | default |
|---|---|
| `gaur` | 1 |
";
    let row = |name: &str, default: &str, range: &str| Row {
        name: name.to_owned(),
        default: default.to_owned(),
        range: Some(range.to_owned()),
    };
    let rows = option_rows(markdown);
    assert_eq!(
        rows,
        [row("Variety", "0", "0 to 100"), row("LogNote", "", "")]
    );
    check_rows(&rows, "the example");
}
