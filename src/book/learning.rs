//! Results of games by book moves, which change the weights of the moves.
//!
//! They are kept in a text file, which users may read and change:
//!
//! ```text
//! # Gaur book learning, version 1
//! # position        move wins draws losses
//! 463b96181691fc9c e2e4 3 1 0
//! ```
//!
//! A position is the key of the Polyglot format in hexadecimal digits, a move the two squares and the letter of a
//! promotion, castling as king takes rook (`e1h1`). Results are those of the side that has played the move. Lines that
//! begin with `#` are comments and stay. A line that cannot be read becomes a comment when the file is written.

use std::collections::BTreeMap;

use thiserror::Error;

use super::entry::{decode_promotion, encode_move, promotion_letter};
use crate::types::{Move, Square};

/// First line of a file.
const HEADER: &str = "# Gaur book learning, version 1";

/// Second line of a new file.
const COLUMNS: &str = "# position        move wins draws losses";

/// Beginning of a line that could not be read.
const UNREADABLE: &str = "# not readable: ";

/// Number of drawn games that each move counts in addition, so that a single result changes little.
const PRIOR_GAMES: u64 = 4;

/// Factor of the weights after learning, so that small weights can change by fractions.
const WEIGHT_SCALE: u64 = 1 << 16;

/// The result of a game for the side that has played a book move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnedResult {
    /// The side has won.
    Win,
    /// The game was drawn.
    Draw,
    /// The side has lost.
    Loss,
}

/// A book move of a game, and its result for the side that has played the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnedMove {
    /// Key of the position.
    pub key: u64,
    /// The move as a book has it.
    pub mv: u16,
    /// Result of the game.
    pub result: LearnedResult,
}

/// A file of results that has another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("is not a file of learned results: its first line is not \"{HEADER}\"")]
pub struct NotLearned;

/// Numbers of results of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Results {
    wins: u32,
    draws: u32,
    losses: u32,
}

/// Results of the games by position and move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    results: BTreeMap<(u64, u16), Results>,
    /// Comments after the first two lines, and lines that cannot be read as comments.
    comments: Vec<String>,
    /// Number of lines that could not be read.
    unreadable: usize,
}

impl Learned {
    /// Reads the text of a file. An empty one contains no results.
    ///
    /// # Errors
    /// Returns an error if the text is that of another file, which must not be overwritten.
    pub fn parse(text: &str) -> Result<Learned, NotLearned> {
        let mut learned = Learned::default();
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        match lines.next() {
            None => return Ok(learned),
            Some(line) if line.trim_end() == HEADER => {}
            Some(_) => return Err(NotLearned),
        }
        for line in lines.map(str::trim) {
            if line.is_empty() || line == COLUMNS {
                continue;
            }
            if line.starts_with('#') {
                learned.comments.push(line.to_owned());
            } else if let Some((place, results)) = parse_line(line) {
                let sum = learned.results.entry(place).or_default();
                sum.wins = sum.wins.saturating_add(results.wins);
                sum.draws = sum.draws.saturating_add(results.draws);
                sum.losses = sum.losses.saturating_add(results.losses);
            } else {
                learned.unreadable += 1;
                learned.comments.push(format!("{UNREADABLE}{line}"));
            }
        }
        Ok(learned)
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{HEADER}\n{COLUMNS}\n");
        for comment in &self.comments {
            text.push_str(comment);
            text.push('\n');
        }
        for (&(key, mv), results) in &self.results {
            let Results {
                wins,
                draws,
                losses,
            } = results;
            let mv = move_text(mv);
            text.push_str(&format!("{key:016x} {mv} {wins} {draws} {losses}\n"));
        }
        text
    }

    /// Returns the number of lines that could not be read.
    pub fn unreadable(&self) -> usize {
        self.unreadable
    }

    /// Adds the result of a game with these moves.
    pub fn add(&mut self, moves: &[LearnedMove]) {
        for &LearnedMove { key, mv, result } in moves {
            let results = self.results.entry((key, mv)).or_default();
            let number = match result {
                LearnedResult::Win => &mut results.wins,
                LearnedResult::Draw => &mut results.draws,
                LearnedResult::Loss => &mut results.losses,
            };
            *number = number.saturating_add(1);
        }
    }

