//! Abilities of the terminal and of its surroundings.

/// Character between the folders of a list, as in `PATH`.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Abilities of the terminal in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Set if the current line can be erased and written again (ANSI escape sequences). Without it every text is a new
    /// line and no board is drawn, which screen readers handle well.
    pub has_cursor: bool,
    /// Set if colours are wanted and supported.
    pub has_color: bool,
    /// Set if chess pieces can be shown as Unicode characters.
    pub has_unicode: bool,
}

/// The terminal's style, and the values that only the system knows.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// Abilities of the terminal in use.
    pub style: Style,
    /// Returns the width of the terminal in characters.
    pub width: fn() -> usize,
    /// Returns the height of the terminal in lines.
    pub height: fn() -> usize,
    /// Returns the home folder of the person, if the system knows it.
    pub home: fn() -> Option<String>,
    /// Returns the date as `YYYY.MM.DD`.
    pub today: fn() -> String,
    /// Returns a random number.
    pub random: fn() -> u64,
}

impl Environment {
    /// Returns the name of a file or folder with the home folder in place of a `~` at its beginning, as a shell does.
    pub(super) fn with_home(&self, name: &str) -> String {
        let rest = name.strip_prefix('~');
        match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => (self.home)().map(|home| home + rest),
            None => None,
        }
        .unwrap_or_else(|| name.to_owned())
    }
    /// Returns a list of folders with the home folder in place of a `~` at the beginning of each. Blanks and a
    /// quotation mark may precede the `~`.
    pub(super) fn with_home_in_list(&self, list: &str) -> String {
        let folders = list.split(SEPARATOR).map(|folder| {
            let name = folder.trim_start_matches([' ', '"']);
            let before = folder.strip_suffix(name).unwrap_or_default();
            before.to_owned() + &self.with_home(name)
        });
        folders.collect::<Vec<_>>().join(&SEPARATOR.to_string())
    }
}
