//! Checks of the source tree: which module may import which (the table of `docs/architecture.md`), and file sizes.

mod import_graph;
mod parsed_module;
mod rust_tokens;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use import_graph::ImportGraph;
use parsed_module::ModulePath;

/// A module and the modules that it may import.
type Module = (&'static str, &'static [&'static str]);

/// A package: the folder of its source, and its modules, lowest first. Every import points to an earlier line.
type Package = (&'static str, &'static [Module]);

/// The packages of the workspace.
const PACKAGES: [Package; 3] = [
    ("src", &MODULES),
    ("tools/ics/src", &ICS_MODULES),
    ("tools/lab/src", &LAB_MODULES),
];

/// The modules of the engine.
const MODULES: [Module; 16] = [
    ("types", &[]),
    ("config", &["types"]),
    ("clock", &["types", "config"]),
    ("board", &["types"]),
    ("rules", &["types", "board"]),
    ("eval", &["types", "board"]),
    ("tablebase", &["types", "board", "rules"]),
    ("book", &["types", "board", "rules"]),
    ("notation", &["types", "board", "rules"]),
    (
        "messages",
        &["types", "config", "clock", "rules", "eval", "tablebase"],
    ),
    ("game", &["types", "board", "clock", "rules"]),
    (
        "search",
        &[
            "types",
            "config",
            "clock",
            "board",
            "rules",
            "eval",
            "tablebase",
            "messages",
        ],
    ),
    (
        "protocol",
        &[
            "types", "config", "clock", "board", "rules", "book", "notation", "messages", "game",
        ],
    ),
    (
        "terminal",
        &[
            "types", "config", "clock", "board", "rules", "notation", "messages", "game",
            "protocol",
        ],
    ),
    (
        "runtime",
        &[
            "config",
            "eval",
            "tablebase",
            "book",
            "messages",
            "search",
            "protocol",
            "terminal",
        ],
    ),
    (
        "tools",
        &[
            "types", "config", "clock", "board", "rules", "eval", "book", "notation", "messages",
            "search", "runtime",
        ],
    ),
];

/// The modules of `gaur-ics`, which does not use the engine's code.
const ICS_MODULES: [Module; 13] = [
    ("score", &[]),
    ("text", &[]),
    ("game", &["text"]),
    ("config", &[]),
    ("rules", &["text", "config"]),
    ("net", &["text"]),
    ("engine", &["config"]),
    ("record", &["score"]),
    ("report", &["score"]),
    ("manual", &[]),
    ("arguments", &["config"]),
    (
        "session",
        &[
            "text",
            "game",
            "config",
            "rules",
            "net",
            "engine",
            "record",
            "report",
            "arguments",
            "score",
        ],
    ),
    (
        "setup",
        &["config", "rules", "engine", "record", "report", "session"],
    ),
];

/// The modules of `gaur-lab`. All of them may also import the public interface of the engine.
const LAB_MODULES: [Module; 21] = [
    ("digits", &[]),
    ("warning", &[]),
    ("interrupt", &[]),
    ("progress", &[]),
    ("new_file", &[]),
    ("sample_file", &["new_file"]),
    ("game_file", &["new_file", "sample_file"]),
    ("error", &["interrupt", "game_file", "sample_file"]),
    ("features", &["sample_file"]),
    ("state_file", &["new_file"]),
    ("game_input", &["game_file", "warning"]),
    ("adjudication", &["game_file"]),
    (
        "datagen",
        &[
            "digits",
            "warning",
            "interrupt",
            "progress",
            "game_file",
            "adjudication",
        ],
    ),
    (
        "data",
        &[
            "digits",
            "warning",
            "interrupt",
            "progress",
            "new_file",
            "sample_file",
            "game_file",
            "game_input",
        ],
    ),
    (
        "harvest",
        &[
            "digits",
            "warning",
            "interrupt",
            "progress",
            "game_file",
            "game_input",
            "datagen",
        ],
    ),
    (
        "tune",
        &["interrupt", "state_file", "game_file", "game_input"],
    ),
    (
        "pairs",
        &["interrupt", "game_file", "adjudication", "datagen"],
    ),
    ("duel", &["interrupt", "progress", "pairs"]),
    ("spsa", &["interrupt", "progress", "state_file", "pairs"]),
    ("ablate", &["interrupt", "progress", "state_file", "pairs"]),
    ("book", &["digits", "interrupt", "progress", "state_file"]),
];

/// The files in the root of a package that belong to no module.
const ROOT_FILES: [&str; 5] = [
    "lib",
    "main",
    "repository_tests",
    "layering_tests",
    "documentation_tests",
];

/// Words that must not occur in the code of a module: modules without side effects neither print nor start threads,
/// and no module that measures durations uses the system time, because a user can change it.
const FORBIDDEN: [(&str, &[&str]); 9] = [
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
    (
        "terminal",
        &[
            "Instant::now",
            "SystemTime",
            "std::thread",
            "stdout",
            "println!",
        ],
    ),
    ("search", &["println!", "stdout", "eprintln!", "SystemTime"]),
    ("board", &["std::thread", "Instant", "println!"]),
    ("rules", &["std::thread", "Instant", "println!"]),
    ("eval", &["std::thread", "Instant", "println!"]),
];

/// The modules that may access files. The protocol machine asks `runtime` to read and write them; `book` reads those
/// that `runtime` has it open.
const MODULES_WITH_FILES: [&str; 3] = ["book", "runtime", "tools"];

/// Folders with Rust files that have a purpose and a limited length.
const FOLDERS: [&str; 4] = ["src", "tools/ics", "tools/lab", "protocol-tests"];

/// The modules that may calculate with 0x88 indices.
const MODULES_WITH_0X88: [&str; 2] = ["types", "board"];

/// A Rust file of the repository.
struct SourceFile {
    /// Top-level module that the file belongs to, or the name, without `.rs`, of a file in the root of the package.
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

    /// Returns the path of the module that the file defines, below the folder `root` of its crate.
    fn module_path(&self, root: &str) -> ModulePath {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        let file = self.path.strip_prefix(root).expect("a path below the root");
        let part = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
        let mut path: ModulePath = file.with_extension("").iter().map(part).collect();
        if path.last().is_some_and(|last| last == "mod") {
            path.pop();
        }
        path
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
                let module = module.to_string_lossy();
                files.push(SourceFile {
                    module: module.trim_end_matches(".rs").to_owned(),
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
    for (folder, modules) in PACKAGES {
        for (index, (module, imports)) in modules.iter().enumerate() {
            for import in *imports {
                assert!(
                    modules[..index].iter().any(|(lower, _)| lower == import),
                    "{module} is listed above {import}, which it imports"
                );
            }
        }
        let imports = check_imports(folder, &modules.iter().copied().collect());
        assert!(
            imports > 50,
            "only {imports} imports were found in {folder}: has the source moved?"
        );
    }
}

/// Asserts that every import of a package is in the table, and returns the number of imports.
fn check_imports(folder: &str, table: &BTreeMap<&str, &[&str]>) -> usize {
    let mut imports = 0;
    // Tests may import more: they play whole games through the upper modules.
    for file in files_in(folder).into_iter().filter(|file| !file.is_test()) {
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
    imports
}

#[test]
fn no_two_files_import_each_other() {
    for (package, _) in PACKAGES {
        let files: Vec<_> = files_in(package)
            .into_iter()
            .filter(|file| !file.is_test())
            .collect();
        // The root only declares the modules.
        let modules = files
            .iter()
            .filter(|file| !ROOT_FILES.contains(&file.module.as_str()));
        let graph =
            ImportGraph::new(modules.map(|file| (file.module_path(package), file.text.as_str())));
        let imports = graph.edge_count();
        assert!(
            imports > 100,
            "only {imports} imports were found in {package}: has the source moved?"
        );
        let cycles: String = graph.cycles().iter().map(ToString::to_string).collect();
        assert!(cycles.is_empty(), "{package}:\n{cycles}");
    }
}

#[test]
fn every_module_is_in_the_table() {
    for (folder, modules) in PACKAGES {
        for file in files_in(folder) {
            let is_root = ROOT_FILES.contains(&file.module.as_str());
            let is_listed = modules.iter().any(|(name, _)| *name == file.module);
            assert!(is_root || is_listed, "{}", file.path.display());
        }
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
                // Longer numbers may begin with these digits.
                let is_digit = |c: char| c.is_ascii_hexdigit();
                let calculates = line
                    .split("0x88")
                    .skip(1)
                    .any(|after| !after.starts_with(is_digit));
                assert!(!calculates, "{path}: {line}");
            }
        }
    }
}

#[test]
fn only_some_modules_access_files() {
    let mut found = 0;
    for file in sources().into_iter().filter(|file| !file.is_test()) {
        let may = MODULES_WITH_FILES.contains(&file.module.as_str());
        for line in file.code() {
            let accesses = ["std::fs", "File::open", "File::create"]
                .iter()
                .any(|word| line.contains(word));
            found += usize::from(accesses);
            assert!(may || !accesses, "{}: {line}", file.path.display());
        }
    }
    assert!(
        found > 2,
        "only {found} accesses were found: is the source elsewhere?"
    );
}

#[test]
fn files_are_short_and_begin_with_their_purpose() {
    for file in FOLDERS.into_iter().flat_map(files_in) {
        let path = file.path.display();
        let lines = file.text.lines().count();
        assert!(lines <= 500, "{path} has {lines} lines");
        assert!(file.text.starts_with("//!"), "{path} has no `//!` header");
        // rustfmt breaks code, but leaves comments as they are.
        let is_wide = |line: &&str| line.trim().starts_with("//") && line.chars().count() > 120;
        assert_eq!(file.text.lines().find(is_wide), None, "{path}");
    }
}