    /// Returns the weight of a move after what has been learned: up to twice the weight if all games were won, and
    /// almost nothing if all were lost. A weight that is not 0 stays larger than 0.
    ///
    /// The unit is a 65,536th of that of `weight`, so that results change the weight 1, too.
    ///
    /// ```
    /// use gaur::book::Learned;
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mv = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
    /// let text = "# Gaur book learning, version 1\n463b96181691fc9c e2e4 0 0 4\n";
    /// let learned = Learned::parse(text).unwrap();
    /// assert_eq!(learned.adjusted(0x463b_9618_1691_fc9c, mv, 1), 65_536 / 2);
    /// assert_eq!(Learned::default().adjusted(1, mv, 1), 65_536);
    /// ```
    pub fn adjusted(&self, key: u64, mv: Move, weight: u64) -> u64 {
        let weight = weight.saturating_mul(WEIGHT_SCALE);
        let Some(results) = self.results.get(&(key, encode_move(mv))) else {
            return weight;
        };
        let [wins, draws, losses] = [results.wins, results.draws, results.losses].map(u64::from);
        // Twice the score, as a win counts 2 and a draw 1.
        let score = 2 * wins + draws + PRIOR_GAMES;
        let games = wins + draws + losses + PRIOR_GAMES;
        let adjusted = u128::from(weight) * u128::from(score) / u128::from(games);
        let at_least = u64::from(weight > 0);
        u64::try_from(adjusted).unwrap_or(u64::MAX).max(at_least)
    }
}

/// Parses a line with results.
fn parse_line(line: &str) -> Option<((u64, u16), Results)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[key, mv, wins, draws, losses] = fields.as_slice() else {
        return None;
    };
    let is_key = key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = u64::from_str_radix(key, 16).ok().filter(|_| is_key)?;
    let results = Results {
        wins: wins.parse().ok()?,
        draws: draws.parse().ok()?,
        losses: losses.parse().ok()?,
    };
    Some(((key, parse_move(mv)?), results))
}

/// Parses a move in the spelling of the file.
fn parse_move(text: &str) -> Option<u16> {
    let square = |range| text.get(range).and_then(Square::from_name);
    let (from, to) = (square(0..2)?, square(2..4)?);
    let promotion = decode_promotion(text.get(4..)?)?;
    Some(promotion << 12 | (from.index() as u16) << 6 | to.index() as u16)
}

