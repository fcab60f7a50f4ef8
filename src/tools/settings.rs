//! Options and search parameters given on the command line.

use crate::config::Config;
use crate::search::Mind;

use super::ToolError;

/// The default configuration with these changes, each `NAME=VALUE`.
///
/// # Errors
/// If there is no such parameter in this build, or the value is none for it.
pub fn config_with(settings: &[String]) -> Result<Config, ToolError> {
    let mut config = Config::default();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        config
            .set(name, Some(value))
            .map_err(|error| ToolError::Setting(setting.clone(), error))?;
    }
    Ok(config)
}

/// The mind of a player with these changes.
///
/// # Errors
/// As [`config_with`], and if the file named as the network is none.
pub fn mind_with(settings: &[String]) -> Result<Mind, ToolError> {
    Mind::of(&config_with(settings)?).map_err(ToolError::Network)
}
