//! Tests of runs: the same file results with any number of threads and interruptions.

use std::path::Path;

use super::*;
use crate::game_file::{DataError, GameReader};

fn arguments(games: u32, threads: usize, out: PathBuf) -> DatagenArgs {
    DatagenArgs {
        games,
        seed: 11,
        settings: GameArgs {
            nodes: vec![20, 80],
            share: vec![0.7, 0.3],
            chess960: 0.3,
            double_chess960: 0.2,
            openings: None,
            random_plies: None,
            set: Vec::new(),
            threads,
        },
        out,
    }
}

fn run(games: u32, threads: usize, out: &Path) -> Result<Totals, LabError> {
    generate(
        &arguments(games, threads, out.to_owned()),
        &Interrupt::default(),
    )
}

#[test]
fn a_seed_gives_the_same_file_with_any_threads_and_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
    let size = run(8, 1, &alone).unwrap();
    assert_eq!(size.games, 8);
    let expected = std::fs::read(&alone).unwrap();
    assert_eq!(size.bytes, expected.len() as u64);
    for games in [2, 5, 8] {
        run(games, 3, &together).unwrap();
    }
    assert!(std::fs::read(&together).unwrap() == expected);
    // A killed process leaves a part of a game.
    std::fs::write(&together, &expected[..expected.len() - 5]).unwrap();
    assert_eq!(run(8, 2, &together).unwrap(), size);
    assert!(std::fs::read(&together).unwrap() == expected);
    let limits: Vec<u32> = GameReader::open(&alone)
        .unwrap()
        .map(|game| game.unwrap().nodes)
        .collect();
    assert!(limits.contains(&20) && limits.contains(&80), "{limits:?}");

    let other = DatagenArgs {
        seed: 12,
        ..arguments(9, 1, together.clone())
    };
    assert!(matches!(
        generate(&other, &Interrupt::default()),
        Err(LabError::Data(_, DataError::OtherRun(_)))
    ));
    assert!(std::fs::read(&together).unwrap() == expected);
}

/// `gaur-lab data repair` leaves out damaged games; the run plays them again and appends them.
#[test]
fn games_lost_by_a_repair_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, repaired] = ["whole", "repaired"].map(|name| folder.path().join(name));
    run(6, 2, &whole).unwrap();
    let reader = GameReader::open(&whole).unwrap();
    let mut writer = crate::game_file::GameWriter::create(&repaired, reader.header()).unwrap();
    for (number, game) in (0..).zip(reader) {
        if ![1, 4].contains(&number) {
            writer.write(number, &game.unwrap()).unwrap();
        }
    }
    writer.finish().unwrap();
    assert_eq!(run(6, 2, &repaired).unwrap().games, 6);
    let numbered = |path: &Path| {
        let mut reader = GameReader::open(path).unwrap();
        let mut games = Vec::new();
        while let Some(game) = reader.next() {
            games.push((reader.number(), game.unwrap()));
        }
        games
    };
    let (mut found, expected) = (numbered(&repaired), numbered(&whole));
    let order: Vec<u32> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(order, [0, 2, 3, 5, 1, 4]);
    found.sort_by_key(|(number, _)| *number);
    assert!(found == expected);
}

#[test]
fn an_interrupted_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::default();
    interrupt.set();
    let arguments = arguments(1000, 2, folder.path().join("games"));
    let size = generate(&arguments, &interrupt).unwrap();
    assert_eq!((size.games, size.positions), (0, 0));
}

/// Threads wait for a slow game, so that memory is bounded, and a stop ends their waiting.
#[test]
fn more_threads_than_games_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    assert_eq!(run(1, 8, &path).unwrap().games, 1);
    assert_eq!(run(40, 1, &path).unwrap().games, 40);
}

#[test]
fn runs_with_different_searches_differ() {
    let settings = |set: &[&str]| {
        let settings = GameArgs {
            set: set.iter().map(|&text| text.to_owned()).collect(),
            ..arguments(1, 1, PathBuf::new()).settings
        };
        GameSettings::new(&settings, &[]).unwrap().header(1)
    };
    assert_eq!(settings(&[]), settings(&[]));
    assert_ne!(settings(&[]), settings(&["Evaluation=classical"]));
    #[cfg(feature = "tuning")]
    assert_ne!(settings(&[]), settings(&["null_move=0"]));
}

#[test]
fn threads_wait_until_they_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let settings = GameSettings::new(&arguments(1, 1, PathBuf::new()).settings, &[]).unwrap();
    let generator = Generator::open(&settings, 11, &folder.path().join("games"), 30).unwrap();
    let allowed = AtomicUsize::new(0);
    let interrupt = Interrupt::default();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut games = 0;
            let result = generator.run(2, &allowed, &interrupt, |_| {
                games += 1;
                ControlFlow::Continue(())
            });
            (games, result.unwrap().games)
        });
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(!run.is_finished(), "no thread was allowed to play");
        allowed.store(1, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(run.join().unwrap(), (30, 30));
    });
}
