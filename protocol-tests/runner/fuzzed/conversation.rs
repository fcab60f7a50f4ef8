//! Whole conversations with the protocol machine and a pretended search, while the model listens.
//!
//! Each line is sent as it is, but that `<7>` becomes the seventh root move, counted round and round. A line that
//! begins with `@ ` lets the pretended search speak, or time pass: `@ listen`, `@ wait`, `@ best <7>`, `@ late best
//! <7>`, `@ late info <7>`.

use std::time::Duration;

use crate::in_process::InProcess;
use crate::talk::{Talk, fill};

/// Longer conversations say nothing new.
const MOST_LINES: usize = 300;

/// Holds the conversation that the bytes are.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    hold(&text.split('\n').collect::<Vec<_>>());
}

/// Holds a conversation of these lines.
pub fn hold(lines: &[&str]) {
    let mut talk = Talk::new(Box::new(InProcess::new(true)), true);
    let held = lines
        .iter()
        .take(MOST_LINES)
        .try_for_each(|line| take(&mut talk, line))
        .and_then(|()| talk.compare_positions())
        .and_then(|()| talk.finish());
    if let Err(error) = held {
        panic!("{error}\n\n{}\n", talk.record());
    }
}

fn take(talk: &mut Talk, line: &str) -> Result<(), String> {
    let Some(directive) = line.strip_prefix("@ ") else {
        let line = fill(line, &talk.model.root_moves());
        if line
            .trim_start_matches('\u{feff}')
            .split_whitespace()
            .next()
            == Some("quit")
        {
            return Ok(());
        }
        return talk.send(&line);
    };
    match directive {
        "listen" => talk.next_line(Duration::from_millis(20)).map(drop),
        "wait" => talk.listen(Duration::from_millis(500)),
        _ => {
            let number = directive
                .split_once('<')
                .and_then(|(_, rest)| rest.split_once('>')?.0.parse::<u8>().ok())
                .unwrap_or(0);
            if directive.starts_with("best") {
                talk.pretend(&format!("best <{number}>"));
            } else if directive.starts_with("late best") {
                talk.pretend(&format!("late best <{number}>"));
            } else if directive.starts_with("late info") {
                talk.pretend(&format!("late info depth 3 pv <{number}>"));
            }
            talk.listen(Duration::ZERO)
        }
    }
}
