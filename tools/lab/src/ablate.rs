//! `gaur-lab ablate`: what many changes of the search are worth, measured in the same games.
//!
//! In each pair of games every change goes to one of the two players by chance, and its account gets the points of the
//! player who had it. Other changes are as often on its side as against it, so that what they do is noise that averages
//! out: the games that judge one change judge them all. (A factorial experiment, as Ronald Fisher taught them.) What is
//! found holds in the company of half of the other changes; what is kept must still beat the version without it.

use std::io::Write;
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::LabError;
use crate::duel::Pairs;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::state_file;
use crate::trials::{Rules, Trial};
use gaur::tools::{AcceptedOptions, config_with, search_setup_with};

/// Pairs between two writings of the file.
const BATCH: u64 = 32;

/// The openings come from the streams below this one, the changes from those above.
const FIRST_STREAM: u64 = 1 << 40;

/// What `gaur-lab ablate` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct AblateArgs {
    /// Change of one or more search parameters; may be given several times
    #[arg(long = "try", value_name = "NAME=VALUE[,NAME=VALUE]", required = true)]
    pub changes: Vec<String>,
    /// Game pairs in all
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// How the pairs are played
    #[command(flatten)]
    pub rules: Rules,
    /// Where results are kept after every 32 pairs; a run that was stopped goes on from there, also to more pairs
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Plays the pairs that are left, and says for each change what it is worth.
///
/// # Errors
/// If a parameter cannot be set, two changes are of the same one, or the file cannot be used.
pub fn run_ablate(args: &AblateArgs, out: &mut impl Write) -> Result<(), LabError> {
    check(&args.changes)?;
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let accounts = play(args, &interrupt)?;
    for (change, account) in args.changes.iter().zip(&accounts) {
        writeln!(out, "{change}: {}", account.summary(None))?;
    }
    Ok(())
}

/// The single settings of a change.
fn settings(change: &str) -> impl Iterator<Item = String> {
    change.split(',').map(str::to_owned)
}

/// Whether all can be set, no parameter by two changes.
fn check(changes: &[String]) -> Result<(), LabError> {
    let mut names: Vec<String> = Vec::new();
    for change in changes {
        let settings: Vec<String> = settings(change).collect();
        config_with(&settings, AcceptedOptions::SearchSetup)?;
        let name = |setting: &String| setting.split('=').next().unwrap_or_default().to_owned();
        for name in settings.iter().map(name) {
            if names.contains(&name) {
                return Err(LabError::TwoChanges(name));
            }
            names.push(name);
        }
    }
    Ok(())
}

fn play(args: &AblateArgs, interrupt: &Interrupt) -> Result<Vec<Pairs>, LabError> {
    let mut accounts = resume(args)?;
    let mut done = accounts.first().map_or(0, |account| account.games() / 2);
    let mut progress = Progress::new(done, args.pairs);
    while done < args.pairs {
        let numbers = done..args.pairs.min(done + BATCH);
        let batch = numbers
            .map(|number| trial(args, number))
            .collect::<Result<Vec<(Trial, Vec<bool>)>, LabError>>()?;
        let (trials, sides): (Vec<Trial>, Vec<Vec<bool>>) = batch.into_iter().unzip();
        let Some(points) = args.rules.play(&trials, interrupt) else {
            break; // the batch is played again next time
        };
        for (sides, half_points) in sides.iter().zip(points) {
            for (account, &with_first) in accounts.iter_mut().zip(sides) {
                account.add(if with_first {
                    half_points
                } else {
                    4 - half_points
                });
            }
            done += 1;
            progress.step(|| "pairs,".to_owned());
        }
        save(&args.out, args, &accounts)?;
    }
    progress.finish();
    Ok(accounts)
}

/// The pair with this number, and which changes the first player has; the second has the others.
fn trial(args: &AblateArgs, number: u64) -> Result<(Trial, Vec<bool>), LabError> {
    let mut random = ChaCha8Rng::seed_from_u64(args.rules.seed);
    random.set_stream(FIRST_STREAM + number);
    let sides: Vec<bool> = args
        .changes
        .iter()
        .map(|_| random.next_u32() & 1 == 0)
        .collect();
    let player = |first: bool| {
        let mine = args.changes.iter().zip(&sides);
        let settings: Vec<String> = mine
            .filter(|&(_, &with_first)| with_first == first)
            .flat_map(|(change, _)| settings(change))
            .collect();
        search_setup_with(&settings, AcceptedOptions::SearchSetup)
    };
    let players = [player(true)?, player(false)?];
    Ok((Trial { number, players }, sides))
}

/// What must be the same for a run to go on.
fn run_line(args: &AblateArgs) -> String {
    format!("nodes {} seed {}", args.rules.nodes, args.rules.seed)
}

