//! `cargo bench`: perft speed of Gaur in comparison with shakmaty, in the same run.
//!
//! The two alternate, because the speed of a machine with other work varies: the ratio is the result. Each is measured
//! with the last ply counted in bulk, and with every move made. The recursion has the same form for both, and
//! `black_box` prevents the compiler from removing parts of a last move that has no effect. Depths are 5 (start
//! position) and 4 (Kiwipete), or 6 and 5 with the environment variable `GAUR_DEEP=1`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use gaur::board::Board;
use gaur::notation::parse_fen;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// Name, FEN, depth, and the number of leaf nodes at this depth and at the next one.
const TREES: [(&str, &str, u32, [u64; 2]); 2] = [
    (
        "start position",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        [4_865_609, 119_060_324],
    ),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        [4_085_603, 193_690_690],
    ),
];

/// Number of measurements of each tree.
const ROUNDS: usize = 21;
/// Number of measurements of each deep tree.
const DEEP_ROUNDS: usize = 5;

fn gaur_perft(board: &mut Board, depth: u32, bulk: bool) -> u64 {
    if bulk && depth == 1 {
        return board.count_legal();
    }
    let mut leaves = 0;
    for &mv in &board.legal_moves() {
        let undo = board.make(mv);
        leaves += if depth > 1 {
            gaur_perft(board, depth - 1, bulk)
        } else {
            black_box(&mut *board);
            1
        };
        board.unmake(mv, undo);
    }
    leaves
}

fn shakmaty_perft(position: &Chess, depth: u32, bulk: bool) -> u64 {
    let moves = position.legal_moves();
    if bulk && depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        let mut child = position.clone();
        child.play_unchecked(mv);
        leaves += if depth > 1 {
            shakmaty_perft(&child, depth - 1, bulk)
        } else {
            black_box(&mut child);
            1
        };
    }
    leaves
}

/// Returns millions of leaf nodes per second.
fn speed(expected: u64, count: impl FnOnce() -> u64) -> f64 {
    let start_time = Instant::now();
    let leaves = count();
    let seconds = start_time.elapsed().as_secs_f64();
    assert_eq!(leaves, expected, "a wrong number of leaves");
    leaves as f64 / seconds / 1e6
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let deep = std::env::var_os("GAUR_DEEP").is_some();
    let rounds = if deep { DEEP_ROUNDS } else { ROUNDS };
    println!("Mnodes/s, median of {rounds} rounds (best); ratio: median over the rounds");
    for bulk in [true, false] {
        for (name, fen, depth, leaves) in TREES {
            let (depth, leaves) = (depth + u32::from(deep), leaves[usize::from(deep)]);
            let mut board = Board::from_setup(&parse_fen(fen)?)?;
            let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
            let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..rounds {
                let gaur = speed(leaves, || gaur_perft(&mut board, depth, bulk));
                let shakmaty = speed(leaves, || shakmaty_perft(&position, depth, bulk));
                ours.push(gaur);
                theirs.push(shakmaty);
                ratios.push(gaur / shakmaty);
            }
            let mode = if bulk { "bulk" } else { "every move made" };
            let (gaur, shakmaty) = (median(&mut ours), median(&mut theirs));
            println!(
                "{name:<14} depth {depth}, {mode:<15}  Gaur {gaur:6.1} ({:6.1})  shakmaty {shakmaty:6.1} ({:6.1})  ratio {:.2}",
                ours[rounds - 1],
                theirs[rounds - 1],
                median(&mut ratios),
            );
        }
    }
    Ok(())
}
