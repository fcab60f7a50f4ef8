//! The table that `gaur-lab data count` prints.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::digits::grouped;
use crate::game_file::{Ending, GameRecord, GameResult};
use crate::game_input::Reading;
use gaur::rules::Variant;

/// Lower bounds of the classes of game length, in half-moves, with a name each.
const LENGTHS: [(usize, &str); 6] = [
    (0, "below 40 half-moves"),
    (40, "40 to 79"),
    (80, "80 to 119"),
    (120, "120 to 199"),
    (200, "200 to 299"),
    (300, "300 or more"),
];

/// Least number of pieces on the board, kings and pawns included, of each game phase.
const PHASES: [(u32, &str); 4] = [
    (25, "opening, 25 to 32 pieces"),
    (13, "middlegame, 13 to 24 pieces"),
    (7, "endgame, 7 to 12 pieces"),
    (0, "late endgame, 2 to 6 pieces"),
];

/// Counts of games, positions, results and so on.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    files: u64,
    bytes: u64,
    damaged: u64,
    incomplete: u64,
    games: u64,
    positions: u64,
    chess960: u64,
    results: [u64; GameResult::ALL.len()],
    endings: [u64; Ending::ALL.len()],
    lengths: [u64; LENGTHS.len()],
    phases: [u64; PHASES.len()],
    /// Games and positions by node limit.
    limits: BTreeMap<u32, (u64, u64)>,
}

impl Counts {
    /// Adds a file, besides its games.
    pub(super) fn add_file(&mut self, path: &Path, reading: &Reading) {
        self.files += 1;
        self.bytes += path.metadata().map_or(0, |metadata| metadata.len());
        self.damaged += reading.damaged.len() as u64;
        self.incomplete += u64::from(reading.incomplete.is_some());
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &GameRecord) {
        let length = game.moves.len();
        self.games += 1;
        self.positions += length as u64;
        self.chess960 += u64::from(game.variant == Variant::Fischerandom);
        self.results[game.result as usize] += 1;
        self.endings[game.ending as usize] += 1;
        let class = LENGTHS.iter().rposition(|&(least, _)| length >= least);
        self.lengths[class.unwrap_or_default()] += 1;
        let (games, positions) = self.limits.entry(game.nodes).or_default();
        *games += 1;
        *positions += length as u64;
        let mut pieces = game.start.pieces.iter().flatten().count() as u32;
        for scored in &game.moves {
            let phase = PHASES.iter().position(|&(least, _)| pieces >= least);
            self.phases[phase.unwrap_or_default()] += 1;
            pieces = pieces.saturating_sub(u32::from(scored.mv.is_capture()));
        }
    }
}

/// A line of the table: name, number, and its share of a total.
struct Row(String, u64, Option<u64>);

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row(name, count, total) = self;
        let count = grouped(*count);
        match total {
            Some(total) => {
                let percent = 100.0 * self.1 as f64 / (*total).max(1) as f64;
                writeln!(f, "{name:<30} {count:>15} {percent:>6.1} %")
            }
            None => writeln!(f, "{name:<30} {count:>15}"),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            games, positions, ..
        } = *self;
        let of_games = |name: &str, count| Row(name.to_owned(), count, Some(games));
        let of_positions = |name: &str, count| Row(name.to_owned(), count, Some(positions));
        let plain = |name: &str, count| Row(name.to_owned(), count, None);
        write!(f, "{}", plain("files", self.files))?;
        write!(f, "{}", plain("bytes", self.bytes))?;
        write!(f, "{}", plain("damaged parts", self.damaged))?;
        write!(f, "{}", plain("incomplete games", self.incomplete))?;
        write!(f, "{}", plain("games", games))?;
        write!(f, "{}", plain("positions", positions))?;
        let mean = positions as f64 / games.max(1) as f64;
        writeln!(f, "{:<30} {mean:>15.1}", "positions per game")?;
        writeln!(f, "\nresult")?;
        let [black, draws, white] = self.results;
        write!(f, "{}", of_games("White wins", white))?;
        write!(f, "{}", of_games("draws", draws))?;
        write!(f, "{}", of_games("Black wins", black))?;
        writeln!(f, "\nend of the game")?;
        for (ending, count) in Ending::ALL.into_iter().zip(self.endings) {
            write!(f, "{}", of_games(ending.name(), count))?;
        }
        writeln!(f, "\nstart of the game")?;
        write!(f, "{}", of_games("standard chess", games - self.chess960))?;
        write!(f, "{}", of_games("Fischer Random", self.chess960))?;
        writeln!(f, "\nlength of the game")?;
        for ((_, name), count) in LENGTHS.into_iter().zip(self.lengths) {
            write!(f, "{}", of_games(name, count))?;
        }
        writeln!(f, "\ngame phase (positions)")?;
        for ((_, name), count) in PHASES.into_iter().zip(self.phases) {
            write!(f, "{}", of_positions(name, count))?;
        }
        writeln!(f, "\nnodes per move (positions)")?;
        for (nodes, (_, count)) in &self.limits {
            let name = match nodes {
                0 => "unknown".to_owned(),
                nodes => grouped(u64::from(*nodes)),
            };
            write!(f, "{}", of_positions(&name, *count))?;
        }
        Ok(())
    }
}
