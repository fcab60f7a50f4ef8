//! Variables of a user (`set`, `iset`) and the wrapping of long lines.

use std::collections::BTreeMap;

use super::family::Family;

/// Width of lines until a user changes it.
const WIDTH: usize = 79;

/// Limits of the variable `width`.
const WIDTHS: std::ops::RangeInclusive<usize> = 32..=240;

/// Beginning of a line that continues the line before.
const CONTINUATION: &str = "\\   ";

/// Variables of `set`.
const VARIABLES: [&str; 48] = [
    "open",
    "simopen",
    "rated",
    "ropen",
    "shout",
    "cshout",
    "kibitz",
    "kiblevel",
    "tell",
    "ctell",
    "chanoff",
    "pin",
    "gin",
    "seek",
    "showownseek",
    "mailmess",
    "messreply",
    "private",
    "jprivate",
    "automail",
    "pgn",
    "bell",
    "highlight",
    "flip",
    "style",
    "time",
    "inc",
    "noescape",
    "notakeback",
    "autoobs",
    "availinfo",
    "availmin",
    "availmax",
    "tourney",
    "provshow",
    "ptime",
    "prompt",
    "interface",
    "height",
    "width",
    "formula",
    "f1",
    "lang",
    "language",
    "tzone",
    "silence",
    "unobserve",
    "tolerance",
];

/// Variables of `set` that only FICS has today.
const NEW_VARIABLES: [&str; 4] = ["noescape", "provshow", "ptime", "tzone"];

/// Variables of `iset`.
const INTERFACE_VARIABLES: [&str; 22] = [
    "ms",
    "nowrap",
    "lock",
    "defprompt",
    "startpos",
    "pendinfo",
    "seekinfo",
    "seekremove",
    "block",
    "compressmove",
    "gameinfo",
    "graph",
    "nohighlight",
    "premove",
    "smartmove",
    "vthighlight",
    "xml",
    "movecase",
    "showserver",
    "singleboard",
    "fr",
    "allresults",
];

/// Variables of one session.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    values: BTreeMap<String, String>,
    interface: BTreeMap<String, String>,
    family: Family,
    /// Lines of `finger`, by their number.
    pub notes: BTreeMap<u8, String>,
}

impl Variables {
    /// Returns the usual values on such a server.
    pub fn new(family: Family) -> Variables {
        Variables {
            family,
            ..Variables::default()
        }
    }

    /// Handles `set NAME VALUE`. Returns the answer, or the reason of a refusal.
    pub fn set(&mut self, name: &str, value: &str) -> Result<String, String> {
        if let Ok(number) = name.parse::<u8>() {
            self.notes.insert(number, value.to_string());
            return Ok(format!("Plan variable {number} changed to '{value}'."));
        }
        if !self.knows(name) {
            return Err(if self.family.is_fics() {
                format!("No such variable \"{name}\".")
            } else {
                format!("No such variable name {name}.")
            });
        }
        if name == "width" && !value.parse().is_ok_and(|width| WIDTHS.contains(&width)) {
            return Err("Width must be between 32 and 240.".into());
        }
        self.values.insert(name.to_string(), value.to_string());
        Ok(format!("{name} set to {value}."))
    }

    /// Handles `iset NAME VALUE`. Returns the answer, or the reason of a refusal.
    pub fn set_interface(&mut self, name: &str, value: &str) -> Result<String, String> {
        if self.has_effect("lock") {
            return Err("Cannot alter: Interface setting locked.".into());
        }
        if !INTERFACE_VARIABLES.contains(&name) {
            return Err(format!("No such interface variable \"{name}\"."));
        }
        if !self.family.accepts_interface_variable(name) {
            return Err(format!("No such ivariable \"{name}\"."));
        }
        self.interface.insert(name.to_string(), value.to_string());
        let verb = if self.is_set(name) { "set" } else { "unset" };
        Ok(match self.family {
            Family::Fics => format!("{name} {verb}."),
            Family::Lasker => format!("{name} {verb}"),
            Family::Fics16 => format!("com_iset: {name} {value}"),
        })
    }

    /// Returns `true` if times are in milliseconds.
    pub fn is_precise(&self) -> bool {
        self.has_effect("ms")
    }

    /// Returns `true` unless the user has switched this kind of message or request off.
    pub fn is_on(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_none_or(|value| !matches!(value.as_str(), "0" | "off" | "false"))
    }

    /// Breaks long lines of a text, unless the user wants them whole.
    pub fn wrap(&self, text: &str) -> String {
        if self.has_effect("nowrap") {
            return text.to_string();
        }
        let width = self
            .values
            .get("width")
            .and_then(|value| value.parse().ok());
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| wrap_line(line, width.unwrap_or(WIDTH)))
            .collect();
        lines.join("\n")
    }

    fn knows(&self, name: &str) -> bool {
        let is_new = NEW_VARIABLES.contains(&name);
        VARIABLES.contains(&name) && (!is_new || self.family.has_new_variables())
    }

    fn has_effect(&self, name: &str) -> bool {
        self.family.has_interface_variables() && self.is_set(name)
    }

    fn is_set(&self, name: &str) -> bool {
        self.interface
            .get(name)
            .is_some_and(|value| matches!(value.as_str(), "1" | "on" | "true"))
    }
}

/// Breaks a line at the last space that fits, or in a word that is too long.
fn wrap_line(line: &str, width: usize) -> String {
    let mut wrapped = String::new();
    let mut rest: Vec<char> = line.chars().collect();
    let mut limit = width;
    while rest.len() > limit {
        let space = rest[..limit].iter().rposition(|letter| *letter == ' ');
        let at = space.filter(|at| *at > 0).unwrap_or(limit - 1);
        wrapped.extend(&rest[..at]);
        wrapped.push('\n');
        wrapped.push_str(CONTINUATION);
        let skipped = usize::from(rest[at] == ' ');
        rest.drain(..at + skipped);
        limit = width - CONTINUATION.len();
    }
    wrapped.extend(rest);
    wrapped
}
