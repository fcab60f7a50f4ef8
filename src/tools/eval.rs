//! `gaur eval FEN`: prints the static evaluation of a position, by terms of the classical evaluation and by the
//! network.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use crate::board::{Board, Setup};
use crate::eval::{Evaluation, Evaluator, Explanation, NetworkEvaluator, Tapered, explain};
use crate::notation::parse_fen;
use crate::types::{Color, File, Rank, Square};

use super::ToolError;
use super::settings::{AcceptedOptions, search_setup_with};

/// Arguments of `gaur eval`.
#[derive(Clone, Debug, clap::Args)]
pub struct EvalArgs {
    /// Position
    #[arg(value_name = "FEN", num_args = 1.., required = true)]
    pub fen: Vec<String>,
    /// Option to set, such as EvalFile=PATH for another network
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// Prints the classical evaluation of a position as a table, then the evaluation by the network.
///
/// # Errors
/// If the FEN cannot be read or describes no legal position, or an option cannot be set.
pub fn run_eval(args: &EvalArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let search_setup = search_setup_with(&args.set, AcceptedOptions::Evaluation)?;
    out.write_all(describe(&args.fen.join(" "), &search_setup.evaluation)?.as_bytes())?;
    Ok(())
}

/// Returns the text for a position.
fn describe(fen: &str, evaluation: &Evaluation) -> Result<String, ToolError> {
    let setup = parse_fen(fen)?;
    let board = Board::from_setup(&setup)?;
    let mut text = table(&board, &explain(&board));
    if let Evaluation::Network(network, isa) = evaluation {
        let mut evaluator = NetworkEvaluator::new(Arc::clone(network), *isa);
        text.push_str(&format!("\n{evaluation}\n"));
        text.push_str(&describe_network(&setup, &board, &mut evaluator));
    }
    Ok(text)
}

/// Describes the score of the network, and for each piece its contribution: the change of the score for White if the
/// piece is removed.
fn describe_network(setup: &Setup, board: &Board, evaluator: &mut impl Evaluator) -> String {
    let mut for_white = |board: &Board| {
        evaluator.reset(board);
        let score = evaluator.evaluate(board).0;
        match board.side_to_move() {
            Color::White => score,
            Color::Black => -score,
        }
    };
    let white = for_white(board);
    let mut text = String::from("contribution of each piece (pawns, for White)\n\n");
    for rank in Rank::all().rev() {
        for file in File::all() {
            let square = Square::new(file, rank);
            let piece = board.piece_on(square);
            let mut without = setup.clone();
            without.set(square, None);
            text.push_str(&match (piece, Board::from_setup(&without)) {
                (None, _) => format!("{:>9}", "."),
                (Some(piece), Ok(without)) => {
                    format!(
                        "{:>3}{}",
                        piece.fen_letter(),
                        pawns(white - for_white(&without))
                    )
                }
                (Some(piece), Err(_)) => format!("{:>3}{:6}", piece.fen_letter(), ""),
            });
        }
        text.push('\n');
    }
    text.push_str(&format!("\nWhite       {} pawns\n", pawns(white)));
    text
}

/// Returns middlegame and endgame value in pawns, in two columns.
fn pair(value: Tapered) -> String {
    format!(
        "{:>6} {:>6}",
        pawns(value.middlegame()),
        pawns(value.endgame())
    )
}

/// Returns centipawns as pawns, with a sign.
fn pawns(centipawns: i32) -> String {
    let sign = match centipawns {
        0 => ' ',
        1.. => '+',
        _ => '-',
    };
    let size = centipawns.abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// Returns the table of the terms.
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
    if explanation.is_bare_king_ending {
        line(format_args!(
            "One side has a bare king: a rule for such endings replaces the sum."
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
    use crate::eval::Network;
    use crate::types::{PieceKind, Score};

    #[test]
    fn options_without_effect_are_refused() {
        let args = EvalArgs {
            fen: vec!["4k3/8/8/8/8/8/PP6/4K3 b - - 0 1".into()],
            set: vec!["Variety=1".into()],
        };
        let error = run_eval(&args, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, ToolError::NoEffect(name) if name == "Variety"));
    }

    #[test]
    fn the_table_ends_with_the_score_for_white_and_for_the_side_to_move() {
        let text = describe("4k3/8/8/8/8/8/PP6/4K3 b - - 0 1", &Evaluation::Classical)
            .expect("a legal position");
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

    /// An evaluator that counts pawns and rooks only.
    struct Counter;

    impl Evaluator for Counter {
        fn evaluate(&mut self, board: &Board) -> Score {
            let count = |color| -> i32 {
                let values = [(PieceKind::Pawn, 100), (PieceKind::Rook, 510)];
                values
                    .iter()
                    .map(|&(kind, value)| value * board.count(color, kind) as i32)
                    .sum()
            };
            let us = board.side_to_move();
            Score(count(us) - count(!us))
        }
    }

    #[test]
    fn every_piece_is_shown_with_its_contribution() {
        for side in ["w", "b"] {
            let setup = parse_fen(&format!("4k3/p7/8/8/8/8/8/R3K3 {side} - - 0 1")).expect("a FEN");
            let board = Board::from_setup(&setup).expect("legal");
            let text = describe_network(&setup, &board, &mut Counter);
            let words: Vec<&str> = text
                .split_whitespace()
                .filter(|word| word.len() > 1)
                .collect();
            assert!(
                words.contains(&"R+5.10") && words.contains(&"p-1.00"),
                "{text}"
            );
            assert!(text.ends_with("White       +4.10 pawns\n"), "{text}");
            assert!(text.lines().all(|line| line.len() < 80), "{text}");
        }
        let text =
            describe("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", &Evaluation::default()).expect("legal");
        assert!(text.contains("network gaur-"), "{text}");
    }

    #[test]
    fn invisible_characters_in_the_name_of_a_network_are_escaped() {
        let mut file = include_bytes!("../eval/network/gaur.net").to_vec();
        file[16..48].fill(0);
        file[16..23].copy_from_slice("\u{202e}ruag".as_bytes());
        let network = Network::from_bytes(&file).expect("a network");
        let evaluation = Evaluation::network(Arc::new(network));
        let text = describe("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", &evaluation).expect("legal");
        assert!(text.contains("\nnetwork \\u{202e}ruag ("), "{text}");
    }

    #[test]
    fn an_invalid_fen_is_refused() {
        let described = |fen| describe(fen, &Evaluation::default());
        assert!(matches!(described("nonsense"), Err(ToolError::Fen(_))));
        assert!(described("8/8/8/8/8/8/8/K7 w - - 0 1").is_err());
    }

    #[test]
    fn pawns_have_a_sign_and_two_decimals() {
        assert_eq!(pawns(-5), "-0.05");
        assert_eq!(pawns(1234), "+12.34");
        assert_eq!(pawns(0), " 0.00");
    }
}
