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

/// Least number of pairs that are played before their results are counted. The result does not depend on it.
const BATCH: u64 = 16;

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
/// If a parameter cannot be set, the second player finds too few openings balanced, or the result cannot be written; if
/// the match is interrupted, after the result so far.
pub fn run_duel(args: &DuelArgs, out: &mut impl Write) -> Result<(), LabError> {
    let players = [
        search_setup_with(&args.set, AcceptedOptions::SearchSetup)?,
        search_setup_with(&args.against, AcceptedOptions::SearchSetup)?,
    ];
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let counts = play(args, &players, &interrupt)?;
    report(args, &counts, out)
}

/// Prints the result.
///
/// # Errors
/// If it cannot be written, or pairs are lacking and no SPRT has ended.
fn report(args: &DuelArgs, counts: &PairCounts, out: &mut impl Write) -> Result<(), LabError> {
    let pairs = counts.games() / 2;
    if pairs > 0 {
        writeln!(out, "{}", counts.summary(args.sprt))?;
    }
    if pairs == args.pairs || is_decided(args, counts) {
        return Ok(());
    }
    Err(LabError::PairsLacking {
        pairs,
        of: args.pairs,
        repetition: "starts again",
    })
}

/// Returns `true` if the SPRT has ended.
fn is_decided(args: &DuelArgs, counts: &PairCounts) -> bool {
    let result = args.sprt.and_then(|bounds| counts.sprt_result(bounds));
    result.is_some()
}

/// Plays the pairs and counts their points, in the order of the pairs. A test that counts finished pairs at once would
/// favour the results of short games.
///
/// # Errors
/// If the second player finds too few openings balanced.
fn play(
    args: &DuelArgs,
    players: &[SearchSetup; 2],
    interrupt: &Interrupt,
) -> Result<PairCounts, LabError> {
    let mut counts = PairCounts::default();
    let mut progress = Progress::new(0, args.pairs);
    let batch = args.pair_args.batch(BATCH);
    'batches: for first in (0..args.pairs).step_by(batch as usize) {
        let numbers = first..args.pairs.min(first + batch);
        let pairs: Vec<GamePair> = numbers
            .map(|number| GamePair {
                number,
                players: players.clone(),
            })
            .collect();
        let points = args.pair_args.play(&pairs, interrupt)?;
        let is_interrupted = points.len() < pairs.len();
        for half_points in points {
            counts.add(half_points);
            progress.step(|| format!("pairs, {},", counts.summary(args.sprt)));
            if is_decided(args, &counts) {
                break 'batches;
            }
        }
        if is_interrupted {
            break;
        }
    }
    progress.finish();
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(pairs: u64, sprt: Option<(f64, f64)>) -> DuelArgs {
        DuelArgs {
            set: Vec::new(),
            against: Vec::new(),
            pairs,
            pair_args: PairArgs {
                nodes: 60,
                threads: 2,
                seed: 5,
            },
            sprt,
        }
    }

    #[test]
    fn equal_players_score_half_and_a_seed_reproduces_their_games() {
        let args = arguments(4, None);
        let players = [SearchSetup::default(), SearchSetup::default()];
        let first = play(&args, &players, &Interrupt::default()).unwrap();
        assert_eq!(first.games(), 8);
        assert_eq!(first.points(), 4.0, "the same games with colours reversed");
        let second = play(&args, &players, &Interrupt::default()).unwrap();
        assert_eq!(first, second);
    }

    #[test]
    fn an_interrupted_match_is_an_error() {
        let printed = |counts, sprt| {
            let mut out = Vec::new();
            let result = report(&arguments(1000, sprt), &PairCounts(counts), &mut out);
            let error = result.map_err(|error| error.to_string());
            (String::from_utf8(out).unwrap(), error)
        };
        let lacking = |pairs| {
            let error =
                format!("interrupted after {pairs} of 1000 pairs; the same command starts again");
            Err(error)
        };
        let args = arguments(1000, None);
        let interrupt = Interrupt::default();
        interrupt.set();
        let players = [SearchSetup::default(), SearchSetup::default()];
        let none = play(&args, &players, &interrupt).unwrap();
        assert_eq!(printed(none.0, None), (String::new(), lacking(0)));
        for sprt in [None, Some((0.0, 5.0))] {
            let (text, error) = printed([0, 1, 3, 1, 0], sprt);
            assert!(text.starts_with("10 games 50.0 % Elo +0.0"), "{text}");
            assert_eq!(error, lacking(5));
        }
        let (text, error) = printed([5, 20, 100, 60, 15], Some((0.0, 10.0)));
        assert!(text.ends_with(" accepted\n"), "{text}");
        assert_eq!(error, Ok(()));
        assert_eq!(printed([0, 0, 1000, 0, 0], None).1, Ok(()));
    }

    #[test]
    fn bounds_are_two_numbers_in_order() {
        assert_eq!(bounds("0,5"), Ok((0.0, 5.0)));
        assert!(bounds("5,0").is_err() && bounds("5").is_err() && bounds("a,b").is_err());
    }
}
