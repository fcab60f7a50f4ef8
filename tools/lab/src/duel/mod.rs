//! `gaur-lab duel`: two settings of the search play each other inside one process, at a number of nodes a move.
//!
//! Without processes, pipes and clocks a game takes a second, and the load of the machine changes nothing. What a
//! setting costs in time does not show, so what passes here still needs games with clocks.

mod elo;
mod pair;

use std::io::Write;

use gaur::search::SearchSetup;

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::trials::{Rules, Trial};
use gaur::tools::{AcceptedOptions, search_setup_with};

pub(super) use elo::Pairs;
pub(super) use pair::Rivals;

/// Pairs played before their results count.
const BATCH: usize = 16;

/// What `gaur-lab duel` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct DuelArgs {
    /// Option, or in a tuning build search parameter, of the first player; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The same for the second player, who else plays by the defaults
    #[arg(long, value_name = "NAME=VALUE")]
    pub against: Vec<String>,
    /// Game pairs at most; each opening is played twice, with colours reversed
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// How the pairs are played
    #[command(flatten)]
    pub rules: Rules,
    /// Stop as soon as games tell that the first is better by ELO1 rather than by ELO0 or less, or the other way round
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds)]
    pub sprt: Option<(f64, f64)>,
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers: Option<(f64, f64)> = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match numbers {
        Some((low, high)) if low < high => Ok((low, high)),
        _ => Err("two numbers are wanted, the smaller first: 0,5".to_owned()),
    }
}

/// Plays, and says who is better by how much.
///
/// # Errors
/// If a parameter cannot be set, or the result cannot be written.
pub fn run_duel(args: &DuelArgs, out: &mut impl Write) -> Result<(), LabError> {
    let players = [
        search_setup_with(&args.set, AcceptedOptions::SearchSetup)?,
        search_setup_with(&args.against, AcceptedOptions::SearchSetup)?,
    ];
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let pairs = play(args, &players, &interrupt);
    writeln!(out, "{}", pairs.summary(args.sprt))?;
    Ok(())
}

/// Results count in the order of the pairs, whoever is finished first: a test that hears of short games first would
/// decide by these.
fn play(args: &DuelArgs, players: &[SearchSetup; 2], interrupt: &Interrupt) -> Pairs {
    let mut pairs = Pairs::default();
    let mut progress = Progress::new(0, args.pairs);
    'batches: for first in (0..args.pairs).step_by(BATCH) {
        let numbers = first..args.pairs.min(first + BATCH as u64);
        let trials: Vec<Trial> = numbers
            .map(|number| Trial {
                number,
                players: players.clone(),
            })
            .collect();
        let Some(points) = args.rules.play(&trials, interrupt) else {
            break;
        };
        for half_points in points {
            pairs.add(half_points);
            progress.step(|| format!("pairs, {},", pairs.summary(args.sprt)));
            if args
                .sprt
                .is_some_and(|bounds| pairs.verdict(bounds).is_some())
            {
                break 'batches;
            }
        }
    }
    progress.finish();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_score_half_and_a_seed_reproduces_them() {
        let args = DuelArgs {
            set: Vec::new(),
            against: Vec::new(),
            pairs: 4,
            rules: Rules {
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
