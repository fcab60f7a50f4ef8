//! `gaur book show`: the moves of a position.

use std::io::Write;
use std::path::PathBuf;

use crate::book::{Entry, polyglot_key};
use crate::notation::{has_standard_castling, parse_fen, parse_move, write_fen, write_san};
use crate::rules::{Position, Variant};
use crate::types::Move;

use super::super::ToolError;
use super::storage;

/// Arguments of `gaur book show`.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowArgs {
    /// Book; without it, the built-in one
    #[arg(value_name = "BOOK")]
    pub book: Option<PathBuf>,
    /// Position before the moves; without it, the start position
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves that lead to the position, in SAN or coordinates
    #[arg(long, value_name = "MOVES", num_args = 1.., value_delimiter = ' ')]
    pub moves: Vec<String>,
}

/// Prints the moves of the position with share, weight and, in Gaur's own books, score.
///
/// # Errors
/// If the book cannot be read or the position is wrong.
pub(super) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let (position, last) = position(args)?;
    let book = storage::open(args.book.as_deref())?;
    let key = polyglot_key(position.board(), last);
    let mut entries = book.entries(key).map_err(|error| ToolError::Book {
        path: args.book.clone().unwrap_or_default(),
        error,
    })?;
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    writeln!(
        out,
        "{}, key {key:016x}",
        write_fen(position.board(), position.variant())
    )?;
    if entries.is_empty() {
        writeln!(out, "the book has no move here")?;
    }
    let sum: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    for entry in entries {
        writeln!(out, "{}", line(&position, entry, sum))?;
    }
    Ok(())
}

/// Returns the position and the last move.
fn position(args: &ShowArgs) -> Result<(Position, Option<Move>), ToolError> {
    let mut position = match &args.fen {
        None => Position::standard(),
        Some(fen) => {
            let setup = parse_fen(fen)?;
            let variant = match has_standard_castling(&setup) {
                true => Variant::Standard,
                false => Variant::Fischerandom,
            };
            Position::from_setup(&setup, variant)?
        }
    };
    let mut last = None;
    for text in args.moves.iter().filter(|text| !is_move_number(text)) {
        // A move number may precede the move without a space.
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let mv = parse_move(&position, text).map_err(|error| ToolError::Move {
            text: text.to_owned(),
            error,
        })?;
        let _ = position.play(mv);
        last = Some(mv);
    }
    Ok((position, last))
}

/// Returns `true` for an empty text and for one such as `12.`.
fn is_move_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Returns the line of a move.
fn line(position: &Position, entry: Entry, sum: u64) -> String {
    let share = 100.0 * f64::from(entry.weight) / sum.max(1) as f64;
    let name = match entry.legal_move(position.board()) {
        Some(mv) => write_san(position, mv),
        None => format!("illegal ({:04x})", entry.mv),
    };
    let score = entry.score().map_or_else(String::new, |score| {
        format!("  score {:+.2}", f64::from(score) / 100.0)
    });
    format!("{name:7} {share:5.1} %  weight {}{score}", entry.weight)
}
