//! Every command, in the forms that real GUIs send and in forms that nobody should.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{parse, parse_edit};
use crate::clock::TimeControl;
use crate::protocol::command::{Command, GameResult, ParseError, RootMoves};
use crate::types::MAX_DEPTH;

const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

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

fn all_are(lines: &[&str], expected: Result<Command, ParseError>) {
    for line in lines {
        assert_eq!(parse(line), expected, "{line:?}");
    }
}

#[test]
fn commands_without_argument() {
    for (line, command) in [
        ("xboard", Command::Xboard),
        ("new", Command::New),
        ("quit", Command::Quit),
        ("random", Command::Random),
        ("force", Command::Force),
        ("go", Command::Go),
        ("playother", Command::PlayOther),
        ("white", Command::White),
        ("black", Command::Black),
        ("?", Command::MoveNow),
        ("draw", Command::Draw),
        ("edit", Command::Edit),
        ("undo", Command::Undo),
        ("remove", Command::Remove),
        ("hint", Command::Hint),
        ("bk", Command::Book),
        ("hard", Command::Hard),
        ("easy", Command::Easy),
        ("post", Command::Post),
        ("nopost", Command::NoPost),
        ("analyze", Command::Analyze),
        ("exit", Command::Exit),
        (".", Command::Status),
        ("computer", Command::Computer),
        ("pause", Command::Pause),
        ("resume", Command::Resume),
        ("help", Command::Help),
        ("d", Command::Show),
        ("show", Command::Show),
    ] {
        for form in [
            line.to_owned(),
            format!("{line}\r\n"),
            format!(" \t{line} \t"),
            format!("{line} x"),
        ] {
            assert_eq!(parse(&form), Ok(command.clone()), "{form:?}");
        }
    }
}

#[test]
fn blanks_ask_for_nothing() {
    all_are(
        &[
            "", " ", "\t", "\r\n", "\u{feff}", "fritz", "reset", "ponder",
        ],
        Ok(Command::Nothing),
    );
}

#[test]
fn a_byte_order_mark_is_dropped() {
    all_are(&["\u{feff}xboard\r\n"], Ok(Command::Xboard));
}

#[test]
fn start_up() {
    all_are(
        &["protover 2", "protover  2\r", "protover\t2"],
        Ok(Command::Protover(2)),
    );
    all_are(
        &["protover 99999999999999999999999"],
        Ok(Command::Protover(u32::MAX)),
    );
    all_are(
        &["protover", "protover x", "protover -1"],
        Err(ParseError::BadArgument),
    );
    all_are(&["accepted ping"], Ok(Command::Accepted("ping".into())));
    all_are(&["accepted"], Ok(Command::Accepted(String::new())));
    all_are(
        &["rejected option Reset Now -reset"],
        Ok(Command::Rejected("option Reset Now -reset".into())),
    );
}

