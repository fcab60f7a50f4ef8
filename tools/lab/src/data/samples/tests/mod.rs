//! Conversion of games to samples: order, division by game, duplicates and interruption.

mod errors;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::buckets::{Duplicates, buffered, limit_and_shuffle, random_numbers};
use super::*;
use crate::data::random_games::random_game;
use crate::game_file::{GameRecord, GameWriter, Header};
use crate::sample_file::{POSITION_BYTES, Sample, SampleReader};
use gaur::rules::Variant;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A folder with three files of random games, and the games.
fn folder(games_per_file: u32) -> (tempfile::TempDir, Vec<GameRecord>) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut games = Vec::new();
    for file in 0..3 {
        let path = folder.path().join(format!("{file}.games"));
        let mut writer = GameWriter::create(&path, &Header::new(None)).unwrap();
        for number in 0..games_per_file {
            let game = random_game(START, Variant::Standard, &mut random);
            writer.write(number, &game).unwrap();
            games.push(game);
        }
        writer.finish().unwrap();
    }
    (folder, games)
}

fn arguments(folder: &Path, out: &str) -> SampleArgs {
    SampleArgs {
        files: vec![folder.to_owned()],
        out: folder.join(out),
        validation_share: Some(0.2),
        max_occurrences: 0,
        seed: 1,
        threads: 2,
        ordered: false,
    }
}

