//! Parser of the board lines of a server ("style 12").

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use shakmaty::fen::Fen;

/// Board line as sent to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLine {
    text: String,
    fen: Fen,
    own_turn: bool,
    /// In milliseconds.
    mover_left: u64,
}

/// Reason why a line is not a board line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBoardLine {
    /// The line is of another kind.
    Other,
    Broken(String),
}

impl BoardLine {
    /// Returns the position.
    pub fn fen(&self) -> Fen {
        self.fen.clone()
    }

    /// Returns `true` if the receiving player is to move.
    pub fn is_own_turn(&self) -> bool {
        self.own_turn
    }

    /// Returns the remaining time of the side to move.
    pub fn time_of_mover(&self) -> Duration {
        Duration::from_millis(self.mover_left)
    }
}

impl fmt::Display for BoardLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl FromStr for BoardLine {
    type Err = NoBoardLine;

    fn from_str(line: &str) -> Result<BoardLine, NoBoardLine> {
        let rest = line.strip_prefix("<12> ").ok_or(NoBoardLine::Other)?;
        let broken = |what: &str| NoBoardLine::Broken(format!("no {what}"));
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let field = |index: usize| fields.get(index).copied().ok_or_else(|| broken("field"));
        let mut ranks = Vec::new();
        for index in 0..8 {
            let rank: String = field(index)?
                .chars()
                .map(|cell| if cell == '-' { '1' } else { cell })
                .collect();
            ranks.push(rank);
        }
        let white_to_move = field(8)? == "W";
        let file: i32 = field(9)?.parse().map_err(|_| broken("double push"))?;
        let en_passant = match u8::try_from(file) {
            Ok(file) => format!(
                "{}{}",
                char::from(b'a' + file),
                if white_to_move { 6 } else { 3 }
            ),
            Err(_) => "-".to_string(),
        };
        let mut castling = String::new();
        for (index, right) in (10..14).zip("KQkq".chars()) {
            if field(index)? == "1" {
                castling.push(right);
            }
        }
        if castling.is_empty() {
            castling.push('-');
        }
        let fen = format!(
            "{} {} {castling} {en_passant} {} {}",
            ranks.join("/"),
            if white_to_move { "w" } else { "b" },
            field(14)?,
            field(25)?
        );
        let left: i64 = field(if white_to_move { 23 } else { 24 })?
            .parse()
            .map_err(|_| broken("clock"))?;
        // Servers without `iset ms` show times in seconds.
        let unit = if field(27)?.contains('.') { 1 } else { 1000 };
        Ok(BoardLine {
            text: line.to_string(),
            fen: fen.parse().map_err(|_| broken("position"))?,
            own_turn: field(18)? == "1",
            mover_left: u64::try_from(left * unit).unwrap_or(0),
        })
    }
}
