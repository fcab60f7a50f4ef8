//! Test of the conversation check: it must find every fault and accept correct conversations.

use crate::conversation::{Line, Sender, check};

/// Lines before each conversation of this test.
const START: [&str; 4] = ["> xboard", "< feature done=1", "> new", "> usermove e2e4"];

const MATE_IN_ONE: &str = "> setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const STALEMATE_IN_ONE: &str = "> setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
const LONE_KING_IN_ONE: &str = "> setboard 7k/8/8/8/8/8/1q6/K7 w - - 0 1";
const EVEN_ENDGAME: &str = "> setboard 4k3/p3r3/8/8/8/8/P3R3/4K3 b - - 0 1";
const FIFTY_IN_ONE: &str = "> setboard 6k1/8/8/8/8/8/8/R6K w - - 99 80";

/// Moves of the knights of both sides out and back, after START and the answer e7e5.
const KNIGHTS: [&str; 4] = [
    "> usermove g1f3",
    "< move g8f6",
    "> usermove f3g1",
    "< move f6g8",
];

/// Correct conversations.
const CORRECT: &[&[&str]] = &[
    &["< move e7e5", "> ping 1", "< pong 1", "> quit"],
    &[
        "< 9 25 30 1000 e7e5",
        "< move e7e5",
        "> undo",
        "> force",
        "> quit",
    ],
    &[
        "> accepted highlight",
        "< 9 25 30 1000 12 3333 0\te7e5",
        "< move e7e5",
        "> quit",
    ],
    &["< move e7e5", "> protover 2", "< feature done=1", "> quit"],
    // A host that quits waits for nothing.
    &["> ping 1", "> quit"],
    &[MATE_IN_ONE, "> go", "< move a1a8", "< 1-0 {White mates}"],
    &[
        STALEMATE_IN_ONE,
        "> go",
        "< move g6f7",
        "< 1/2-1/2 {Stalemate}",
    ],
    &[
        LONE_KING_IN_ONE,
        "> go",
        "< move a1b2",
        "< 1/2-1/2 {Insufficient material}",
    ],
    &[
        FIFTY_IN_ONE,
        "> go",
        "< offer draw",
        "< move a1b1",
        "< 1/2-1/2 {50-move rule}",
    ],
    // The host has seen the mate first and continues.
    &[
        MATE_IN_ONE,
        "> go",
        "< move a1a8",
        "> result 1-0 {}",
        "> new",
        "< 1-0 {White mates}",
    ],
    &["< move e7e5", "> draw", "< offer draw"],
    &[EVEN_ENDGAME, "> go", "< offer draw", "< move a7a6"],
    &["> draw", "< offer draw", "< move e7e5"],
    &["> option Resign=900", "< resign"],
    &[
        "> option ResetSettings",
        "< feature done=0",
        "< feature option=\"Resign -spin 0 0 10000\"",
        "< feature done=1",
    ],
    &["< move e7e5", "< Hint: g1f3"],
    // The hint and its move have crossed.
    &["< move e7e5", "> usermove g1f3", "< Hint: g1f3"],
    &[
        "> force",
        "> analyze",
        "> .",
        "> usermove e7e5",
        "< stat01: 0 0 1 20 20",
    ],
];

