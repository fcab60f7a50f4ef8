//! Scenarios: broken connections, restarts, logins that fail, engines that die, and the end of the program.

use std::time::Duration;

use super::games::expect_refusal;
use super::session::{ANSWER, ClientSession, PASSWORD, Scenario};
use crate::ics::client::Client;
use crate::ics::server::Kind;
use crate::ics::zippy_session::{ENGINE, RABBIT};

/// Exit status of a program that the server does not let in.
const LOGIN_REFUSED: i32 = 4;

/// Time in which a program could log in again.
const RETURN: Duration = Duration::from_secs(6);

/// Time in which the program notices during a game that the server does not answer, and logs in again.
const ROUTE_LOST: Duration = Duration::from_secs(50);

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new("own-connection-lost", &[], own_connection_lost),
    Scenario::new("opponents-connection-lost", &[], opponents_connection_lost),
    Scenario::new("server-restart", &[], server_restart),
    Scenario::new("engine-killed", &[], engine_killed),
    Scenario::new(
        "engine-stalled",
        &[("engine", "stall_timeout", "5")],
        engine_stalled,
    ),
    Scenario::new("wrong-password", &[], wrong_password),
    Scenario::new(
        "unknown-account",
        &[("server", "account", "\"Missing\"")],
        unknown_account,
    ),
    Scenario::new("second-login", &[], second_login),
    Scenario::new("full-server", &[], full_server),
    Scenario::new("stop-when-idle", &[], stop_when_idle),
    Scenario::new("stop-after-the-game", &[], stop_after_the_game),
    Scenario::new(
        "stop-with-adjournment",
        &[("shutdown", "on_term", "\"adjourn\"")],
        stop_with_adjournment,
    ),
    Scenario::new("stop-now", &[("owners", "names", "[\"Rabbit\"]")], stop_now).with_gaur(),
    Scenario::new("route-lost", &[], route_lost).with_gaur(),
];

/// Breaks the program's connection on each side's turn. It returns, resumes the game and wins it.
fn own_connection_lost(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(4)?;
    lose_own_connection(session)?;
    session.rabbit.play(3)?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    lose_own_connection(session)?;
    session.rabbit.play_to_the_end()?;
    session.expect(&[
        "GaurBot lost connection; game adjourned *",
        "GaurBot lost connection; game adjourned *",
        "Rabbit checkmated 0-1",
    ])
}

/// Breaks the program's connection and accepts its challenge to resume the game.
pub fn lose_own_connection(session: &mut ClientSession) -> Result<(), String> {
    session.server.cut(ENGINE);
    session.rabbit.wait_for_the_end(ANSWER)?;
    accept_resumption(session)
}

/// Waits for the program's challenge to resume the adjourned game, and accepts it.
pub fn accept_resumption(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.wait_for("(adjourned).", 2 * ANSWER)?;
    session.rabbit.type_line("accept GaurBot")?;
    session.rabbit.wait_for_game()
}

/// Breaks Rabbit's connection; the game is resumed and finished.
fn opponents_connection_lost(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    session.rabbit.play(5)?;
    lose_opponents_connection(session)?;
    session.rabbit.play_to_the_end()?;
    session.expect(&[
        "Rabbit lost connection; game adjourned *",
        "Rabbit checkmated 1-0",
    ])
}

/// Breaks Rabbit's connection. When Rabbit returns, the program proposes to resume the game.
pub fn lose_opponents_connection(session: &mut ClientSession) -> Result<(), String> {
    session.allow_refusal("You are not playing");
    session.server.cut(RABBIT);
    session.wait_until_told("Rabbit lost connection; game adjourned")?;
    session.rabbit_returns()?;
    accept_resumption(session)
}

/// Stops the server in the middle of a game. It starts again with the adjourned game.
fn server_restart(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(4)?;
    restart_server(session)?;
    session.rabbit.play_to_the_end()?;
    let finished = session.server.journal().finished.clone();
    let endings: Vec<String> = finished.iter().map(|game| game.summary()).collect();
    match endings.as_slice() {
        [first, last] if first.ends_with(" *") && last == "Rabbit checkmated 0-1" => Ok(()),
        other => Err(format!("the games ended {other:?}")),
    }
}

/// Stops the server for three seconds and resumes the game.
pub fn restart_server(session: &mut ClientSession) -> Result<(), String> {
    session.server.stop();
    std::thread::sleep(Duration::from_secs(3));
    session
        .server
        .start_again()
        .map_err(|error| error.to_string())?;
    session.rabbit_returns()?;
    accept_resumption(session)
}

/// Kills the engine on each side's turn; the game continues with a new one.
fn engine_killed(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(4)?;
    kill_engine(session)?;
    session.rabbit.play_to_the_end()?;
    session.challenge("1 1 black")?;
    session.rabbit_resigns_after(3)?;
    session.expect(&["Rabbit checkmated 0-1", "Rabbit resigns 1-0"])
}

/// Kills the engine once while Rabbit thinks and once while it thinks itself.
pub fn kill_engine(session: &mut ClientSession) -> Result<(), String> {
    session.program()?.kill_engine()?;
    std::thread::sleep(Duration::from_millis(500));
    session.rabbit.play(2)?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    session.program()?.kill_engine()?;
    session.rabbit.expect_turn()?;
    session.program()?.expect_running()
}

