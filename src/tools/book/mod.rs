//! `gaur book`: opening books in the Polyglot format, made of games, edited, shown and checked.
//!
//! A command writes its book completely or not at all.

mod check;
mod dump;
mod make;
mod merge;
mod pgn;
mod prune;
mod reached;
mod show;
mod storage;

#[cfg(test)]
mod tests;

use std::io::Write;

use super::ToolError;
use super::interrupt::Interrupt;

/// Commands for opening books.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum BookCommand {
    /// Make a book of the openings of games; a move counts two for a win of its side and one for a draw
    Make(make::MakeArgs),
    /// Join books; the moves of a position come from the first book that has it
    Merge(merge::MergeArgs),
    /// Remove moves from a book
    Prune(prune::PruneArgs),
    /// Show the moves of a position
    Show(show::ShowArgs),
    /// Check a book; the exit status is 1 if it has faults
    Check(check::CheckArgs),
    /// Print the positions that the moves of a book lead to, as EPD records with the moves and weights as comment c0
    Dump(dump::DumpArgs),
}

/// Carries out a command for opening books.
///
/// # Errors
/// If a file cannot be read or written, is no book or has faults, or the work is interrupted.
pub fn run_book(command: &BookCommand, out: &mut impl Write) -> Result<(), ToolError> {
    let interrupt = Interrupt::watch().map_err(ToolError::Signals)?;
    match command {
        BookCommand::Make(args) => make::run(args, &interrupt, out),
        BookCommand::Merge(args) => merge::run(args, &interrupt, out),
        BookCommand::Prune(args) => prune::run(args, &interrupt, out),
        BookCommand::Show(args) => show::run(args, out),
        BookCommand::Check(args) => check::run(args, &interrupt, out),
        BookCommand::Dump(args) => dump::run(args, &interrupt, out),
    }
}
