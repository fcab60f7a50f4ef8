//! `gaur book merge`: joins books.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use crate::book::Entry;

use super::super::ToolError;
use super::super::interrupt::Interrupt;
use super::storage;

/// Arguments of `gaur book merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// Books, the most important one first
    #[arg(value_name = "BOOK", required = true, num_args = 2..)]
    pub books: Vec<PathBuf>,
    /// Book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Join the moves of a position, and add the weights of equal moves
    #[arg(long)]
    pub add: bool,
}

/// Moves of a position with their weights and last fields.
type Moves = BTreeMap<u16, (u64, u32)>;

/// Joins the books.
///
/// # Errors
/// If a book cannot be read or the result cannot be written.
pub(super) fn run(
    args: &MergeArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let mut positions: BTreeMap<u64, Moves> = BTreeMap::new();
    for path in &args.books {
        let book = storage::open(Some(path))?;
        let mut of_book: BTreeMap<u64, Moves> = BTreeMap::new();
        for entry in storage::entries(&book) {
            let moves = match args.add {
                true => positions.entry(entry.key).or_default(),
                false => of_book.entry(entry.key).or_default(),
            };
            let (weight, _) = moves.entry(entry.mv).or_insert((0, entry.learn));
            *weight += u64::from(entry.weight);
        }
        for (key, moves) in of_book {
            positions.entry(key).or_insert(moves);
        }
        if interrupt.is_set() {
            return Err(ToolError::Interrupted);
        }
    }
    let mut entries = Vec::new();
    for (&key, moves) in &positions {
        let largest = moves.values().map(|&(weight, _)| weight).max();
        let scale = Scale::to_16_bits(largest.unwrap_or_default());
        entries.extend(moves.iter().map(|(&mv, &(weight, learn))| Entry {
            key,
            mv,
            weight: scale.weight(weight),
            learn,
        }));
    }
    let text = storage::size(entries.len() as u64, positions.len() as u64);
    writeln!(out, "{text}")?;
    storage::write(&args.out, entries, interrupt)
}

/// Conversion of the weights of a position to 16 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    largest: u64,
}

impl Scale {
    /// Returns the conversion of weights up to `largest`. Weights that fit into 16 bits remain unchanged.
    pub(super) fn to_16_bits(largest: u64) -> Scale {
        Scale { largest }
    }

    /// Returns a weight as 16 bits; only 0 becomes 0.
    pub(super) fn weight(self, weight: u64) -> u16 {
        let max = u64::from(u16::MAX);
        let scaled = match self.largest > max {
            true => (u128::from(weight) * u128::from(max) / u128::from(self.largest))
                .max(u128::from(weight > 0)),
            false => u128::from(weight),
        };
        u16::try_from(scaled).unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_weights_keep_their_ratio() {
        let scale = Scale::to_16_bits(131_070);
        assert_eq!(
            [0, 1, 2, 131_070].map(|weight| scale.weight(weight)),
            [0, 1, 1, 65_535]
        );
        let scale = Scale::to_16_bits(65_535);
        assert_eq!(
            [0, 1, 65_535].map(|weight| scale.weight(weight)),
            [0, 1, 65_535]
        );
    }
}