/// Returns a move in the spelling of the file.
fn move_text(bits: u16) -> String {
    let square = |shift: u32| Square::from_index(usize::from(bits >> shift & 63));
    format!("{}{}{}", square(6), square(0), promotion_letter(bits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::MoveKind;

    const E4: u16 = 12 << 6 | 28;

    fn e4() -> Move {
        Move::new(
            Square::from_index(12),
            Square::from_index(28),
            MoveKind::DoublePush,
        )
    }

    /// Returns moves with the same result.
    fn moves<const N: usize>(places: [(u64, u16); N], result: LearnedResult) -> [LearnedMove; N] {
        places.map(|(key, mv)| LearnedMove { key, mv, result })
    }

    fn parsed(lines: &str) -> Learned {
        Learned::parse(&format!("{HEADER}\n{lines}")).expect("a file of results")
    }

    #[test]
    fn results_come_back_from_the_file() {
        let mut learned = Learned::default();
        let (start, promotion) = ((0x463b_9618_1691_fc9c, E4), (7, 4 << 12 | 48 << 6 | 56));
        learned.add(&moves([start, promotion], LearnedResult::Win));
        learned.add(&moves([start], LearnedResult::Loss));
        learned.add(&moves([promotion], LearnedResult::Draw));
        let text = learned.text();
        let expected = "# Gaur book learning, version 1\n\
                        # position        move wins draws losses\n\
                        0000000000000007 a7a8q 1 1 0\n\
                        463b96181691fc9c e2e4 1 0 1\n";
        assert_eq!(text, expected);
        assert_eq!(Learned::parse(&text), Ok(learned));
    }

    #[test]
    fn comments_and_damaged_lines_are_kept() {
        let text = "# my opening\n0000000000000001 e2e4 1 0 0\ngarbage\n1 e2e4 1 0 0\n\
                    0000000000000001 e2e9 1 0 0\n0000000000000001 e2e4 -1 0 0\n\
                    0000000000000001 e2e4x 1 0 0\n0000000000000001 e2e4 1 0 0 0\n";
        let learned = parsed(text);
        assert_eq!(learned.unreadable(), 6);
        let written = learned.text();
        assert!(
            written.contains("\n# my opening\n# not readable: garbage\n"),
            "{written}"
        );
        let again = Learned::parse(&written).expect("a file of results");
        assert_eq!(again.unreadable(), 0, "they are reported once");
        assert_eq!(again.text(), written, "and not lost later");
    }

    #[test]
    fn other_files_are_not_files_of_results() {
        assert_eq!(Learned::parse(""), Ok(Learned::default()));
        for text in ["\n", "MultiPV=3\n", "[Event \"?\"]\n", "# a comment\n"] {
            assert_eq!(Learned::parse(text), Err(NotLearned), "{text}");
        }
        let windows = format!("\u{feff}{HEADER}\r\n0000000000000001 e2e4 1 0 0\r\n");
        assert_eq!(
            Learned::parse(&windows).map(|learned| learned.unreadable()),
            Ok(0)
        );
    }

    #[test]
    fn good_results_raise_the_weight_and_bad_ones_lower_it() {
        let mut learned = Learned::default();
        let adjusted = |learned: &Learned, key| learned.adjusted(key, e4(), 100) / WEIGHT_SCALE;
        assert_eq!(adjusted(&learned, 1), 100);
        learned.add(&moves([(1, E4)], LearnedResult::Draw));
        assert_eq!(adjusted(&learned, 1), 100);
        learned.add(&moves([(1, E4)], LearnedResult::Win));
        assert_eq!(adjusted(&learned, 1), 116);
        assert_eq!(adjusted(&learned, 2), 100, "another position");
        let extreme = |results: &str| {
            parsed(&format!("0000000000000001 e2e4 {results}\n")).adjusted(1, e4(), 1000)
        };
        assert_eq!(extreme("100000 0 0") / WEIGHT_SCALE, 1999);
        assert_eq!(extreme("0 0 4294967295"), 1);
        assert_eq!(parsed("").adjusted(1, e4(), 0), 0);
    }

    #[test]
    fn results_change_the_smallest_weight() {
        let share = |results: &str| {
            let learned = parsed(&format!("0000000000000001 e2e4 {results}\n"));
            let adjusted = learned.adjusted(1, e4(), 1);
            100 * adjusted / (adjusted + learned.adjusted(2, e4(), 1))
        };
        assert_eq!(share("0 0 0"), 50);
        assert_eq!(share("1 0 0"), 54);
        assert_eq!(share("0 0 1"), 44);
        assert_eq!(share("0 0 100"), 3);
    }

    #[test]
    fn numbers_do_not_overflow() {
        let line = "0000000000000001 e2e4 4294967295 4294967295 4294967295\n";
        let mut learned = parsed(&format!("{line}{line}"));
        learned.add(&moves([(1, E4)], LearnedResult::Win));
        assert_eq!(learned.text().matches("4294967295").count(), 3);
        let weight = u64::from(u32::MAX);
        assert_eq!(learned.adjusted(1, e4(), weight), weight * WEIGHT_SCALE);
        assert_eq!(learned.adjusted(1, e4(), u64::MAX), u64::MAX);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "(?s).{0,200}") {
            if let Ok(learned) = Learned::parse(&format!("{HEADER}\n{text}")) {
                let written = learned.text();
                prop_assert_eq!(Learned::parse(&written).map(|again| again.text()), Ok(written));
            }
        }
    }
}
