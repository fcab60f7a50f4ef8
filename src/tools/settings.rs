//! Options and search parameters given on the command line.

use crate::config::{Config, EVAL_FILE, EVALUATION, OPTIONS, VARIETY};
use crate::search::Mind;

use super::ToolError;

/// What of a configuration a tool heeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heeds {
    /// What positions are judged by.
    Evaluation,
    /// That, and the parameters of the search.
    Mind,
    /// That, and what else changes a search.
    Search,
}

impl Heeds {
    fn option(self, name: &str) -> bool {
        [EVALUATION, EVAL_FILE].contains(&name) || self == Heeds::Search && name == VARIETY
    }

    fn parameters(self) -> bool {
        self != Heeds::Evaluation
    }
}

/// The default configuration with these changes, each `NAME=VALUE`.
///
/// # Errors
/// If there is no such parameter in this build, the value is none for it, or nothing heeds it.
pub fn config_with(settings: &[String], heeds: Heeds) -> Result<Config, ToolError> {
    let mut config = Config::default();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        config
            .set(name, Some(value))
            .map_err(|error| ToolError::Setting(setting.clone(), error))?;
        let mut options = OPTIONS.iter();
        let is_heeded = match options.find(|option| option.name.eq_ignore_ascii_case(name)) {
            Some(option) => heeds.option(option.name),
            None => heeds.parameters(),
        };
        if !is_heeded {
            return Err(ToolError::NoEffect(name.to_owned()));
        }
    }
    Ok(config)
}

/// The mind of a player with these changes.
///
/// # Errors
/// As [`config_with`], and if the file named as the network is none.
pub fn mind_with(settings: &[String], heeds: Heeds) -> Result<Mind, ToolError> {
    Mind::of(&config_with(settings, heeds)?).map_err(ToolError::Network)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_effect_is_refused() {
        let mind = |setting: &str| mind_with(&[setting.to_owned()], Heeds::Mind);
        assert!(mind("evaluation=classical").unwrap() != Mind::default());
        assert!(mind("EvalFile=").unwrap() == Mind::default());
        for (setting, expected) in [
            ("variety=10", "variety changes nothing here"),
            ("ClearHash", "ClearHash changes nothing here"),
            ("Variety=-1", "cannot set Variety=-1"),
            ("Contempt=1", "cannot set Contempt=1"),
        ] {
            let error = mind(setting).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let heeded = |setting: &str, heeds| config_with(&[setting.to_owned()], heeds).is_ok();
        assert!(heeded("Variety=10", Heeds::Search));
        assert!(!heeded("Resign=100", Heeds::Search));
        assert_eq!(
            heeded("null_move=0", Heeds::Mind),
            cfg!(feature = "lab"),
            "parameters are fixed but in the laboratory"
        );
        assert!(!heeded("null_move=0", Heeds::Evaluation));
    }
}
