//! Waiting for hosts: for lines of a conversation, and for the effect of an input.

use std::thread;
use std::time::{Duration, Instant};

use crate::conversation::Line;

/// Interval between two looks at windows, files and processes.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time for an input to have its effect. After it, the host may have missed the input, which is repeated.
const INPUT_TIMEOUT: Duration = Duration::from_secs(4);

/// Number of times that an input is made.
const ATTEMPTS: usize = 12;

/// Waits until a condition holds. Returns `false` if it does not within this time.
pub fn wait_until(
    timeout: Duration,
    mut holds: impl FnMut() -> Result<bool, String>,
) -> Result<bool, String> {
    let deadline = Instant::now() + timeout;
    loop {
        if holds()? {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Waits until the lines that `read` returns meet a condition.
pub fn wait_for_lines(
    what: &str,
    timeout: Duration,
    read: impl Fn() -> Vec<Line>,
    seen: impl Fn(&[Line]) -> bool,
) -> Result<(), String> {
    if wait_until(timeout, || Ok(seen(&read())))? {
        return Ok(());
    }
    let (seconds, end) = (timeout.as_secs(), ending(&read()));
    Err(format!(
        "no {what} within {seconds} s; the conversation ends so:\n{end}"
    ))
}

/// Repeats an input, such as a click, until a condition holds.
pub fn repeat_until(
    what: &str,
    input: impl Fn() -> Result<(), String>,
    holds: impl Fn() -> Result<bool, String>,
) -> Result<(), String> {
    for _ in 0..ATTEMPTS {
        input()?;
        if wait_until(INPUT_TIMEOUT, &holds)? {
            return Ok(());
        }
    }
    Err(format!("the host does not react: no {what}"))
}

/// Returns the last lines of a conversation, for an error message.
pub fn ending(lines: &[Line]) -> String {
    let start = lines.len().saturating_sub(12);
    lines[start..]
        .iter()
        .map(|line| format!("  {:?}: {}\n", line.sender, line.text))
        .collect()
}
