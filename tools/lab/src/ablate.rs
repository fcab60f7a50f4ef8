//! `gaur-lab ablate`: measures the effects of many changes of the search in the same games (factorial ablation).
//!
//! In each pair of games every change is assigned at random to one of the two players, and the points of that player
//! are counted for the change. Any other change is as often on the same side as on the other one, so that its effect
//! averages out as noise: every game measures all changes. (Factorial experiments: Ronald Fisher, 1926.) The result is
//! the effect of a change when half of the other changes are made, too. A change that is to be kept must therefore
//! still win a match against the version without it.

use std::io::Write;
use std::path::PathBuf;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use gaur::config::split_setting;
use gaur::search::SearchSetup;
use gaur::tools::{AcceptedOptions, config_with, search_setup_with};

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::pairs::{GamePair, PairArgs, PairCounts, version_of};
use crate::progress::Progress;
use crate::state_file;

/// Least number of pairs after which the results are saved. The results do not depend on it.
const BATCH: u64 = 32;

/// First stream of random numbers that assigns the changes. The streams below it choose the openings.
const FIRST_STREAM: u64 = 1 << 40;

/// Arguments of `gaur-lab ablate`.
#[derive(Clone, Debug, clap::Args)]
pub struct AblateArgs {
    /// Change of one or more search parameters; may be given several times
    #[arg(long = "try", value_name = "NAME=VALUE[,NAME=VALUE]", required = true)]
    pub changes: Vec<String>,
    /// Number of game pairs
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Options that determine how pairs are played
    #[command(flatten)]
    pub pair_args: PairArgs,
    /// File in which the results are saved after every 32 pairs, or more with more threads; a stopped run continues
    /// from it, also to more pairs
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Plays the pairs that are missing and prints the Elo difference that each change makes.
///
/// # Errors
/// If a parameter cannot be set, two changes are of the same one, the file cannot be used, or the run is interrupted.
/// The result so far is printed then.
pub fn run_ablate(args: &AblateArgs, out: &mut impl Write) -> Result<(), LabError> {
    check(&args.changes)?;
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let _lock = state_file::Lock::new(&args.out)?;
    let counts = play(args, &interrupt)?;
    report(args, &counts, out)
}

/// Prints the Elo difference that each change makes.
///
/// # Errors
/// If it cannot be written, or pairs are lacking.
fn report(
    args: &AblateArgs,
    all_counts: &[PairCounts],
    out: &mut impl Write,
) -> Result<(), LabError> {
    let pairs = pairs_of(all_counts);
    if pairs > 0 {
        for (change, counts) in args.changes.iter().zip(all_counts) {
            writeln!(out, "{change}: {}", counts.summary(None))?;
        }
    }
    LabError::if_pairs_lack(pairs, args.pairs)
}

/// Returns the number of pairs, which is the same for all changes.
fn pairs_of(all_counts: &[PairCounts]) -> u64 {
    all_counts.first().map_or(0, |counts| counts.games() / 2)
}

/// Returns the settings that a change consists of.
fn settings(change: &str) -> impl Iterator<Item = String> {
    change.split(',').map(str::to_owned)
}

/// Returns an error if a setting is not possible, or two changes set the same parameter.
fn check(changes: &[String]) -> Result<(), LabError> {
    let mut names: Vec<String> = Vec::new();
    for change in changes {
        let settings: Vec<String> = settings(change).collect();
        config_with(&settings, AcceptedOptions::SearchSetup)?;
        for setting in &settings {
            // Upper and lower case are equivalent.
            let name = split_setting(setting).0.to_ascii_lowercase();
            if names.contains(&name) {
                return Err(LabError::TwoChanges(name));
            }
            names.push(name);
        }
    }
    Ok(())
}

/// Plays the missing pairs and returns the counts of each change.
fn play(args: &AblateArgs, interrupt: &Interrupt) -> Result<Vec<PairCounts>, LabError> {
    let run = run_line(args)?;
    let mut all_counts = resume(args, &run)?;
    let mut done = pairs_of(&all_counts);
    let mut progress = Progress::new(done, args.pairs);
    while done < args.pairs {
        let numbers = done..args.pairs.min(done + args.pair_args.batch(BATCH));
        let batch = numbers
            .map(|number| game_pair(args, number))
            .collect::<Result<Vec<(GamePair, Vec<bool>)>, LabError>>()?;
        let (pairs, sides): (Vec<GamePair>, Vec<Vec<bool>>) = batch.into_iter().unzip();
        let points = args.pair_args.play(&pairs, interrupt)?;
        let is_interrupted = points.len() < pairs.len();
        for (sides, half_points) in sides.iter().zip(points) {
            for (counts, &with_first) in all_counts.iter_mut().zip(sides) {
                counts.add(if with_first {
                    half_points
                } else {
                    4 - half_points
                });
            }
            done += 1;
            progress.step(|| "pairs,".to_owned());
        }
        save(args, &run, &all_counts)?;
        if is_interrupted {
            break;
        }
    }
    progress.finish();
    Ok(all_counts)
}

/// Returns the pair with this number, and for each change whether the first player has it. The second player has the
/// other changes.
fn game_pair(args: &AblateArgs, number: u64) -> Result<(GamePair, Vec<bool>), LabError> {
    let mut random = ChaCha8Rng::seed_from_u64(args.pair_args.seed);
    random.set_stream(FIRST_STREAM + number);
    let sides: Vec<bool> = args
        .changes
        .iter()
        .map(|_| random.next_u32() & 1 == 0)
        .collect();
    let player = |first: bool| {
        let changes = args.changes.iter().zip(&sides);
        let settings: Vec<String> = changes
            .filter(|&(_, &with_first)| with_first == first)
            .flat_map(|(change, _)| settings(change))
            .collect();
        search_setup_with(&settings, AcceptedOptions::SearchSetup)
    };
    let players = [player(true)?, player(false)?];
    Ok((GamePair { number, players }, sides))
}

/// Returns the first line of the file: what must be the same for a run to be continued. A change may name a network, so
/// that the line has the version without changes and that with all of them.
///
/// # Errors
/// If the network of a change cannot be read.
fn run_line(args: &AblateArgs) -> Result<String, LabError> {
    let all: Vec<String> = args
        .changes
        .iter()
        .flat_map(|text| settings(text))
        .collect();
    let changed = search_setup_with(&all, AcceptedOptions::SearchSetup)?;
    Ok(format!(
        "nodes {} seed {} {} changed {}",
        args.pair_args.nodes,
        args.pair_args.seed,
        version_of(&SearchSetup::default()),
        version_of(&changed)
    ))
}

fn save(args: &AblateArgs, run: &str, all_counts: &[PairCounts]) -> Result<(), LabError> {
    let mut text = format!("{run}\n");
    for (change, counts) in args.changes.iter().zip(all_counts) {
        let counts = counts.0.map(|count| count.to_string()).join(" ");
        text += &format!("{change} {counts}\n");
    }
    state_file::replace(&args.out, &text)
}

/// Returns the counts in the file; zeros if there is no file.
fn resume(args: &AblateArgs, run: &str) -> Result<Vec<PairCounts>, LabError> {
    let Some(text) = state_file::read(&args.out)? else {
        return Ok(vec![PairCounts::default(); args.changes.len()]);
    };
    parse(&text, args, run).map_err(|reason| LabError::BadState {
        path: args.out.clone(),
        reason,
    })
}

fn parse(text: &str, args: &AblateArgs, run: &str) -> Result<Vec<PairCounts>, String> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    if found != run {
        return Err(format!(
            "it belongs to a run with {found:?}, this is {run:?}"
        ));
    }
    let counts_of = |change: &String| {
        let counts = lines
            .next()
            .and_then(|line| line.strip_prefix(change.as_str())?.strip_prefix(' '))
            .ok_or_else(|| format!("no line begins with {change:?} where it should"))?;
        let counts: Option<Vec<u64>> = counts.split(' ').map(|count| count.parse().ok()).collect();
        counts
            .and_then(|counts| counts.try_into().ok())
            .map(PairCounts)
            .ok_or_else(|| format!("five numbers should follow {change:?}"))
    };
    let all_counts = args
        .changes
        .iter()
        .map(counts_of)
        .collect::<Result<Vec<PairCounts>, String>>()?;
    if let Some(line) = lines.next() {
        return Err(format!("unexpected line {line:?}"));
    }
    let games = |counts: &PairCounts| counts.games();
    if all_counts
        .windows(2)
        .any(|two| games(&two[0]) != games(&two[1]))
    {
        return Err("its lines have different numbers of pairs".to_owned());
    }
    Ok(all_counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::config::ParameterSpec;

    fn arguments(changes: &[&str], pairs: u64, threads: u64, out: PathBuf) -> AblateArgs {
        AblateArgs {
            changes: changes.iter().map(|&change| change.to_owned()).collect(),
            pairs,
            pair_args: PairArgs {
                nodes: 60,
                threads,
                seed: 3,
            },
            out,
        }
    }

    #[test]
    fn a_harmful_change_is_found_and_a_run_is_reproduced() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        // The first change loses pieces. The second one has no effect: its depths are never reached.
        let changes = [
            "quiescence=0",
            "null_move_verification=100,singular_depth=20",
        ];
        let args = arguments(&changes, 40, 2, whole.clone());
        if ParameterSpec::settable().is_empty() {
            assert!(run_ablate(&args, &mut Vec::new()).is_err());
            return;
        }
        let counts = play(&args, &Interrupt::default()).unwrap();
        assert!(counts.iter().all(|counts| counts.games() == 80));
        assert!(counts[0].points() < 25.0, "{counts:?}");
        assert!((25.0..55.0).contains(&counts[1].points()), "{counts:?}");
        // The same run, stopped after the first batch, and with one thread.
        for pairs in [32, 40] {
            let args = arguments(&changes, pairs, 1, parts.clone());
            run_ablate(&args, &mut Vec::new()).unwrap();
        }
        let text = |path| std::fs::read_to_string(path).unwrap();
        let lock = state_file::Lock::new(&whole).unwrap();
        let error = run_ablate(&args, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("another process is writing"), "{error}");
        drop(lock);
        let saved = text(&whole);
        assert_eq!(saved, text(&parts));
        // The same command of another version, and of this one with another network in a change.
        let version = version_of(&SearchSetup::default());
        assert!(saved.starts_with(&format!("nodes 60 seed 3 {version} changed network ")));
        let (first, changed) = saved.split_once(" changed ").unwrap();
        for other in [
            format!("{first}0 changed {changed}"),
            format!("{first} changed network 0{changed}"),
        ] {
            std::fs::write(&whole, other).unwrap();
            let error = run_ablate(&args, &mut Vec::new()).unwrap_err().to_string();
            assert!(
                error.contains("it belongs to a run with \"nodes 60 "),
                "{error}"
            );
        }
    }

