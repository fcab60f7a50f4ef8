//! `gaur datagen`: games of Gaur against itself, as data for tuning and training.

mod opening;
mod play;
mod verdicts;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::Sender;

use crate::data::{DataError, GameRecord, GameWriter, Header};
use crate::search::Mind;

use super::ToolError;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::settings::{Heeds, mind_with};
use play::Player;

pub(super) use opening::random_opening;
pub(super) use verdicts::{Bounds, Verdicts};

/// What `gaur datagen` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct DatagenArgs {
    /// Games the file shall hold in the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Nodes after which a move is played once the iteration is finished, at the latest after five times as many
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub nodes: u64,
    /// Games played at once
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// The same seed gives the same games, whatever the number of threads
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Share of games of Fischer Random, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub chess960: f64,
    /// Set an option, such as Evaluation=classical or EvalFile=PATH; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Where the games go; a run that was stopped goes on in its file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=1.0).contains(&share) {
        true => Ok(share),
        false => Err("not between 0 and 1".to_owned()),
    }
}

/// Plays the games that the file lacks, in the order of their numbers, and says how many there are.
///
/// # Errors
/// If the file cannot be written or belongs to another run.
pub fn run_datagen(args: &DatagenArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let interrupt = Interrupt::watch().map_err(ToolError::Signals)?;
    let tally = generate(args, &interrupt)?;
    writeln!(out, "{} games, {} positions", tally.games, tally.positions)?;
    Ok(())
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tally {
    games: u64,
    positions: u64,
}

fn generate(args: &DatagenArgs, interrupt: &Interrupt) -> Result<Tally, ToolError> {
    let mind = mind_with(&args.set, Heeds::Mind)?;
    let header = Header {
        is_complete_run: true,
        seed: args.seed,
        nodes: args.nodes,
        chess960_permille: (args.chess960 * 1000.0).round() as u16,
        knowledge: mind.knowledge.mark(),
    };
    let named = |error: DataError| ToolError::Data(args.out.clone(), error);
    let (mut writer, games, positions) = GameWriter::resume(&args.out, header).map_err(named)?;
    let mut tally = Tally { games, positions };
    let next = AtomicU64::new(games);
    let mut progress = Progress::new(games, args.games.max(games));
    let started = Instant::now();

    let result = thread::scope(|scope| {
        let (sender, receiver) = crossbeam_channel::unbounded();
        for _ in 0..args.threads {
            let (sender, next, mind) = (sender.clone(), &next, &mind);
            scope.spawn(move || work(args.games, header, mind, next, interrupt, &sender));
        }
        drop(sender);
        // Games that came before an earlier one was finished.
        let mut waiting = BTreeMap::new();
        for (number, game) in receiver {
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&tally.games) {
                if let Err(error) = writer.write(&game) {
                    interrupt.want();
                    return Err(named(error));
                }
                tally.games += 1;
                tally.positions += game.moves.len() as u64;
                progress.step(|| {
                    let seconds = started.elapsed().as_secs_f64().max(1e-9);
                    let rate = (tally.positions - positions) as f64 / seconds;
                    format!("games, {} positions, {rate:.0}/s,", tally.positions)
                });
            }
        }
        Ok(())
    });
    progress.finish();
    result.map(|()| tally)
}

/// Plays games until there are enough.
fn work(
    games: u64,
    header: Header,
    mind: &Mind,
    next: &AtomicU64,
    interrupt: &Interrupt,
    done: &Sender<(u64, GameRecord)>,
) {
    let mut player = Player::new(mind, header.seed, header.nodes, header.chess960_permille);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return;
        }
        let Some(game) = player.play(number, || interrupt.is_wanted()) else {
            return;
        };
        if done.send((number, game)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(games: u64, threads: u64, out: PathBuf) -> DatagenArgs {
        DatagenArgs {
            games,
            nodes: 50,
            threads,
            seed: 11,
            chess960: 0.5,
            set: Vec::new(),
            out,
        }
    }

    #[test]
    fn a_seed_gives_the_same_file_however_it_came_about() {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::default();
        let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
        let tally = generate(&arguments(6, 1, alone.clone()), &interrupt).unwrap();
        assert_eq!(tally.games, 6);
        for games in [2, 6] {
            generate(&arguments(games, 3, together.clone()), &interrupt).unwrap();
        }
        let expected = std::fs::read(&alone).unwrap();
        assert!(std::fs::read(&together).unwrap() == expected);
        // A killed run leaves part of a game.
        std::fs::write(&together, &expected[..expected.len() - 5]).unwrap();
        let tally = generate(&arguments(6, 2, together.clone()), &interrupt).unwrap();
        assert!(std::fs::read(&together).unwrap() == expected);
        assert_eq!(tally.games, 6);
        let other = DatagenArgs {
            seed: 12,
            ..arguments(7, 1, together)
        };
        assert!(matches!(
            generate(&other, &interrupt),
            Err(ToolError::Data(_, DataError::OtherRun(_)))
        ));
    }

    #[test]
    fn an_interrupted_run_ends() {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::default();
        interrupt.want();
        let tally = generate(&arguments(1000, 2, folder.path().join("games")), &interrupt).unwrap();
        assert_eq!(
            tally,
            Tally {
                games: 0,
                positions: 0
            }
        );
    }
}
