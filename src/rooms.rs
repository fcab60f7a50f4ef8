//! Who may import whom: the table of `docs/architecture.md`, enforced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Each room and all it may import, lowest first; every import points to an earlier line.
const ROOMS: [(&str, &[&str]); 14] = [
    ("types", &[]),
    ("config", &["types"]),
    ("clock", &["types"]),
    ("board", &["types"]),
    ("rules", &["types", "board"]),
    ("eval", &["types", "board"]),
    ("notation", &["types", "board", "rules"]),
    ("data", &["types", "board", "rules"]),
    ("messages", &["types", "config", "clock", "rules"]),
    ("game", &["types", "board", "clock", "rules"]),
    (
        "search",
        &[
            "types", "config", "clock", "board", "rules", "eval", "messages",
        ],
    ),
    (
        "protocol",
        &[
            "types", "config", "clock", "board", "rules", "notation", "messages", "game",
        ],
    ),
    (
        "tools",
        &[
            "types", "config", "clock", "board", "rules", "eval", "notation", "data", "messages",
            "game", "search",
        ],
    ),
    (
        "runtime",
        &["config", "messages", "search", "protocol", "tools"],
    ),
];

/// What the rooms that must stay pure may not even mention.
/// Who reckons with time may not ask for the time of day, which somebody may change.
const FORBIDDEN: [(&str, &[&str]); 8] = [
    ("clock", &["Instant::now", "SystemTime"]),
    ("messages", &["Instant::now", "SystemTime"]),
    ("game", &["Instant", "SystemTime"]),
    (
        "protocol",
        &[
            "Instant::now",
            "SystemTime",
            "std::thread",
            "crossbeam",
            "stdout",
            "println!",
        ],
    ),
    ("search", &["println!", "stdout", "eprintln!", "SystemTime"]),
    ("board", &["std::thread", "Instant", "println!"]),
    ("rules", &["std::thread", "Instant", "println!"]),
    ("eval", &["std::thread", "Instant", "println!"]),
];

/// The rooms that may do arithmetic on 0x88 codes.
const KNOW_0X88: [&str; 2] = ["types", "board"];

/// Every source file with the room it is in and its text, test code included.
fn sources() -> Vec<(String, PathBuf, String)> {
    files_in("src")
}

/// Every Rust file below a folder with the name of what it is in there, and its text.
fn files_in(folder: &str) -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let room = path
                    .strip_prefix(&root)
                    .ok()
                    .and_then(|inner| inner.components().next());
                let room = room
                    .map(|room| room.as_os_str().to_string_lossy().into_owned())
                    .unwrap_or_default();
                let text = std::fs::read_to_string(&path).expect("readable source");
                found.push((room, path, text));
            }
        }
    }
    found
}

/// The code of a file: comments left out, and its tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
}

fn is_test_file(path: &Path) -> bool {
    path.iter()
        .any(|part| part.to_string_lossy().contains("tests"))
}

#[test]
fn imports_run_one_way() {
    for (index, (room, imports)) in ROOMS.iter().enumerate() {
        for import in *imports {
            assert!(
                ROOMS[..index].iter().any(|(lower, _)| lower == import),
                "{room} above {import}"
            );
        }
    }
    let table: BTreeMap<&str, &[&str]> = ROOMS.into_iter().collect();
    let mut imports = 0;
    for (room, path, text) in sources() {
        let Some(allowed) = table.get(room.as_str()) else {
            continue;
        };
        // Tests may look further: they play whole games through the upper rooms.
        if is_test_file(&path) {
            continue;
        }
        for line in code(&text) {
            for after in line.split("crate::").skip(1) {
                let name: String = after
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let known = table.contains_key(name.as_str());
                // A list in braces right after `crate::` would hide its rooms from this test.
                let may = name == room
                    || allowed.contains(&name.as_str())
                    || (!known && !name.is_empty());
                imports += 1;
                assert!(may, "{} imports {name}: {line}", path.display());
            }
        }
    }
    assert!(
        imports > 100,
        "only {imports} imports were seen: is the source elsewhere?"
    );
}

#[test]
fn every_room_is_in_the_table() {
    for (room, path, _) in sources() {
        let top_level = room.ends_with(".rs");
        assert!(
            top_level || ROOMS.iter().any(|(name, _)| *name == room),
            "{}",
            path.display()
        );
    }
}

#[test]
fn rooms_stay_in_character() {
    for (room, path, text) in sources()
        .into_iter()
        .filter(|(_, path, _)| !is_test_file(path))
    {
        for (_, words) in FORBIDDEN.iter().filter(|(name, _)| *name == room) {
            for line in code(&text) {
                for word in *words {
                    assert!(!line.contains(word), "{}: {word} in {line}", path.display());
                }
            }
        }
        if !KNOW_0X88.contains(&room.as_str()) && room != "rooms.rs" {
            for line in code(&text) {
                assert!(
                    !line.contains("0x88") && !line.contains(".code()"),
                    "{}: {line}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn files_stay_short_and_say_what_they_are() {
    for (_, path, text) in sources().into_iter().chain(files_in("protocol-tests")) {
        assert!(
            text.lines().count() <= 600,
            "{} is too long",
            path.display()
        );
        assert!(
            text.starts_with("//!"),
            "{} does not say what it is for",
            path.display()
        );
        // rustfmt breaks code, but leaves comments as they are.
        let is_wide = |line: &&str| line.trim().starts_with("//") && line.chars().count() > 120;
        assert_eq!(text.lines().find(is_wide), None, "{}", path.display());
    }
}
