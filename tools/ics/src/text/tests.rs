//! Lines of several servers.
//!
//! The wordings are those of FICS (freechess.org), of the free server of 1995 in its version 1.6, of lasker with its
//! successor capablanca, and of the test server of this repository.

use super::*;
use std::time::Duration;

fn board(line: &str) -> Board {
    match parse(line) {
        ServerLine::Board(board) => *board,
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
fn check(line: &str, expected: ServerLine) {
    assert_eq!(parse(line), expected, "{line}");
}

const FICS_BOARD: &str = "<12> rnbqkb-r pppppppp -----n-- -------- ----P--- -------- PPPPKPPP RNBQ-BNR B -1 0 0 1 1 \
    0 7 Newton Einstein 1 2 12 39 39 119 122 2 K/e1-e2 (0:06) Ke2 0 1 215";

#[test]
fn board_of_fics() {
    let board = board(FICS_BOARD);
    assert_eq!(
        board.placement,
        "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR"
    );
    assert!(!board.white_to_move);
    assert_eq!(
        (board.double_push, board.castling),
        (None, [false, false, true, true])
    );
    assert_eq!((board.irreversible, board.game), (0, 7));
    assert_eq!(
        (board.white.as_str(), board.black.as_str()),
        ("Newton", "Einstein")
    );
    assert_eq!(board.relation, Relation::PlayingMyMove);
    assert_eq!((board.base, board.increment), (2, 12));
    assert_eq!((board.white_time, board.black_time), (119_000, 122_000));
    assert_eq!(board.move_number, 2);
    assert_eq!(board.last_move.as_deref(), Some("K/e1-e2"));
    assert_eq!(board.last_time, Duration::from_secs(6));
    assert_eq!(board.last_san.as_deref(), Some("Ke2"));
    assert!(!board.flipped && board.clock_running);
    assert_eq!(board.lag, Some(Duration::from_millis(215)));
}

#[test]
fn board_with_milliseconds_and_a_fallen_flag() {
    let line = "<12> rnbqkbnr pppp-ppp -------- ----p--- ----P--- -------- PPPP-PPP RNBQKBNR W 4 1 1 1 1 0 12 Rabbit \
        Fox -1 1 0 39 39 58766 -1250 2 P/e7-e5 (1:01.250) e5 1 1 0";
    let board = board(line);
    assert_eq!((board.white_time, board.black_time), (58_766, -1_250));
    assert_eq!((board.double_push, board.flipped), (Some(4), true));
    assert_eq!(board.last_time, Duration::from_millis(61_250));
    assert_eq!(board.relation, Relation::PlayingOpponentToMove);
    assert_eq!(Board::parse(line, true), Some(board));
    let seconds = Board::parse(line, false).map(|board| (board.white_time, board.black_time));
    assert_eq!(seconds, Some((58_766_000, -1_250_000)));
}

#[test]
fn boards_at_the_start_have_no_move() {
    let ranks = "rnbqkbnr pppppppp -------- -------- -------- -------- PPPPPPPP RNBQKBNR W -1 1 1 1 1 0 1 Rabbit Fox";
    // The free server of 1995 ends with the orientation, lasker with the state of the clock.
    for end in ["0", "0 0", "0 0 0"] {
        let board = board(&format!(
            "<12> {ranks} 1 5 0 39 39 300 300 1 none (0:00) none {end}"
        ));
        assert_eq!((board.last_move, board.last_san), (None, None));
        assert_eq!(board.white_time, 300_000);
    }
    let precise = board(&format!(
        "<12> {ranks} 1 5 0 39 39 300000 300000 1 none (0:00.000) none 0 0 0"
    ));
    assert_eq!(precise.white_time, 300_000);
    assert!(!precise.clock_running);
}

#[test]
fn boards_with_damage_are_unknown() {
    let cut: Vec<&str> = FICS_BOARD.split(' ').collect();
    for length in 0..30 {
        let line = cut[..length].join(" ");
        assert!(!matches!(parse(&line), ServerLine::Board(_)), "{line}");
    }
    for (from, to) in [
        ("rnbqkb-r", "rnbqkb-"),
        ("pppppppp", "pppp9ppp"),
        (" B -1 0", " X -1 0"),
        (" 119 ", " 99999999999999999999 "),
        (" 119 ", " 9223372036854775807 "),
        ("(0:06)", "(0:-6)"),
        ("(0:06)", "(99999999999999999999:06)"),
        ("Einstein 1 ", "Einstein 5 "),
    ] {
        let line = FICS_BOARD.replacen(from, to, 1);
        assert_ne!(line, FICS_BOARD);
        assert!(matches!(parse(&line), ServerLine::Unknown(_)), "{line}");
    }
}

#[test]
fn counters_that_old_servers_get_wrong_do_no_harm() {
    // Lasker shows any number for the double push after a resumption, and counts below zero after a takeback.
    let line = FICS_BOARD.replacen(" B -1 0", " B 32631 0", 1);
    assert_eq!(board(&line).double_push, None);
    let line = FICS_BOARD.replacen(" 0 7 Newton", " -2 7 Newton", 1);
    assert_ne!(line, FICS_BOARD);
    assert_eq!(board(&line).irreversible, 0);
}

fn start(continued: bool, rated: Option<bool>, kind: &str) -> ServerLine {
    ServerLine::GameStart(GameStart {
        game: 5,
        white: "Rabbit".into(),
        black: "GuestXYZ".into(),
        continued,
        rated,
        kind: kind.into(),
    })
}

#[test]
fn announcements_of_games() {
    let line = |text: &str| format!("{{Game 5 (Rabbit vs. GuestXYZ) {text}}}");
    check(
        &line("Creating rated blitz match."),
        start(false, Some(true), "blitz"),
    );
    check(
        &line("Creating unrated wild/fr match."),
        start(false, Some(false), "wild/fr"),
    );
    check(
        &line("Creating unrated non-standard match."),
        start(false, Some(false), "non-standard"),
    );
    check(
        &line("Continuing rated standard match."),
        start(true, Some(true), "standard"),
    );
    check(
        &line("Continuing unrated Capablanca simul."),
        start(true, Some(false), "capablanca"),
    );
}

fn end(reason: &str, result: GameResult) -> ServerLine {
    ServerLine::GameEnd(GameEnd {
        game: 5,
        white: "Rabbit".into(),
        black: "GuestXYZ".into(),
        reason: reason.into(),
        result,
    })
}

#[test]
fn results_of_games() {
    let texts = [
        ("Rabbit resigns} 0-1", GameResult::BlackWins),
        ("GuestXYZ checkmated} 1-0", GameResult::WhiteWins),
        ("GuestXYZ forfeits on time} 1-0", GameResult::WhiteWins),
        (
            "Rabbit forfeits by disconnection} 0-1",
            GameResult::BlackWins,
        ),
        ("Game drawn by stalemate} 1/2-1/2", GameResult::Draw),
        ("Game drawn by mutual agreement} 1/2-1/2", GameResult::Draw),
        ("Game drawn by repetition} 1/2-1/2", GameResult::Draw),
        ("Game drawn by the 50 move rule} 1/2-1/2", GameResult::Draw),
        (
            "Game drawn because both players ran out of time} 1/2-1/2",
            GameResult::Draw,
        ),
        (
            "Neither player has mating material} 1/2-1/2",
            GameResult::Draw,
        ),
        (
            "Rabbit ran out of time and GuestXYZ has no material to mate} 1/2-1/2",
            GameResult::Draw,
        ),
        ("Rabbit wins by adjudication} 1-0", GameResult::WhiteWins),
        ("Game aborted on move 1} *", GameResult::None),
        ("Game aborted by mutual agreement} *", GameResult::None),
        ("Game courtesyaborted by Rabbit} *", GameResult::None),
    ];
    for (text, result) in texts {
        let reason = text
            .split_once('}')
            .map(|(reason, _)| reason)
            .unwrap_or_default();
        let line = format!("{{Game 5 (Rabbit vs. GuestXYZ) {text}");
        check(&line, end(reason, result));
        check(&format!("{line} [5 0 1 0 1]"), end(reason, result));
        assert!(matches!(parse(&line), ServerLine::GameEnd(end) if !end.is_adjourned()));
    }
    assert_eq!(GameResult::Draw.as_str(), "1/2-1/2");
}

#[test]
fn adjournments() {
    // The last text is what lasker sends: it overwrites the cause.
    for text in [
        "Game adjourned by mutual agreement",
        "Game courtesyadjourned by Rabbit",
        "Rabbit lost connection; game adjourned",
        "adjourned",
    ] {
        let line = format!("{{Game 5 (Rabbit vs. GuestXYZ) {text}}} *");
        assert!(
            matches!(parse(&line), ServerLine::GameEnd(end) if end.is_adjourned()),
            "{line}"
        );
    }
}

#[test]
fn notices_during_a_game() {
    let notices = [
        ("Game clock paused.", GameNotice::Paused),
        (
            "Rabbit accepted pause. Game clock paused.",
            GameNotice::Paused,
        ),
        ("Game clock resumed.", GameNotice::Unpaused),
        ("Game 5: Game clock paused.", GameNotice::Paused),
        ("Game 5: Game clock resumed.", GameNotice::Unpaused),
        (
            "Game 5: Rabbit has lagged for 30 seconds.",
            GameNotice::Other("Game 5: Rabbit has lagged for 30 seconds.".into()),
        ),
        (
            "Your opponent has added 30 seconds to your clock.",
            GameNotice::TimeAdded(30),
        ),
        (
            "15 seconds were added to your clock.",
            GameNotice::TimeAdded(15),
        ),
        (
            "Your opponent has lost contact or quit.",
            GameNotice::OpponentDisconnected,
        ),
        (
            "Disconnecting you from game number 5.",
            GameNotice::NoLongerPlaying,
        ),
        ("Game 5: Rabbit backs up 2 moves.", GameNotice::TakenBack(2)),
        (
            "No ratings adjustment done.",
            GameNotice::Other("No ratings adjustment done.".into()),
        ),
    ];
    for (line, notice) in notices {
        check(line, ServerLine::GameNotice(notice));
    }
}

#[test]
fn move_lists() {
    let spent = |milliseconds| Duration::from_millis(milliseconds);
    let listed = |san: &str, milliseconds| {
        Some(ListedMove {
            san: san.into(),
            time: spent(milliseconds),
        })
    };
    let row = |number, white, black| {
        ServerLine::MoveList(MoveList::Moves {
            number,
            white,
            black,
        })
    };
    check(
        "Movelist for game 12:",
        ServerLine::MoveList(MoveList::Start { game: 12 }),
    );
    check(
        "  1.  e4      (0:00)       e5      (0:01)",
        row(1, listed("e4", 0), listed("e5", 1000)),
    );
    check(
        " 10.  O-O-O   (0:01.050)   exd8=Q+ (1:02.500)",
        row(10, listed("O-O-O", 1050), listed("exd8=Q+", 62_500)),
    );
    check("  2.  Nf3     (0:03)", row(2, listed("Nf3", 3000), None));
    check(
        "  1.  ...                e5      (0:01)",
        row(1, None, listed("e5", 1000)),
    );
    check(
        "  1.  ...     (0:00)     e5      (0:01)",
        row(1, None, listed("e5", 1000)),
    );
    check(
        "120.  Kf1     (1:00:03)",
        row(120, listed("Kf1", 3_603_000), None),
    );
    let end = |reason: &str, result| {
        ServerLine::MoveList(MoveList::End {
            reason: reason.into(),
            result,
        })
    };
    check(
        "      {Still in progress} *",
        end("Still in progress", GameResult::None),
    );
    check(
        "      {Rabbit resigns} 0-1",
        end("Rabbit resigns", GameResult::BlackWins),
    );
}

#[test]
fn messages_of_the_login() {
    use LoginLine::*;
    let started = |name: &str, titles: &str| Started {
        name: name.into(),
        titles: titles.into(),
    };
    let messages = [
        (
            "**** Starting FICS session as GaurBot(C) ****",
            started("GaurBot", "(C)"),
        ),
        (
            "**** Starting FICS session as GuestABCD(U) ****",
            started("GuestABCD", "(U)"),
        ),
        (
            "**** Starting FICS session as gaur ****",
            started("gaur", ""),
        ),
        ("**** Invalid password! ****", WrongPassword),
        (
            "\"gaur\" is a registered name.  If it is yours, type the password.",
            Registered("gaur".into()),
        ),
        (
            "\"gaur\" is not a registered name.  You may play unrated games as a guest.",
            NotRegistered("gaur".into()),
        ),
        (
            "Press return to enter the server as \"GuestABCD\":",
            GuestName("GuestABCD".into()),
        ),
        (
            "Logging you in as \"GuestABCD\"; you may use this name to play unrated games.",
            GuestName("GuestABCD".into()),
        ),
        (
            "**** gaur is already logged in; kicking them out. ****",
            OtherSessionEnded,
        ),
        (
            " **** gaur is already logged in - kicking them out. ****",
            OtherSessionEnded,
        ),
        (
            "**** gaur has arrived - you can't both be logged in. ****",
            SecondLogin,
        ),
        ("Logging you out.", LoggedOut),
        ("Thank you for playing.", LoggedOut),
    ];
    for (line, message) in messages {
        check(line, ServerLine::Login(message));
    }
}

#[test]
fn messages_of_the_login_with_their_text() {
    type Make = fn(String) -> LoginLine;
    let messages: [(&str, Make); 10] = [
        (
            "Sorry, names may be at most 17 characters long.  Try again.",
            LoginLine::BadName,
        ),
        (
            "Sorry, names can only consist of lower and upper case letters.  Try again.",
            LoginLine::BadName,
        ),
        (
            "A name should be at least three characters long!  Try again.",
            LoginLine::BadName,
        ),
        (
            "*** Sorry Rabbit is already logged in ***",
            LoginLine::BadName,
        ),
        ("Player \"Rabbit\" is banned.", LoginLine::Banned),
        (
            "Due to abusive behavior, nobody from your site may login.",
            LoginLine::Banned,
        ),
        ("Sorry, the server is full.", LoginLine::ServerFull),
        ("**** LOGIN TIMEOUT ****", LoginLine::IdleTimeout),
        (
            "**** Auto-logout because you were idle more than 60 minutes. ****",
            LoginLine::IdleTimeout,
        ),
        (
            "**** Server shutting down immediately. ****",
            LoginLine::ShuttingDown,
        ),
    ];
    for (line, make) in messages {
        check(line, ServerLine::Login(make(line.into())));
    }
}

#[test]
fn unknown_and_blank_lines() {
    for line in ["", " ", "\r", " \t \r\n"] {
        check(line, ServerLine::Blank);
    }
    for line in [
        "You can \"accept\" or \"decline\", or propose different parameters.",
        "Game notification: Rabbit (1500) vs. Fox (1400) rated blitz 5 0: Game 9",
        "\u{e9}\u{1F600} <12>",
        "{Game",
        "{Game 99999999999 (A vs. B) A resigns} 0-1",
        "<12>",
        "(",
        "\"",
    ] {
        check(line, ServerLine::Unknown(line.into()));
    }
}
