//! Patterns for expected lines: literal text with `<placeholders>`.

use std::collections::BTreeMap;

use crate::referee::Referee;

/// Length at which xboard truncates lines of the engine.
const MAX_LINE_LENGTH: usize = 500;

/// Texts that named placeholders have matched, by name.
pub type Variables = BTreeMap<String, String>;

/// Pattern for one whole line.
#[derive(Clone, Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    /// Text of the pattern in the script.
    pub source: String,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Blank,
    Hole { name: Option<String>, kind: Kind },
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Int,
    Word,
    Any,
    Move,
    Legal,
    AnyMove,
    Line,
    Thinking,
    TooLong,
    OneOf(Vec<String>),
    Variable(String),
}

impl Pattern {
    /// Parses a pattern.
    pub fn parse(source: &str) -> Result<Pattern, String> {
        let mut parts = Vec::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            if first == '<' {
                let end = rest.find('>').ok_or("a hole `<` is never closed")?;
                parts.push(Part::parse_placeholder(&rest[1..end])?);
                rest = &rest[end + 1..];
            } else if first == ' ' || first == '\t' {
                parts.push(Part::Blank);
                rest = rest.trim_start_matches([' ', '\t']);
            } else {
                let end = rest.find(['<', ' ', '\t']).unwrap_or(rest.len());
                parts.push(Part::Text(rest[..end].to_string()));
                rest = &rest[end..];
            }
        }
        Ok(Pattern {
            parts,
            source: source.to_string(),
        })
    }

    /// Returns the texts of the named placeholders if the pattern matches `line`.
    pub fn matches(
        &self,
        line: &str,
        variables: &Variables,
        referee: &Referee,
    ) -> Option<Variables> {
        let mut caught = Variables::new();
        let context = Context { variables, referee };
        // Thinking lines may be indented; in other lines, leading blanks are significant.
        let line = match self.parts.first() {
            Some(Part::Hole {
                kind: Kind::Int | Kind::Thinking,
                ..
            }) => line.trim_start(),
            _ => line,
        };
        context
            .match_parts(&self.parts, line, &mut caught)
            .then_some(caught)
    }
}

impl Part {
    fn parse_placeholder(text: &str) -> Result<Part, String> {
        let (name, kind) = match text.split_once(':') {
            Some((name, kind)) => (Some(name.trim().to_string()), kind.trim()),
            None => (None, text.trim()),
        };
        let kind = match kind {
            "int" => Kind::Int,
            "word" => Kind::Word,
            "any" => Kind::Any,
            "move" => Kind::Move,
            "legal" => Kind::Legal,
            "anymove" => Kind::AnyMove,
            "pv" => Kind::Line,
            "thinking" => Kind::Thinking,
            "toolong" => Kind::TooLong,
            choices if choices.contains('|') => {
                Kind::OneOf(choices.split('|').map(str::to_string).collect())
            }
            "" => return Err("an empty placeholder".to_string()),
            variable => Kind::Variable(variable.to_string()),
        };
        Ok(Part::Hole { name, kind })
    }
}

struct Context<'a> {
    variables: &'a Variables,
    referee: &'a Referee,
}

