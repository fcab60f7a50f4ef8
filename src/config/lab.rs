//! The laboratory: search parameters as options, in builds with the cargo feature `lab`.

use super::{OptionEffect, OptionError, Parameters};

/// A line of the table of search parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabParameter {
    /// Its name, in code and on the wire.
    pub name: &'static str,
    /// Its value in a normal build.
    pub default: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The largest one.
    pub max: i32,
    /// What it is.
    pub help: &'static str,
}

impl LabParameter {
    /// Whether it only turns something on (1) or off (0).
    pub const fn is_switch(&self) -> bool {
        self.min == 0 && self.max == 1
    }

    /// The parameters that this build can set: all or none.
    pub const fn settable() -> &'static [LabParameter] {
        if cfg!(feature = "lab") {
            Parameters::TABLE
        } else {
            &[]
        }
    }
}

/// Sets a parameter; a value out of range becomes the nearest within it.
#[cfg(feature = "lab")]
pub(super) fn set(
    parameters: &mut Parameters,
    name: &str,
    value: Option<&str>,
) -> Result<OptionEffect, OptionError> {
    use super::kinds::{parse_flag, parse_number};

    let parameter = Parameters::TABLE
        .iter()
        .find(|parameter| parameter.name.eq_ignore_ascii_case(name));
    let parameter = parameter.ok_or(OptionError::UnknownName)?;
    let given = value.ok_or(OptionError::BadValue)?;
    let number = match parse_flag(given) {
        Ok(flag) if parameter.is_switch() => flag.into(),
        _ => parse_number(given)?.clamp(parameter.min, parameter.max),
    };
    *parameters
        .value_mut(parameter.name)
        .ok_or(OptionError::UnknownName)? = number;
    Ok(OptionEffect::Stored)
}

/// No parameter is an option in a normal build.
#[cfg(not(feature = "lab"))]
pub(super) fn set(
    _: &mut Parameters,
    _: &str,
    _: Option<&str>,
) -> Result<OptionEffect, OptionError> {
    Err(OptionError::UnknownName)
}

#[cfg(test)]
mod tests {
    use super::super::{Config, OPTIONS};
    use super::*;

    #[test]
    fn the_table_is_sound_and_holds_the_defaults() {
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
    fn parameters_are_options_in_the_laboratory_alone() {
        for parameter in Parameters::TABLE {
            let mut config = Config::default();
            let result = config.set(parameter.name, Some("-1000000"));
            if cfg!(feature = "lab") {
                assert_eq!(result, Ok(OptionEffect::Stored));
                let index = Parameters::TABLE
                    .iter()
                    .position(|other| other == parameter);
                let stored = index.map(|index| config.parameters.values()[index]);
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
