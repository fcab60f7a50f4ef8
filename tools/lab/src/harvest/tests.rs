//! Tests of the harvest: choice of the next file, and limits.

use std::fs;
use std::path::Path;

use super::*;
use crate::game_file::{GameReader, GameWriter, Header};
use crate::game_input::files_in;

fn arguments(folder: &Path, target: u64) -> HarvestArgs {
    HarvestArgs {
        ignore_load: true,
        folder: folder.to_owned(),
        target,
        max_disk: 1_000_000_000,
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
    run_until(args, &Interrupt::default())
}

fn run_until(args: &HarvestArgs, interrupt: &Interrupt) -> Result<String, String> {
    let settings = GameSettings::new(&args.settings, &DEFAULT_LIMITS).unwrap();
    let allowed = AtomicUsize::new(args.settings.threads);
    harvest(args, &settings, &allowed, interrupt).map_err(|error| error.to_string())
}

fn names(folder: &Path) -> Vec<String> {
    let files = files_in(folder).unwrap();
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
    // Three files of the first limit for one of the second, in any order of the first four.
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
        let files = files_in(folder).unwrap();
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
    let middle = bytes.len() - 100;
    bytes[middle] ^= 1;
    fs::write(&first, &bytes).unwrap();
    let foreign = folder.join("notes.games");
    fs::write(&foreign, "a diary").unwrap();
    fs::write(folder.join("empty.games"), "").unwrap();
    let outcome = run(&arguments(folder, 800)).unwrap();
    assert!(outcome.starts_with("target reached"), "{outcome}");
    assert!(fs::read(&first).unwrap() == bytes);
    assert_eq!(fs::read(&foreign).unwrap(), b"a diary");
    let is_second = |name: &String| name.ends_with("-s000008.games");
    assert!(names(folder).iter().any(is_second));
}

#[test]
fn a_file_that_cannot_be_continued_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(&arguments(folder, 100)).unwrap();
    let settings = arguments(folder, 0).settings;
    let settings = GameSettings::new(&settings, &DEFAULT_LIMITS).unwrap();
    let opened = Folder::open(folder, 7, &Interrupt::default())
        .unwrap()
        .unwrap();
    let (limit, file) = opened.next(&settings, 4).unwrap();
    assert_eq!(file.seed, 7, "the first file is incomplete");
    drop(opened);
    let header = folder::single(&settings, limit).header(7);
    let held = GameWriter::resume(&file.path, &header).unwrap();
    let outcome = run(&arguments(folder, 600)).unwrap();
    assert!(outcome.starts_with("target reached"), "{outcome}");
    drop(held);
}

#[test]
fn small_shares_do_not_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let args = HarvestArgs {
        games_per_file: 1,
        ..arguments(folder, 1500)
    };
    run(&args).unwrap();
    let by_seed = |seed: u64| {
        let names = names(folder);
        let suffix = format!("-s{seed:06}.games");
        names
            .into_iter()
            .find(|name| name.ends_with(&suffix))
            .unwrap()
    };
    // A quarter of the games: the third of every four.
    let deep: Vec<bool> = (7..15)
        .map(|seed| by_seed(seed).contains("-n60-"))
        .collect();
    assert_eq!(deep, [false, false, true, false, false, false, true, false]);
}

#[test]
fn a_shuffled_copy_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let before = run(&arguments(folder, 600)).unwrap();
    let mut writer = GameWriter::create(&folder.join("all.games"), &Header::new(None)).unwrap();
    let first = folder.join(&names(folder)[0]);
    for (number, game) in (0..).zip(GameReader::open(&first).unwrap()) {
        writer.write(number, &game.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(run(&arguments(folder, 600)).unwrap(), before);
}

#[test]
fn two_files_of_a_run_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let before = run(&arguments(folder, 600)).unwrap();
    let first = folder.join(&names(folder)[0]);
    fs::copy(&first, folder.join("copy.games")).unwrap();
    assert_eq!(run(&arguments(folder, 600)).unwrap(), before);
}

#[test]
fn files_of_another_version_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let settings = arguments(folder, 0).settings;
    let settings = GameSettings::new(&settings, &DEFAULT_LIMITS).unwrap();
    let mut header = folder::single(&settings, settings.limits[0]).header(30);
    header.engine = "Gaur 9.9.9".to_owned();
    let other = folder.join("other.games");
    let writer = GameWriter::create(&other, &header).unwrap();
    writer.finish().unwrap();
    let bytes = fs::read(&other).unwrap();
    let outcome = run(&arguments(folder, 100)).unwrap();
    assert!(outcome.starts_with("target reached"), "{outcome}");
    assert!(fs::read(&other).unwrap() == bytes);
    assert!(names(folder)[0].ends_with("-s000031.games"));
}

#[test]
fn the_largest_seed_is_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let last = HarvestArgs {
        first_seed: u64::MAX,
        games_per_file: 1,
        ..arguments(folder.path(), 100_000)
    };
    let error = run(&last).unwrap_err();
    assert!(error.contains("the largest seed"), "{error}");
    assert_eq!(names(folder.path()).len(), 1);
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
    interrupt.set();
    let outcome = run_until(&arguments(folder, 1000), &interrupt).unwrap();
    assert!(outcome.starts_with("stopped by a signal"), "{outcome}");
    assert!(names(folder).is_empty());
}

#[test]
fn numbers_may_have_suffixes() {
    assert_eq!(count("250000"), Ok(250_000));
    assert_eq!(count("3k"), Ok(3_000));
    assert_eq!(count("500M"), Ok(500_000_000));
    assert_eq!(count("1G"), Ok(1_000_000_000));
    assert_eq!(count("1.5M"), Ok(1_500_000));
    for wrong in ["", "G", "x", "-1", "NaN", "99999999999G"] {
        assert!(count(wrong).is_err(), "{wrong}");
    }
}
