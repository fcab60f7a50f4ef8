//! Parameters of search and time management as options, in tuning builds (cargo feature `tuning`).

use super::option_kinds::OptionError;
use super::parameter_spec::ParameterSpec;
use super::parameters::Parameters;

impl ParameterSpec {
    /// Returns the parameters that are options in this build: all in a tuning build, none in a normal build.
    pub const fn settable() -> &'static [ParameterSpec] {
        if cfg!(feature = "tuning") {
            Parameters::TABLE
        } else {
            &[]
        }
    }
}

/// Sets a parameter. A value out of range is rejected, as that of an option. Returns the name in the table and the new
/// value.
#[cfg(feature = "tuning")]
pub(super) fn set(
    parameters: &mut Parameters,
    name: &str,
    value: Option<&str>,
) -> Result<(&'static str, i32), OptionError> {
    use super::option_kinds::{parse_flag, parse_number};

    let parameter = Parameters::TABLE
        .iter()
        .find(|parameter| parameter.name.eq_ignore_ascii_case(name));
    let parameter = parameter.ok_or(OptionError::UnknownName)?;
    let text = value.ok_or(OptionError::MissingValue)?;
    let number = match parse_flag(text) {
        Ok(flag) if parameter.is_switch() => flag.into(),
        _ => parse_number(text)?,
    };
    let (min, max) = (parameter.min, parameter.max);
    if !(min..=max).contains(&number) {
        return Err(OptionError::OutOfRange { min, max });
    }
    if parameters.set(parameter.name, number) {
        Ok((parameter.name, number))
    } else {
        Err(OptionError::UnknownName)
    }
}

/// Rejects every name: a normal build has no parameter options.
#[cfg(not(feature = "tuning"))]
pub(super) fn set(
    _: &mut Parameters,
    _: &str,
    _: Option<&str>,
) -> Result<(&'static str, i32), OptionError> {
    Err(OptionError::UnknownName)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, OPTIONS, OptionEffect};

    #[test]
    fn table_has_unique_names_and_defaults_in_range() {
        let defaults: Vec<i32> = Parameters::TABLE
            .iter()
            .map(|parameter| parameter.default)
            .collect();
        assert_eq!(Parameters::default().values(), defaults);
        for (index, parameter) in Parameters::TABLE.iter().enumerate() {
            let name = parameter.name;
            assert!(
                parameter.min <= parameter.default && parameter.default <= parameter.max,
                "{name}"
            );
            assert!(
                Parameters::TABLE[..index]
                    .iter()
                    .all(|other| other.name != name),
                "{name}"
            );
            assert!(
                OPTIONS
                    .iter()
                    .all(|option| !option.name.eq_ignore_ascii_case(name)),
                "{name}"
            );
        }
    }

    #[test]
    fn parameters_are_options_in_tuning_builds_only() {
        for parameter in Parameters::TABLE {
            let mut config = Config::default();
            let (min, max) = (parameter.min, parameter.max);
            let result = config.set(parameter.name, Some(&min.to_string()));
            if cfg!(feature = "tuning") {
                assert_eq!(result, Ok(OptionEffect::Stored));
                for value in [min - 1, max + 1, i32::MIN, i32::MAX] {
                    assert_eq!(
                        config.set(parameter.name, Some(&value.to_string())),
                        Err(OptionError::OutOfRange { min, max }),
                        "{}",
                        parameter.name
                    );
                }
                let index = Parameters::TABLE
                    .iter()
                    .position(|other| other == parameter);
                let stored = index.map(|index| config.search.parameters.values()[index]);
                assert_eq!(stored, Some(parameter.min), "{}", parameter.name);
                assert_eq!(
                    config.set(parameter.name, Some("x")),
                    Err(OptionError::BadValue)
                );
            } else {
                assert_eq!(result, Err(OptionError::UnknownName));
            }
        }
    }
}
