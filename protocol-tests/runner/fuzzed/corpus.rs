//! The corpus of a fuzz target: files with inputs, checked in under `protocol-tests/fuzz/corpus`.

use std::fs;
use std::path::{Path, PathBuf};

/// A fuzz target: its name, and the function that checks an input.
pub type Target = (&'static str, fn(&[u8]));

/// Returns the folder of the fuzz package. The package under test lies in the repository's root or below it.
pub fn fuzz_folder() -> Result<PathBuf, String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = package
        .ancestors()
        .map(|folder| folder.join("protocol-tests/fuzz"));
    folders
        .find(|folder| folder.is_dir())
        .ok_or_else(|| format!("no protocol-tests/fuzz above {}", package.display()))
}

/// Returns the files of a target's corpus, sorted by name.
pub fn corpus(target: &str) -> Result<Vec<PathBuf>, String> {
    let folder = fuzz_folder()?.join("corpus").join(target);
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<PathBuf>, _>>()
        .map_err(|error| error.to_string())?;
    files.sort();
    Ok(files)
}

/// Checks every file of a target's corpus.
pub fn run((name, run): Target) -> Result<(), String> {
    let files = corpus(name)?;
    if files.is_empty() {
        return Err(format!("there is no corpus for {name}"));
    }
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        std::panic::catch_unwind(|| run(&bytes))
            .map_err(|_| format!("{}: the panic message is above", file.display()))?;
    }
    Ok(())
}
