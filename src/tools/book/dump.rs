//! `gaur book dump`: the positions of a book as text.

use std::io::Write;
use std::path::PathBuf;

use crate::notation::{write_fen, write_san};

use super::super::ToolError;
use super::super::interrupt::Interrupt;
use super::reached::{Reached, ReachedPosition};
use super::storage;

/// Arguments of `gaur book dump`.
#[derive(Clone, Debug, clap::Args)]
pub struct DumpArgs {
    /// Book; without it, the built-in one
    #[arg(value_name = "BOOK")]
    pub book: Option<PathBuf>,
    /// Largest number of half-moves from the start position
    #[arg(long, value_name = "N", default_value_t = u32::MAX - 2, hide_default_value = true)]
    pub plies: u32,
}

/// Prints the positions, the nearest first.
///
/// # Errors
/// If the book cannot be read.
pub(super) fn run(
    args: &DumpArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let book = storage::open(args.book.as_deref())?;
    for reached in Reached::new(&book, args.plies) {
        writeln!(out, "{}", record(&reached))?;
        if interrupt.is_set() {
            return Err(ToolError::Interrupted);
        }
    }
    Ok(())
}

/// Returns the EPD record of a position.
fn record(reached: &ReachedPosition) -> String {
    let position = &reached.position;
    let fen = write_fen(position.board(), position.variant());
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut entries = reached.entries.clone();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    let moves: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            let mv = entry.legal_move(position.board())?;
            Some(format!("{} {}", write_san(position, mv), entry.weight))
        })
        .collect();
    format!("{} c0 \"{}\";", fields.join(" "), moves.join(", "))
}
