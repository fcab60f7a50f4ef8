//! Property tests: any input is parsed or rejected, in linear time and without panic.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::{parse, parse_edit};
use super::A_YEAR;
use crate::clock::TimeControl;
use crate::protocol::command::{Command, ParseError};

#[test]
fn a_megabyte_is_parsed_quickly() {
    let long = |unit: &str| unit.repeat(1_000_000 / unit.len());
    let began = Instant::now();
    for verb in [
        "",
        "usermove ",
        "level ",
        "level 0 5 ",
        "st ",
        "time ",
        "ping ",
        "option ",
        "rating ",
    ] {
        for unit in [
            "x", "9", "a1", " ", "-", "0.", "1:", "\u{fffd}", "\0", "=", "1 ",
        ] {
            let line = format!("{verb}{}", long(unit));
            let _ = parse(&line);
            let _ = parse_edit(&line);
        }
    }
    // About 200 lines; half a second each would show more than linear time.
    assert!(began.elapsed() < Duration::from_secs(60));
}

/// Valid lines as a base for mutations.
const VALID: [&str; 24] = [
    "protover 2",
    "level 40 2:30 0.5",
    "level 0 25+5 1e3",
    "st 0.05",
    "sd 12",
    "nps 100",
    "time -300",
    "otim 6000",
    "ping 12",
    "result 1/2-1/2 {Draw by repetition}",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "usermove e7e8q",
    "Nb1xd2+",
    "O-O-O",
    "exclude all",
    "setscore -35 12",
    "rating 1500 1600",
    "ics freechess.org",
    "memory 64",
    "cores 2",
    "egtpath syzygy /a b",
    "option A B=c d",
    "Pa4",
    "castle KQkq",
];

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected(letters in prop::collection::vec(any::<char>(), 0..200)) {
        let line = String::from_iter(letters);
        let _ = parse(&line);
        let _ = parse_edit(&line);
    }

    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let line = String::from_utf8_lossy(&bytes);
        let _ = parse(&line);
        let _ = parse_edit(&line);
    }

    #[test]
    fn mutated_lines_are_parsed_or_rejected(
        which in 0..VALID.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3u8), 1..6),
    ) {
        let mut letters: Vec<char> = VALID[which].chars().collect();
        for (place, letter, what) in edits {
            let at = place.index(letters.len().max(1));
            match what {
                0 if at < letters.len() => letters[at] = letter,
                1 if at < letters.len() => { letters.remove(at); }
                _ => letters.insert(at.min(letters.len()), letter),
            }
        }
        let line: String = letters.into_iter().collect();
        let _ = parse(&line);
        let _ = parse_edit(&line);
    }

    #[test]
    fn clocks_of_any_size_are_clamped(number in any::<f64>(), whole in any::<i128>()) {
        for line in [
            format!("st {number}"), format!("st {number:e}"), format!("level 40 {number} {number}"),
            format!("level {whole} {whole} {whole}"), format!("time {whole}"), format!("otim {number}"),
            format!("level 0 {number}:{number} 0"), format!("st {whole}:{whole}"),
        ] {
            match parse(&line) {
                Ok(Command::TimeControl(TimeControl::Game { base, increment, .. })) => {
                    prop_assert!(base <= A_YEAR && increment <= A_YEAR);
                }
                Ok(Command::TimeControl(TimeControl::PerMove(limit))) => prop_assert!(limit <= A_YEAR),
                Ok(Command::EngineClock(clock) | Command::OpponentClock(clock)) => {
                    prop_assert!(clock <= A_YEAR);
                }
                other => prop_assert_eq!(other, Err(ParseError::BadArgument)),
            }
        }
    }
}
