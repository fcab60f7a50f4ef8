//! `gaur-lab duel`: two networks or settings play each other in one process, with a number of nodes per move.
//!
//! Without processes, pipes and clocks a game takes about a second, and the load of the machine does not change the
//! result. A setting that makes the search slower is not penalised. A change that passes here therefore still needs
//! games with clocks.

use std::io::Write;

use gaur::search::SearchSetup;
use gaur::tools::{AcceptedOptions, search_setup_with};

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::pairs::{GamePair, PairArgs, PairCounts};
use crate::progress::Progress;

/// Number of pairs that are played before their results are counted.
const BATCH: usize = 16;

/// Arguments of `gaur-lab duel`.
#[derive(Clone, Debug, clap::Args)]
pub struct DuelArgs {
    /// Option, or in a tuning build search parameter, of the first player; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Option or search parameter of the second player; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub against: Vec<String>,
    /// Largest number of game pairs; each opening is played twice, with colours reversed
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Options that determine how pairs are played
    #[command(flatten)]
    pub pair_args: PairArgs,
    /// Stop when a sequential probability ratio test decides between the Elo differences ELO0 and ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds)]
    pub sprt: Option<(f64, f64)>,
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers: Option<(f64, f64)> = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match numbers {
        Some((low, high)) if low < high => Ok((low, high)),
        _ => Err("expected two numbers, the smaller first: 0,5".to_owned()),
    }
}

/// Plays the pairs and prints the Elo difference.
///
/// # Errors
/// If a parameter cannot be set, or the result cannot be written.
pub fn run_duel(args: &DuelArgs, out: &mut impl Write) -> Result<(), LabError> {
    let players = [
        search_setup_with(&args.set, AcceptedOptions::SearchSetup)?,
        search_setup_with(&args.against, AcceptedOptions::SearchSetup)?,
    ];
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let counts = play(args, &players, &interrupt);
    writeln!(out, "{}", counts.summary(args.sprt))?;
    Ok(())
}

/// Plays the pairs and counts their points, in the order of the pairs. A test that counts finished pairs at once would
/// favour the results of short games.
fn play(args: &DuelArgs, players: &[SearchSetup; 2], interrupt: &Interrupt) -> PairCounts {
    let mut counts = PairCounts::default();
    let mut progress = Progress::new(0, args.pairs);
    'batches: for first in (0..args.pairs).step_by(BATCH) {
        let numbers = first..args.pairs.min(first + BATCH as u64);
        let pairs: Vec<GamePair> = numbers
            .map(|number| GamePair {
                number,
                players: players.clone(),
            })
            .collect();
        let Some(points) = args.pair_args.play(&pairs, interrupt) else {
            break;
        };
        for half_points in points {
            counts.add(half_points);
            progress.step(|| format!("pairs, {},", counts.summary(args.sprt)));
            if args
                .sprt
                .is_some_and(|bounds| counts.sprt_result(bounds).is_some())
            {
                break 'batches;
            }
        }
    }
    progress.finish();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_score_half_and_a_seed_reproduces_their_games() {
        let args = DuelArgs {
            set: Vec::new(),
            against: Vec::new(),
            pairs: 4,
            pair_args: PairArgs {
                nodes: 60,
                threads: 2,
                seed: 5,
            },
            sprt: None,
        };
        let players = [SearchSetup::default(), SearchSetup::default()];
        let first = play(&args, &players, &Interrupt::default());
        assert_eq!(first.games(), 8);
        assert_eq!(first.points(), 4.0, "the same games with colours reversed");
        assert_eq!(first, play(&args, &players, &Interrupt::default()));
    }

    #[test]
    fn bounds_are_two_numbers_in_order() {
        assert_eq!(bounds("0,5"), Ok((0.0, 5.0)));
        assert!(bounds("5,0").is_err() && bounds("5").is_err() && bounds("a,b").is_err());
    }
}
