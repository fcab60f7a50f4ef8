//! Build script: passes the commit and the target to the program, for `gaur --version`, and links version and icon into
//! the Windows program.
//!
//! Their values depend on the source and on the environment variable `GAUR_COMMIT` alone, so that builds are
//! reproducible.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Files and folders whose content determines the program. A change of any of them, committed or not, marks the commit
/// as modified, and lets Cargo run this script again.
const SOURCES: [&str; 5] = ["build.rs", "src", "Cargo.toml", "Cargo.lock", ".cargo"];

/// Number of hexadecimal digits of a commit that are shown.
const COMMIT_DIGITS: usize = 12;

/// Icon of the program, which the Windows Explorer shows.
const ICON: &str = "tools/package/gaur.ico";

fn main() {
    commit();
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=GAUR_BUILD_TARGET={target}");
    windows_resource();
}

/// Links name, version, licence and icon into the program for Windows. If there is no resource compiler, the program is
/// built without them.
fn windows_resource() {
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
        return;
    }
    let mut resource = winresource::WindowsResource::new();
    // English (United States), in Unicode.
    resource.set_language(0x0409);
    for (name, value) in [
        ("FileDescription", "Gaur chess engine"),
        ("InternalName", "gaur"),
        ("LegalCopyright", "GPL-3.0-or-later"),
        ("OriginalFilename", "gaur.exe"),
        ("ProductName", "Gaur"),
    ] {
        resource.set(name, value);
    }
    watch(Path::new(ICON));
    if Path::new(ICON).exists() {
        resource.set_icon(ICON);
    }
    if let Err(error) = resource.compile_for("gaur") {
        println!(
            "cargo::warning=gaur.exe gets no version and no icon: {error}; install windres (MinGW) or rc (Windows SDK)"
        );
    }
}

/// Passes the commit to the program: that of this package's repository, else of `GAUR_COMMIT`, else of the published
/// crate.
fn commit() {
    println!("cargo::rerun-if-env-changed=GAUR_COMMIT");
    for source in SOURCES {
        watch(Path::new(source));
    }
    let commit = repository_commit()
        .or_else(|| short(&env::var("GAUR_COMMIT").ok()?, false))
        .or_else(published_commit)
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=GAUR_BUILD_COMMIT={commit}");
}

/// Returns the commit if this package lies at the top of a git repository and `git` can read it. A repository that
/// merely contains the package, such as that of its packager, does not count.
fn repository_commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let hash = git(&["rev-parse", "--verify", "HEAD"])?;
    watch_head();
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(SOURCES);
    short(&hash, !git(&status)?.is_empty())
}

/// Lets Cargo run this script again when another commit is checked out or a new one is made.
fn watch_head() {
    let path_in_git = |name: &str| git(&["rev-parse", "--git-path", name]);
    let Some(head) = path_in_git("HEAD") else {
        return;
    };
    watch(Path::new(&head));
    if let Some(packed) = path_in_git("packed-refs") {
        watch(Path::new(&packed));
    }
    // Detached from all branches, HEAD contains the commit itself.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    if let Some(branch) = branch.and_then(|branch| path_in_git(&branch)) {
        // The next commit creates the file of a branch that is packed.
        let exists = |path: &&Path| path.exists();
        if let Some(path) = Path::new(&branch).ancestors().find(exists) {
            watch(path);
        }
    }
}

/// Lets Cargo run this script again when a file, or one in a folder, changes. Cargo would take a missing file for a
/// changed one.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// Returns the output of `git` without the final line end, or `None` if it fails or is not installed.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        // A hook or a rebase that builds Gaur may set them to another repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| text.trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the commit of a published crate, into which Cargo has written it.
fn published_commit() -> Option<String> {
    let path = Path::new(".cargo_vcs_info.json");
    watch(path);
    let text = fs::read_to_string(path).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let hash = rest.split('"').nth(1)?;
    let is_modified = rest
        .split_once("\"dirty\"")
        .is_some_and(|(_, rest)| rest.trim_start_matches([':', ' ']).starts_with("true"));
    short(hash, is_modified)
}

/// Returns the first digits of a commit, marked if the source has been modified since; `None` if it is no commit.
fn short(hash: &str, is_modified: bool) -> Option<String> {
    let digits = hash.trim().get(..COMMIT_DIGITS)?;
    let mark = if is_modified { ", modified" } else { "" };
    let is_commit = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_commit.then(|| format!("{digits}{mark}"))
}
