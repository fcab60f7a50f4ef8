//! Terms of challenges and seeks, as users type them and as the server describes them.

use shakmaty::fen::Fen;
use shakmaty::{Chess, Color};

use super::game::Terms;
use super::variant::Variant;

/// Terms of a challenge or a seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Minutes.
    pub base: u32,
    /// Seconds.
    pub increment: u32,
    pub rated: bool,
    /// Colour of the proposer, if specified.
    pub color: Option<Color>,
    pub variant: Variant,
    /// Category and board of the variant are one word, such as `wild/fr`.
    pub is_slashed: bool,
    /// Start position as FEN, an extension of this server for short tests.
    pub start: Option<String>,
}

impl Proposal {
    /// Parses `[BASE [INCREMENT]] [rated|unrated] [white|black] [VARIANT] [from FEN]`. What is missing is `2 12`
    /// unrated, as on FICS; an increment that is missing behind a base time is 0.
    pub fn parse(words: &[&str]) -> Proposal {
        let (words, start) = match words.iter().position(|word| *word == "from") {
            Some(index) => (&words[..index], Some(words[index + 1..].join(" "))),
            None => (words, None),
        };
        let mut words = words.to_vec();
        let is_slashed = Variant::slashed(&words).is_some();
        let variant = Variant::take(&mut words);
        let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let has = |long: &str, short: &str| words.contains(&long) || words.contains(&short);
        let (base, increment) = match numbers.as_slice() {
            [] => (2, 12),
            [base] => (*base, 0),
            [base, increment, ..] => (*base, *increment),
        };
        Proposal {
            base,
            increment,
            rated: has("rated", "r"),
            color: if has("white", "w") {
                Some(Color::White)
            } else {
                has("black", "b").then_some(Color::Black)
            },
            variant,
            is_slashed,
            start,
        }
    }

    /// Returns the terms of a game.
    pub fn terms(&self) -> Terms {
        Terms {
            base: self.base,
            increment: self.increment,
            rated: self.rated,
            variant: self.variant.clone(),
        }
    }

    /// Returns the proposal that continues a game with these terms.
    pub fn again(terms: &Terms) -> Proposal {
        Proposal {
            base: terms.base,
            increment: terms.increment,
            rated: terms.rated,
            color: None,
            variant: terms.variant.clone(),
            is_slashed: false,
            start: None,
        }
    }

    /// Returns `true` if a game without clocks is proposed.
    pub fn is_untimed(&self) -> bool {
        self.base == 0 && self.increment == 0
    }

    /// Returns the start position of normal chess or of the FEN. An error describes what is wrong with the FEN.
    pub fn position(&self) -> Result<Chess, String> {
        let Some(text) = &self.start else {
            return Ok(Chess::default());
        };
        let fen: Fen = text
            .parse()
            .map_err(|error| format!("{text} is no position: {error}"))?;
        fen.into_position(self.variant.castling())
            .map_err(|error| format!("{text} cannot be played: {error}"))
    }

    /// Describes the terms in a challenge: `unrated blitz 5 0`, `rated wild 5 0 Loaded from wild/fr`.
    pub fn describe(&self) -> String {
        let rated = stakes(self.rated);
        if self.is_untimed() {
            return format!("{rated} untimed");
        }
        let times = format!("{} {}", self.base, self.increment);
        match self.variant.to_string().split_once('/') {
            Some((category, board)) => {
                format!("{rated} {category} {times} Loaded from {category}/{board}")
            }
            None => format!("{rated} {} {times}", self.terms().kind()),
        }
    }

    /// Describes the terms of an adjourned game like lasker, which takes it for a loaded board:
    /// `rated wild 5 0 Loaded from blitz/0`.
    pub fn describe_as_loaded(&self) -> String {
        let kind = self.terms().kind();
        let board = if kind.contains('/') { "" } else { "/0" };
        format!(
            "{} wild {} {} Loaded from {kind}{board}",
            stakes(self.rated),
            self.base,
            self.increment
        )
    }
}

impl Terms {
    /// Returns the word for the kind of game without the name of a board: `wild` for `wild/fr`.
    pub fn category(&self) -> String {
        let kind = self.kind();
        match kind.split_once('/') {
            Some((category, _)) => category.to_string(),
            None => kind,
        }
    }

    /// Returns the word for the kind of game: `blitz`, or the name of a variant.
    pub fn kind(&self) -> String {
        match &self.variant {
            Variant::Normal => speed(self.base, self.increment).into(),
            other => other.to_string(),
        }
    }

    /// Describes the terms at the start of a game: `unrated wild/fr`.
    pub fn stakes(&self) -> &'static str {
        stakes(self.rated)
    }
}

fn stakes(rated: bool) -> &'static str {
    if rated { "rated" } else { "unrated" }
}

/// Returns the FICS name of a time control, which depends on the time for forty moves.
fn speed(base: u32, increment: u32) -> &'static str {
    match base
        .saturating_mul(60)
        .saturating_add(increment.saturating_mul(40))
    {
        0..180 => "lightning",
        180..900 => "blitz",
        _ => "standard",
    }
}
