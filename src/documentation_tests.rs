//! Checks of the documentation: links, anchors, named files, parameter values and the length of pages.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use gaur::config::Parameters;

/// Maximum number of words of a page, counted as `wc -w` does. A newcomer can read that much in ten minutes.
const MAX_WORDS: usize = 2_200;

/// Pages of any length: a reference that lists every item of the protocol, and the list of all changes.
const UNLIMITED: [&str; 2] = ["docs/protocol.md", "CHANGELOG.md"];

/// Folder of experiment records, which may be long and may name files that no longer exist.
const RECORDS: &str = "docs/experiments";

/// Beginnings of code spans that name a file or folder of the repository.
const FOLDERS: [&str; 6] = [
    ".ci/",
    "benches/",
    "docs/",
    "protocol-tests/",
    "src/",
    "tools/",
];

/// Files that the user writes, as a page describes.
const USER_FILES: [&str; 1] = ["docs/ics/icsdrone.login"];

/// Texts of `docs/search.md` that repeat values of search parameters. A parameter's name in braces stands for its
/// default.
const PARAMETER_TEXTS: [&str; 21] = [
    "window of ± {aspiration_window} centipawns",
    "depth ≤ {reverse_futility_depth} and estimate − margin ≥ beta, margin {reverse_futility_margin} × depth",
    "{reverse_futility_improving} lower if improving: return a third",
    "depth ≤ {razoring_depth} and estimate + {razoring_margin} × depth ≤ alpha",
    "search to depth − {null_move_base} − depth / {null_move_divisor} or less; return if this fails high, verified from depth {null_move_verification} on",
    "depth ≥ {probcut_depth}: return if a capture reaches beta + {probcut_margin} ({probcut_improving} lower if improving)",
    "PV or cut node of depth ≥ {internal_reduction_depth} without table move",
    "reduced depth ≤ {futility_depth} and static evaluation + {futility_base} + {futility_margin} × reduced depth ≤ alpha",
    "after ({late_move_base} + depth²) moves",
    "reduced depth ≤ {history_pruning_depth} and history score below −{history_pruning_margin} × depth",
    "captures: depth ≤ {see_pruning_depth}, SEE loss above {see_pruning_noisy} × depth",
    "quiet moves: reduced depth ≤ {see_pruning_depth}, SEE loss above {see_pruning_quiet} × reduced depth²",
    "both sides' evaluations have a sum above {hindsight_margin}: one less",
    "depth ≥ {singular_depth}, on a PV of now or before {singular_on_pv} more; table score no upper bound",
    "stay below this score − {singular_margin / 16} × depth",
    "give direct check and lose at most {quiescence_check_loss} centipawns",
    "reverse futility pruning at depth {reverse_futility_guard} or more",
    "PV node of depth ≤ {raised_alpha_depth}: after a move that raised alpha",
    "static evaluation + {quiescence_futility} does not exceed alpha",
    "After {quiescence_nodes} nodes only recaptures are tried",
    "depth ≥ {null_move_depth}, estimate ≥ beta, static evaluation + {null_move_slack} × depth ≥ beta + {null_move_margin}",
];

/// Stands for any name in the path of a file.
const PLACEHOLDER: &str = "NAME";

