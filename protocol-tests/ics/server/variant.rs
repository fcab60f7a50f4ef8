//! Variants of chess in challenges. The server plays normal chess and Fischer Random; all others exist only in
//! challenges, which a client must refuse.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Variants that are named by one word.
const WORDS: [&str; 7] = [
    "crazyhouse",
    "bughouse",
    "suicide",
    "losers",
    "atomic",
    "giveaway",
    "nonstandard",
];

/// Number of start positions of Fischer Random.
const POSITIONS: usize = 960;

/// Step between the start positions of two games. It has no common factor with [`POSITIONS`].
const STEP: usize = 137;

/// Squares of the two knights among the five squares that are free when they are placed.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// Variant of a challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    #[default]
    Normal,
    FischerRandom,
    /// Its name on the server, such as `crazyhouse` or `wild/2`.
    Other(String),
}

impl Variant {
    /// Returns the word that contains both category and board, such as `wild/fr`. Lasker expects two words.
    pub fn slashed<'a>(words: &[&'a str]) -> Option<&'a str> {
        words.iter().find(|word| word.starts_with("wild/")).copied()
    }

    /// Takes the words of a variant out of the words of a challenge.
    pub fn take(words: &mut Vec<&str>) -> Variant {
        let named = words.iter().position(|word| {
            *word == "wild" || word.starts_with("wild/") || WORDS.contains(word) || *word == "fr"
        });
        let Some(index) = named else {
            return Variant::Normal;
        };
        let name = match words.remove(index) {
            "wild" if index < words.len() => format!("wild/{}", words.remove(index)),
            "fr" => "wild/fr".into(),
            other => other.to_string(),
        };
        match name.as_str() {
            "wild/fr" => Variant::FischerRandom,
            _ => Variant::Other(name),
        }
    }

    /// Returns how castling works.
    pub fn castling(&self) -> CastlingMode {
        match self {
            Variant::FischerRandom => CastlingMode::Chess960,
            Variant::Normal | Variant::Other(_) => CastlingMode::Standard,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Variant::Normal => "normal",
            Variant::FischerRandom => "wild/fr",
            Variant::Other(name) => name,
        })
    }
}

/// Returns the start position of this game of Fischer Random; the positions come in a fixed order.
pub fn fischer_random(game: usize) -> Chess {
    let rank = first_rank(game.wrapping_mul(STEP) % POSITIONS);
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1",
        rank.to_lowercase()
    );
    let position = fen
        .parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
    position.unwrap_or_default()
}

/// Returns the first rank of a start position by its usual number: 518 is normal chess.
fn first_rank(number: usize) -> String {
    let mut rank = [' '; 8];
    rank[number % 4 * 2 + 1] = 'B';
    rank[number / 4 % 4 * 2] = 'B';
    let free =
        |rank: &[char; 8]| -> Vec<usize> { (0..8).filter(|file| rank[*file] == ' ').collect() };
    let place = free(&rank)[number / 16 % 6];
    rank[place] = 'Q';
    let (one, other) = KNIGHTS[number / 96 % KNIGHTS.len()];
    let left = free(&rank);
    rank[left[one]] = 'N';
    rank[left[other]] = 'N';
    for (file, piece) in free(&rank).into_iter().zip(['R', 'K', 'R']) {
        rank[file] = piece;
    }
    rank.iter().collect()
}
