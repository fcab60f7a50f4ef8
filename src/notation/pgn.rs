//! Games in Portable Game Notation, written in its export format.

use crate::rules::{Outcome, Position, Variant};
use crate::types::{Color, Move};

use super::fen::write_fen;
use super::san::write_san;

/// Longest line of the moves in characters, by the PGN standard.
const MAX_LINE_CHARS: usize = 79;

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnResult {
    /// White has won: `1-0`.
    WhiteWins,
    /// Black has won: `0-1`.
    BlackWins,
    /// The game is drawn: `1/2-1/2`.
    Draw,
    /// The game is not finished: `*`.
    #[default]
    Unfinished,
}

impl PgnResult {
    /// Returns the result of a game that this colour has won.
    pub fn win(winner: Color) -> PgnResult {
        match winner {
            Color::White => PgnResult::WhiteWins,
            Color::Black => PgnResult::BlackWins,
        }
    }

    /// Returns the text of the result in PGN.
    pub fn text(self) -> &'static str {
        match self {
            PgnResult::WhiteWins => "1-0",
            PgnResult::BlackWins => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unfinished => "*",
        }
    }
}

impl From<Outcome> for PgnResult {
    fn from(outcome: Outcome) -> PgnResult {
        match outcome {
            Outcome::Mate { winner } => PgnResult::win(winner),
            Outcome::Draw(_) => PgnResult::Draw,
        }
    }
}

/// A game with the data that PGN stores.
#[derive(Clone, Debug)]
pub struct Pgn<'a> {
    /// Name of the event; empty if it is unknown. The same applies to the other texts.
    pub event: &'a str,
    /// Date as `YYYY.MM.DD`.
    pub date: &'a str,
    /// Name of White.
    pub white: &'a str,
    /// Name of Black.
    pub black: &'a str,
    /// Result.
    pub result: PgnResult,
    /// Position before the first move.
    pub start: &'a Position,
    /// Moves, legal one after the other from `start`. Those from the first illegal one on are omitted.
    pub moves: &'a [Move],
}

impl Pgn<'_> {
    /// Writes the game with a final empty line, so that games can follow one another in a file.
    ///
    /// # Example
    /// ```
    /// use gaur::notation::{Pgn, PgnResult, parse_move};
    /// use gaur::rules::Position;
    ///
    /// let start = Position::standard();
    /// let moves = [parse_move(&start, "e4").unwrap()];
    /// let pgn = Pgn {
    ///     event: "",
    ///     date: "2026.11.25",
    ///     white: "Human",
    ///     black: "Gaur",
    ///     result: PgnResult::Unfinished,
    ///     start: &start,
    ///     moves: &moves,
    /// };
    /// assert!(pgn.write().ends_with("[Result \"*\"]\n\n1. e4 *\n\n"));
    /// ```
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, value) in [
            ("Event", self.event),
            ("Site", ""),
            ("Date", self.date),
            ("Round", ""),
            ("White", self.white),
            ("Black", self.black),
            ("Result", self.result.text()),
        ] {
            text.push_str(&tag(name, if value.is_empty() { "?" } else { value }));
        }
        let variant = self.start.variant();
        if variant == Variant::Fischerandom {
            text.push_str(&tag("Variant", "Fischerandom"));
        }
        let fen = write_fen(self.start.board(), variant);
        if fen != write_fen(Position::standard().board(), Variant::Standard) {
            text.push_str(&tag("SetUp", "1"));
            text.push_str(&tag("FEN", &fen));
        }
        text.push('\n');
        text.push_str(&wrapped(&self.words()));
        text.push('\n');
        text
    }

    /// Returns move numbers, moves and result.
    fn words(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let mut words = Vec::new();
        for (index, &mv) in self.moves.iter().enumerate() {
            if !position.is_legal(mv) {
                break;
            }
            let number = position.board().fullmove_number();
            match position.side_to_move() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if index == 0 => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(write_san(&position, mv));
            let _ = position.play(mv);
        }
        words.push(self.result.text().to_owned());
        words
    }
}

/// Returns the line of a tag.
fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Joins words to lines of at most [`MAX_LINE_CHARS`] characters.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > MAX_LINE_CHARS {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::notation::{parse_fen, parse_move};

    fn position(fen: &str) -> Position {
        Position::from_setup(&parse_fen(fen).unwrap(), Variant::Standard).unwrap()
    }

    /// Plays moves given as text.
    fn moves(start: &Position, texts: &str) -> Vec<Move> {
        let mut position = start.clone();
        let play = |text| {
            let mv = parse_move(&position, text).unwrap();
            let _ = position.play(mv);
            mv
        };
        texts.split(' ').map(play).collect()
    }

    /// Returns up to 200 random moves.
    fn random_moves(start: &Position, random: &mut ChaCha8Rng) -> Vec<Move> {
        let mut position = start.clone();
        let mut played = Vec::new();
        while played.len() < 200 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.next_u32() as usize % legal.len()];
            let _ = position.play(mv);
            played.push(mv);
        }
        played
    }

    fn game<'a>(start: &'a Position, moves: &'a [Move], result: PgnResult) -> Pgn<'a> {
        Pgn {
            event: "A \"casual\" game",
            date: "2026.11.25",
            white: "",
            black: "Gaur",
            result,
            start,
            moves,
        }
    }

    #[test]
    fn a_game_has_seven_tags_and_numbered_moves() {
        let start = Position::standard();
        let moves = moves(&start, "f3 e5 g4 Qh4");
        assert_eq!(
            game(&start, &moves, PgnResult::BlackWins).write(),
            "[Event \"A \\\"casual\\\" game\"]\n[Site \"?\"]\n[Date \"2026.11.25\"]\n[Round \"?\"]\n\
             [White \"?\"]\n[Black \"Gaur\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
    }

    #[test]
    fn a_game_from_a_position_has_its_fen_and_move_number() {
        let fen = "4k3/8/8/8/8/8/4r3/3K4 b - - 0 31";
        let start = position(fen);
        let moves = moves(&start, "Kd7 Kxe2");
        let text = game(&start, &moves, PgnResult::Draw).write();
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n")));
        assert!(text.ends_with("\n31... Kd7 32. Kxe2 1/2-1/2\n\n"), "{text}");
    }

    #[test]
    fn long_games_are_wrapped_and_can_be_read_again() {
        for seed in 0..20 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let start = Position::standard();
            let played = random_moves(&start, &mut random);
            let text = game(&start, &played, PgnResult::Unfinished).write();
            let (_, lines) = text.split_once("\n\n").expect("moves");
            assert!(lines.lines().all(|line| line.len() <= MAX_LINE_CHARS));
            let sans: Vec<&str> = lines
                .split_whitespace()
                .filter(|word| !word.ends_with('.') && *word != "*")
                .collect();
            assert_eq!(moves(&start, &sans.join(" ")), played);
        }
    }
}