impl Context<'_> {
    fn match_parts(&self, parts: &[Part], text: &str, caught: &mut Variables) -> bool {
        let Some((part, later)) = parts.split_first() else {
            return text.is_empty();
        };
        match part {
            Part::Text(literal) => text
                .strip_prefix(literal.as_str())
                .is_some_and(|rest| self.match_parts(later, rest, caught)),
            Part::Blank => {
                let rest = text.trim_start_matches([' ', '\t']);
                rest.len() < text.len() && self.match_parts(later, rest, caught)
            }
            Part::Hole { name, kind } => self.ends(kind, text, caught).into_iter().any(|end| {
                if !self.match_parts(later, &text[end..], caught) {
                    return false;
                }
                if let Some(name) = name {
                    caught.insert(name.clone(), text[..end].to_string());
                }
                true
            }),
        }
    }

    /// Returns the positions at which a placeholder of this kind may end if it begins at the start of `text`.
    fn ends(&self, kind: &Kind, text: &str, caught: &Variables) -> Vec<usize> {
        let word = &text[..text.find([' ', '\t']).unwrap_or(text.len())];
        let whole_word = |fits: bool| if fits { vec![word.len()] } else { Vec::new() };
        match kind {
            Kind::Any => (0..=text.len())
                .filter(|end| text.is_char_boundary(*end))
                .collect(),
            Kind::Int => {
                let sign = usize::from(text.starts_with('-'));
                let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
                if digits > 0 {
                    vec![sign + digits]
                } else {
                    Vec::new()
                }
            }
            Kind::Word => whole_word(!word.is_empty()),
            Kind::Move => whole_word(is_coordinate_move(word) || is_castling(word)),
            Kind::Legal => whole_word(
                (is_coordinate_move(word) || is_castling(word)) && self.referee.is_legal(word),
            ),
            Kind::AnyMove => whole_word(self.referee.is_legal(word)),
            Kind::Line => {
                if self.referee.is_legal_line(text) {
                    vec![text.len()]
                } else {
                    Vec::new()
                }
            }
            Kind::Thinking => {
                if is_thinking(text) {
                    vec![text.len()]
                } else {
                    Vec::new()
                }
            }
            Kind::TooLong => {
                if text.chars().count() >= MAX_LINE_LENGTH {
                    vec![text.len()]
                } else {
                    Vec::new()
                }
            }
            Kind::OneOf(choices) => choices
                .iter()
                .filter(|choice| text.starts_with(choice.as_str()))
                .map(String::len)
                .collect(),
            Kind::Variable(name) => self
                .variables
                .get(name)
                .or_else(|| caught.get(name))
                .filter(|value| text.starts_with(value.as_str()))
                .map(String::len)
                .into_iter()
                .collect(),
        }
    }
}

/// Returns `true` for a move such as `e2e4` or `e7e8q`.
pub fn is_coordinate_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let squares = match bytes.len() {
        4 => bytes,
        5 if b"qrbn".contains(&bytes[4]) => &bytes[..4],
        _ => return false,
    };
    squares
        .chunks(2)
        .all(|square| (b'a'..=b'h').contains(&square[0]) && (b'1'..=b'8').contains(&square[1]))
}

fn is_castling(word: &str) -> bool {
    word == "O-O" || word == "O-O-O"
}

/// Returns `true` for a thinking line (`ply score time nodes ...`), which begins with four integers.
pub fn is_thinking(line: &str) -> bool {
    let mut words = line.split_whitespace();
    (0..4).all(|_| words.next().is_some_and(|word| word.parse::<i64>().is_ok()))
}

/// Checks the patterns. Runs as a trial, because this target has no test harness.
pub fn self_test() -> Result<(), String> {
    let referee = Referee::new();
    let none = Variables::new();
    let cases = [
        ("pong 3", "pong 3", true),
        ("pong 3", "pong 33", false),
        ("move <legal>", "move e2e4", true),
        ("move <legal>", "move e2e5", false),
        ("move <legal>", "move e4", false),
        ("Hint: <anymove>", "Hint: Nf3", true),
        ("1/2-1/2 {<any>}", "1/2-1/2 {Stalemate}", true),
        ("<int> <int> <int> <int> <any>", "  5 -12 3 400\te2e4", true),
        ("<int> <int> <int> <int> <any>", "5. -12 3 400 e2e4", false),
        (
            "<int> <int> <int> <int> <pv>",
            "5 1 3 4 e2e4 e7e5 Nf3",
            true,
        ),
        ("<int> <int> <int> <int> <pv>", "5 1 3 4 e2e4 e2e4", false),
        ("<1-0|0-1> <any>", "0-1 {x}", true),
        ("<n:int> <n>", "7 7", false),
        ("", "", true),
        ("", "x", false),
    ];
    for (pattern, line, expected) in cases {
        let got = Pattern::parse(pattern)?
            .matches(line, &none, &referee)
            .is_some();
        if got != expected {
            return Err(format!("`{pattern}` against `{line}`: {got}"));
        }
    }
    Ok(())
}
