//! Tests of the server alone: logins, timeseal, restarts and long lines.

use std::time::Duration;

use crate::ics::client::Client;
use crate::ics::server::{Account, Family, Kind, Rules, Server, timeseal};
use crate::ics::server_trials::Side::{Black, White};
use crate::ics::server_trials::{ANSWER_TIMEOUT, Board};
use crate::ics::zippy_session::{ENGINE, RABBIT, accounts};

type Check = fn() -> Result<(), String>;

/// Names and functions of the tests.
pub const CHECKS: [(&str, Check); 11] = [
    ("passwords", passwords),
    ("second-login", second_login),
    ("full", full),
    ("guests", guests),
    ("timeseal", timeseal_is_decoded),
    ("timeseal-charges-the-clients-time", timeseal_charges),
    ("restart", restart),
    ("long-lines", long_lines),
    ("lasker", lasker),
    ("fics16", fics16),
    ("broken-route", broken_route),
];

fn server() -> Result<Server, String> {
    let with_password = Account {
        password: Some("secret".into()),
        titles: "(C)".into(),
        ..Account::new(ENGINE, 2000)
    };
    let rules = Rules::new(vec![with_password, Account::new(RABBIT, 1200)]);
    Server::start_with(rules, 0).map_err(|error| error.to_string())
}

fn passwords() -> Result<(), String> {
    let server = server()?;
    let mut client = Client::connect(server.port(), ENGINE, 1, false)?;
    for attempt in 0..2 {
        client.wait_for("login: ", ANSWER_TIMEOUT)?;
        // Capitals in a name do not matter.
        client.type_line(if attempt == 0 { ENGINE } else { "gaurbot" })?;
        client.wait_for("password: ", ANSWER_TIMEOUT)?;
        client.type_line("wrong")?;
        client.wait_for("**** Invalid password! ****", ANSWER_TIMEOUT)?;
    }
    client.wait_for("login: ", ANSWER_TIMEOUT)?;
    client.enter("secret")?;

    let mut client = Client::connect(server.port(), ENGINE, 1, false)?;
    for _ in 0..3 {
        client.wait_for("login: ", ANSWER_TIMEOUT)?;
        client.type_line(ENGINE)?;
        client.type_line("wrong")?;
        client.wait_for("**** Invalid password! ****", ANSWER_TIMEOUT)?;
    }
    client.wait_for_the_close()
}

fn second_login() -> Result<(), String> {
    let server = server()?;
    let mut first = Client::login(server.port(), RABBIT, 1)?;
    let mut second = Client::connect(server.port(), RABBIT, 1, false)?;
    second.type_line(RABBIT)?;
    second.type_line("")?;
    second.wait_for(
        " **** Rabbit is already logged in - kicking them out. ****",
        ANSWER_TIMEOUT,
    )?;
    second.wait_for("Starting FICS session as Rabbit ****", ANSWER_TIMEOUT)?;
    first.wait_for(
        "**** Rabbit has arrived - you can't both be logged in. ****",
        ANSWER_TIMEOUT,
    )?;
    first.wait_for_the_close()
}

fn full() -> Result<(), String> {
    let server = server()?;
    server.set_limit(1);
    let _rabbit = Client::login(server.port(), RABBIT, 1)?;
    let mut client = Client::connect(server.port(), ENGINE, 1, false)?;
    client.type_line(ENGINE)?;
    client.wait_for("the server is full", ANSWER_TIMEOUT)?;
    client.wait_for_the_close()?;
    server.set_limit(2);
    Client::connect(server.port(), ENGINE, 1, false)?.enter("secret")
}

fn guests() -> Result<(), String> {
    let server = server()?;
    let mut client = Client::connect(server.port(), "guest", 1, false)?;
    client.type_line("guest")?;
    let line = client.wait_for("Press return to enter the server as \"", ANSWER_TIMEOUT)?;
    let name = line.split('"').nth(1).unwrap_or_default().to_string();
    client.type_line("")?;
    client.wait_for(
        &format!("**** Starting FICS session as {name}(U) ****"),
        ANSWER_TIMEOUT,
    )?;
    let mut rabbit = Client::login(server.port(), RABBIT, 1)?;
    rabbit.type_line(&format!("match {name} 5 0 rated"))?;
    client.wait_for(
        &format!("Challenge: Rabbit (1200) {name} (++++) unrated blitz 5 0."),
        ANSWER_TIMEOUT,
    )?;
    let mut same = Client::connect(server.port(), &name, 1, false)?;
    same.type_line(&name)?;
    same.type_line("")?;
    same.wait_for(
        &format!("*** Sorry {name} is already logged in ***"),
        ANSWER_TIMEOUT,
    )?;
    same.wait_for_the_close()
}