/// Stops the process of the engine, which then neither moves nor ends. The program must order a move, kill the process
/// and finish the game with a new one.
fn engine_stalled(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(2)?;
    let stalled = session.program()?.stop_engine()?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    session.rabbit.expect_turn()?;
    session.program()?.expect_end_of(stalled)?;
    for text in [
        "the engine is asked to move now",
        "the engine does not answer",
    ] {
        session.wait_until_logged(text)?;
    }
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Starts the program with a wrong password, which it tries once.
fn wrong_password(session: &mut ClientSession) -> Result<(), String> {
    session.allow_refusal("**** Invalid password! ****");
    stop(session)?;
    session.start_program("wrong")?;
    expect_exit(session, LOGIN_REFUSED, ANSWER)?;
    let evidence = session.program()?.evidence();
    if !evidence.contains("password") {
        return Err("the program does not name the password".into());
    }
    if evidence.contains("wrong\n") || evidence.contains(PASSWORD) {
        return Err("the password is in a log".into());
    }
    let journal = session.server.journal();
    match journal.of(ENGINE, Kind::Refused).count() {
        1 => Ok(()),
        count => Err(format!("the program tried {count} times")),
    }
}

/// Starts the program with an account that does not exist; it must not play as a guest.
fn unknown_account(session: &mut ClientSession) -> Result<(), String> {
    expect_exit(session, LOGIN_REFUSED, ANSWER)?;
    let journal = session.server.journal();
    let guests = journal
        .entries
        .iter()
        .filter(|entry| entry.who == "Missing");
    match guests.count() {
        0 => Ok(()),
        _ => Err("the program has logged in as a guest".into()),
    }
}

/// Logs in a second time during a game: the program ends and does not fight for the account.
fn second_login(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    let mut second = Client::connect(session.server.port(), ENGINE, 1, false)?;
    second.enter(PASSWORD)?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    let code = session.wait_for_exit(ANSWER)?;
    if code.is_none_or(|code| code == 0) {
        return Err(format!("gaur-ics ended with {code:?} after a second login"));
    }
    std::thread::sleep(RETURN);
    // The second client is still logged in.
    second.type_line("date")?;
    second.wait_for("Local time", ANSWER)?;
    session.expect(&["GaurBot lost connection; game adjourned *"])
}

/// Starts the program while the server is full; it waits and comes in later.
fn full_server(session: &mut ClientSession) -> Result<(), String> {
    stop(session)?;
    session.server.set_limit(1);
    session.start_program(PASSWORD)?;
    std::thread::sleep(RETURN);
    session.program()?.expect_running()?;
    session.server.set_limit(2);
    session.challenge("1 0 white")?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Stops the program before its first game.
fn stop_when_idle(session: &mut ClientSession) -> Result<(), String> {
    session.wait_until_typed("set open 1")?;
    session.program()?.terminate()?;
    expect_exit(session, 0, ANSWER)
}

/// Stops the program in a game, which it finishes. It accepts no other.
fn stop_after_the_game(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    session.program()?.terminate()?;
    session.rabbit.play(4)?;
    session.program()?.expect_running()?;
    let mut hare = Client::login(session.server.port(), "Hare", 5)?;
    hare.type_line("match GaurBot 1 0")?;
    hare.wait_for("GaurBot is playing a game.", ANSWER)
        .or_else(|_| expect_refusal(&mut hare, "1 0").map(|()| String::new()))?;
    session.rabbit_resigns()?;
    expect_exit(session, 0, ANSWER)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Stops the program in a game, for which it requests an adjournment.
fn stop_with_adjournment(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("3 0 white")?;
    session.rabbit.play(3)?;
    session.program()?.terminate()?;
    session
        .rabbit
        .wait_for("GaurBot would like to adjourn the game", ANSWER)?;
    session.rabbit.type_line("adjourn")?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    expect_exit(session, 0, ANSWER)?;
    session.expect(&["Game adjourned by mutual agreement *"])
}

/// Stops the program at once during a game: by an owner, and by a second signal. The server does not accept `quit`
/// then, so that the program must close the connection.
fn stop_now(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("tell GaurBot stop now")?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    expect_exit(session, 0, ANSWER)?;
    session.start_program(PASSWORD)?;
    accept_resumption(session)?;
    session.rabbit.play(1)?;
    session.program()?.terminate()?;
    session.wait_until_logged("ends after this game")?;
    session.program()?.terminate()?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    expect_exit(session, 0, ANSWER)?;
    session.expect(&["GaurBot lost connection; game adjourned *"; 2])
}

/// Loses the route to the program on Rabbit's turn. Neither side receives the end of the connection. The program must
/// notice, log in again and resume the game.
fn route_lost(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("3 0 white")?;
    session.rabbit.play(2)?;
    session.server.freeze(ENGINE);
    session.rabbit.wait_for_the_end(ROUTE_LOST)?;
    accept_resumption(session)?;
    session.rabbit_resigns_after(2)?;
    session.expect(&[
        "GaurBot lost connection; game adjourned *",
        "Rabbit resigns 0-1",
    ])
}

/// Stops the running program.
fn stop(session: &mut ClientSession) -> Result<(), String> {
    session.wait_until_typed("set open 1")?;
    session.program()?.terminate()?;
    expect_exit(session, 0, ANSWER)
}

fn expect_exit(session: &mut ClientSession, code: i32, timeout: Duration) -> Result<(), String> {
    match session.wait_for_exit(timeout)? {
        Some(seen) if seen == code => Ok(()),
        seen => Err(format!("gaur-ics ended with {seen:?} instead of {code}")),
    }
}