#[test]
fn level_in_every_form() {
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
fn level_stays_within_reason() {
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
fn seconds_for_a_move() {
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

#[test]
fn pings_keep_their_text() {
    all_are(&["ping 7"], Ok(Command::Ping("7".into())));
    all_are(&["ping 0007 and more"], Ok(Command::Ping("0007".into())));
    all_are(
        &["ping 4294967296000"],
        Ok(Command::Ping("4294967296000".into())),
    );
    all_are(&["ping"], Err(ParseError::BadArgument));
    assert_eq!(
        parse(&format!("ping {}", "1".repeat(1000))),
        Err(ParseError::BadArgument)
    );
}

#[test]
fn results_with_any_comment() {
    all_are(
        &[
            "result 1-0 {White mates}",
            "result 1-0",
            "result 1-0 {Draw {x} res=25}",
            "result 1-0{x}",
        ],
        Ok(Command::GameResult(GameResult::WhiteWins)),
    );
    all_are(
        &["result 0-1 {False draw claim: 'Draw by repetition'}"],
        Ok(Command::GameResult(GameResult::BlackWins)),
    );
    all_are(
        &["result 1/2-1/2 {Draw agreed}", "result 1/2-1/2"],
        Ok(Command::GameResult(GameResult::Draw)),
    );
    all_are(
        &["result * {adjourned}", "result *", "result", "result ????"],
        Ok(Command::GameResult(GameResult::Unfinished)),
    );
}

#[test]
fn positions_and_moves_stay_text() {
    let fen = "8/8/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(
        parse(&format!("setboard {fen}")),
        Ok(Command::SetBoard(fen.into()))
    );
    all_are(&["usermove e2e4"], Ok(Command::UserMove("e2e4".into())));
    all_are(&["usermove  O-O "], Ok(Command::UserMove("O-O".into())));
    all_are(
        &["usermove hello world"],
        Ok(Command::UserMove("hello world".into())),
    );
    all_are(&["e2e4"], Ok(Command::BareMove("e2e4".into())));
    all_are(&["Nbd2+"], Ok(Command::BareMove("Nbd2+".into())));
    all_are(&["O-O-O\r"], Ok(Command::BareMove("O-O-O".into())));
    all_are(&["@@@@"], Ok(Command::BareMove("@@@@".into())));
    all_are(&["setboard", "usermove"], Err(ParseError::BadArgument));
    all_are(&["e2e4 e7e5", "e9e9"], Err(ParseError::UnknownCommand));
}

#[test]
fn root_moves_and_scores() {
    all_are(&["exclude all"], Ok(Command::Exclude(RootMoves::All)));
    all_are(
        &["include e2e4"],
        Ok(Command::Include(RootMoves::One("e2e4".into()))),
    );
    all_are(
        &["setscore -35 12"],
        Ok(Command::SetScore {
            score: -35,
            depth: 12,
        }),
    );
    all_are(
        &["setscore 99999999999999999999 99999999999999999999"],
        Ok(Command::SetScore {
            score: i32::MAX,
            depth: MAX_DEPTH,
        }),
    );
    all_are(
        &[
            "exclude",
            "include",
            "setscore",
            "setscore 5",
            "setscore x y",
            "setscore 1 -1",
        ],
        Err(ParseError::BadArgument),
    );
}

#[test]
fn the_opponent() {
    all_are(&["name BOT bo"], Ok(Command::OpponentName("BOT bo".into())));
    all_are(
        &["name Foo (C) [x] {y}"],
        Ok(Command::OpponentName("Foo (C) [x] {y}".into())),
    );
    all_are(&["name"], Ok(Command::OpponentName(String::new())));
    all_are(
        &["rating 3000 1530"],
        Ok(Command::Ratings {
            own: 3000,
            opponent: 1530,
        }),
    );
    all_are(
        &["rating 0 1800"],
        Ok(Command::Ratings {
            own: 0,
            opponent: 1800,
        }),
    );
    all_are(
        &["rating 1500P ----"],
        Ok(Command::Ratings {
            own: 1500,
            opponent: 0,
        }),
    );
    all_are(
        &["rating", "rating -5", "rating ? ?"],
        Ok(Command::Ratings {
            own: 0,
            opponent: 0,
        }),
    );
    all_are(
        &["rating 99999999999 1"],
        Ok(Command::Ratings {
            own: i32::MAX,
            opponent: 1,
        }),
    );
    all_are(&["ics -", "ics"], Ok(Command::Ics(None)));
    all_are(
        &["ics freechess.org"],
        Ok(Command::Ics(Some("freechess.org".into()))),
    );
}

#[test]
fn settings() {
    all_are(
        &["variant fischerandom"],
        Ok(Command::Variant("fischerandom".into())),
    );
    all_are(&["memory 68"], Ok(Command::Memory(68)));
    all_are(
        &["memory 99999999999999999999"],
        Ok(Command::Memory(u64::MAX)),
    );
    all_are(&["cores 1000"], Ok(Command::Cores(1000)));
    all_are(
        &[
            "variant",
            "memory",
            "memory x",
            "memory -1",
            "cores",
            "cores x",
            "cores 1.5",
        ],
        Err(ParseError::BadArgument),
    );
    let option = |name: &str, value: Option<&str>| {
        Ok(Command::Option {
            name: name.into(),
            value: value.map(str::to_owned),
        })
    };
    all_are(&["option Contempt=12"], option("Contempt", Some("12")));
    all_are(&["option Clear Hash"], option("Clear Hash", None));
    all_are(&["option Title= a = b"], option("Title", Some(" a = b")));
    all_are(&["option Title="], option("Title", Some("")));
    all_are(&["option", "option =5"], Err(ParseError::BadArgument));
    all_are(
        &["egtpath syzygy /tables/of five"],
        Ok(Command::TablebasePath {
            kind: "syzygy".into(),
            path: "/tables/of five".into(),
        }),
    );
    all_are(
        &["egtpath syzygy"],
        Ok(Command::TablebasePath {
            kind: "syzygy".into(),
            path: String::new(),
        }),
    );
    all_are(&["egtpath"], Err(ParseError::BadArgument));
}

#[test]
fn other_variants_and_their_boards() {
    all_are(
        &[
            "partner",
            "partner Foo",
            "ptell hello",
            "holding [PPPRQ] []",
            "holding [P] [R] BR",
        ],
        Ok(Command::Bughouse),
    );
    all_are(&["lift e2"], Ok(Command::Lift("e2".into())));
    all_are(&["put e4"], Ok(Command::Put("e4".into())));
    all_are(&["hover e3"], Ok(Command::Hover("e3".into())));
    all_are(&["lift", "put", "hover"], Err(ParseError::BadArgument));
}

#[test]
fn everything_else_is_unknown() {
    all_are(
        &[
            "frobnicate 3",
            "bd",
            "manual",
            "uci",
            "isready",
            "ucinewgame",
            "position startpos",
            "stop",
            "Force",
            "QUIT",
            "forced",
            "..",
            "??",
            "1-0",
            "# note",
            "\0",
            "quit\0",
            "\u{fffd}\u{fffd}",
        ],
        Err(ParseError::UnknownCommand),
    );
}

#[test]
fn a_megabyte_is_read_at_once() {
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
    // Some 200 lines; half a second each would betray something worse than linear.
    assert!(began.elapsed() < Duration::from_secs(60));
}

/// Lines that work, as a start for mutations.
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
    fn any_text_is_understood_or_refused(line in ".{0,200}") {
        let _ = parse(&line);
        let _ = parse_edit(&line);
    }

    #[test]
    fn any_bytes_are_understood_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let line = String::from_utf8_lossy(&bytes);
        let _ = parse(&line);
        let _ = parse_edit(&line);
    }

    #[test]
    fn mutated_lines_are_understood_or_refused(
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
    fn clocks_of_any_size_hold(number in any::<f64>(), whole in any::<i128>()) {
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
