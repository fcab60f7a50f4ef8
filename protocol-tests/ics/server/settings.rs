//! Variables of a user (`set`, `iset`) and the wrapping of long lines.

use std::collections::BTreeMap;

/// Width of lines until a user changes it.
const WIDTH: usize = 79;

/// Limits of the variable `width`.
const WIDTHS: std::ops::RangeInclusive<usize> = 32..=240;

/// Beginning of a line that continues the line before.
const CONTINUATION: &str = "\\   ";

/// Variables of `set`, with the names that lasker and FICS 1.6 have in common and those of FICS today.
const VARIABLES: [&str; 40] = [
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
];

/// More variables of `set`.
const MORE_VARIABLES: [&str; 8] = [
    "formula",
    "f1",
    "lang",
    "language",
    "tzone",
    "silence",
    "unobserve",
    "tolerance",
];

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
    /// Set if the server does not know `iset nowrap`.
    always_wraps: bool,
    /// Lines of `finger`, by their number.
    pub notes: BTreeMap<u8, String>,
}

impl Variables {
    /// Returns the usual values. With `always_wraps`, the server does not know `iset nowrap`.
    pub fn new(always_wraps: bool) -> Variables {
        Variables {
            always_wraps,
            ..Variables::default()
        }
    }

    /// Handles `set NAME VALUE`. Returns the answer, or the reason of a refusal.
    pub fn set(&mut self, name: &str, value: &str) -> Result<String, String> {
        if let Ok(number) = name.parse::<u8>() {
            self.notes.insert(number, value.to_string());
            return Ok(format!("Plan variable {number} changed to '{value}'."));
        }
        if !VARIABLES.contains(&name) && !MORE_VARIABLES.contains(&name) {
            return Err(format!("No such variable \"{name}\"."));
        }
        if name == "width" && !value.parse().is_ok_and(|width| WIDTHS.contains(&width)) {
            return Err("Width must be between 32 and 240.".into());
        }
        self.values.insert(name.to_string(), value.to_string());
        Ok(format!("{name} set to {value}."))
    }

    /// Handles `iset NAME VALUE`. Returns the answer, or the reason of a refusal.
    pub fn set_interface(&mut self, name: &str, value: &str) -> Result<String, String> {
        if self.is_set("lock") {
            return Err("Cannot alter: Interface setting locked.".into());
        }
        if !INTERFACE_VARIABLES.contains(&name) || (self.always_wraps && name == "nowrap") {
            return Err(format!("No such interface variable \"{name}\"."));
        }
        self.interface.insert(name.to_string(), value.to_string());
        let verb = if self.is_set(name) { "set" } else { "unset" };
        Ok(format!("{name} {verb}."))
    }

    /// Returns `true` if times are in milliseconds.
    pub fn is_precise(&self) -> bool {
        self.is_set("ms")
    }

    /// Returns `true` unless the user has switched this kind of message or request off.
    pub fn is_on(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_none_or(|value| !matches!(value.as_str(), "0" | "off" | "false"))
    }

    /// Breaks long lines of a text, unless the user wants them whole.
    pub fn wrap(&self, text: &str) -> String {
        if self.is_set("nowrap") {
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
