//! Tests of times in every form and unit.

use std::time::Duration;

use super::super::parse;
use super::{A_YEAR, all_are};
use crate::clock::TimeControl;
use crate::protocol::command::{Command, ParseError};
use crate::types::MAX_DEPTH;

fn game(moves: impl Into<Option<u32>>, base: u64, increment: u64) -> Command {
    Command::TimeControl(TimeControl::Game {
        moves: moves.into(),
        base: Duration::from_millis(base),
        increment: Duration::from_millis(increment),
    })
}

fn per_move(milliseconds: u64) -> Command {
    Command::TimeControl(TimeControl::PerMove(Duration::from_millis(milliseconds)))
}

#[test]
fn level_has_many_forms() {
    for (line, expected) in [
        ("level 40 5 0", game(40, 300_000, 0)),
        ("level 0 2 12", game(None, 120_000, 12_000)),
        ("level 40 0:30 0", game(40, 30_000, 0)),
        ("level 0 0:10 0.5", game(None, 10_000, 500)),
        ("level 0 0:07 0.1", game(None, 7_000, 100)),
        ("level 40 0:05 0.1", game(40, 5_000, 100)),
        ("level 0 1:5 2", game(None, 65_000, 2_000)),
        ("level 0 0 1", game(None, 0, 1_000)),
        ("level 0 0 0", game(None, 0, 0)),
        ("level 1 0:01 0", game(1, 1_000, 0)),
        ("level 20 0:22 0", game(20, 22_000, 0)),
        ("level 1 5", game(1, 300_000, 0)),
        ("level 40 25+5 0", game(40, 1_500_000, 0)),
        ("level 40 2:30+5 1", game(40, 150_000, 1_000)),
        ("level 0 2.5 0", game(None, 150_000, 0)),
        ("level 0 0:0.5 0,25", game(None, 500, 250)),
        ("level 0 1: 0", game(None, 60_000, 0)),
        ("level 0 1 0 and more", game(None, 60_000, 0)),
        ("level\t40\t5\t0\r", game(40, 300_000, 0)),
        ("level 0 0:02 1e-2", game(None, 2_000, 10)),
    ] {
        assert_eq!(parse(line), Ok(expected), "{line}");
    }
}

#[test]
fn level_is_clamped() {
    assert_eq!(
        parse("level 99999999999999999999 99999999999999999999 1e999"),
        Ok(Command::TimeControl(TimeControl::Game {
            moves: Some(u32::MAX),
            base: A_YEAR,
            increment: A_YEAR,
        }))
    );
    all_are(
        &[
            "level",
            "level 40",
            "level x",
            "level x y z",
            "level 40 x 0",
            "level 40 5 x",
            "level -1 5 0",
            "level 40 -5 0",
            "level 40 -0:30 0",
            "level 40 5 -1",
            "level 40 :30 0",
            "level 40 nan 0",
        ],
        Err(ParseError::BadArgument),
    );
}

#[test]
fn st_is_the_time_per_move() {
    for (line, expected) in [
        ("st 30", per_move(30_000)),
        ("st 10.0", per_move(10_000)),
        ("st 0.5", per_move(500)),
        ("st 0.3", per_move(300)),
        ("st 0.05", per_move(50)),
        ("st 5e-05", per_move(0)),
        ("st 0", per_move(0)),
        ("st 86400", per_move(86_400_000)),
        ("st 0:01", per_move(1_000)),
        (
            "st 1e999",
            Command::TimeControl(TimeControl::PerMove(A_YEAR)),
        ),
    ] {
        assert_eq!(parse(line), Ok(expected), "{line}");
    }
    all_are(
        &["st", "st -1", "st x", "st 5 x", "st inf", "st NaN"],
        Err(ParseError::BadArgument),
    );
}

#[test]
fn depth_limits() {
    all_are(&["sd 6", "depth 6"], Ok(Command::DepthLimit(6)));
    all_are(
        &["sd 0", "sd 127", "sd 1000", "sd 99999999999999999999"],
        Ok(Command::DepthLimit(MAX_DEPTH)),
    );
    all_are(
        &["sd", "sd -3", "sd x", "sd 4.5", "depth x"],
        Err(ParseError::BadArgument),
    );
    all_are(&["depth"], Ok(Command::Nothing));
    all_are(&["6"], Err(ParseError::UnknownCommand));
}

#[test]
fn node_rate() {
    all_are(&["nps 50000"], Ok(Command::NodeRate(50_000)));
    all_are(&["nps 0"], Ok(Command::NodeRate(0)));
    all_are(
        &["nps 99999999999999999999"],
        Ok(Command::NodeRate(u64::MAX)),
    );
    all_are(&["nps", "nps -1", "nps x"], Err(ParseError::BadArgument));
}

#[test]
fn clocks_are_centiseconds() {
    all_are(
        &["time 1000"],
        Ok(Command::EngineClock(Duration::from_secs(10))),
    );
    all_are(
        &["time 1"],
        Ok(Command::EngineClock(Duration::from_millis(10))),
    );
    all_are(
        &["time 0", "time -300", "time -1400"],
        Ok(Command::EngineClock(Duration::ZERO)),
    );
    all_are(
        &["time 99999999999999999999"],
        Ok(Command::EngineClock(A_YEAR)),
    );
    all_are(
        &["otim 880"],
        Ok(Command::OpponentClock(Duration::from_millis(8_800))),
    );
    all_are(
        &["otim -99999999999999999999"],
        Ok(Command::OpponentClock(Duration::ZERO)),
    );
    all_are(
        &["time", "time x", "otim", "otim 1 2", "time 1:00"],
        Err(ParseError::BadArgument),
    );
}