fn run_with(args: &SampleArgs) -> Result<String, LabError> {
    let files = crate::game_input::game_files(&args.files)?;
    let mut out = Vec::new();
    run(args, &files, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn read(path: &Path) -> Vec<Sample> {
    let chunks: Result<Vec<_>, _> = SampleReader::open(path).unwrap().collect();
    chunks.unwrap().concat()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn games_are_divided_and_no_sample_is_lost() {
    let (folder, games) = folder(40);
    let args = arguments(folder.path(), "all.samples");
    let text = run_with(&args).unwrap();
    assert!(text.starts_with("120 games, "), "{text}");
    assert_eq!(
        names(folder.path()),
        [
            "0.games",
            "1.games",
            "2.games",
            "all.samples",
            "all.validation"
        ]
    );
    let share = Share::new(0.2).unwrap();
    let count = games
        .iter()
        .filter(|game| share.contains(game.identity()))
        .count();
    assert!((10..40).contains(&count), "{count} games for validation");
    for (name, kind, is_validation) in [
        ("all.samples", SampleKind::Training, false),
        ("all.validation", SampleKind::Validation, true),
    ] {
        let path = folder.path().join(name);
        let header = *SampleReader::open(&path).unwrap().header();
        assert_eq!((header.kind, header.validation_share), (kind, share));
        let games = games
            .iter()
            .filter(|game| share.contains(game.identity()) == is_validation);
        let mut expected: Vec<_> = games
            .flat_map(|game| of_game(game).unwrap())
            .map(|sample| sample.to_bytes())
            .collect();
        let mut found: Vec<_> = read(&path).iter().map(Sample::to_bytes).collect();
        assert!(found != expected, "the order is not that of the games");
        assert!(found.len() > 500, "{}", found.len());
        found.sort_unstable();
        expected.sort_unstable();
        assert!(found == expected);
    }
}

#[test]
fn the_order_is_random_across_all_files() {
    let (folder, games) = folder(60);
    let args = SampleArgs {
        validation_share: Some(0.0),
        ..arguments(folder.path(), "all.samples")
    };
    let text = run_with(&args).unwrap();
    assert!(text.ends_with("no games for validation\n"), "{text}");
    // Late positions of random games are unique, so that they identify their game.
    let mut game_of = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        for sample in of_game(game).unwrap().iter().skip(20) {
            game_of.insert(sample.to_bytes(), number);
        }
    }
    let samples = read(&args.out);
    let order: Vec<usize> = samples
        .iter()
        .filter_map(|sample| game_of.get(&sample.to_bytes()).copied())
        .collect();
    assert!(order.len() > 5000, "{}", order.len());
    // Of two neighbours, a 180th part is from the same game, and a third from the same file; in every tenth of the
    // file, the mean game number is that of all.
    let neighbours = |same: fn(usize, usize) -> bool| {
        let pairs = order.windows(2).filter(|pair| same(pair[0], pair[1]));
        pairs.count() as f64 / order.len() as f64
    };
    let same_game = neighbours(|one, other| one == other);
    assert!(same_game < 0.012, "{same_game}");
    let same_file = neighbours(|one, other| one / 60 == other / 60);
    assert!((same_file - 1.0 / 3.0).abs() < 0.03, "{same_file}");
    let mean = |part: &[usize]| part.iter().sum::<usize>() as f64 / part.len() as f64;
    let all = mean(&order);
    for part in order.chunks(order.len() / 10) {
        // The standard deviation of a mean of 500 numbers up to 180 is 2.3.
        assert!(
            part.len() < 500 || (mean(part) - all).abs() < 12.0,
            "{}",
            mean(part)
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_files_with_any_number_of_threads() {
    let (folder, _) = folder(20);
    let write = |out: &str, threads, seed| {
        let args = SampleArgs {
            threads,
            seed,
            ..arguments(folder.path(), out)
        };
        run_with(&args).unwrap();
        let [training, validation] =
            ["samples", VALIDATION].map(|extension| args.out.with_extension(extension));
        (fs::read(training).unwrap(), fs::read(validation).unwrap())
    };
    let first = write("a.samples", 1, 1);
    assert!(write("b.samples", 3, 1) == first);
    assert!(write("c.samples", 1, 2) != first);
}

#[test]
fn duplicates_are_counted_and_limited() {
    let (folder, games) = folder(20);
    for (file, copy) in (0..3).flat_map(|file| (0..4).map(move |copy| (file, copy))) {
        let [from, to] = [format!("{file}.games"), format!("{file}-{copy}.games")]
            .map(|name| folder.path().join(name));
        fs::copy(from, to).unwrap();
    }
    let mut args = SampleArgs {
        // Every game five times.
        validation_share: Some(0.0),
        max_occurrences: 2,
        ..arguments(folder.path(), "all.samples")
    };
    let text = run_with(&args).unwrap();
    let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut samples = 0;
    for sample in games.iter().flat_map(|game| of_game(game).unwrap()) {
        *counts
            .entry(sample.to_bytes()[..POSITION_BYTES].to_vec())
            .or_default() += 5;
        samples += 5;
    }
    let repeated = samples - counts.len();
    let kept = 2 * counts.len();
    let expected = format!(
        "{} of {} repeat a position ({:.2} %), {} omitted",
        grouped(repeated as u64),
        grouped(samples as u64),
        100.0 * repeated as f64 / samples as f64,
        grouped((samples - kept) as u64)
    );
    assert!(text.contains(&expected), "{text}\n{expected}");
    assert_eq!(read(&args.out).len(), kept);

    args.max_occurrences = 0;
    args.out = folder.path().join("unlimited.samples");
    run_with(&args).unwrap();
    assert_eq!(read(&args.out).len(), samples);
}

#[test]
fn buckets_and_buffers_fit_into_memory_with_any_share_and_number_of_threads() {
    let billion = 1_000_000_000;
    for samples in [0, 1000, 10_000_000, billion, 2 * billion] {
        let bytes = samples * 32;
        for share in [0.0, 0.0001, 0.01, 0.1, 0.7, 0.9999, 1.0] {
            let share = Share::new(share).unwrap();
            let [training, validation] = convert::bucket_counts(bytes, share);
            let count = training + validation;
            assert!(count as u64 <= convert::MAX_BUCKETS + 2, "{count} files");
            for (share, buckets) in [(share.rest(), training), (share, validation)] {
                let bucket = share.of(bytes) / buckets as u64;
                let largest = convert::BUCKET_BYTES.max(bytes / convert::MAX_BUCKETS);
                assert!(bucket <= largest, "{bucket} bytes of {bytes}, {share:?}");
            }
            for threads in [1, 2, 16, MAX_THREADS] {
                let records = buffered(threads, count);
                assert!((1..=1024).contains(&records));
                assert!(threads * count * records * 32 <= 1 << 27);
                assert!(threads > 16 || records == 1024, "{records}");
            }
        }
    }
}

#[test]
fn every_duplicate_is_kept_equally_often() {
    let record = |position: u8, score: u8| {
        let mut record = [position; 32];
        record[POSITION_BYTES..].fill(score);
        record
    };
    let mut kept = [0; 5];
    let mut orders = HashSet::new();
    for seed in 0..1000 {
        let mut records = vec![record(1, 7), record(2, 7), record(2, 8)];
        records.extend((0..5).map(|score| record(3, score)));
        let duplicates = limit_and_shuffle(&mut records, 2, &mut random_numbers(seed, 3));
        let (repeated, omitted) = (5, 3);
        assert_eq!(duplicates, Duplicates { repeated, omitted });
        assert_eq!(records.len(), 5);
        for record in records.iter().filter(|record| record[0] == 3) {
            kept[usize::from(record[31])] += 1;
        }
        orders.insert(records.iter().map(|record| record[0]).collect::<Vec<_>>());
    }
    // The standard deviation of each number is 15.5.
    assert!(
        kept.iter().all(|count| (330..470).contains(count)),
        "{kept:?}"
    );
    assert_eq!(orders.len(), 30, "all orders of 1, 2, 2, 3, 3");
}

/// A run that is killed between the names of its two files leaves the validation file and its folder.
#[test]
fn a_validation_file_that_a_killed_run_has_left_is_kept_if_it_is_the_same() {
    let (folder, _) = folder(20);
    let args = arguments(folder.path(), "all.samples");
    let validation = args.out.with_extension(VALIDATION);
    run_with(&args).unwrap();
    let complete = names(folder.path());
    let [first, left] = [&args.out, &validation].map(|path| fs::read(path).unwrap());
    let parts = work_folder::path_beside(&args.out);
    let kill = || {
        fs::remove_file(&args.out).unwrap();
        fs::create_dir(&parts).unwrap();
        fs::write(parts.join("gaur-lab.lock"), "").unwrap();
        fs::write(parts.join(".training.gaur-part"), &first).unwrap();
    };
    for share in [0.3, 0.0] {
        kill();
        let other = SampleArgs {
            validation_share: Some(share),
            ..args.clone()
        };
        let error = run_with(&other).unwrap_err().to_string();
        assert!(
            error.ends_with("the file exists already; name another file or remove it"),
            "{error}"
        );
        assert!(error.contains("all.validation"), "{error}");
        assert!(!args.out.exists() && !parts.exists());
        assert!(fs::read(&validation).unwrap() == left);
        fs::write(&args.out, &first).unwrap();
    }
    kill();
    run_with(&args).unwrap();
    assert_eq!(names(folder.path()), complete);
    assert!(fs::read(&args.out).unwrap() == first);
    assert!(fs::read(&validation).unwrap() == left);
}

#[test]
fn an_interruption_leaves_nothing() {
    let (folder, _) = folder(20);
    let before = names(folder.path());
    let args = arguments(folder.path(), "all.samples");
    let files = crate::game_input::game_files(&args.files).unwrap();
    let settings = Settings {
        validation_share: Share::new(0.2).unwrap(),
        max_occurrences: 0,
        seed: 1,
        threads: 2,
    };
    let output = Output {
        training: &args.out,
        validation: &args.out.with_extension(VALIDATION),
    };
    let interrupt = Interrupt::default();
    interrupt.set();
    let error = convert::run(&files, &settings, &output, &interrupt)
        .err()
        .unwrap();
    assert!(matches!(error, LabError::Cancelled(_)), "{error}");
    assert!(error.to_string().contains("the same command starts again"));
    assert_eq!(names(folder.path()), before);
}

#[test]
fn ordered_samples_have_the_order_of_the_games() {
    let (folder, games) = folder(20);
    let args = SampleArgs {
        ordered: true,
        validation_share: None,
        ..arguments(folder.path(), "all.ordered")
    };
    let text = run_with(&args).unwrap();
    assert!(
        text.ends_with(" positions of 60 games, in the order of the games\n"),
        "{text}"
    );
    let header = *SampleReader::open(&args.out).unwrap().header();
    assert_eq!(header.kind, SampleKind::Ordered);
    assert_eq!(header.validation_share, Share::ALL);
    let expected = games.iter().flat_map(|game| of_game(game).unwrap());
    assert!(read(&args.out) == expected.collect::<Vec<_>>());
}

#[test]
fn ordered_samples_can_be_those_of_the_validation_games_only() {
    let (folder, games) = folder(20);
    let mut args = SampleArgs {
        ordered: true,
        ..arguments(folder.path(), "all.ordered")
    };
    let text = run_with(&args).unwrap();
    let share = Share::new(0.2).unwrap();
    let validation = games.iter().filter(|game| share.contains(game.identity()));
    let count = validation.clone().count();
    assert!((5..25).contains(&count), "{count} games");
    let expected = format!(" positions of {count} games, in the order of the games\n");
    assert!(text.ends_with(&expected), "{text}");
    let header = *SampleReader::open(&args.out).unwrap().header();
    assert_eq!(header.kind, SampleKind::Ordered);
    assert_eq!(header.validation_share, share);
    let expected = validation.flat_map(|game| of_game(game).unwrap());
    assert!(read(&args.out) == expected.collect::<Vec<_>>());

    args.out = folder.path().join("none.ordered");
    for (share, reason) in [(0.0, "leaves no game"), (1.5, "must be between 0 and 1")] {
        args.validation_share = Some(share);
        let error = run_with(&args).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!args.out.exists());
    }
}
