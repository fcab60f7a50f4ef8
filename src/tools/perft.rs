//! `gaur perft`: counts the leaf nodes of the tree of legal moves.

use std::io::Write;
use std::time::Instant;

use crate::board::Board;
use crate::notation::{has_standard_castling, parse_fen, write_coordinate};
use crate::rules::Variant;

use super::ToolError;

/// Arguments of `gaur perft`.
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArgs {
    /// Depth in half-moves
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=MAX_PERFT_DEPTH))]
    pub depth: u32,
    /// Start position; castling rights of Fischer Random are accepted
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Print the count below each move of the start position
    #[arg(long)]
    pub divide: bool,
    /// Make the moves of the last ply instead of counting them
    #[arg(long)]
    pub no_bulk: bool,
}

/// Largest depth. Deeper trees can have more leaf nodes than 64 bits can count.
const MAX_PERFT_DEPTH: i64 = 60;

/// Returns the number of leaf nodes `depth` half-moves below the position, which remains unchanged.
///
/// With `bulk` the moves of the last ply are counted without being made.
pub fn perft(board: &mut Board, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if bulk && depth == 1 {
        return board.count_legal();
    }
    let mut leaves = 0;
    for mv in board.legal_moves() {
        let undo = board.make(mv);
        leaves += perft(board, depth - 1, bulk);
        board.unmake(mv, undo);
    }
    leaves
}

/// Counts the leaf nodes and writes the result. The last line is `N nodes T s M Mnps`.
///
/// # Errors
/// If the FEN is wrong or `out` cannot be written to.
pub fn run_perft(args: &PerftArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let (mut board, variant) = match &args.fen {
        None => (Board::standard(), Variant::Standard),
        Some(fen) => {
            let setup = parse_fen(fen)?;
            let variant = match has_standard_castling(&setup) {
                true => Variant::Standard,
                false => Variant::Fischerandom,
            };
            (Board::from_setup(&setup)?, variant)
        }
    };
    let start_time = Instant::now();
    let leaves = if args.divide && args.depth > 0 {
        divide(&mut board, variant, args, out)?
    } else {
        perft(&mut board, args.depth, !args.no_bulk)
    };
    let seconds = start_time.elapsed().as_secs_f64();
    // For a small tree a coarse clock may measure 0.
    let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{leaves} nodes {seconds:.3} s {speed:.1} Mnps")?;
    Ok(())
}

/// Writes the count below each move, in alphabetical order, and returns their sum.
fn divide(
    board: &mut Board,
    variant: Variant,
    args: &PerftArgs,
    out: &mut impl Write,
) -> Result<u64, ToolError> {
    let mut moves: Vec<_> = board
        .legal_moves()
        .into_iter()
        .map(|mv| (write_coordinate(mv, variant), mv))
        .collect();
    moves.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let mut sum = 0;
    for (text, mv) in moves {
        let undo = board.make(mv);
        let leaves = perft(board, args.depth - 1, !args.no_bulk);
        board.unmake(mv, undo);
        writeln!(out, "{text}: {leaves}")?;
        sum += leaves;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(depth: u32, fen: Option<&str>, divide: bool, no_bulk: bool) -> String {
        let args = PerftArgs {
            depth,
            fen: fen.map(str::to_owned),
            divide,
            no_bulk,
        };
        let mut out = Vec::new();
        run_perft(&args, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn counts_with_and_without_bulk_agree() {
        let mut board = Board::standard();
        for (depth, leaves) in [1, 20, 400, 8_902].into_iter().enumerate() {
            assert_eq!(perft(&mut board, depth as u32, true), leaves);
            assert_eq!(perft(&mut board, depth as u32, false), leaves);
        }
        assert_eq!(board, Board::standard());
    }

    #[test]
    fn the_last_line_has_count_time_and_speed() {
        for no_bulk in [false, true] {
            let text = output(3, None, false, no_bulk);
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(
                (words[0], words[1], words[3], words[5]),
                ("8902", "nodes", "s", "Mnps")
            );
            assert!(
                words[2].parse::<f64>().is_ok() && words[4].parse::<f64>().is_ok(),
                "{text}"
            );
        }
        assert!(output(0, None, true, false).starts_with("1 nodes "));
    }

    #[test]
    fn divide_has_a_line_for_each_move() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let text = output(2, Some(fen), true, false);
        let (moves, sum) = text.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(moves.lines().count(), 26);
        assert!(moves.lines().any(|line| line == "e1g1: 23"), "{text}");
        assert!(sum.starts_with("568 nodes "), "{sum}");
        let fischer = "r3k2r/8/8/8/8/8/8/R3K1R1 w GA - 0 1";
        assert!(output(1, Some(fischer), true, false).contains("O-O: 1\n"));
    }

    #[test]
    fn a_wrong_fen_is_refused() {
        for fen in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1"] {
            let args = PerftArgs {
                depth: 1,
                fen: Some(fen.into()),
                divide: false,
                no_bulk: false,
            };
            let error = run_perft(&args, &mut Vec::new()).unwrap_err();
            assert!(!error.to_string().is_empty());
        }
    }
}
