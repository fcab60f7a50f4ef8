//! Features that an engine announces.

use super::options;
use super::variant::Variant;

/// Features of an engine, with the defaults of the xboard protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// Name and version of the engine.
    pub myname: Option<String>,
    /// Names of the variants; empty if the engine does not announce any.
    pub variants: Vec<String>,
    /// Second version of the protocol: the engine has announced at least one feature.
    pub is_version_2: bool,
    /// The engine answers `ping`.
    pub ping: bool,
    /// The engine accepts `setboard`.
    pub setboard: bool,
    /// The engine accepts `playother`.
    pub playother: bool,
    /// The engine expects algebraic notation.
    pub san: bool,
    /// The engine expects `usermove` before moves.
    pub usermove: bool,
    /// The engine expects `time` and `otim`.
    pub time: bool,
    /// The engine accepts `draw`.
    pub draw: bool,
    /// The engine plays more than one game without a new start.
    pub reuse: bool,
    /// The engine accepts `ics`.
    pub ics: bool,
    /// The engine accepts `name`.
    pub name: bool,
    /// The engine accepts `memory`.
    pub memory: bool,
    /// The engine accepts `cores`.
    pub smp: bool,
    /// Kinds of endgame tables.
    pub egt: Vec<String>,
    /// Options: name, and kind with the values, for example `Contempt` and `spin 0 -100 100`.
    pub options: Vec<(String, String)>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            myname: None,
            variants: Vec::new(),
            is_version_2: false,
            ping: false,
            setboard: false,
            playother: false,
            san: false,
            usermove: false,
            time: true,
            draw: true,
            reuse: true,
            ics: false,
            name: false,
            memory: false,
            smp: false,
            egt: Vec::new(),
            options: Vec::new(),
        }
    }
}

impl Features {
    /// Returns `true` if the engine plays the variant. Without a list of variants, an engine plays chess only.
    pub fn plays(&self, variant: &Variant) -> bool {
        match self.variants.as_slice() {
            [] => *variant == Variant::Normal,
            names => names.iter().any(|name| name == variant.name()),
        }
    }
}

/// Effect of one announced feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The client uses the feature, or it needs no action.
    Accepted,
    /// The client does not support it.
    Rejected,
    /// `done` with its value.
    Done(bool),
}

impl Features {
    /// Applies one feature.
    pub(super) fn apply(&mut self, name: &str, value: &str) -> Effect {
        self.is_version_2 = true;
        let flag = value.trim() == "1";
        match name {
            "ping" => self.ping = flag,
            "setboard" => self.setboard = flag,
            "playother" => self.playother = flag,
            "san" => self.san = flag,
            "usermove" => self.usermove = flag,
            "time" => self.time = flag,
            "draw" => self.draw = flag,
            "reuse" => self.reuse = flag,
            "ics" => self.ics = flag,
            "name" => self.name = flag,
            "memory" => self.memory = flag,
            "smp" => self.smp = flag,
            "egt" => self.egt = names(value),
            "variants" => self.variants = names(value),
            "myname" => {
                self.myname = Some(value.trim().to_string()).filter(|name| !name.is_empty())
            }
            "option" => self.add_option(value),
            "done" => return Effect::Done(flag),
            // The client sends no signals while the engine thinks.
            "sigint" if flag => return Effect::Rejected,
            "sigint" | "sigterm" | "analyze" | "colors" | "pause" | "nps" | "debug" | "exclude"
            | "setscore" | "highlight" => {}
            _ => return Effect::Rejected,
        }
        Effect::Accepted
    }

    /// Adds an option, for example `Contempt -spin 0 -100 100`. A later announcement replaces an earlier one.
    fn add_option(&mut self, value: &str) {
        // The value of a text may contain ` -` too: the first one ends the name.
        let (name, kind) = value.split_once(" -").unwrap_or((value, ""));
        self.options.retain(|(known, _)| known != name.trim());
        self.options
            .push((name.trim().to_string(), kind.trim().to_string()));
    }

    /// Returns the command that sets an option.
    ///
    /// # Errors
    ///
    /// Returns the reason if the engine has not announced the option or would not accept the value.
    pub fn option_command(&self, name: &str, value: &str) -> Result<String, String> {
        let is_known = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        match self.options.iter().find(is_known) {
            Some((known, description)) => options::command(known, description, value),
            None => Err(format!("the engine has no option {name}")),
        }
    }
}

fn names(list: &str) -> Vec<String> {
    let names = list.split(',').map(|name| name.trim().to_string());
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_change_the_defaults() {
        let mut features = Features::default();
        for (name, value) in [
            ("ping", "1"),
            ("time", "0"),
            ("variants", "normal, fischerandom"),
            ("egt", "syzygy"),
        ] {
            assert_eq!(features.apply(name, value), Effect::Accepted);
        }
        assert!(features.ping && !features.time && features.is_version_2);
        assert!(features.plays(&Variant::FischerRandom));
        assert!(!features.plays(&Variant::Other("atomic".into())));
        assert_eq!(features.apply("done", "0"), Effect::Done(false));
        assert_eq!(features.apply("sigint", "1"), Effect::Rejected);
        assert_eq!(features.apply("sigint", "0"), Effect::Accepted);
        assert_eq!(features.apply("telepathy", "1"), Effect::Rejected);
    }

    #[test]
    fn options_have_a_name_and_a_kind() {
        let mut features = Features::default();
        features.apply("option", "Book File -file my -book.bin");
        features.apply("option", "Clear -button");
        features.apply("option", "Clear -save");
        let expected = [("Book File", "file my -book.bin"), ("Clear", "save")];
        assert_eq!(
            features.options,
            expected.map(|(name, kind)| (name.to_string(), kind.to_string()))
        );
    }

    #[test]
    fn an_engine_without_a_list_plays_chess() {
        assert!(Features::default().plays(&Variant::Normal));
        assert!(!Features::default().plays(&Variant::FischerRandom));
    }
}
