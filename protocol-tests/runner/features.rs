//! Reads `feature` lines as a GUI does.

use std::collections::BTreeMap;

/// What an engine has announced.
#[derive(Clone, Debug, Default)]
pub struct Features {
    values: BTreeMap<String, String>,
}

impl Features {
    /// Takes in a line that begins with `feature`. True once `done=1` was in it.
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

    /// The value as announced.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Whether a feature is there and not switched off. `variant:V` asks for one of the variants.
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