/// A page of the documentation.
struct Page {
    /// Path relative to the repository.
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: &Path) -> Page {
        let text = std::fs::read_to_string(root().join(path)).expect("pages are readable");
        Page {
            path: path.to_path_buf(),
            text,
        }
    }

    /// The lines outside code blocks.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut in_code = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            in_code ^= is_fence;
            !in_code && !is_fence
        })
    }

    /// The targets of the inline links, images included.
    fn links(&self) -> Vec<&str> {
        self.prose()
            .flat_map(|line| line.split("](").skip(1))
            .filter_map(|rest| rest.split(')').next())
            .collect()
    }

    /// The anchors of the headings, formed as GitHub forms them.
    fn anchors(&self) -> HashSet<String> {
        let mut anchors = HashSet::new();
        for line in self.prose() {
            let title = line.trim_start_matches('#');
            if title.len() == line.len() || !title.starts_with(' ') {
                continue;
            }
            let anchor = anchor(title.trim());
            let numbered = (1..).map(|n| format!("{anchor}-{n}"));
            let free = std::iter::once(anchor.clone())
                .chain(numbered)
                .find(|candidate| !anchors.contains(candidate));
            anchors.extend(free);
        }
        anchors
    }

    /// The code spans that name a file or folder of the repository.
    fn named_files(&self) -> Vec<&str> {
        self.prose()
            .flat_map(|line| line.split('`').skip(1).step_by(2))
            .filter(|span| FOLDERS.iter().any(|folder| span.starts_with(folder)))
            .filter(|span| !span.contains([' ', '*', '<', '{']))
            .collect()
    }

    /// The code spans that name a source file, with or without its folder.
    fn named_sources(&self) -> Vec<&str> {
        self.prose()
            .flat_map(|line| line.split('`').skip(1).step_by(2))
            .filter(|span| span.ends_with(".rs") && !span.contains([' ', '*', '<', '{']))
            .collect()
    }

    /// The links whose file or anchor does not exist.
    fn broken_links(&self) -> Vec<String> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut broken = Vec::new();
        for link in self.links() {
            if link.contains(':') {
                continue; // another site
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let found = if file.is_empty() {
                self.anchors().contains(anchor)
            } else {
                let target = folder.join(file);
                let is_page = target
                    .extension()
                    .is_some_and(|extension| extension == "md");
                root().join(&target).exists()
                    && (!is_page
                        || anchor.is_empty()
                        || Page::read(&target).anchors().contains(anchor))
            };
            if !found {
                broken.push(format!("{}: {link}", self.path.display()));
            }
        }
        broken
    }

    fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }

    fn is_record(&self) -> bool {
        self.path.starts_with(RECORDS)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The anchor of a heading: lower case, without punctuation, with hyphens for spaces.
fn anchor(title: &str) -> String {
    // Of a link in a heading only its text counts.
    let mut text = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, tail)| tail);
    }
    text.push_str(rest);
    text.to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// Returns `true` if a page may name this file although it does not exist.
fn is_exempt(file: &str) -> bool {
    USER_FILES.contains(&file) || file.contains(PLACEHOLDER)
}

