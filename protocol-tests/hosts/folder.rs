//! A folder for each trial, with a home in it, so that a host finds no settings and leaves none behind. It stays as
//! evidence until the trial is played again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder of this name.
pub fn fresh(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let told = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(folder.join("home")).map_err(told)?;
    Ok(folder)
}

/// Lets a command run in the folder, with the home in it, in English.
pub fn at_home(command: &mut Command, folder: &Path) {
    command
        .current_dir(folder)
        .env("HOME", folder.join("home"))
        .env("LC_ALL", "C.UTF-8")
        // GTK would start a message bus for screen readers, which outlives its program.
        .env("NO_AT_BRIDGE", "1");
    for variable in [
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "LANGUAGE",
    ] {
        command.env_remove(variable);
    }
}

/// Writes all that a command prints to this file.
pub fn log_to(command: &mut Command, file: &Path) -> Result<(), String> {
    let told = |error| format!("{}: {error}", file.display());
    let log = File::create(file).map_err(told)?;
    command.stderr(log.try_clone().map_err(told)?).stdout(log);
    Ok(())
}
