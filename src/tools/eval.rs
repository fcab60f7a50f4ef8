//! `gaur eval FEN`: the static evaluation of a position, term by term.

use std::fmt::Write as _;

use crate::board::Board;
use crate::eval::{Explanation, Tapered, explain};
use crate::notation::parse_fen;

use super::ToolError;

/// The evaluation of the position `fen` as a table for a terminal.
///
/// # Errors
/// If `fen` cannot be read or describes no legal position.
pub fn run(fen: &str) -> Result<String, ToolError> {
    let setup = parse_fen(fen)?;
    let board = Board::from_setup(&setup)?;
    Ok(table(&board, &explain(&board)))
}

/// Middlegame and endgame value in pawns, each in its column.
fn pair(value: Tapered) -> String {
    format!(
        "{:>6} {:>6}",
        pawns(value.middlegame()),
        pawns(value.endgame())
    )
}

/// Centipawns as pawns with a sign.
fn pawns(centipawns: i32) -> String {
    let sign = match centipawns {
        0 => ' ',
        1.. => '+',
        _ => '-',
    };
    let size = centipawns.abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

fn table(board: &Board, explanation: &Explanation) -> String {
    let mut text = String::new();
    let mut line = |content: std::fmt::Arguments| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", content.to_string().trim_end());
    };
    line(format_args!(
        "{:16}|     White     |     Black     |     Total",
        ""
    ));
    line(format_args!(
        "{:16}|    mg     eg  |    mg     eg  |    mg     eg",
        "term"
    ));
    let rule = format!("{:-<16}+{:-<15}+{:-<15}+{:-<15}", "", "", "", "");
    line(format_args!("{rule}"));
    for row in &explanation.rows {
        line(format_args!(
            "{:16}| {} | {} | {}",
            row.name,
            pair(row.white),
            pair(row.black),
            pair(row.white - row.black)
        ));
    }
    line(format_args!("{rule}"));
    line(format_args!(
        "{:16}| {:13} | {:13} | {}",
        "sum",
        "",
        "",
        pair(explanation.sum)
    ));
    line(format_args!(""));
    if explanation.known_ending {
        line(format_args!(
            "One side has a bare king: the value comes from knowledge of such endings."
        ));
    } else {
        let [middlegame, endgame] = explanation.scales;
        line(format_args!(
            "phase {} of 24, middlegame counts {middlegame}/128, endgame {endgame}/128",
            explanation.phase
        ));
    }
    line(format_args!(
        "White       {} pawns",
        pawns(explanation.white.0)
    ));
    let mover = board.side_to_move();
    line(format_args!(
        "To move     {} pawns ({mover})",
        pawns(explanation.score.0)
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_with_the_value_for_both_views() {
        let text = run("4k3/8/8/8/8/8/PP6/4K3 b - - 0 1").expect("a legal position");
        let value = |start: &str| {
            let line = text
                .lines()
                .find(|line| line.starts_with(start))
                .expect("the line");
            line.split_whitespace()
                .find_map(|word| word.parse::<f64>().ok())
                .expect("a number")
        };
        assert!(value("White") > 1.0);
        assert_eq!(value("White"), -value("To move"));
        assert!(text.lines().any(|line| line.starts_with("passed pawns")));
        assert!(text.lines().all(|line| line.len() < 80));
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(matches!(run("nonsense"), Err(ToolError::Fen(_))));
        assert!(run("8/8/8/8/8/8/8/K7 w - - 0 1").is_err());
    }

    #[test]
    fn pawns_have_a_sign_and_two_decimals() {
        assert_eq!(pawns(-5), "-0.05");
        assert_eq!(pawns(1234), "+12.34");
        assert_eq!(pawns(0), " 0.00");
    }
}