/// The files of these folders and their subfolders with this extension.
fn files(folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("folders are readable") {
            let entry = entry.expect("entries are readable");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found
}

/// Replaces each parameter's name in braces by its default. `/ 16` after a name divides it.
fn with_parameter_values(text: &str) -> String {
    let mut text = text.to_owned();
    for parameter in Parameters::TABLE {
        let (name, value) = (parameter.name, parameter.default);
        let sixteenths = f64::from(value) / 16.0;
        text = text
            .replace(&format!("{{{name}}}"), &value.to_string())
            .replace(&format!("{{{name} / 16}}"), &sixteenths.to_string());
    }
    assert!(!text.contains('{'), "no such parameter: {text}");
    text
}

/// Every page of the documentation.
fn pages() -> Vec<Page> {
    let mut paths = files(&["docs"], "md");
    paths.extend(["README.md", "CHANGELOG.md", "protocol-tests/README.md"].map(PathBuf::from));
    paths.iter().map(|path| Page::read(path)).collect()
}

fn page(path: &str, text: &str) -> Page {
    Page {
        path: PathBuf::from(path),
        text: text.to_owned(),
    }
}

#[test]
fn links_and_anchors_exist() {
    let broken: Vec<String> = pages().iter().flat_map(Page::broken_links).collect();
    assert!(broken.is_empty(), "broken links: {broken:#?}");
}

#[test]
fn named_files_exist() {
    let mut missing = Vec::new();
    for page in pages().iter().filter(|page| !page.is_record()) {
        for file in page.named_files() {
            if !is_exempt(file) && !root().join(file).exists() {
                missing.push(format!("{}: {file}", page.path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "files that do not exist: {missing:#?}");
}

#[test]
fn named_sources_exist() {
    let mut sources = files(&["src", "protocol-tests", "tools"], "rs");
    sources.push("build.rs".into());
    let mut missing = Vec::new();
    for page in pages().iter().filter(|page| !page.is_record()) {
        for name in page.named_sources() {
            if !is_exempt(name) && !sources.iter().any(|source| source.ends_with(name)) {
                missing.push(format!("{}: {name}", page.path.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "source files that do not exist: {missing:#?}"
    );
}

#[test]
fn search_page_names_every_technique() {
    let text = Page::read(Path::new("docs/search.md")).text.to_lowercase();
    let techniques = files(&["src/search/techniques"], "rs");
    assert!(techniques.len() > 10, "techniques: {techniques:?}");
    let names = techniques
        .iter()
        .filter_map(|path| path.file_stem()?.to_str())
        .map(|stem| stem.replace('_', " "));
    let missing: Vec<String> = names
        .filter(|name| name != "mod" && !text.contains(name))
        .collect();
    assert!(
        missing.is_empty(),
        "techniques without description: {missing:?}"
    );
}

#[test]
fn search_page_states_the_values_of_parameters() {
    let page = Page::read(Path::new("docs/search.md")).text;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing: Vec<String> = PARAMETER_TEXTS
        .iter()
        .map(|text| with_parameter_values(text))
        .filter(|text| !page.contains(text))
        .collect();
    assert!(
        missing.is_empty(),
        "values that docs/search.md does not state: {missing:#?}"
    );
}

#[test]
fn pages_are_short() {
    let long: Vec<String> = pages()
        .iter()
        .filter(|page| !page.is_record() && !UNLIMITED.iter().any(|path| page.path.ends_with(path)))
        .filter(|page| page.words() > MAX_WORDS)
        .map(|page| format!("{}: {} words", page.path.display(), page.words()))
        .collect();
    assert!(long.is_empty(), "more than {MAX_WORDS} words: {long:#?}");
}

/// Returns the first text in capital letters between two `@`, which stands for a value that was to be inserted.
fn unfilled(text: &str) -> Option<&str> {
    let parts: Vec<&str> = text.split('@').collect();
    // Neither the first nor the last part is between two signs.
    let between = parts.get(1..parts.len() - 1).unwrap_or_default();
    let is_name = |part: &&&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_uppercase());
    between.iter().find(is_name).copied()
}

#[test]
fn no_value_is_missing() {
    let missing: Vec<String> = pages()
        .iter()
        .filter_map(|page| {
            Some(format!(
                "{}: @{}@",
                page.path.display(),
                unfilled(&page.text)?
            ))
        })
        .collect();
    assert!(missing.is_empty(), "values to be inserted: {missing:#?}");
}

#[test]
fn missing_values_are_found() {
    for text in [
        "",
        "no sign",
        "@",
        "a@example.org, b@example.org",
        "@@",
        "@Name@",
    ] {
        assert_eq!(unfilled(text), None, "{text}");
    }
    assert_eq!(unfilled("a@b: @NODES@ nodes"), Some("NODES"));
}

#[test]
fn records_are_found() {
    let pages = pages();
    for path in ["docs/strength.md", "docs/experiments/README.md"] {
        assert!(
            pages.iter().any(|page| page.path == Path::new(path)),
            "{path}"
        );
    }
}

#[test]
fn broken_links_are_reported() {
    let text = "[a](strength.md), [b](no-such-page.md), ![c](no-such-picture.png) and [d](https://example.org/x.md)\n\
                [e](strength.md#matches), [f](strength.md#no-such-heading), [g](#title), [h](#other)\n\
                # Title\n\
                ```sh\n[i](in-code.md)\n```\n";
    let broken = page("docs/page.md", text).broken_links();
    let links: Vec<&str> = broken
        .iter()
        .filter_map(|problem| problem.strip_prefix("docs/page.md: "))
        .collect();
    let expected = [
        "no-such-page.md",
        "no-such-picture.png",
        "strength.md#no-such-heading",
        "#other",
    ];
    assert_eq!(links, expected);
}

#[test]
fn anchors_follow_the_rules_of_github() {
    let text = "# A `code` title, with (punctuation)\n## Twice\n## Twice\n## A [link](x.md#y) too\n#no heading\n";
    let anchors = page("docs/page.md", text).anchors();
    let expected = [
        "a-code-title-with-punctuation",
        "twice",
        "twice-1",
        "a-link-too",
    ];
    assert_eq!(anchors, expected.map(str::to_owned).into());
}

#[test]
fn named_files_are_recognised() {
    let text = "`src/lib.rs`, `src/no.rs`, `cargo test`, `docs/*.md` and src/plain.rs\n";
    assert_eq!(
        page("README.md", text).named_files(),
        ["src/lib.rs", "src/no.rs"]
    );
}

#[test]
fn names_of_parameters_are_replaced() {
    let default = |name| {
        let parameter = Parameters::TABLE.iter().find(|found| found.name == name);
        parameter.expect("a parameter").default
    };
    let expected = format!(
        "depth {}, {} per ply",
        default("null_move_depth"),
        f64::from(default("singular_margin")) / 16.0
    );
    let text = "depth {null_move_depth}, {singular_margin / 16} per ply";
    assert_eq!(with_parameter_values(text), expected);
}

#[test]
#[should_panic(expected = "no such parameter: {no_parameter} plies")]
fn unknown_parameters_are_reported() {
    with_parameter_values("{no_parameter} plies");
}
