//! Checks that `docs/protocol.md` has a row for every item of `ids.txt`, and that each row names exactly the existing
//! scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::script::{Script, ids_in};

/// Row of an item table.
struct Row<'a> {
    item: &'a str,
    status: &'a str,
    /// Names in backticks in the last cell.
    proofs: Vec<&'a str>,
}

/// Compares the list of items, the tables and the scripts. `root` is the root of the repository.
pub fn check(root: &Path, scripts: &[Script]) -> Result<(), String> {
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let list = read("protocol-tests/ids.txt")?;
    let items: BTreeSet<&str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let mut proofs: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for script in scripts {
        for item in ids_in(&script.name) {
            proofs.entry(item).or_default().insert(&script.name);
        }
    }

    let mut complaints = Vec::new();
    let mut report = |complaint: String| complaints.push(complaint);
    for item in proofs.keys().filter(|item| !items.contains(item.as_str())) {
        report(format!("{item} names a script but is not in ids.txt"));
    }
    let document = read("docs/protocol.md")?;
    let rows: Vec<Row> = document.lines().filter_map(row).collect();
    for item in &items {
        match rows.iter().filter(|row| row.item == *item).count() {
            1 => {}
            count => report(format!("{item} has {count} rows in docs/protocol.md")),
        }
    }
    for row in &rows {
        if !items.contains(row.item) {
            report(format!("{} has a row but is not in ids.txt", row.item));
        }
        if !row.status.starts_with("works") {
            report(format!("{}: {}", row.item, row.status));
        }
        // A name with a slash is another test.
        let (files, named): (Vec<&str>, Vec<&str>) =
            row.proofs.iter().partition(|name| name.contains('/'));
        for file in files.iter().filter(|file| !root.join(file).exists()) {
            report(format!("{}: there is no {file}", row.item));
        }
        let there = proofs.get(row.item).cloned().unwrap_or_default();
        if named.iter().copied().collect::<BTreeSet<&str>>() != there {
            let names: Vec<String> = there.iter().map(|name| format!("`{name}`")).collect();
            report(format!(
                "{}: the scripts are {}",
                row.item,
                names.join(", ")
            ));
        } else if row.proofs.is_empty() {
            report(format!("{}: nothing proves it", row.item));
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

/// Parses `| ITEM | what | status | scripts |`. Other tables have other first cells.
fn row(line: &str) -> Option<Row<'_>> {
    let (rest, last) = line
        .strip_prefix("| ")?
        .strip_suffix('|')?
        .trim_end()
        .rsplit_once(" |")?;
    let (item, rest) = rest.split_once(" | ")?;
    let (_, status) = rest.rsplit_once(" | ")?;
    if ids_in(item).first().map(String::as_str) != Some(item) {
        return None;
    }
    Some(Row {
        item,
        status: status.trim(),
        proofs: last.split('`').skip(1).step_by(2).collect(),
    })
}

/// Checks the parser of rows.
pub fn self_test() -> Result<(), String> {
    let read = |line| row(line).map(|row| (row.item, row.status, row.proofs));
    let tests = [
        (
            "| C-20 | `a \\| b` | works: so | `C-20-x`, `src/y.rs` |",
            Some(("C-20", "works: so", vec!["C-20-x", "src/y.rs"])),
        ),
        ("| R-28 | time | works | |", Some(("R-28", "works", vec![]))),
        ("| item | what | status | scripts |", None),
        ("|---|---|---|---|", None),
        ("C-20 is a row of none", None),
    ];
    for (line, expected) in tests {
        if read(line) != expected {
            return Err(format!("{line}: {:?}", read(line)));
        }
    }
    Ok(())
}
