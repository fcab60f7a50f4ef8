//! Limits on the memory of the process.

use std::io::Write;
use std::process::ExitStatus;

use crate::engine::{Engine, TIMEOUT, program_after};

/// Starts an engine with a limit on its address space in kilobytes.
fn limited(kilobytes: u32) -> Engine {
    Engine::start(program_after(&format!("ulimit -v {kilobytes}")))
}

/// Plays some moves after these lines. Returns the error messages, or the exit status and standard error if the engine
/// could not start.
fn play(mut engine: Engine, lines: &str) -> Result<Vec<String>, (ExitStatus, String)> {
    let mut input = engine.input.take().expect("its input is open");
    let mut errors = Vec::new();
    for (step, (lines, expected)) in [
        (
            format!("xboard\nprotover 2\nnew\neasy\n{lines}\nping 1"),
            "pong 1",
        ),
        ("sd 6\nusermove e2e4".to_owned(), "move "),
        ("new\nsd 6\nusermove d2d4".to_owned(), "move "),
        (
            "force\nanalyze\nping 2\nexit\nmemory 16\nping 3".to_owned(),
            "pong 3",
        ),
        ("new\nsd 6\nusermove c2c4".to_owned(), "move "),
    ]
    .into_iter()
    .enumerate()
    {
        // An engine that could not start has closed its input.
        let sent = input.write_all(format!("{lines}\n").as_bytes());
        assert!(sent.is_ok() || step == 0, "step {step}");
        loop {
            match engine.line() {
                line if line.starts_with(expected) => break,
                line if line.starts_with("tellusererror ") => errors.push(line),
                line if line.is_empty() => {
                    let status = engine.exit_within(TIMEOUT);
                    let errors = engine.errors();
                    assert_eq!(step, 0, "{status}: {errors}");
                    return Err((status, errors));
                }
                _ => {}
            }
        }
    }
    engine.input = Some(input);
    engine.exits_cleanly();
    Ok(errors)
}

#[test]
fn it_plays_with_less_memory_than_requested() {
    for (kilobytes, lines) in [
        (204_800, "memory 4096"),
        (204_800, "memory 4096\ncores 64"),
        (300_000, "cores 64\nmemory 100000"),
        (500_000, "memory 1000\nmemory 100\nmemory 1000"),
    ] {
        for _ in 0..5 {
            let errors = play(limited(kilobytes), lines).expect("it starts");
            println!("{kilobytes} {lines:?}: {errors:?}");
            assert!(!errors.is_empty() && errors.len() <= 3, "{errors:?}");
            assert!(
                errors
                    .iter()
                    .all(|error| error.starts_with("tellusererror The system has refused memory: ")),
                "{errors:?}"
            );
        }
    }
}

/// The loader is then the program that the process runs, and the engine its argument.
#[test]
fn it_can_be_started_by_the_loader_with_a_limit() {
    let loader = r#"$(ldd "$0" | grep -o '/[^ ]*/ld-linux[^ ]*')"#;
    let command = program_after(&format!("ulimit -v 600000\nexec {loader} \"$0\""));
    let errors = play(Engine::start(command), "memory 40");
    assert_eq!(errors.expect("it starts"), [""; 0]);
}

#[test]
fn enough_memory_is_not_reported() {
    let errors = play(limited(2_000_000), "memory 400\ncores 2");
    assert_eq!(errors.expect("it starts"), [""; 0]);
}

#[test]
fn with_any_limit_it_plays_or_reports_that_it_cannot_start() {
    let mut starts = Vec::new();
    for kilobytes in (20_000..260_000).step_by(6_000) {
        match play(limited(kilobytes), "memory 200\ncores 4") {
            Ok(_) => starts.push(kilobytes),
            Err((status, errors)) => {
                println!("{kilobytes}: {status}: {errors}");
                assert!(!status.success());
                // Below about 20 MB, the system cannot load the program.
                let is_clear = errors.contains("too little memory to start")
                    || errors.contains("error while loading shared libraries");
                assert!(is_clear, "{kilobytes}: {status}: {errors}");
                assert!(starts.is_empty(), "it starts with {} kB", starts[0]);
            }
        }
    }
    println!("it starts with {:?} kB", starts.first());
    assert!(
        starts.first().is_some_and(|&least| least < 120_000),
        "{starts:?}"
    );
}