/// Faulty conversations with a part of the error message.
const FAULTY: &[(&[&str], &str)] = &[
    (&["> ping 1"], "without an answer"),
    (
        &["> ping 1", "> ping 2", "< pong 2", "< pong 1"],
        "did not wait",
    ),
    (&["< pong 1"], "did not wait"),
    (&["< move e2e4"], "not a legal move"),
    (&["< move e7e4"], "not a legal move"),
    (&["< 9 25 30 1000 12 3333 0\te7e5"], "wrong columns"),
    (
        &["> accepted exclude", "< 9 25 30 1000 e7e5"],
        "wrong columns",
    ),
    (
        &["> accepted exclude", "< 9 25 30 1000\te7e5"],
        "unexpected line",
    ),
    (&["< move e7e5", "< move d7d5"], "out of turn"),
    (&["> force", "< move e7e5"], "out of turn"),
    (&["< Error (unknown command): random"], "unexpected line"),
    (&["< tellusererror Illegal position"], "unexpected line"),
    (&["< 1-0 {White mates}"], "does not fit"),
    (&["< 1-0"], "does not fit"),
    (&["< move e7e5", "< 1/2-1/2 {Stalemate}"], "does not fit"),
    (
        &["< move e7e5", "< 1/2-1/2 {Insufficient material}"],
        "does not fit",
    ),
    (&["< move e7e5", "< 1/2-1/2 {50-move rule}"], "does not fit"),
    (
        &[MATE_IN_ONE, "> go", "< move a1a8", "< 0-1 {Black mates}"],
        "does not fit",
    ),
    (
        &[MATE_IN_ONE, "> go", "< move a1a8", "< 1/2-1/2 {Stalemate}"],
        "does not fit",
    ),
    (
        &[
            STALEMATE_IN_ONE,
            "> go",
            "< move g6f7",
            "< 1-0 {White mates}",
        ],
        "does not fit",
    ),
    // The engine does not play this game.
    (
        &[
            MATE_IN_ONE,
            "> force",
            "> usermove a1a8",
            "> ping 1",
            "< pong 1",
            "< 1-0 {White mates}",
        ],
        "does not fit",
    ),
    (
        &["> draw", "> force", "> ping 1", "< pong 1", "< offer draw"],
        "does not fit",
    ),
    (
        &[
            "> option Resign=900",
            "> force",
            "> ping 1",
            "< pong 1",
            "< resign",
        ],
        "does not fit",
    ),
    (&["< offer draw", "< move e7e5"], "without reason"),
    (
        &[
            "> draw",
            "> new",
            "> usermove e2e4",
            "< offer draw",
            "< move e7e5",
        ],
        "without reason",
    ),
    (&["< resign"], "unexpected line"),
    (&["< feature done=0"], "unexpected line"),
    (
        &["> option Resign=900", "> option Resign=0", "< resign"],
        "unexpected line",
    ),
    (&["< move e7e5", "< Hint: g1g3"], "does not fit"),
    (&["< stat01: 0 0 1 20 20"], "not the answer to a request"),
    (
        &["> force", "> analyze", "> .", "< stat01: 0 0 1 20 21"],
        "not the answer to a request",
    ),
];

/// Checks that each faulty conversation is rejected for the right reason and each correct one accepted.
pub fn self_test() -> Result<(), String> {
    for lines in CORRECT {
        accept(lines)?;
    }
    for (lines, fault) in FAULTY {
        reject(lines, fault)?;
    }
    let third_time = with_knights(2, &["< 1/2-1/2 {Draw by repetition}"]);
    accept(&third_time)?;
    let mut claimed_before_the_move = with_knights(2, &[]);
    claimed_before_the_move.insert(claimed_before_the_move.len() - 1, "< offer draw");
    accept(&claimed_before_the_move)?;
    let second_time = with_knights(1, &["< 1/2-1/2 {Draw by repetition}"]);
    reject(&second_time, "does not fit")
}

/// Returns the answer e7e5, the moves of the knights `times` times, and more lines.
fn with_knights(times: usize, more: &[&'static str]) -> Vec<&'static str> {
    let mut lines = vec!["< move e7e5"];
    lines.extend(KNIGHTS.repeat(times));
    lines.extend(more);
    lines
}

fn accept(lines: &[&str]) -> Result<(), String> {
    match check(&conversation(lines), &[]) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{lines:?}: {error}")),
    }
}

fn reject(lines: &[&str], fault: &str) -> Result<(), String> {
    match check(&conversation(lines), &[]) {
        Err(error) if error.contains(fault) => Ok(()),
        Err(error) => Err(format!("another fault in {lines:?}: {error}")),
        Ok(_) => Err(format!("no fault found in {lines:?}")),
    }
}

/// Returns START and more lines as a conversation.
fn conversation(more: &[&str]) -> Vec<Line> {
    let line = |line: &&str| {
        let (mark, text) = line.split_at(2);
        let sender = match mark {
            "> " => Sender::Host,
            _ => Sender::Engine,
        };
        Line {
            sender,
            text: text.to_string(),
        }
    };
    START.iter().chain(more).map(line).collect()
}
