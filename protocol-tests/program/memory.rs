//! Limits on the memory of the process.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use crate::engine::{Engine, TIMEOUT, program_after};

/// Starts an engine with a limit on its address space in kilobytes.
fn limited(kilobytes: u32) -> Engine {
    Engine::start(program_after(&format!("ulimit -v {kilobytes}")))
}

/// Plays some moves after these lines. Returns the error messages, or the exit status and standard error if the engine
/// could not start.
fn play(engine: Engine, lines: &str) -> Result<Vec<String>, (ExitStatus, String)> {
    let later = [
        ("new\nsd 6\nusermove d2d4", "move "),
        ("force\nanalyze\nping 2\nexit\nmemory 16\nping 3", "pong 3"),
        ("new\nsd 6\nusermove c2c4", "move "),
    ];
    steps(engine, lines, &later)
}

/// Starts an engine, sends these lines, plays a move, and sends each text when the answer to the last one, which
/// begins with its second part, has arrived. Returns what [`play`] returns.
fn steps(
    mut engine: Engine,
    lines: &str,
    later: &[(&str, &str)],
) -> Result<Vec<String>, (ExitStatus, String)> {
    let mut input = engine.input.take().expect("its input is open");
    let mut errors = Vec::new();
    let start = format!("xboard\nprotover 2\nnew\neasy\n{lines}\nping 1");
    let first = [(&*start, "pong 1"), ("sd 6\nusermove e2e4", "move ")];
    for (step, (lines, expected)) in first.iter().chain(later).enumerate() {
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

/// Returns the size of the hash table in megabytes, of 64, with a limit on the address space in kilobytes. 0 stands for
/// less than one, `None` for an engine that could not start.
fn table_size(kilobytes: u32) -> Option<u32> {
    let errors = match steps(limited(kilobytes), "", &[]) {
        Ok(errors) => errors,
        Err((status, errors)) => {
            assert!(
                errors.contains("too little memory to start"),
                "{kilobytes}: {status}: {errors}"
            );
            return None;
        }
    };
    let Some(error) = errors.first() else {
        return Some(64);
    };
    let (_, size) = error.split_once("the hash table has ")?;
    let size = size.strip_prefix("less than 1").map_or(size, |_| "0");
    size.split(' ').next()?.parse().ok()
}

/// The engine reserves memory for other purposes while it allocates the table. The limit leaves the table a few
/// pages more or less than nothing.
#[test]
fn a_limit_that_leaves_the_table_nothing_is_no_obstacle() {
    // The smallest limit with a table of two megabytes beside the reserve.
    let (mut too_little, mut enough) = (20_000, 300_000);
    while enough - too_little > 4 {
        let middle = (too_little + enough) / 2;
        match table_size(middle) {
            Some(2..) => enough = middle,
            _ => too_little = middle,
        }
    }
    println!("two megabytes with {enough} kB");
    let nothing = enough - 2048;
    for kilobytes in (nothing - 100..nothing + 100).step_by(4) {
        assert_eq!(table_size(kilobytes), Some(1), "{kilobytes}");
    }
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

/// Parameters of a network with 32 king buckets, 1536 neurons and one output bucket, in bytes.
const LARGE_NETWORK: u64 = (1 + 32 * 768 + 2) * 1536 * 2 + 4;

/// Writes the largest network that the engine accepts, with parameters of zero, and returns its path.
/// `docs/network-format.md` describes the format.
fn large_network() -> PathBuf {
    let mut header = b"GAURNNUE".to_vec();
    header.extend([2_u16, 1536].map(u16::to_le_bytes).as_flattened());
    header.extend([32, 1, 0, 0]);
    header.resize(48, 0);
    let scales = [255_u16, 128, 200].map(u16::to_le_bytes);
    let buckets = (0..64).map(|square| square / 2);
    let mut rest = scales.as_flattened().to_vec();
    rest.resize(12, 0);
    rest.extend(buckets);
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&header);
    checksum.update(&rest);
    checksum.update(&vec![0; LARGE_NETWORK as usize]);
    header.extend(checksum.finalize().to_le_bytes());
    header.extend(rest);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.net");
    let mut file = File::create(&path).expect("a folder for tests");
    file.write_all(&header).expect("written");
    let size = header.len() as u64 + LARGE_NETWORK;
    file.set_len(size).expect("space for the network");
    path
}

#[test]
fn a_network_that_does_not_fit_into_memory_is_refused() {
    let path = large_network();
    let option = format!("option EvalFile={}", path.display());
    let refusal = format!(
        "tellusererror {}: there is too little memory for the network; select a smaller hash table, or raise the \
         limit of the process (ulimit -v). Gaur plays on with the network that is built in.",
        path.display()
    );
    let mut refusals = Vec::new();
    for kilobytes in (140_000..440_000).step_by(40_000) {
        // The table grows while the network is read, and after it.
        for lines in [
            option.clone(),
            format!("memory 4096\n{option}"),
            format!("{option}\nmemory 4096"),
        ] {
            let errors = play(limited(kilobytes), &lines).expect("it starts");
            println!("{kilobytes} {lines:?}: {errors:?}");
            let others = errors.iter().filter(|&error| *error != refusal);
            let of_table = "tellusererror The system has refused memory: ";
            assert!(others.clone().all(|error| error.starts_with(of_table)));
            refusals.push(errors.contains(&refusal));
        }
    }
    assert!(refusals[0], "no limit is too small");
    let errors = play(limited(800_000), &option).expect("it starts");
    assert_eq!(errors, [""; 0]);
}

/// Makes a folder with 70 files that have names of tables and nearly the largest size that is read at once.
fn tables() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables-for-little-memory");
    // It may exist from an earlier run.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    let pieces = ["Q", "R", "B", "N", "P"];
    let pairs = (0..5).flat_map(|first| (first..5).map(move |second| (first, second)));
    let names = pairs.flat_map(|(first, second)| {
        pieces.map(|third| format!("K{}{}vK{third}.rtbw", pieces[first], pieces[second]))
    });
    for name in names.take(70) {
        let file = File::create(folder.join(name)).expect("a file");
        // Like every table, 16 bytes more than a multiple of 64.
        file.set_len((1 << 20) - 48).expect("space for the file");
    }
    folder
}

#[test]
fn tablebases_leave_memory_for_everything_else() {
    let option = format!("option SyzygyPath={}", tables().display());
    for kilobytes in (130_000..250_000).step_by(10_000) {
        let errors = play(limited(kilobytes), &option).expect("it starts");
        println!("{kilobytes}: {errors:?}");
        let of_table = "tellusererror The system has refused memory: ";
        assert!(errors.iter().all(|error| error.starts_with(of_table)));
    }
}