    #[test]
    fn an_interrupted_run_is_an_error() {
        let args = arguments(&["a=1", "b=2"], 40, 1, PathBuf::new());
        let printed = |counts| {
            let mut out = Vec::new();
            let result = report(&args, &[PairCounts(counts), PairCounts(counts)], &mut out);
            let error = result.map_err(|error| error.to_string());
            (String::from_utf8(out).unwrap().lines().count(), error)
        };
        let lacking = |pairs| {
            let error = format!(
                "interrupted after {pairs} of 40 pairs; the same command continues the run"
            );
            Err(error)
        };
        assert_eq!(printed([0; 5]), (0, lacking(0)));
        assert_eq!(printed([0, 1, 3, 1, 0]), (2, lacking(5)));
        assert_eq!(printed([10, 5, 10, 5, 10]), (2, Ok(())));
    }

    #[test]
    fn a_file_of_another_run_is_refused() {
        let args = arguments(&["a=1", "b=2,c=3"], 1, 1, PathBuf::new());
        let run = "nodes 60 seed 3";
        let good = "nodes 60 seed 3\na=1 0 1 2 3 0\nb=2,c=3 1 1 1 1 2\n";
        assert_eq!(
            parse(good, &args, run),
            Ok(vec![
                PairCounts([0, 1, 2, 3, 0]),
                PairCounts([1, 1, 1, 1, 2])
            ])
        );
        for bad in [
            "nodes 61 seed 3\na=1 0 1 2 3 0\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 0\n",
            "nodes 60 seed 3\na=1 0 1 2 3\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 x\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 1\nb=2,c=3 1 1 1 1 2\n",
        ] {
            assert!(parse(bad, &args, run).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn two_changes_of_one_parameter_are_refused() {
        if ParameterSpec::settable().is_empty() {
            return;
        }
        let changes = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert!(check(&changes(&["killers=0", "history=0,futility=0"])).is_ok());
        let twice = check(&changes(&["killers=0", "history=0,killers=1"]));
        assert!(matches!(twice, Err(LabError::TwoChanges(name)) if name == "killers"));
        let twice = check(&changes(&["killers=0", "history=0,Killers =1"]));
        assert!(matches!(twice, Err(LabError::TwoChanges(name)) if name == "killers"));
        let error = check(&changes(&["singular_depth=1000"])).unwrap_err();
        assert!(
            error.to_string().contains(": the value must lie between "),
            "{error}"
        );
    }
}
