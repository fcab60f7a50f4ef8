//! `gaur book prune`: removes moves from a book.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use crate::book::Entry;

use super::super::ToolError;
use super::super::interrupt::Interrupt;
use super::reached::Reached;
use super::storage;

/// Arguments of `gaur book prune`.
#[derive(Clone, Debug, clap::Args)]
pub struct PruneArgs {
    /// Book
    #[arg(value_name = "BOOK")]
    pub book: PathBuf,
    /// Book to write; it may be the same file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Smallest weight of a move that is kept
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_weight: u16,
    /// Smallest share of a move that is kept, in percent of the weights of its position
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    pub min_share: f64,
    /// Largest number of moves of a position, those with the largest weights
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_moves: Option<u32>,
    /// Keep only positions that the moves of the book, or any replies to them, lead to within this number of half-moves
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 100 is expected".to_owned()),
    }
}

/// Removes the moves.
///
/// # Errors
/// If the book cannot be read, no move is left, or the result cannot be written.
pub(super) fn run(
    args: &PruneArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let book = storage::open(Some(&args.book))?;
    let mut reached = None;
    if let Some(plies) = args.plies {
        let mut keys = HashSet::new();
        for position in Reached::new(&book, plies) {
            keys.insert(position.key);
            if interrupt.is_set() {
                return Err(ToolError::Interrupted);
            }
        }
        reached = Some(keys);
    }
    let all: Vec<Entry> = storage::entries(&book).collect();
    let kept: Vec<Entry> = all
        .chunk_by(|one, other| one.key == other.key)
        .filter(|moves| {
            let is_reached =
                |keys: &HashSet<u64>| moves.iter().any(|entry| keys.contains(&entry.key));
            reached.as_ref().is_none_or(is_reached)
        })
        .flat_map(|moves| kept_moves(args, moves))
        .collect();
    writeln!(out, "{} of {} moves kept", kept.len(), all.len())?;
    if kept.is_empty() {
        return Err(ToolError::EmptyBook("choose smaller limits"));
    }
    storage::write(&args.out, kept, interrupt)
}

/// Returns the moves of a position that are kept.
fn kept_moves(args: &PruneArgs, moves: &[Entry]) -> Vec<Entry> {
    let sum: f64 = moves.iter().map(|entry| f64::from(entry.weight)).sum();
    let mut kept: Vec<Entry> = moves
        .iter()
        .filter(|entry| {
            entry.weight >= args.min_weight
                && 100.0 * f64::from(entry.weight) >= args.min_share * sum
        })
        .copied()
        .collect();
    kept.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    if let Some(max) = args.max_moves {
        kept.truncate(max as usize);
    }
    kept
}