/// Decodes a line that was encoded by another implementation.
fn timeseal_is_decoded() -> Result<(), String> {
    let line = [
        0xA1, 0x63, 0x7B, 0x64, 0x73, 0x7C, 0x72, 0xC8, 0xA6, 0x6A, 0xB1, 0x77, 0x6A, 0x6C, 0x64,
        0x66, 0x63, 0xA5, 0x64, 0x7D, 0xA8, 0x8A, 0x6F, 0xD7, 0x91,
    ];
    match timeseal::decode(&line) {
        Some((text, 1_234_567)) if text == "e2e4" => {}
        other => return Err(format!("the line was decoded as {other:?}")),
    }
    for text in ["", "e2e4", "kibitz a longer line with several blocks"] {
        for offset in [0, 17, 49] {
            let decoded = timeseal::decode(&timeseal::encode(text, 99, offset));
            if decoded != Some((text.to_string(), 99)) {
                return Err(format!("{text:?} was decoded as {decoded:?}"));
            }
        }
    }
    match timeseal::decode(b"match Rabbit 5 0") {
        None => Ok(()),
        Some(decoded) => Err(format!("plain text was decoded as {decoded:?}")),
    }
}

/// Plays with timeseal and a lag of one second in each direction, which the clock of the player does not lose.
fn timeseal_charges() -> Result<(), String> {
    let server = server()?;
    let mut white = Client::connect(server.port(), ENGINE, 1, true)?;
    white.enter("secret")?;
    let black = Client::login(server.port(), RABBIT, 2)?;
    let mut board = Board {
        server,
        white,
        black,
    };
    board.begin("1 0 white")?;
    board.server.set_lag(ENGINE, Duration::from_secs(1));
    board.moves("e2e4 e7e5 g1f3 b8c6")?;
    let left = board.white.time_left()?;
    if left < Duration::from_secs(59) {
        return Err(format!("the clock shows {left:?} after the lag"));
    }
    std::thread::sleep(Duration::from_secs(2));
    board.moves("f1b5 a7a6")?;
    let left = board.white.time_left()?;
    if !(Duration::from_secs(56)..Duration::from_millis(58_100)).contains(&left) {
        return Err(format!("the clock shows {left:?} after two seconds"));
    }
    let journal = board.server.journal();
    match journal
        .entries
        .iter()
        .find(|entry| entry.kind == Kind::Fault)
    {
        Some(fault) => Err(fault.to_string()),
        None => Ok(()),
    }
}

fn restart() -> Result<(), String> {
    let mut board = Board::open()?;
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5 g1f3")?;
    let before = board.black.position()?;
    board.server.stop();
    board.white.wait_for_the_close()?;
    board.black.wait_for_the_close()?;
    let port = board.server.port();
    if Client::connect(port, ENGINE, 1, false).is_ok() {
        return Err("the stopped server accepts connections".into());
    }
    board
        .server
        .start_again()
        .map_err(|error| error.to_string())?;
    board.white = Client::login(port, ENGINE, 1)?;
    board.black = Client::login(port, RABBIT, 1)?;
    board.white.wait_for(
        "Notification: Rabbit, who has an adjourned game with you, has arrived.",
        ANSWER_TIMEOUT,
    )?;
    // Both challenge; the second challenge accepts the first.
    board.white.type_line("match rabbit")?;
    board.black.wait_for(
        "Challenge: GaurBot (2000) Rabbit (1200) unrated blitz 5 0 (adjourned).",
        ANSWER_TIMEOUT,
    )?;
    board.black.type_line("match GaurBot")?;
    board.white.wait_for_game()?;
    board.black.wait_for_game()?;
    if board.black.position()? != before {
        return Err("the position is not the one before".into());
    }
    board.black.type_line("moves")?;
    board.black.wait_for("  2.  Nf3", ANSWER_TIMEOUT)?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 1-0")
}

/// Sends a long message, which arrives in parts unless the user wants it whole.
fn long_lines() -> Result<(), String> {
    let mut board = Board::open()?;
    let words = "<12> rnbqkbnr {Game 1 (GaurBot vs. Rabbit) GaurBot resigns} 0-1 ".repeat(4);
    let whole = format!("GaurBot tells you: {}", words.trim());
    board.white.type_line(&format!("tell rabbit {words}"))?;
    let first = board.black.wait_for("tells you:", ANSWER_TIMEOUT)?;
    let second = board.black.wait_for("\\   ", ANSWER_TIMEOUT)?;
    if first.len() > 79 || second.len() > 79 || !whole.starts_with(&first) {
        return Err(format!("the message begins {first:?}, {second:?}"));
    }
    board.black.type_line("set width 120")?;
    board.black.wait_for("width set to 120.", ANSWER_TIMEOUT)?;
    board.white.type_line(&format!("tell rabbit {words}"))?;
    let first = board.black.wait_for("tells you:", ANSWER_TIMEOUT)?;
    if !(80..=120).contains(&first.len()) {
        return Err(format!("the wide message begins {first:?}"));
    }
    board.black.type_line("iset nowrap 1")?;
    board.black.wait_for("nowrap set.", ANSWER_TIMEOUT)?;
    board.white.type_line(&format!("tell rabbit {words}"))?;
    board.black.wait_for(&whole, ANSWER_TIMEOUT)?;
    board.black.type_line("iset lock 1")?;
    board.black.type_line("iset nowrap 0")?;
    board
        .black
        .wait_for("Cannot alter: Interface setting locked.", ANSWER_TIMEOUT)
        .map(drop)
}

