//! `gaur-lab book`: an opening book from opening lines and Gaur's own analysis.
//!
//! The book has the moves of the lines, and Gaur's best moves where the lines end early or have only bad moves. Where
//! many games would have the same moves, other moves of nearly the same score are added. The score of a move is that of
//! the position after it: of a search where the book ends, otherwise the best score of the moves there.
//! [`sound`](Tree::sound_moves) moves become entries. The analysis is saved position by position, so that a stopped run
//! continues. The same lines and number of nodes give the same book wherever the powers of two are rounded alike.

mod analysis;
mod entries;
mod lines;
mod search;
mod simulation;
mod soundness;
mod tree;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use crate::LabError;
use crate::digits::grouped;
use crate::interrupt::Interrupt;
use crate::state_file;

use analysis::{AnalysisFile, Request};
use tree::Tree;

/// Number of games that are simulated to measure the variety of the book.
const SIMULATED_GAMES: u64 = 200;

/// Number of times that further moves are searched in all frequent positions. It limits the size of the book.
const MAX_TIMES_WIDENED: u32 = 5;

/// Arguments of `gaur-lab book`.
#[derive(Clone, Debug, clap::Args)]
pub struct BookArgs {
    /// File with one opening line of moves in SAN per line; lines that begin with # are skipped
    #[arg(value_name = "OPENINGS")]
    pub openings: PathBuf,
    /// EPD file to which each analysed position is appended; a stopped run continues from it
    #[arg(long, value_name = "FILE")]
    pub analysis: PathBuf,
    /// Book to write, in the Polyglot format with scores
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of nodes of the search of each position
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Number of positions that are analysed at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// Number of moves of each side to which lines that end earlier are extended
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub moves: u32,
}

/// Analyses the positions that the file of the analysis lacks, writes the book and prints its size and variety.
///
/// # Errors
/// If a file cannot be read or written, a line of it is wrong, or the run is interrupted.
pub fn run_book(args: &BookArgs, out: &mut impl Write) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let lines = lines::read(&args.openings)?;
    let mut analysis = AnalysisFile::open(&args.analysis, args.nodes)?;
    let tree = build(args, &lines, &mut analysis, &interrupt)?;
    let entries = entries::of(&tree);
    state_file::replace(&args.out, entries::bytes(&entries))?;
    let positions = entries.chunk_by(|a, b| a.key == b.key).count() as u64;
    writeln!(
        out,
        "{} moves in {} positions, {} positions analysed, score of the start position {}",
        grouped(entries.len() as u64),
        grouped(positions),
        grouped(tree.len() as u64),
        tree.start_score().centipawns()
    )?;
    let simulation = simulation::run(&entries, SIMULATED_GAMES, args.moves);
    writeln!(out, "{simulation}")?;
    Ok(())
}

/// Builds the tree of the book in rounds: positions that a round adds are analysed in the next one.
fn build(
    args: &BookArgs,
    lines: &[lines::Line],
    analysis: &mut AnalysisFile,
    interrupt: &Interrupt,
) -> Result<Tree, LabError> {
    let mut tree = Tree::new(lines);
    let mut times_widened = 0;
    for round in 1.. {
        let threads = args.threads as usize;
        let search = |requests: &[Request], analysis: &mut AnalysisFile| {
            search::analyse(requests, analysis, threads, round, interrupt)
        };
        search(&tree.without_analysis(analysis), analysis)?;
        tree.update(analysis);
        if tree.extend(analysis, 2 * args.moves) {
            continue;
        }
        if times_widened == MAX_TIMES_WIDENED {
            break;
        }
        times_widened += 1;
        let requests = tree.without_choice(2 * args.moves);
        let is_missing = |request: &&Request| analysis.result(request).is_none();
        let missing: Vec<Request> = requests.iter().filter(is_missing).cloned().collect();
        search(&missing, analysis)?;
        if !tree.add_alternatives(&requests, analysis) {
            break;
        }
    }
    Ok(tree)
}
