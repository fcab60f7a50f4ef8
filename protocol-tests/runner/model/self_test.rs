//! Test of the model: conversations that it must accept or reject.

use super::Model;

/// Conversations that are correct up to the last line, which must not come.
const WRONG: &[(&str, &str)] = &[
    (
        "a move in force mode",
        "> force/> ping 1/< pong 1/< move e2e4",
    ),
    (
        "a move after result and its pong",
        "> go/> result */> ping 1/< pong 1/< move e2e4",
    ),
    (
        "a move after new and its pong",
        "> go/> new/> ping 1/< pong 1/< move e2e4",
    ),
    ("two moves", "> go/< move e2e4/< move d2d4"),
    ("a move that is not legal", "> go/< move e2e5"),
    ("a move in SAN", "> go/< move Nf3"),
    ("a move of the wrong side", "> go/< move e7e5"),
    ("an excluded move", "> exclude e2e4/> go/< move e2e4"),
    (
        "a pong before the move that it waits for",
        "> go/> ping 1/< pong 1",
    ),
    ("a pong twice", "> ping 1/< pong 1/< pong 1"),
    ("a pong out of order", "> ping 1/> ping 2/< pong 2"),
    ("a pong for no ping", "< pong 1"),
    (
        "a move that is older than a pong",
        "> cores 2/> ping 1/> go/< move e2e4",
    ),
    ("no refusal", "> frobnicate/> ping 1/< pong 1"),
    (
        "a refusal of what was no fault",
        "> force/< Error (unknown command): force",
    ),
    (
        "a refusal twice",
        "> frobnicate/< Error (unknown command): frobnicate/< Error (unknown command): frobnicate",
    ),
    (
        "a refusal of another line",
        "> frobnicate/< Error (unknown command): nonsense",
    ),
    (
        "a legal move refused",
        "> force/> usermove e2e4/< Illegal move: e2e4",
    ),
    ("a false claim", "> go/< move e2e4/< 1-0 {White mates}"),
    (
        "a mate that is not claimed",
        "> setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1/> go/< move a1a8/> ping 1/< pong 1",
    ),
    (
        "the wrong result",
        "> setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1/> go/< move a1a8/< 0-1 {Black mates}",
    ),
    (
        "a claim in analysis",
        "> setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1/> analyze/< 1/2-1/2 {Stalemate}",
    ),
    ("thinking output after nopost", "> go/< 1 20 0 30 e2e4"),
    (
        "columns that may not be understood",
        "> post/> go/< 1 20 0 30 1 100 0\te2e4",
    ),
    (
        "columns that a host accepts with everything else",
        "> accepted exclude/> accepted setscore/> post/> go/< 1 20 0 30 1 100 0\te2e4",
    ),
    (
        "columns left out",
        "> accepted highlight/> post/> go/< 1 20 0 30 e2e4",
    ),
    (
        "thinking in force mode",
        "> post/> force/> ping 1/< pong 1/< 1 20 0 30 e2e4",
    ),
    (
        "a line that is not legal",
        "> post/> go/< 1 20 0 30 e2e4 e2e4",
    ),
    (
        "a depth that falls",
        "> post/> go/< 2 20 1 30 e2e4/< 1 20 1 30 e2e4",
    ),
    (
        "nodes that fall",
        "> post/> go/< 1 20 1 30 e2e4/< 2 20 1 29 e2e4",
    ),
    (
        "a time that falls",
        "> post/> go/< 1 20 2 30 e2e4/< 2 20 1 31 e2e4",
    ),
    (
        "pondering that was switched off",
        "> post/> hard/> easy/> go/< move e2e4/< 1 20 0 30 e7e5",
    ),
    (
        "a status without a request",
        "> analyze/< stat01: 0 0 1 20 20",
    ),
    (
        "a status with too many moves",
        "> analyze/> ./< stat01: 0 0 1 20 21",
    ),
    (
        "a status of another position",
        "> analyze/> usermove e2e4/> usermove e7e6/> ./< stat01: 0 0 1 20 20",
    ),
    (
        "more left than there are",
        "> analyze/> ./< stat01: 0 0 1 21 20",
    ),
    (
        "a good position refused",
        "> setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1/< tellusererror Illegal position: 4k3/8/8/8/8/8/8/4K2R w K - 0 1 (reason)",
    ),
    (
        "a bad position taken",
        "> setboard 8/8/8/8/8/8/8/8 w - - 0 1/> ping 1/< pong 1",
    ),
    (
        "a bad position refused without its FEN",
        "> setboard 8/8/8/8/8/8/8/8 w - - 0 1/< tellusererror Illegal position",
    ),
    (
        "a bad position refused by another FEN",
        "> setboard 8/8/8/8/8/8/8/8 w - - 0 1/< tellusererror Illegal position: 8/8/8/8/8/8/8/8 b - - 0 1",
    ),
    ("a draw offered for no reason", "> force/< offer draw"),
    ("a resignation without permission", "> go/< resign"),
    ("a comment without debug", "> post/< # hello"),
    ("a banner", "< Welcome"),
    (
        "a move in a pause",
        "> go/> pause/> frobnicate/< Error (unknown command): frobnicate/< move e2e4",
    ),
    (
        "a move for each side after `go` in a pause",
        "> go/> pause/> frobnicate/< Error (unknown command): frobnicate/> go/< move e2e4/< move e7e5",
    ),
    ("an answer after quit", "> quit/< pong 1"),
    (
        "two moves after the end of input",
        "> go/end of input/< move e2e4/< move e7e5",
    ),
    (
        "a report of a save after its pong",
        "> option SaveSettings/> ping 1/< pong 1/< tellusererror a lies nowhere; the settings were not saved",
    ),
    (
        "two reports of a save",
        "> option SaveSettings/> frobnicate/< Error (unknown command): frobnicate/< tellusererror a lies nowhere; the settings were not saved/< tellusererror a lies nowhere; the settings were not saved",
    ),
    (
        "no move at the end of input",
        "> go/> ping 1/end of input/gone",
    ),
    (
        "no move at the end of input in a pause",
        "> go/> pause/end of input/gone",
    ),
];