fn board(family: Family) -> Result<Board, String> {
    let rules = Rules {
        family,
        ..Rules::new(accounts())
    };
    let server = Server::start_with(rules, 0).map_err(|error| error.to_string())?;
    let white = Client::login(server.port(), ENGINE, 1)?;
    let black = Client::login(server.port(), RABBIT, 2)?;
    Ok(Board {
        server,
        white,
        black,
    })
}

/// Commands in one line, seeks, and a resumed game of Fischer Random on lasker.
fn lasker() -> Result<(), String> {
    let mut board = board(Family::Lasker)?;
    for (typed, shown) in [
        ("tell rabbit one; tell rabbit two", "GaurBot tells you: two"),
        ("$tell rabbit one; bye", "GaurBot tells you: one; bye"),
    ] {
        board.exchange(White, typed, Black, shown)?;
    }
    for (typed, shown) in [
        ("finger absent", "There is no player matching that name."),
        ("seek 5 0 unrated m", "No such category/board: m/0"),
        (
            "match rabbit 5 0 wild/fr",
            "No such category/board: wild/fr/0",
        ),
        (
            "seek 5 0 unrated",
            "  1 2000 GaurBot             5   0 unrated blitz",
        ),
    ] {
        board.exchange(White, typed, White, shown)?;
    }
    board.begin("5 0 white wild fr")?;
    board.exchange(
        White,
        "quit",
        White,
        "You can't quit while you are playing a game.",
    )?;
    board.exchange(White, "adjourn", Black, "would like to adjourn the game")?;
    board.exchange(
        Black,
        "adjourn",
        White,
        "Game adjourned by mutual agreement} *",
    )?;
    board.exchange(Black, "set width 240", Black, "width set to 240.")?;
    let text = "unrated wild 5 0 Loaded from wild/fr (adjourned).";
    board.exchange(White, "match rabbit", Black, text)?;
    let text = ") Continuing unrated wild match.}";
    board.exchange(Black, "accept", White, text)?;
    let line = board.white.wait_for("Creating: ", ANSWER_TIMEOUT)?;
    if !line.contains(" unrated wild/fr ") {
        return Err(line);
    }
    let text = ") Continuing unrated wild/fr match.}";
    board.white.wait_for(text, ANSWER_TIMEOUT).map(drop)
}

/// Missing commands, clocks and board lines of FICS 1.6.
fn fics16() -> Result<(), String> {
    let mut board = board(Family::Fics16)?;
    for (typed, shown) in [
        ("seek 5 0", "seek: Command not found."),
        ("rematch", "rematch: Command not found."),
        (
            "match rabbit 5 0 wild fr",
            "No such category/board: wild/fr",
        ),
    ] {
        board.exchange(White, typed, White, shown)?;
    }
    board.begin("5 0 white")?;
    std::thread::sleep(Duration::from_millis(1100));
    board.exchange(White, "e2e4", Black, " P/e2-e4 (0:01) e4 1")?;
    let text = "You cannot flag before both players have moved.";
    board.exchange(White, "flag", White, text)?;
    board.server.cut(RABBIT);
    let seen = board.white.wait_for_the_end(ANSWER_TIMEOUT)?;
    if seen != "adjourned *" {
        return Err(seen);
    }
    // The line about the adjourned game comes before the first prompt.
    let mut black = Client::connect(board.server.port(), RABBIT, 2, false)?;
    black.type_line(RABBIT)?;
    black.type_line("")?;
    let line = black.wait_for("adjourned game with you, is online", ANSWER_TIMEOUT)?;
    match line.strip_prefix("1 player, who has an ") {
        Some(_) => Ok(()),
        None => Err(line),
    }
}

/// A connection that transmits nothing is not closed until the account logs in again.
fn broken_route() -> Result<(), String> {
    let mut board = Board::open()?;
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    board.server.freeze(ENGINE);
    board.white.type_line("resign")?;
    board.exchange(Black, "say hello", Black, "(told GaurBot)")?;
    if !board.black.is_playing() {
        return Err("a line arrived on the broken route".into());
    }
    board.white = Client::login(board.server.port(), ENGINE, 1)?;
    let seen = board.black.wait_for_the_end(ANSWER_TIMEOUT)?;
    match seen.as_str() {
        "GaurBot lost connection; game adjourned *" => Ok(()),
        _ => Err(seen),
    }
}
