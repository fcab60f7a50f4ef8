//! Folder of a test, with a home folder in it, so that a host finds no settings and leaves none. It stays until the
//! test runs again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings of Gaur in each folder. The tests observe searches from the start position, so the opening book is off.
const SETTINGS: &str = "gaur.settings";

/// Creates a folder with this name, without files but the settings of Gaur.
pub fn fresh(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let describe = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(describe)?;
    }
    fs::create_dir_all(folder.join("home")).map_err(describe)?;
    fs::write(folder.join(SETTINGS), "OwnBook=0\n").map_err(describe)?;
    Ok(folder)
}

/// Writes a configuration file in the home folder of a test.
pub fn write_setting(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let file = folder.join("home/.config").join(name);
    let describe = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(folder)).map_err(describe)?;
    fs::write(&file, text).map_err(describe)
}

/// Makes a command run in the folder, with its home folder there, in English.
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
        "GAUR_LOG",
    ] {
        command.env_remove(variable);
    }
    with_settings(command, folder);
}

/// Makes a command start Gaur with the settings in the folder.
pub fn with_settings(command: &mut Command, folder: &Path) {
    command.env("GAUR_SETTINGS", folder.join(SETTINGS));
}

/// Redirects the output of a command to this file.
pub fn log_to(command: &mut Command, file: &Path) -> Result<(), String> {
    let describe = |error| format!("{}: {error}", file.display());
    let log = File::create(file).map_err(describe)?;
    command
        .stderr(log.try_clone().map_err(describe)?)
        .stdout(log);
    Ok(())
}
