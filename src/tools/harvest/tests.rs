//! The folder decides which file is next, and the limits hold.

use std::fs;
use std::path::Path;

use super::*;
use crate::tools::games::game_files;

fn arguments(folder: &Path, target: u64) -> HarvestArgs {
    HarvestArgs {
        folder: folder.to_owned(),
        target,
        max_disk: 1,
        games_per_file: 4,
        first_seed: 7,
        settings: GameArgs {
            nodes: vec![20, 60],
            share: vec![0.75, 0.25],
            chess960: 0.1,
            double_chess960: 0.0,
            openings: None,
            random_plies: None,
            set: vec!["Evaluation=classical".to_owned()],
            threads: 2,
        },
    }
}

fn run(args: &HarvestArgs) -> Result<String, String> {
    harvest(args, &Interrupt::default()).map_err(|error| error.to_string())
}

fn names(folder: &Path) -> Vec<String> {
    let files = game_files(&[folder.to_owned()]).unwrap();
    files
        .iter()
        .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn files_follow_one_another_with_their_shares() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new/folder");
    let outcome = run(&arguments(&folder, 3000)).unwrap();
    assert!(outcome.starts_with("target reached: "), "{outcome}");
    let names = names(&folder);
    let of = |limit: &str| names.iter().filter(|name| name.contains(limit)).count();
    assert_eq!(of("-n20-") + of("-n60-"), names.len());
    // Three files of the first limit for one of the second, in whatever order the first four come.
    assert!(of("-n60-") * 3 <= of("-n20-") + 3, "{names:?}");
    assert!(of("-n20-") <= of("-n60-") * 3 + 3, "{names:?}");
    let mut seeds: Vec<&str> = names
        .iter()
        .map(|name| name.rsplit_once("-s").unwrap().1)
        .collect();
    seeds.sort_unstable();
    for (index, seed) in seeds.iter().enumerate() {
        assert_eq!(*seed, format!("{:06}.games", 7 + index));
    }
    assert!(names[0].starts_with("classical-n20-s"), "{names:?}");
}

#[test]
fn the_next_start_continues_the_incomplete_file() {
    let folder = tempfile::tempdir().unwrap();
    let [one, many] = ["one", "many"].map(|name| folder.path().join(name));
    run(&arguments(&one, 1500)).unwrap();
    for target in (50..=1500).step_by(50) {
        run(&arguments(&many, target)).unwrap();
    }
    let contents = |folder: &Path| {
        let files = game_files(&[folder.to_owned()]).unwrap();
        files
            .iter()
            .map(|file| {
                (
                    file.file_name().unwrap().to_owned(),
                    fs::read(file).unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert!(contents(&one) == contents(&many));
    let again = run(&arguments(&many, 1500)).unwrap();
    assert!(again.starts_with("target reached: "), "{again}");
    assert!(contents(&one) == contents(&many), "nothing more was played");
}

#[test]
fn damaged_and_foreign_files_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(&arguments(folder, 100)).unwrap();
    let first = folder.join(&names(folder)[0]);
    let mut bytes = fs::read(&first).unwrap();
    let middle = bytes.len() - 300;
    bytes[middle] ^= 1;
    fs::write(&first, &bytes).unwrap();
    let foreign = folder.join("notes.games");
    fs::write(&foreign, "a diary").unwrap();
    run(&arguments(folder, 800)).unwrap();
    assert!(fs::read(&first).unwrap() == bytes);
    assert_eq!(fs::read(&foreign).unwrap(), b"a diary");
}

#[test]
fn one_process_works_on_a_folder_and_the_disk_limit_holds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let full = HarvestArgs {
        max_disk: 0,
        ..arguments(folder, 1000)
    };
    let outcome = run(&full).unwrap();
    assert!(
        outcome.starts_with("disk limit reached; raise --max-disk"),
        "{outcome}"
    );
    assert!(names(folder).is_empty());

    let held = Folder::open(folder, 1, &Interrupt::default()).unwrap();
    let error = run(&arguments(folder, 1000)).unwrap_err();
    let process = format!("process {} generates games", std::process::id());
    assert!(error.starts_with(&process), "{error}");
    drop(held);

    let interrupt = Interrupt::default();
    interrupt.want();
    let outcome = harvest(&arguments(folder, 1000), &interrupt).unwrap();
    assert!(
        outcome.starts_with("stopped by a signal: 0 games"),
        "{outcome}"
    );
}

#[test]
fn numbers_may_have_suffixes() {
    assert_eq!(count("250000"), Ok(250_000));
    assert_eq!(count("3k"), Ok(3_000));
    assert_eq!(count("500M"), Ok(500_000_000));
    assert_eq!(count("1G"), Ok(1_000_000_000));
    for wrong in ["", "G", "1.5G", "-1", "99999999999G"] {
        assert!(count(wrong).is_err(), "{wrong}");
    }
}
