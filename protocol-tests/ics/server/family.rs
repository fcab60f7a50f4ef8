//! Kinds of servers, and what they do differently. Facts and wordings are those of FICS, of lasker 2.2 and of FICS 1.6.

use super::variant::Variant;

/// Kind of server that a test imitates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// FICS as it is today.
    #[default]
    Fics,
    /// The free server lasker.
    Lasker,
    /// FICS 1.6, the last version with published sources.
    Fics16,
}

impl Family {
    /// Returns `true` for FICS as it is today.
    pub fn is_fics(self) -> bool {
        self == Family::Fics
    }

    /// Returns the line that begins a session, if there is one. On FICS 1.6 only the prompt shows that a login was
    /// successful.
    pub fn session_line(self, name: &str, titles: &str) -> Option<String> {
        (self != Family::Fics16)
            .then(|| format!("**** Starting FICS session as {name}{titles} ****"))
    }

    /// Splits a line into commands. Lasker separates them by semicolons, unless the line begins with `$` or `alias`.
    pub fn commands(self, line: &str) -> Vec<&str> {
        let is_whole = line.starts_with('$') || line.starts_with("alias ");
        if self == Family::Lasker && !is_whole {
            line.split(';').map(str::trim_start).collect()
        } else {
            vec![line]
        }
    }

    /// Returns `true` if the server has this command.
    pub fn has_command(self, verb: &str) -> bool {
        match verb {
            "seek" | "unseek" | "play" => self != Family::Fics16,
            "rematch" => self.is_fics(),
            _ => true,
        }
    }

    /// Returns `true` if challenges may name this variant. `is_slashed` is set if category and board are one word.
    pub fn has_variant(self, variant: &Variant, is_slashed: bool) -> bool {
        match self {
            Family::Fics => true,
            Family::Lasker => !is_slashed,
            Family::Fics16 => *variant == Variant::Normal,
        }
    }

    /// Returns the word of a seek that the server takes for the name of a category: lasker knows no manual seeks, and
    /// expects the category and the board as two words.
    pub fn unknown_category<'a>(self, words: &[&'a str]) -> Option<&'a str> {
        let manual = |word: &&&str| ["m", "manual"].contains(*word);
        let found = words.iter().find(manual).copied();
        let found = found.or_else(|| Variant::slashed(words));
        found.filter(|_| self == Family::Lasker)
    }

    /// Returns the answer to a question about a user that does not exist.
    pub fn no_player(self, name: &str) -> String {
        if self.is_fics() {
            format!("There is no player matching the name {name}.")
        } else {
            "There is no player matching that name.".into()
        }
    }

    /// Returns the refusal of a command for a user who is not logged in.
    pub fn not_logged_in(self, name: &str) -> String {
        if self.is_fics() {
            format!("{name} is not logged in.")
        } else {
            format!("No user named \"{name}\" is logged in.")
        }
    }

    /// Returns the beginning of the answer to `finger`.
    pub fn finger_heading(self, name: &str, titles: &str) -> String {
        match self {
            Family::Fics => format!("Finger of {name}{titles}:\n\n"),
            Family::Lasker => format!("Statistics for {:<17}", format!("{name}{titles}")),
            Family::Fics16 => format!("Statistics for {name:<11} "),
        }
    }

    /// Returns `true` if messages show the titles of their authors, such as `(U)` for guests.
    pub fn shows_titles(self) -> bool {
        self.is_fics()
    }

    /// Returns `true` if the server knows this variable of `set` besides the common ones.
    pub fn has_new_variables(self) -> bool {
        self.is_fics()
    }

    /// Returns `true` if the server accepts this variable of `iset`. FICS 1.6 accepts all, without effect.
    pub fn accepts_interface_variable(self, name: &str) -> bool {
        match self {
            Family::Fics | Family::Fics16 => true,
            Family::Lasker => ["ms", "lock", "startpos"].contains(&name),
        }
    }

    /// Returns `true` if variables of `iset` have an effect: times in milliseconds, and lines that are not broken.
    pub fn has_interface_variables(self) -> bool {
        self.is_fics()
    }

    /// Returns the last fields of board lines that the server does not send: the delay, and whether a clock is
    /// running.
    pub fn missing_fields(self) -> usize {
        match self {
            Family::Fics => 0,
            Family::Lasker => 1,
            Family::Fics16 => 2,
        }
    }

    /// Returns the number of half-moves without clocks at the beginning of a game.
    pub fn free_half_moves(self) -> usize {
        match self {
            Family::Fics | Family::Lasker => 2,
            Family::Fics16 => 0,
        }
    }

    /// Returns `true` if move lists begin with the number of the game, and otherwise with the players.
    pub fn numbers_lists(self) -> bool {
        self.is_fics()
    }
}
