//! Checks of the source tree: which module may import which (the table of `docs/architecture.md`), and file sizes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The modules with the modules that each may import, lowest first. Every import points to an earlier line.
const MODULES: [(&str, &[&str]); 13] = [
    ("types", &[]),
    ("config", &["types"]),
    ("clock", &["types"]),
    ("board", &["types"]),
    ("rules", &["types", "board"]),
    ("eval", &["types", "board"]),
    ("notation", &["types", "board", "rules"]),
    ("messages", &["types", "config", "clock", "rules", "eval"]),
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
        "runtime",
        &["config", "eval", "messages", "search", "protocol"],
    ),
    (
        "tools",
        &[
            "types", "config", "clock", "board", "rules", "eval", "notation", "messages", "search",
            "runtime",
        ],
    ),
];

/// Words that must not occur in the code of a module: modules without side effects neither print nor start threads,
/// and no module that measures durations uses the system time, because a user can change it.
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

/// The modules that may calculate with 0x88 indices.
const MODULES_WITH_0X88: [&str; 2] = ["types", "board"];

/// A Rust file of the repository.
struct SourceFile {
    /// Top-level module that the file belongs to, or the file name for a file outside every folder.
    module: String,
    path: PathBuf,
    text: String,
}

impl SourceFile {
    /// Returns `true` for a file that consists of test code.
    fn is_test(&self) -> bool {
        let is_test = |part: &std::ffi::OsStr| part.to_string_lossy().contains("tests");
        self.path.iter().any(is_test)
    }

    /// Returns the lines of code before the test module, without comments.
    fn code(&self) -> impl Iterator<Item = &str> {
        let product = self.text.split("#[cfg(test)]\nmod tests {").next();
        let lines = product.unwrap_or_default().lines();
        lines.map(|line| line.split("//").next().unwrap_or_default())
    }
}

/// Returns every Rust file of the crate, test code included.
fn sources() -> Vec<SourceFile> {
    files_in("src")
}

/// Returns every Rust file below a folder of the repository.
fn files_in(folder: &str) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("a folder entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(&root).expect("a path below the folder");
                let module = relative.iter().next().expect("a file name");
                files.push(SourceFile {
                    module: module.to_string_lossy().into_owned(),
                    text: std::fs::read_to_string(&path).expect("a readable source file"),
                    path,
                });
            }
        }
    }
    files
}

#[test]
fn modules_import_only_lower_modules() {
    for (index, (module, imports)) in MODULES.iter().enumerate() {
        for import in *imports {
            assert!(
                MODULES[..index].iter().any(|(lower, _)| lower == import),
                "{module} is listed above {import}, which it imports"
            );
        }
    }
    let table: BTreeMap<&str, &[&str]> = MODULES.into_iter().collect();
    let mut imports = 0;
    // Tests may import more: they play whole games through the upper modules.
    for file in sources().into_iter().filter(|file| !file.is_test()) {
        let Some(allowed) = table.get(file.module.as_str()) else {
            continue;
        };
        for line in file.code() {
            for after in line.split("crate::").skip(1) {
                let name: String = after
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let is_module = table.contains_key(name.as_str());
                // An empty name is a list in braces right after `crate::`, which would hide its modules.
                let is_allowed = name == file.module
                    || allowed.contains(&name.as_str())
                    || (!is_module && !name.is_empty());
                imports += 1;
                let path = file.path.display();
                assert!(is_allowed, "{path} imports {name}: {line}");
            }
        }
    }
    assert!(
        imports > 100,
        "only {imports} imports were found: has the source moved?"
    );
}

#[test]
fn every_module_is_in_the_table() {
    for file in sources() {
        let is_top_level = file.module.ends_with(".rs");
        let is_listed = MODULES.iter().any(|(name, _)| *name == file.module);
        assert!(is_top_level || is_listed, "{}", file.path.display());
    }
}

#[test]
fn modules_without_side_effects_stay_so() {
    for file in sources().into_iter().filter(|file| !file.is_test()) {
        let path = file.path.display();
        for (_, words) in FORBIDDEN.iter().filter(|(name, _)| *name == file.module) {
            for line in file.code() {
                for word in *words {
                    assert!(!line.contains(word), "{path}: {word} in {line}");
                }
            }
        }
        if !MODULES_WITH_0X88.contains(&file.module.as_str()) {
            for line in file.code() {
                let calculates = line.contains("0x88");
                assert!(!calculates, "{path}: {line}");
            }
        }
    }
}

#[test]
fn files_are_short_and_begin_with_their_purpose() {
    for file in sources().into_iter().chain(files_in("protocol-tests")) {
        let path = file.path.display();
        let lines = file.text.lines().count();
        assert!(lines <= 600, "{path} has {lines} lines");
        assert!(file.text.starts_with("//!"), "{path} has no `//!` header");
        // rustfmt breaks code, but leaves comments as they are.
        let is_wide = |line: &&str| line.trim().starts_with("//") && line.chars().count() > 120;
        assert_eq!(file.text.lines().find(is_wide), None, "{path}");
    }
}
