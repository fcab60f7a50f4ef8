//! `gaur book make`: a book of the openings of games.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::book::Entry;
use crate::notation::PgnResult;
use crate::types::Color;

use super::super::ToolError;
use super::super::counted::counted;
use super::super::interrupt::Interrupt;
use super::super::progress_line::ProgressLine;
use super::merge::Scale;
use super::pgn::{Game, GameText, GameTexts, PlayedMove, Unusable, read_game};
use super::storage;

/// Number of wrong games of a file that are named; all are counted.
const MAX_NAMED: u64 = 10;

/// Time between two states of the progress line.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Arguments of `gaur book make`.
#[derive(Clone, Debug, clap::Args)]
pub struct MakeArgs {
    /// PGN files
    #[arg(value_name = "GAMES", required = true)]
    pub games: Vec<PathBuf>,
    /// Book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of half-moves of each game that are used
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    pub plies: u32,
    /// Number of games in which a move must have been played in its position
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_games: u32,
    /// Give all moves the same weight; otherwise moves that have only lost are left out
    #[arg(long)]
    pub uniform: bool,
}

/// Counts of a move in a position.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u32,
    /// Two for each win and one for each draw of the side that has played the move.
    points: u32,
}

/// The moves of all games, and the numbers of games.
#[derive(Debug, Default)]
struct Moves {
    counts: HashMap<(u64, u16), Counts>,
    games: u64,
    other_variants: u64,
    without_result: u64,
    wrong: u64,
}

/// Makes the book.
///
/// # Errors
/// If a file of games cannot be read, no move is left, or the book cannot be written. A wrong game is reported to
/// standard error and left out.
pub(super) fn run(
    args: &MakeArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let mut moves = Moves::default();
    for path in &args.games {
        moves.read(path, args, interrupt)?;
    }
    moves.report(out)?;
    let entries = moves.entries(args);
    if entries.is_empty() {
        return Err(ToolError::EmptyBook(
            "add games with results, or set a smaller --min-games",
        ));
    }
    let positions = entries.chunk_by(|one, other| one.key == other.key).count();
    writeln!(
        out,
        "{}",
        storage::size(entries.len() as u64, positions as u64)
    )?;
    storage::write(&args.out, entries, interrupt)
}

impl Moves {
    /// Adds the games of a file.
    fn read(
        &mut self,
        path: &Path,
        args: &MakeArgs,
        interrupt: &Interrupt,
    ) -> Result<(), ToolError> {
        let unreadable = |error| ToolError::Unreadable {
            path: path.to_owned(),
            error,
        };
        let file = File::open(path).map_err(unreadable)?;
        let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let mut games = GameTexts::new(Counted::new(file));
        let mut progress = ProgressLine::new();
        let (mut text, mut number, mut next) = (GameText::default(), 0_u64, Instant::now());
        let mut wrong = 0;
        while games.read(&mut text).map_err(unreadable)? {
            if interrupt.is_set() {
                progress.clear();
                return Err(ToolError::Interrupted);
            }
            number += 1;
            if Instant::now() >= next {
                next = Instant::now() + PROGRESS_INTERVAL;
                progress.clear();
                progress.show(&share(number, games.reader().bytes, size));
            }
            let game = match text.problem {
                Some(problem) => Some(Err(Unusable::Wrong(problem.to_owned()))),
                None => read_game(&text.bytes, args.plies),
            };
            match game {
                None => number -= 1,
                Some(Ok(game)) => self.add(&game, args.uniform),
                Some(Err(Unusable::OtherVariant)) => self.other_variants += 1,
                Some(Err(Unusable::Wrong(reason))) => {
                    wrong += 1;
                    if wrong <= MAX_NAMED {
                        progress.clear();
                        warn(path, text.line, number, &reason);
                    }
                }
            }
        }
        progress.clear();
        self.wrong += wrong;
        Ok(())
    }

    /// Adds a game. Without `uniform`, the result must be known.
    fn add(&mut self, game: &Game, uniform: bool) {
        if game.result == PgnResult::Unfinished && !uniform {
            self.without_result += 1;
            return;
        }
        self.games += 1;
        for &PlayedMove { key, mv, side } in &game.moves {
            let counts = self.counts.entry((key, mv)).or_default();
            counts.games = counts.games.saturating_add(1);
            counts.points = counts.points.saturating_add(points(game.result, side));
        }
    }

    /// Prints the numbers of games.
    fn report(&self, out: &mut impl Write) -> Result<(), ToolError> {
        writeln!(out, "{} used", counted(self.games, "game"))?;
        for (count, reason) in [
            (self.wrong, "wrong"),
            (self.without_result, "without a result"),
            (self.other_variants, "of another variant"),
        ] {
            if count > 0 {
                writeln!(out, "{} not used: {reason}", counted(count, "game"))?;
            }
        }
        Ok(())
    }

    /// Returns the entries of the book, in no particular order within a position.
    fn entries(&self, args: &MakeArgs) -> Vec<Entry> {
        let mut kept: Vec<(u64, u16, u64)> = self
            .counts
            .iter()
            .filter(|(_, counts)| counts.games >= args.min_games)
            .map(|(&(key, mv), counts)| {
                let weight = match args.uniform {
                    true => 1,
                    false => counts.points,
                };
                (key, mv, u64::from(weight))
            })
            .filter(|&(_, _, weight)| weight > 0)
            .collect();
        kept.sort_unstable();
        let mut entries = Vec::with_capacity(kept.len());
        for moves in kept.chunk_by(|one, other| one.0 == other.0) {
            let largest = moves.iter().map(|&(_, _, weight)| weight).max();
            let scale = Scale::to_16_bits(largest.unwrap_or_default());
            entries.extend(moves.iter().map(|&(key, mv, weight)| Entry {
                key,
                mv,
                weight: scale.weight(weight),
                learn: 0,
            }));
        }
        entries
    }
}

/// Returns the points of a side: two for a win, one for a draw.
fn points(result: PgnResult, side: Color) -> u32 {
    match (result, side) {
        (PgnResult::Draw, _) => 1,
        (PgnResult::WhiteWins, Color::White) | (PgnResult::BlackWins, Color::Black) => 2,
        _ => 0,
    }
}

/// Prints a wrong game to standard error, which may be closed.
fn warn(path: &Path, line: u64, number: u64, reason: &str) {
    let text = format!(
        "{} line {line}, game {number}: {reason}; the game is not used",
        path.display()
    );
    // The names and moves could contain commands for the terminal.
    let text = text.replace(char::is_control, "?");
    let _ = writeln!(io::stderr(), "gaur: {text}");
}

/// Returns the text of the progress line.
fn share(games: u64, bytes: u64, size: u64) -> String {
    match size {
        // A pipe.
        0 => counted(games, "game"),
        _ => format!(
            "{}, {} %",
            counted(games, "game"),
            (100 * bytes / size).min(100)
        ),
    }
}

/// A file with the number of bytes read.
struct Counted<R> {
    reader: BufReader<R>,
    bytes: u64,
}

impl<R: Read> Counted<R> {
    fn new(reader: R) -> Counted<R> {
        Counted {
            reader: BufReader::new(reader),
            bytes: 0,
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.bytes += length as u64;
        Ok(length)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.reader.consume(length);
        self.bytes += length as u64;
    }
}
