//! Conversations with the program under adverse conditions: limits of the system, slow readers and busy threads.

use std::hint;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::conversation::Conversation;
use crate::process::{Pace, Process};

/// Lines that need much memory or many threads.
pub const LINES: [&str; 6] = [
    "memory 4096",
    "memory 1000000",
    "memory 20",
    "cores 64",
    "cores 3",
    "cores 1",
];

/// Longest time until an answer: the reader pauses, and many threads search.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Time shorter than the pauses of a reader for which the engine does not wait after the end of input.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Commands of the shell that start the program; a seed selects one. Sizes are in kilobytes, except `ulimit -f`: in 512
/// bytes. With a limit of files, the program writes a log, which soon exceeds it.
const LIMITS: [&str; 8] = [
    "",
    "ulimit -v 600000",
    "ulimit -v 204800",
    "ulimit -v 400000",
    "export GAUR_LOG=$PWD; ulimit -f 8",
    "ulimit -n 16",
    "export GAUR_LOG=$PWD; ulimit -v 500000; ulimit -f 64; ulimit -n 24",
    "ulimit -s 1024",
];

/// Returns the pace of the reader; a seed selects one.
fn paces() -> [Pace; 5] {
    let pace = |per_line, every, small_pipe| Pace {
        per_line: Duration::from_millis(per_line),
        every,
        small_pipe,
    };
    [
        pace(0, None, false),
        pace(0, None, true),
        pace(20, None, true),
        pace(1, Some((50, Duration::from_millis(1500))), true),
        pace(0, Some((20, Duration::from_millis(400))), false),
    ]
}

/// Returns the limits and the pace of a seed. The numbers of both have no common divisor, so every pair occurs.
fn choose(seed: u64) -> (&'static str, Pace) {
    let index = |count: usize| usize::try_from(seed % count as u64).unwrap_or_default();
    (LIMITS[index(LIMITS.len())], paces()[index(paces().len())])
}

/// Returns `true` if the reader of this seed reads often enough. After the end of input, the engine waits for a reader
/// for 0.7 s.
pub fn may_end_input(seed: u64) -> bool {
    let (_, pace) = choose(seed);
    pace.every.is_none_or(|(_, time)| time < LONGEST_PAUSE)
}

/// Returns the conditions of a seed for a report.
pub fn conditions(seed: u64) -> String {
    let (limits, pace) = choose(seed);
    format!("`{limits}`, {pace:?}")
}

/// Starts the program under the conditions of a seed.
pub fn program(seed: u64) -> Result<Conversation, String> {
    let (limits, pace) = choose(seed);
    let command = [
        "sh".to_string(),
        "-c".to_string(),
        format!("{limits}\nexec \"$0\" --set OwnBook=0"),
        env!("CARGO_BIN_EXE_gaur").to_string(),
    ];
    let process = Process::start_at_pace(&command, Some(Path::new("temporary")), true, Some(pace))?;
    Ok(Conversation::in_adversity(
        Box::new(process),
        ANSWER_TIMEOUT,
        is_report,
    ))
}

/// Returns `true` for a report that memory, threads or the log are limited, or that a file cannot be used.
fn is_report(line: &str) -> bool {
    ["tellusererror ", "telluser ", "# "]
        .iter()
        .filter_map(|word| line.strip_prefix(word))
        .any(|text| !text.starts_with("Illegal position"))
}

/// Threads that keep processors busy until they are dropped.
pub struct BusyThreads(Arc<AtomicBool>);

impl BusyThreads {
    /// Starts this number of threads.
    pub fn start(count: usize) -> BusyThreads {
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..count {
            let stop = Arc::clone(&stop);
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        BusyThreads(stop)
    }
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
