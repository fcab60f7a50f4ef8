//! Options that an engine announces: commands that set them, and checks of their values.

use super::clean::clean;

/// Returns the command that sets an option. `description` is the announcement without the name: `spin 0 -100 100`.
///
/// # Errors
///
/// Returns the reason if the engine would not accept the value.
pub(super) fn command(name: &str, description: &str, value: &str) -> Result<String, String> {
    let (kind, rest) = description.split_once(' ').unwrap_or((description, ""));
    let value = match kind {
        "button" | "save" | "reset" => return Ok(format!("option {name}")),
        "spin" | "slider" => number(name, rest, value)?,
        "check" => flag(name, value)?.to_string(),
        "combo" => choice(name, rest, value)?,
        _ => clean(value),
    };
    Ok(format!("option {name}={value}"))
}

/// Checks a number against the least and the greatest one, which follow the default.
fn number(name: &str, rest: &str, value: &str) -> Result<String, String> {
    let number: i64 = value
        .parse()
        .map_err(|_| format!("the option {name} is a number, not {}", clean(value)))?;
    let limits: Vec<i64> = rest
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    match limits.as_slice() {
        [_, least, most] if !(least..=most).contains(&&number) => Err(format!(
            "{number} is not allowed for the option {name}: {least} to {most}"
        )),
        _ => Ok(number.to_string()),
    }
}

fn flag(name: &str, value: &str) -> Result<u8, String> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Ok(1),
        "0" | "false" | "off" | "no" => Ok(0),
        _ => Err(format!("the option {name} is 1 or 0, not {}", clean(value))),
    }
}

/// Returns the choice in the engine's spelling. The default has an asterisk; an engine may write it before the list.
fn choice(name: &str, rest: &str, value: &str) -> Result<String, String> {
    let choices: Vec<&str> = rest
        .split("///")
        .map(|choice| choice.trim().trim_start_matches('*'))
        .filter(|choice| !choice.is_empty())
        .collect();
    let known = choices
        .iter()
        .find(|choice| choice.eq_ignore_ascii_case(value));
    match known {
        Some(choice) => Ok((*choice).to_string()),
        None if choices.is_empty() => Ok(clean(value)),
        None => Err(format!(
            "{} is not allowed for the option {name}: {}",
            clean(value),
            clean(&choices.join(", "))
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        for (description, value, expected) in [
            ("spin 0 -100 100", "-100", Some("option A=-100")),
            ("spin 0 -100 100", "101", None),
            ("spin 0 -100 100", "many", None),
            ("spin", "7", Some("option A=7")),
            ("check 1", "off", Some("option A=0")),
            ("check 1", "2", None),
            (
                "combo Solid /// *Wild style",
                "wild STYLE",
                Some("option A=Wild style"),
            ),
            ("combo Solid /// *Wild style", "odd", None),
            ("string x", "any text", Some("option A=any text")),
            ("file book.bin", "other.bin", Some("option A=other.bin")),
            ("button", "1", Some("option A")),
            ("", "x", Some("option A=x")),
        ] {
            let result = command("A", description, value);
            assert_eq!(result.ok().as_deref(), expected, "{description} {value}");
        }
        let reason = command("A", "spin 0 -100 100", "101").expect_err("too large");
        assert!(reason.ends_with("-100 to 100"), "{reason}");
    }
}
