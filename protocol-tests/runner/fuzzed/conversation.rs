//! Whole conversations with the protocol machine and a simulated search, checked by the model.
//!
//! Each line is sent unchanged, except that `<7>` becomes the root move with index 7, modulo the number of root moves.
//! A line that begins with `@ ` is a directive for the simulated search, or lets time pass: `@ listen`, `@ wait`, `@
//! best <7>`, `@ late best <7>`, `@ late info <7>`.

use std::time::Duration;

use crate::conversation::{Conversation, fill};
use crate::in_process::InProcess;

/// Maximum number of lines of a conversation.
const MAX_LINES: usize = 300;

/// Runs the conversation that the bytes describe.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    hold(&text.split('\n').collect::<Vec<_>>());
}

/// Runs a conversation of these lines.
pub fn hold(lines: &[&str]) {
    let mut conversation = Conversation::new(Box::new(InProcess::new(true)), true);
    let held = lines
        .iter()
        .take(MAX_LINES)
        .try_for_each(|line| run_step(&mut conversation, line))
        .and_then(|()| conversation.compare_positions())
        .and_then(|()| conversation.finish());
    if let Err(error) = held {
        panic!("{error}\n\n{}\n", conversation.record());
    }
}

fn run_step(conversation: &mut Conversation, line: &str) -> Result<(), String> {
    let Some(directive) = line.strip_prefix("@ ") else {
        let line = fill(line, &conversation.model.root_moves());
        if line
            .trim_start_matches('\u{feff}')
            .split_whitespace()
            .next()
            == Some("quit")
        {
            return Ok(());
        }
        return conversation.send(&line);
    };
    match directive {
        "listen" => conversation.next_line(Duration::from_millis(20)).map(drop),
        "wait" => conversation.listen(Duration::from_millis(500)),
        _ => {
            let number = directive
                .split_once('<')
                .and_then(|(_, rest)| rest.split_once('>')?.0.parse::<u8>().ok())
                .unwrap_or(0);
            if directive.starts_with("best") {
                conversation.pretend(&format!("best <{number}>"));
            } else if directive.starts_with("late best") {
                conversation.pretend(&format!("late best <{number}>"));
            } else if directive.starts_with("late info") {
                conversation.pretend(&format!("late info depth 3 pv <{number}>"));
            }
            conversation.listen(Duration::ZERO)
        }
    }
}
