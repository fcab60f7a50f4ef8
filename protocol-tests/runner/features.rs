//! Parser of `feature` lines.

use std::collections::BTreeMap;

/// Features that an engine has announced.
#[derive(Clone, Debug, Default)]
pub struct Features {
    values: BTreeMap<String, String>,
}

impl Features {
    /// Reads a line that begins with `feature`. Returns `true` if it contains `done=1`.
    pub fn read(&mut self, line: &str) -> bool {
        let mut rest = line.strip_prefix("feature").unwrap_or(line).trim_start();
        while let Some((name, after)) = rest.split_once('=') {
            let (value, later) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
            };
            let name = name.trim().to_string();
            if name == "option" {
                let option = value.split(" -").next().unwrap_or(value);
                self.values
                    .insert(format!("option {option}"), value.to_string());
            }
            self.values.insert(name, value.to_string());
            rest = later.trim_start();
        }
        self.values.get("done").is_some_and(|done| done == "1")
    }

    /// Returns the announced value of a feature.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns `true` if a feature is announced and not off. `variant:V` refers to a variant.
    pub fn has(&self, name: &str) -> bool {
        match name.split_once(':') {
            Some(("variant", variant)) => self
                .get("variants")
                .is_some_and(|all| all.split(',').any(|one| one.trim() == variant)),
            Some(("option", option)) => self.get(&format!("option {option}")).is_some(),
            _ => self.get(name).is_some_and(|value| value != "0"),
        }
    }
}
