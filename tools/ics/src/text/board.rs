//! Positions in Style 12.

use super::line::{Board, Relation};
use super::words::{elapsed, number, signed, whole};
use std::time::Duration;

impl Board {
    /// Parses a line that begins with `<12>`. Returns `None` for any other text.
    ///
    /// `milliseconds` states the unit of the clocks: milliseconds after `iset ms 1`, otherwise seconds.
    pub fn parse(line: &str, milliseconds: bool) -> Option<Board> {
        let (mut board, _) = fields(line)?;
        if !milliseconds {
            board.white_time = board.white_time.checked_mul(1000)?;
            board.black_time = board.black_time.checked_mul(1000)?;
        }
        Some(board)
    }

    /// Parses a line with the unit of its clocks determined by the time of the last move.
    ///
    /// A server that sends milliseconds also writes that time with three decimals.
    pub(super) fn parse_detecting_unit(line: &str) -> Option<Board> {
        let (_, decimals) = fields(line)?;
        Board::parse(line, decimals)
    }
}

/// Parses the fields without a change of the clocks. The second value states that the last time has decimals.
fn fields(line: &str) -> Option<(Board, bool)> {
    let mut words = line.strip_prefix("<12> ")?.split_ascii_whitespace();
    let mut word = move || words.next();
    let placement = placement((0..8).map(|_| word()).collect::<Option<Vec<&str>>>()?)?;
    let white_to_move = match word()? {
        "W" => true,
        "B" => false,
        _ => return None,
    };
    // Lasker shows any number after a resumption.
    let double_push = u8::try_from(value(word()?)?).ok().filter(|file| *file < 8);
    let castling = [
        flag(word()?)?,
        flag(word()?)?,
        flag(word()?)?,
        flag(word()?)?,
    ];
    // FICS 1.6 and lasker count below zero after a takeback.
    let irreversible = u32::try_from(value(word()?)?.max(0)).ok()?;
    let game = count(word()?)?;
    let white = word()?.to_string();
    let black = word()?.to_string();
    let relation = match word()? {
        "-3" => Relation::Isolated,
        "-2" => Relation::ObservingExamined,
        "2" => Relation::Examining,
        "-1" => Relation::PlayingOpponentToMove,
        "1" => Relation::PlayingMyMove,
        "0" => Relation::Observing,
        _ => return None,
    };
    let base = count(word()?)?;
    let increment = count(word()?)?;
    // The strengths of both sides.
    value(word()?)?;
    value(word()?)?;
    let white_time = value(word()?)?;
    let black_time = value(word()?)?;
    let move_number = count(word()?)?;
    let last_move = played(word()?);
    let (last_time, decimals) = whole(elapsed, word()?)?;
    let last_san = played(word()?);
    let flipped = flag(word()?)?;
    // The old free server ends here, the one of lasker after the next field.
    let clock_running = word().is_none_or(|text| text == "1");
    let lag = word()
        .and_then(count)
        .map(|lag| Duration::from_millis(lag.into()));
    let board = Board {
        placement,
        white_to_move,
        double_push,
        castling,
        irreversible,
        game,
        white,
        black,
        relation,
        base,
        increment,
        white_time,
        black_time,
        move_number,
        last_move,
        last_time,
        last_san,
        flipped,
        clock_running,
        lag,
    };
    Some((board, decimals))
}

/// Converts eight ranks of eight squares to the first field of a FEN.
fn placement(ranks: Vec<&str>) -> Option<String> {
    let mut fen = String::with_capacity(72);
    for (index, rank) in ranks.into_iter().enumerate() {
        if rank.len() != 8 {
            return None;
        }
        if index > 0 {
            fen.push('/');
        }
        let mut empty = 0;
        for square in rank.chars() {
            match square {
                '-' => empty += 1,
                'P' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'p' | 'n' | 'b' | 'r' | 'q' | 'k' => {
                    push_empty(&mut fen, &mut empty);
                    fen.push(square);
                }
                _ => return None,
            }
        }
        push_empty(&mut fen, &mut empty);
    }
    Some(fen)
}

fn push_empty(fen: &mut String, empty: &mut u32) {
    if *empty > 0 {
        fen.push_str(&empty.to_string());
        *empty = 0;
    }
}

fn value(text: &str) -> Option<i64> {
    whole(signed, text)
}

fn count(text: &str) -> Option<u32> {
    whole(number, text)
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// Returns the text of a move, or `None` at the start of a game.
fn played(text: &str) -> Option<String> {
    (!text.eq_ignore_ascii_case("none")).then(|| text.to_string())
}
