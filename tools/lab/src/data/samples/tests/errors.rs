//! Errors of the conversion of games to samples, after which no new file remains.

use super::*;

#[test]
fn games_without_samples_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.games");
    let writer = GameWriter::create(&path, &Header::new(None)).unwrap();
    writer.finish().unwrap();
    for (ordered, share, missing) in [
        (false, Some(0.2), "all.samples"),
        (false, Some(1.0), "all.validation"),
        (true, None, "all.samples"),
        (true, Some(0.2), "all.samples"),
    ] {
        let args = SampleArgs {
            ordered,
            validation_share: share,
            ..arguments(folder.path(), "all.samples")
        };
        let error = run_with(&args).unwrap_err().to_string();
        let expected = format!(
            "{missing} was not written: the games contain no quiet positions for it; add games"
        );
        assert!(error.ends_with(&expected), "{error}");
        assert_eq!(names(folder.path()), ["empty.games"]);
    }
}

#[test]
fn games_for_validation_only_are_an_error() {
    let (folder, games) = folder(1);
    let before = names(folder.path());
    let share = Share::new(0.9999).unwrap();
    assert!(games.iter().all(|game| share.contains(game.identity())));
    let mut args = SampleArgs {
        validation_share: Some(0.9999),
        ..arguments(folder.path(), "all.samples")
    };
    let error = run_with(&args).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "all.samples was not written: all positions are from games for validation; \
             choose a smaller --validation-share"
        ),
        "{error}"
    );
    assert_eq!(names(folder.path()), before);
    // With a share of 1 no training file is wanted.
    args.validation_share = Some(1.0);
    run_with(&args).unwrap();
    assert!(args.out.with_extension(VALIDATION).exists() && !args.out.exists());
}

/// Otherwise its games would be counted, and learned from, twice.
#[test]
fn a_file_that_is_named_twice_is_an_error() {
    let (folder, _) = folder(1);
    let args = SampleArgs {
        files: vec![folder.path().to_owned(), folder.path().join("./1.games")],
        ..arguments(folder.path(), "all.samples")
    };
    let error = run_with(&args).unwrap_err().to_string();
    assert!(
        error.ends_with("1.games are the same file; name it once"),
        "{error}"
    );
}

#[test]
fn wrong_files_and_games_end_the_work_and_leave_nothing() {
    let (folder, games) = folder(20);
    let before = names(folder.path());
    let failed = |args: &SampleArgs| {
        let error = run_with(args).unwrap_err().to_string();
        assert!(!args.out.exists(), "{error}");
        error
    };
    let args = arguments(folder.path(), "all.samples");
    let missing = SampleArgs {
        files: vec![folder.path().join("missing.games")],
        ..args.clone()
    };
    assert!(failed(&missing).contains("missing.games: "));
    for (share, out) in [(1.5, "all.samples"), (0.1, "all.validation")] {
        let wrong = SampleArgs {
            validation_share: Some(share),
            ..arguments(folder.path(), out)
        };
        failed(&wrong);
    }
    assert_eq!(names(folder.path()), before);

    // An illegal move: the first one is repeated.
    let bad = folder.path().join("bad.games");
    let mut writer = GameWriter::create(&bad, &Header::new(None)).unwrap();
    let mut illegal = games[0].clone();
    illegal.moves[2] = illegal.moves[0];
    for number in 0..200 {
        let game = if number == 150 { &illegal } else { &games[1] };
        writer.write(number, game).unwrap();
    }
    writer.finish().unwrap();
    for threads in [1, 2] {
        let args = SampleArgs {
            threads,
            ..args.clone()
        };
        let error = failed(&args);
        assert!(
            error.ends_with("bad.games game 151: half-move 3 is illegal"),
            "{error}"
        );
    }
    fs::remove_file(&bad).unwrap();

    fs::write(folder.path().join("diary.games"), "dear diary").unwrap();
    assert!(failed(&args).contains("diary.games: not a game file; name one "));
    fs::remove_file(folder.path().join("diary.games")).unwrap();
    assert_eq!(names(folder.path()), before);

    run_with(&args).unwrap();
    let written = fs::read(&args.out).unwrap();
    let error = run_with(&args).unwrap_err().to_string();
    assert!(error.contains("the file exists already"), "{error}");
    assert!(fs::read(&args.out).unwrap() == written);
    fs::remove_file(&args.out).unwrap();
    let error = run_with(&args).unwrap_err().to_string();
    assert!(
        error.contains("all.validation: the file exists already"),
        "{error}"
    );
}
