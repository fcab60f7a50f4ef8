//! Tests of every command, in valid and invalid forms.

mod clocks;
mod properties;

use std::time::Duration;

use super::parse;
use crate::protocol::command::{Command, GameResult, ParseError, RootMoves};
use crate::types::{MAX_DEPTH, MAX_PLY, Ply, Score, Square};

/// Longest time.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

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
        ("uci", Command::Uci),
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
fn empty_lines_have_no_effect() {
    all_are(
        &[
            "", " ", "\t", "\r\n", "\u{feff}", "fritz", "reset", "ponder",
        ],
        Ok(Command::Nothing),
    );
}

#[test]
fn a_byte_order_mark_is_removed() {
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
        &["include e2e4 Nf3"],
        Ok(Command::Include(RootMoves::These(vec![
            "e2e4".into(),
            "Nf3".into(),
        ]))),
    );
    for (line, score) in [
        ("setscore 100003 9", Score::mate_in(Ply(5))),
        ("setscore -100002 9", Score::mated_in(Ply(4))),
        ("setscore 99999 9", Score::EVAL_MAX),
        ("setscore 31700 9", Score(31_614)),
        ("setscore -31700 9", Score(-31_614)),
        ("setscore 31614 9", Score(31_614)),
    ] {
        all_are(&[line], Ok(Command::SetScore { score, depth: 9 }));
    }
    all_are(
        &["setscore -35 12"],
        Ok(Command::SetScore {
            score: Score(-35),
            depth: 12,
        }),
    );
    all_are(
        &["setscore 99999999999999999999 99999999999999999999"],
        Ok(Command::SetScore {
            score: Score::mate_in(Ply(MAX_PLY as u16 / 2 - 1)),
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
    let square = |name| Square::from_name(name).expect("a square");
    all_are(&["lift e2"], Ok(Command::Lift(square("e2"))));
    all_are(&["put e4"], Ok(Command::Put(square("e4"))));
    all_are(&["hover e3"], Ok(Command::Hover(square("e3"))));
    all_are(&["lift", "put", "hover"], Err(ParseError::BadArgument));
}

#[test]
fn everything_else_is_unknown() {
    all_are(
        &[
            "frobnicate 3",
            "bd",
            "manual",
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
