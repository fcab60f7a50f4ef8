//! Every item of `ids.txt` has a script named after it, or a line in the README that says why not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::script::{Script, ids_in};

/// Compares the list of items with the scripts and with the README's table.
pub fn check(folder: &Path, scripts: &[Script]) -> Result<(), String> {
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let list = read("ids.txt")?;
    let items: BTreeMap<&str, &str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .collect();
    let readme = read("README.md")?;
    let excused: BTreeSet<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter_map(|line| line.split(' ').next())
        .filter(|word| items.contains_key(word))
        .collect();
    let covered: BTreeSet<String> = scripts
        .iter()
        .flat_map(|script| ids_in(&script.name))
        .collect();

    let mut complaints = Vec::new();
    for (id, title) in &items {
        match (covered.contains(*id), excused.contains(id)) {
            (false, false) => complaints.push(format!("{id} ({title}) has no script")),
            (true, true) => complaints.push(format!("{id} has a script and an excuse")),
            _ => {}
        }
    }
    for id in &covered {
        if !items.contains_key(id.as_str()) {
            complaints.push(format!("{id} names a script but is not in ids.txt"));
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}
