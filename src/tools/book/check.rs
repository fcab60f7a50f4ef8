//! `gaur book check`: finds faults of a book.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use crate::book::{BookFile, BookFileError, ENTRY_SIZE, Entry};
use crate::notation::write_fen;

use super::super::ToolError;
use super::super::counted::counted;
use super::super::interrupt::Interrupt;
use super::reached::Reached;
use super::storage;

/// Number of faults of one kind that are named; all are counted.
const MAX_NAMED: u64 = 5;

/// Arguments of `gaur book check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// Book
    #[arg(value_name = "BOOK")]
    pub book: PathBuf,
}

/// Faults of one kind.
struct Faults<'a, W> {
    count: u64,
    out: &'a mut W,
}

impl<W: Write> Faults<'_, W> {
    /// Counts a fault, and prints it if it is one of the first.
    fn add(&mut self, text: impl FnOnce() -> String) -> Result<(), ToolError> {
        self.count += 1;
        if self.count <= MAX_NAMED {
            writeln!(self.out, "{}", text())?;
        }
        Ok(())
    }

    /// Returns the number of faults, and prints that of faults that were not named, with the text for one and for
    /// several.
    fn finish(self, one: &str, several: &str) -> Result<u64, ToolError> {
        match self.count.saturating_sub(MAX_NAMED) {
            0 => {}
            1 => writeln!(self.out, "1 more {one}")?,
            more => writeln!(self.out, "{more} more {several}")?,
        }
        Ok(self.count)
    }
}

/// Prints the faults of the book, or its size if there are none.
///
/// # Errors
/// Returns an error if the file cannot be read, or [`ToolError::FaultyBook`].
pub(super) fn run(
    args: &CheckArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let bytes = storage::read_bytes(&args.book)?;
    if bytes.is_empty() {
        return Err(ToolError::Book {
            path: args.book.clone(),
            error: BookFileError::Empty,
        });
    }
    let (entries, rest) = bytes.as_chunks::<ENTRY_SIZE>();
    let entries: Vec<Entry> = entries.iter().copied().map(Entry::from_bytes).collect();
    let disorder = Disorder::of(&entries);
    let mut faults = 0;
    if !rest.is_empty() {
        let error = BookFileError::Size(bytes.len() as u64);
        writeln!(out, "the file {error}")?;
        faults += 1;
    } else if let Some(first) = disorder.first.filter(|_| disorder.is_no_book) {
        writeln!(out, "the file {}", BookFileError::Unsorted(first))?;
        faults += 1;
    }
    if disorder.is_no_book {
        return Err(ToolError::FaultyBook(faults));
    }
    let unsorted = check_order(&entries, out)?;
    faults += unsorted + check_duplicates(&entries, out)?;
    if unsorted == 0 && !entries.is_empty() {
        let sorted = bytes[..entries.len() * ENTRY_SIZE].to_vec();
        let book = BookFile::from_bytes(sorted).map_err(|error| ToolError::Book {
            path: args.book.clone(),
            error,
        })?;
        faults += check_moves(&book, interrupt, out)?;
    }
    match faults {
        0 => Ok(()),
        count => Err(ToolError::FaultyBook(count)),
    }
}

/// Disorder of the keys of entries.
struct Disorder {
    /// Number of the first entry that belongs before an earlier one.
    first: Option<u64>,
    /// Set if so many do that the file is no book: in a file of another kind it is every second one.
    is_no_book: bool,
}

impl Disorder {
    fn of(entries: &[Entry]) -> Disorder {
        let pairs = (1..).zip(entries.windows(2));
        let is_unsorted =
            |pair: &[Entry]| matches!(pair, [before, entry] if entry.key < before.key);
        let mut unsorted = pairs.filter_map(|(index, pair)| is_unsorted(pair).then_some(index));
        let first = unsorted.next();
        let count = usize::from(first.is_some()) + unsorted.count();
        Disorder {
            first,
            is_no_book: count > MAX_NAMED as usize && count > entries.len() / 4,
        }
    }
}

fn check_order(entries: &[Entry], out: &mut impl Write) -> Result<u64, ToolError> {
    let mut faults = Faults { count: 0, out };
    for (index, pair) in (1..).zip(entries.windows(2)) {
        if let [before, entry] = pair
            && entry.key < before.key
        {
            faults.add(|| {
                format!(
                    "entry {index}: its key {:016x} is smaller than the one before",
                    entry.key
                )
            })?;
        }
    }
    faults.finish("entry is not in order", "entries are not in order")
}

fn check_duplicates(entries: &[Entry], out: &mut impl Write) -> Result<u64, ToolError> {
    let mut faults = Faults { count: 0, out };
    let mut index = 0;
    for moves in entries.chunk_by(|one, other| one.key == other.key) {
        let mut seen = HashSet::new();
        for entry in moves {
            if !seen.insert(entry.mv) {
                faults.add(|| {
                    format!(
                        "entry {index}: the move {:04x} of position {:016x} occurs twice",
                        entry.mv, entry.key
                    )
                })?;
            }
            index += 1;
        }
    }
    faults.finish("move occurs twice", "moves occur twice")
}

/// Checks the moves of the positions that are reached from the start position, and prints the size of the book.
fn check_moves(
    book: &BookFile,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<u64, ToolError> {
    let (mut positions, mut moves, mut plies) = (0, 0, 0);
    let mut faults = Faults { count: 0, out };
    for reached in Reached::new(book, u32::MAX - 2) {
        if interrupt.is_set() {
            return Err(ToolError::Interrupted);
        }
        positions += 1;
        moves += reached.entries.len() as u64;
        plies = reached.plies;
        for entry in &reached.entries {
            if entry.legal_move(reached.position.board()).is_none() {
                let position = &reached.position;
                faults.add(|| {
                    let fen = write_fen(position.board(), position.variant());
                    format!("the move {:04x} is not legal in {fen}", entry.mv)
                })?;
            }
        }
    }
    let out = &mut *faults.out;
    let verb = if moves == 1 { "is" } else { "are" };
    writeln!(
        out,
        "{} {verb} reached from the start position, the last after {}",
        storage::size(moves, positions),
        counted(plies.into(), "half-move")
    )?;
    match book.count().saturating_sub(moves) {
        0 => {}
        1 => writeln!(out, "1 move is in another position and was not checked")?,
        others => writeln!(
            out,
            "{others} moves are in other positions and were not checked"
        )?,
    }
    faults.finish("move is not legal", "moves are not legal")
}