/// Correct conversations.
const RIGHT: &[(&str, &str)] = &[
    (
        "a move that crosses force",
        "> go/> force/> ping 1/< move e2e4/< pong 1",
    ),
    (
        "a move and what it waits for",
        "> go/> ping 1/> ping 2/< move e2e4/< pong 1/< pong 2",
    ),
    (
        "a mate and its claim",
        "> setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1/> go/< move a1a8/< 1-0 {White mates}",
    ),
    (
        "pondering",
        "> post/> hard/> go/< move e2e4/< Hint: e7e5/< 1 20 0 30 g1f3",
    ),
    (
        "pondering that begins again",
        "> post/> hard/> go/< move e2e4/< Hint: e7e5/< 2 20 0 30 g1f3/> setscore 30 1/< Hint: e7e5/< 1 20 0 30 g1f3",
    ),
    (
        "analysis that begins again after it was stopped",
        "> post/> analyze/> force/> ping 1/< pong 1/> setscore 30 1/< 1 20 0 30 e2e4",
    ),
    (
        "a save that fails after the answer to a later line",
        "> option SaveSettings/> frobnicate/< Error (unknown command): frobnicate/< tellusererror a lies nowhere; the settings were not saved",
    ),
    (
        "a takeback that releases a pong and ends in a draw",
        "> ics x/> setboard 8/8/4k3/8/3p4/3RK3/8/8 w - - 98 120/> usermove e3f4/< move e6f7/< 1/2-1/2 {50-move rule}/> usermove d3g3/< move d4d3/> usermove g3g5/> cores 2/> ping 4/> usermove d3d2/< pong 4/< 1/2-1/2 {50-move rule}",
    ),
    (
        "a takeback that our move has crossed",
        "> ics x/> usermove e2e4/< move g8f6/> usermove b1c3/< move d7d5/> usermove b1a3/< move d5e4",
    ),
    (
        "excluded moves",
        "> exclude e2e4/> analyze/> ./< stat01: 0 0 1 19 19 d2d4",
    ),
    ("comments", "> accepted debug/< # hello"),
    (
        "a move and its pong after the end of input",
        "> go/> ping 1/> pause/end of input/< move e2e4/< pong 1/gone",
    ),
    (
        "no move is due at the end of input",
        "> analyze/end of input/gone",
    ),
    (
        "all columns",
        "> accepted exclude/> rejected setscore/> post/> go/< 1 20 0 30 1 100 0\te2e4",
    ),
    (
        "a bad position refused",
        "> setboard 8/8/8/8/8/8/8/8 w - - 0 1/< tellusererror Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1 (reason)",
    ),
    (
        "a move that on a server may come again after each of many takebacks",
        "> ics x/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/> usermove e2e4/< move e7e5/> ping 1/< pong 1",
    ),
    (
        "the third time",
        "> force/> usermove g1f3/> usermove g8f6/> usermove f3g1/> usermove f6g8/> usermove g1f3/> usermove g8f6/> usermove f3g1/> go/< move f6g8/< 1/2-1/2 {Draw by repetition}",
    ),
];

/// Checks that the model finds every error, and no others.
pub fn self_test() -> Result<(), String> {
    for (name, text) in WRONG {
        let (before, last) = lines(text);
        let mut model = Model::new();
        feed(&mut model, &before).map_err(|error| format!("{name}, too early: {error}"))?;
        if feed(&mut model, &[last]).is_ok() {
            return Err(format!("the model accepts this: {name}"));
        }
    }
    for (name, text) in RIGHT {
        let (before, last) = lines(text);
        let mut model = Model::new();
        feed(&mut model, &before)
            .and_then(|()| feed(&mut model, &[last]))
            .map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Line for the end of the engine's input.
const END: &str = "end of input";

/// Line for the end of the engine.
const GONE: &str = "gone";

/// Splits a conversation into its lines, the last one separately. A slash ends a line if `> `, `< `, [`END`] or
/// [`GONE`] follows.
fn lines(text: &str) -> (Vec<String>, String) {
    let mut text = text.replace("/> ", "\n> ").replace("/< ", "\n< ");
    for event in [END, GONE] {
        text = text.replace(&format!("/{event}"), &format!("\n{event}"));
    }
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let last = lines.pop().unwrap_or_default();
    (lines, last)
}

fn feed(model: &mut Model, lines: &[String]) -> Result<(), String> {
    for line in lines {
        match line.split_at(2) {
            _ if line == END => model.input_ended(),
            _ if line == GONE => model.ended()?,
            ("> ", line) => model.sent(line),
            ("< ", line) => model.received(line)?,
            _ => {}
        }
    }
    Ok(())
}
