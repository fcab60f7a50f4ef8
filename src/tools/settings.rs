//! Options and search parameters from the command line.

use crate::config::{
    Config, EVAL_FILE, EVALUATION, Parameters, VARIETY, find_option, split_setting,
};
use crate::runtime::read_network;
use crate::search::SearchSetup;

use super::ToolError;

/// Options of a configuration that a tool accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedOptions {
    /// Options of the evaluation function.
    Evaluation,
    /// Options of the evaluation function, and search parameters.
    SearchSetup,
    /// All options that change a search, and search parameters.
    Search,
}

impl AcceptedOptions {
    fn option(self, name: &str) -> bool {
        [EVALUATION, EVAL_FILE].contains(&name)
            || self == AcceptedOptions::Search && name == VARIETY
    }

    /// Returns `true` if the tool accepts the parameter with this name. None of the tools plays by the clock.
    fn parameter(self, name: &str) -> bool {
        let needs_clock = Parameters::TABLE
            .iter()
            .any(|parameter| parameter.needs_clock() && parameter.name.eq_ignore_ascii_case(name));
        self != AcceptedOptions::Evaluation && !needs_clock
    }
}

/// The default configuration with these changes, each `NAME=VALUE`.
///
/// # Errors
/// If there is no such parameter in this build, the value is none for it, or the tool does not accept it.
pub fn config_with(settings: &[String], accepted: AcceptedOptions) -> Result<Config, ToolError> {
    let mut config = Config::default();
    for setting in settings {
        let (name, value) = split_setting(setting);
        config
            .set(name, value)
            .map_err(|error| ToolError::Setting(setting.clone(), error))?;
        let is_accepted = match find_option(name) {
            Some(option) => accepted.option(option.name),
            None => accepted.parameter(name),
        };
        if !is_accepted {
            return Err(ToolError::NoEffect(name.to_owned()));
        }
    }
    Ok(config)
}

/// The search parameters and evaluation function with these changes.
///
/// # Errors
/// Returns an error if a setting is not accepted, or the file named as the network is none.
pub fn search_setup_with(
    settings: &[String],
    accepted: AcceptedOptions,
) -> Result<SearchSetup, ToolError> {
    let settings = config_with(settings, accepted)?.search;
    let network = read_network(&settings.evaluation.eval_file).map_err(ToolError::Network)?;
    Ok(SearchSetup::new(&settings, network))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ParameterSpec;

    /// A match would otherwise compare other values than those asked for.
    #[test]
    fn parameters_out_of_range_are_refused() {
        for parameter in ParameterSpec::settable() {
            let (name, min, max) = (parameter.name, parameter.min, parameter.max);
            if parameter.needs_clock() {
                continue;
            }
            for value in [min - 1, max + 1] {
                let setting = format!("{name}={value}");
                let expected =
                    format!("cannot set {setting}: the value must lie between {min} and {max}");
                let error = config_with(&[setting], AcceptedOptions::SearchSetup).unwrap_err();
                assert_eq!(error.to_string(), expected);
            }
        }
    }

    #[test]
    fn options_without_effect_are_refused() {
        let setup =
            |setting: &str| search_setup_with(&[setting.to_owned()], AcceptedOptions::SearchSetup);
        assert!(setup("evaluation=classical").unwrap() != SearchSetup::default());
        assert!(setup("EvalFile=").unwrap() == SearchSetup::default());
        for (setting, expected) in [
            ("variety=10", "variety changes nothing here"),
            ("ClearHash", "ClearHash changes nothing here"),
            (
                "Variety=-1",
                "cannot set Variety=-1: the value must lie between 0 and 100",
            ),
            (
                "Optimism=1",
                "cannot set Optimism=1: there is no such option; search parameters can be set in a build with",
            ),
            ("Variety", "cannot set Variety"),
        ] {
            let error = setup(setting).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let accepts =
            |setting: &str, accepted| config_with(&[setting.to_owned()], accepted).is_ok();
        assert!(accepts("Variety=10", AcceptedOptions::Search));
        assert!(!accepts("Resign=100", AcceptedOptions::Search));
        assert_eq!(
            accepts("null_move=0", AcceptedOptions::SearchSetup),
            cfg!(feature = "tuning"),
            "parameters can be set in a tuning build only"
        );
        assert!(!accepts("null_move=0", AcceptedOptions::Evaluation));
        assert!(!accepts("time_soft=80", AcceptedOptions::Search));
    }
}