fn save(path: &Path, args: &AblateArgs, accounts: &[Pairs]) -> Result<(), LabError> {
    let mut text = run_line(args) + "\n";
    for (change, account) in args.changes.iter().zip(accounts) {
        let counts = account.0.map(|count| count.to_string()).join(" ");
        text += &format!("{change} {counts}\n");
    }
    state_file::replace(path, &text)
}

/// The accounts in the file, or those of a run that begins.
fn resume(args: &AblateArgs) -> Result<Vec<Pairs>, LabError> {
    let Some(text) = state_file::read(&args.out)? else {
        return Ok(vec![Pairs::default(); args.changes.len()]);
    };
    parse(&text, args).map_err(|reason| LabError::BadState {
        path: args.out.clone(),
        reason,
    })
}

fn parse(text: &str, args: &AblateArgs) -> Result<Vec<Pairs>, String> {
    let mut lines = text.lines();
    let (run, expected) = (lines.next().unwrap_or_default(), run_line(args));
    if run != expected {
        return Err(format!(
            "it belongs to a run with {run:?}, this is {expected:?}"
        ));
    }
    let account = |change: &String| {
        let counts = lines
            .next()
            .and_then(|line| line.strip_prefix(change.as_str())?.strip_prefix(' '))
            .ok_or_else(|| format!("no line begins with {change:?} where it should"))?;
        let counts: Option<Vec<u64>> = counts.split(' ').map(|count| count.parse().ok()).collect();
        counts
            .and_then(|counts| counts.try_into().ok())
            .map(Pairs)
            .ok_or_else(|| format!("five numbers should follow {change:?}"))
    };
    let accounts = args
        .changes
        .iter()
        .map(account)
        .collect::<Result<Vec<Pairs>, String>>()?;
    if let Some(line) = lines.next() {
        return Err(format!("{line:?} is too much"));
    }
    let games = |account: &Pairs| account.games();
    if accounts
        .windows(2)
        .any(|two| games(&two[0]) != games(&two[1]))
    {
        return Err("its lines are not of the same number of pairs".to_owned());
    }
    Ok(accounts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::config::ParameterSpec;

    fn arguments(changes: &[&str], pairs: u64, threads: u64, out: PathBuf) -> AblateArgs {
        AblateArgs {
            changes: changes.iter().map(|&change| change.to_owned()).collect(),
            pairs,
            rules: Rules {
                nodes: 60,
                threads,
                seed: 3,
            },
            out,
        }
    }

    #[test]
    fn what_is_bad_is_seen_among_what_changes_nothing_and_a_run_is_reproduced() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        // Without quiescence pieces are lost; a hundred plies of verification are never reached.
        let changes = [
            "quiescence=0",
            "null_move_verification=100,singular_depth=20",
        ];
        let args = arguments(&changes, 40, 2, whole.clone());
        if ParameterSpec::settable().is_empty() {
            assert!(run_ablate(&args, &mut Vec::new()).is_err());
            return;
        }
        let accounts = play(&args, &Interrupt::default()).unwrap();
        assert!(accounts.iter().all(|account| account.games() == 80));
        assert!(accounts[0].points() < 25.0, "{accounts:?}");
        assert!((25.0..55.0).contains(&accounts[1].points()), "{accounts:?}");
        // Stopped after the first batch, and with one thread.
        for pairs in [32, 40] {
            let args = arguments(&changes, pairs, 1, parts.clone());
            run_ablate(&args, &mut Vec::new()).unwrap();
        }
        let text = |path| std::fs::read_to_string(path).unwrap();
        assert_eq!(text(whole), text(parts));
    }

    #[test]
    fn a_file_of_another_run_is_refused() {
        let args = arguments(&["a=1", "b=2,c=3"], 1, 1, PathBuf::new());
        let good = "nodes 60 seed 3\na=1 0 1 2 3 0\nb=2,c=3 1 1 1 1 2\n";
        assert_eq!(
            parse(good, &args),
            Ok(vec![Pairs([0, 1, 2, 3, 0]), Pairs([1, 1, 1, 1, 2])])
        );
        for bad in [
            "nodes 61 seed 3\na=1 0 1 2 3 0\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 0\n",
            "nodes 60 seed 3\na=1 0 1 2 3\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 x\nb=2,c=3 1 1 1 1 2\n",
            "nodes 60 seed 3\na=1 0 1 2 3 1\nb=2,c=3 1 1 1 1 2\n",
        ] {
            assert!(parse(bad, &args).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_parameter_has_one_change() {
        if ParameterSpec::settable().is_empty() {
            return;
        }
        let changes = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert!(check(&changes(&["killers=0", "history=0,futility=0"])).is_ok());
        let twice = check(&changes(&["killers=0", "history=0,killers=1"]));
        assert!(matches!(twice, Err(LabError::TwoChanges(name)) if name == "killers"));
    }
}
