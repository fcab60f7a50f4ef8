//! Test of the conversation check: it must find every fault and accept correct conversations.

use crate::conversation::{Line, Sender, check};

/// Checks that each faulty conversation is rejected for the right reason and each correct one accepted.
pub fn self_test() -> Result<(), String> {
    const START: [&str; 4] = ["> xboard", "< feature done=1", "> new", "> usermove e2e4"];
    let conversation = |more: &[&str]| -> Vec<Line> {
        let all = START.iter().chain(more);
        all.map(|line| {
            let (mark, text) = line.split_at(2);
            let sender = match mark {
                "> " => Sender::Host,
                _ => Sender::Engine,
            };
            Line {
                sender,
                text: text.to_string(),
            }
        })
        .collect()
    };
    const MATE_IN_ONE: &str = "> setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    const STALEMATE_IN_ONE: &str = "> setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    const LONE_KING_IN_ONE: &str = "> setboard 7k/8/8/8/8/8/1q6/K7 w - - 0 1";
    const FIFTY_IN_ONE: &str = "> setboard 6k1/8/8/8/8/8/8/R6K w - - 99 80";
    // After START and the answer e7e5, the knights of both sides move out and back.
    const KNIGHTS: [&str; 4] = [
        "> usermove g1f3",
        "< move g8f6",
        "> usermove f3g1",
        "< move f6g8",
    ];
    let knights = |times: usize, more: &[&'static str]| -> Vec<&'static str> {
        let mut lines = vec!["< move e7e5"];
        lines.extend(KNIGHTS.repeat(times));
        lines.extend(more);
        lines
    };
    let (thrice, claimed, twice) = (
        knights(2, &["< 1/2-1/2 {Draw by repetition}"]),
        {
            let mut lines = knights(2, &[]);
            lines.insert(lines.len() - 1, "< offer draw");
            lines
        },
        knights(1, &["< 1/2-1/2 {Draw by repetition}"]),
    );
    let clean: [&[&str]; 18] = [
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
        &thrice,
        &claimed,
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
    for lines in clean {
        check(&conversation(lines), &[]).map_err(|error| format!("{lines:?}: {error}"))?;
    }
    let faulty: [(&[&str], &str); 32] = [
        (&["> ping 1"], "without an answer"),
        (
            &["> ping 1", "> ping 2", "< pong 2", "< pong 1"],
            "did not wait",
        ),
        (&["< pong 1"], "did not wait"),
        (&["< move e2e4"], "not a legal move"),
        (&["< move e7e4"], "not a legal move"),
        (&["< 9 25 30 1000 12 3333 0\te7e5"], "not the columns"),
        (
            &["> accepted exclude", "< 9 25 30 1000 e7e5"],
            "not the columns",
        ),
        (
            &["> accepted exclude", "< 9 25 30 1000\te7e5"],
            "not what a host expects",
        ),
        (&["< move e7e5", "< move d7d5"], "out of turn"),
        (&["> force", "< move e7e5"], "out of turn"),
        (
            &["< Error (unknown command): random"],
            "not what a host expects",
        ),
        (
            &["< tellusererror Illegal position"],
            "not what a host expects",
        ),
        (&["< 1-0 {White mates}"], "not so"),
        (&["< 1-0"], "not so"),
        (&["< move e7e5", "< 1/2-1/2 {Stalemate}"], "not so"),
        (
            &["< move e7e5", "< 1/2-1/2 {Insufficient material}"],
            "not so",
        ),
        (&["< move e7e5", "< 1/2-1/2 {50-move rule}"], "not so"),
        (&twice, "not so"),
        (
            &[MATE_IN_ONE, "> go", "< move a1a8", "< 0-1 {Black mates}"],
            "not so",
        ),
        (
            &[MATE_IN_ONE, "> go", "< move a1a8", "< 1/2-1/2 {Stalemate}"],
            "not so",
        ),
        (
            &[
                STALEMATE_IN_ONE,
                "> go",
                "< move g6f7",
                "< 1-0 {White mates}",
            ],
            "not so",
        ),
        // It is not the engine's game.
        (
            &[
                MATE_IN_ONE,
                "> force",
                "> usermove a1a8",
                "> ping 1",
                "< pong 1",
                "< 1-0 {White mates}",
            ],
            "not so",
        ),
        (
            &["> draw", "> force", "> ping 1", "< pong 1", "< offer draw"],
            "not so",
        ),
        (
            &[
                "> option Resign=900",
                "> force",
                "> ping 1",
                "< pong 1",
                "< resign",
            ],
            "not so",
        ),
        (&["< offer draw", "< move e7e5"], "does not come"),
        (
            &[
                "> draw",
                "> new",
                "> usermove e2e4",
                "< offer draw",
                "< move e7e5",
            ],
            "does not come",
        ),
        (&["< resign"], "not what a host expects"),
        (&["< feature done=0"], "not what a host expects"),
        (
            &["> option Resign=900", "> option Resign=0", "< resign"],
            "not what a host expects",
        ),
        (&["< move e7e5", "< Hint: g1g3"], "not so"),
        (&["< stat01: 0 0 1 20 20"], "not the answer to a request"),
        (
            &["> force", "> analyze", "> .", "< stat01: 0 0 1 20 21"],
            "not the answer to a request",
        ),
    ];
    for (lines, fault) in faulty {
        match check(&conversation(lines), &[]) {
            Err(error) if error.contains(fault) => {}
            Err(error) => return Err(format!("another fault in {lines:?}: {error}")),
            Ok(_) => return Err(format!("no fault found in {lines:?}")),
        }
    }
    Ok(())
}
